#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is recorded under results/ keeps its promises, and so does every figure quoted from it.

usage: test_recorded.py SOURCE_DIR [CHECK...]; no CHECK: all of them. Commands are tried on the program in CUCTX_BUILD.
"""
import collections
import csv
import fractions
import math
import pathlib
import re
import sys

import documents

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import slot_law  # pylint: disable=wrong-import-position

NOT_BENCHMARKS = {"environment", "kernels", "plan", "laws", "claims", "components", "timing"}
# What must not differ from repeat to repeat. Host memory, times and settling may.
FIXED = ["status", "error", "delta_bytes", "total_bytes", "self_free_bytes", "observer_free_bytes",
         "nvml_used_bytes", "nvml_process_bytes", "nvml_reserved_bytes", "nvml_other_bytes", "note"]


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def environment_of(run):
    return {row["key"]: row["value"] for row in rows_of(run / "environment.csv")}


def benchmarks_of(run):
    return {path.stem: rows_of(path) for path in sorted(run.glob("*.csv")) if path.stem not in NOT_BENCHMARKS}


def columns_between(row, after, before):
    names = list(row)
    return names[names.index(after) + 1:names.index(before)]


def check_clean(run):
    """A real device, and a program built from a commit without changes."""
    environment = environment_of(run)
    if environment["simulated"] != "no":
        yield f"{run.name}: simulated is {environment['simulated']!r}"
    if not re.fullmatch(r"[0-9a-f]{40}", environment["git_commit"]):
        yield f"{run.name}: git_commit {environment['git_commit']!r} is not one clean commit"


def check_statuses(run):
    """Every row is ok, or refused or unsupported with a reason."""
    for name, rows in benchmarks_of(run).items():
        for number, row in enumerate(rows, 2):
            explained = {"ok": True, "refused": bool(row["error"]), "unsupported": bool(row["note"])}
            if not explained.get(row["status"], False):
                yield f"{run.name}/{name}.csv:{number}: {row['status']} {row['error']} {row['note']}"


def check_plan(run):
    """Every sample of the plan is there, once."""
    taken = collections.Counter()
    for name, rows in benchmarks_of(run).items():
        axes = columns_between(rows[0], "device", "repeat")
        for row in rows:
            if row["step"] in ("exit", "none"):
                taken[(name, row["repeat"], tuple(row[axis] for axis in axes))] += 1
    planned = {(row["benchmark"], row["repeat"],
                tuple(row[f"value_{i}"] for i in (1, 2, 3) if row[f"axis_{i}"])) for row in rows_of(run / "plan.csv")}
    for sample in planned ^ set(taken):
        yield f"{run.name}: {sample} is in the plan or in the rows, not in both"
    for sample, count in taken.items():
        if count != 1:
            yield f"{run.name}: {sample} is there {count} times"


def check_repeats(run):
    """All repeats of a point are equal to the byte."""
    for name, rows in benchmarks_of(run).items():
        axes = columns_between(rows[0], "device", "repeat")
        readings = columns_between(rows[0], "error", "delta_bytes")
        seen = {}
        for row in rows:
            # A step may come several times in a sample: with its place it is one.
            key = tuple(row[axis] for axis in axes) + (row["step"], row["step_index"])
            values = tuple(row[column] for column in FIXED + readings)
            if seen.setdefault(key, values) != values:
                yield f"{run.name}/{name}.csv: {key}: {seen[key]} and {values}"


def check_hidden(run):
    """docs/METHOD.md names what NVML's process list leaves out of every context."""
    text = (run.parent.parent / "docs/METHOD.md").read_text(encoding="utf-8")
    quoted = re.search(r"([\d,]+) bytes of every context with the default connections are in no "
                       r"process's entry", text)
    for row in benchmarks_of(run).get("context", []):
        if row["step"] == "create-1" and row["nvml_process_bytes"]:
            hidden = int(row["total_bytes"]) - int(row["nvml_process_bytes"])
            if not quoted or hidden != int(quoted.group(1).replace(",", "")):
                yield f"docs/METHOD.md: the row says {hidden}"


def copies_by_law(run, row, texts):
    """What laws.csv says of so many copies at once, law by law: (its name, bytes)."""
    laws, granule = rows_of(run / "laws.csv"), int(environment_of(run)["granule_bytes"])
    size = row["kernel_instructions"]
    of_size = {law["parameter"]: fractions.Fraction(law["value"]) for law in laws
               if law["benchmark"] == "module-copies" and law["component"] == f"copy-{size}"}
    if of_size:
        above = of_size["bytes_per_unit"] * int(row["copies"]) - of_size["slack_bytes"]
        yield f"copy-{size}", math.ceil(above / granule) * granule
    slot = slot_law.read(laws)
    if slot:
        yield "slot", slot_law.bytes_of(slot, texts[size], int(row["copies"]), granule)


def check_copies(run):
    """What a copy costs by the edges, times the copies, is what so many take at once: within a granule."""
    rows, granule = benchmarks_of(run).get("module-copies", []), int(environment_of(run)["granule_bytes"])
    texts = {row["kernel_instructions"]: int(row["text_bytes"]) for row in rows if row.get("text_bytes")}
    if texts and not slot_law.read(rows_of(run / "laws.csv")):
        yield f"{run.name}/laws.csv: no slot meets all edges of module-copies"
    for row in rows:
        if row["step"] != "load-copies":
            continue
        for name, by_law in copies_by_law(run, row, texts):
            if abs(by_law - int(row["delta_bytes"])) > granule:
                yield (f"{run.name}: {row['copies']} copies of {row['kernel_instructions']} instructions take "
                       f"{row['delta_bytes']}, by the law {name} {by_law}")


def each_run(check):
    return lambda source: (fault for run in recorded(source) for fault in check(run))


def each_document(check):
    return lambda source: (fault for path in documents.of(source) for fault in check(source, path))


CHECKS = {name[len("check_"):]: each_run(function) for name, function in globals().items()
          if name.startswith("check_")}
CHECKS["figures"] = each_document(documents.check_figures)
CHECKS["commands"] = each_document(documents.check_commands)


def recorded(source):
    return sorted((source / "results").glob("nvidia-*"))


def main(arguments):
    source = pathlib.Path(arguments[0])
    runs = recorded(source)
    if not runs:
        print("nothing is recorded under results/")
        return 1
    faults = [fault for name in arguments[1:] or CHECKS for fault in CHECKS[name](source)]
    for fault in faults[:20]:
        print(fault)
    print(f"{len(runs)} recorded, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
