#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the simulated device gives back a run that was recorded on a real one, row by row.

    recorded.py [--profile NAME] RUN

Measures the points of the recorded RUN once on the simulated device and compares every column but
those of time, place and host memory. What needs a module that is not built is left out, and counted.
Exits 0 when all rows agree, 1 when one does not or none was compared, and 77 when modules built here
and there differ, so that there is nothing to compare.

    CUCTX_BUILD     the build (default: build-tests among the sources)
"""

import argparse
import csv
import glob
import os
import subprocess
import sys
import tempfile

SOURCE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
BENCHMARKS = ("first-call", "context", "context-settings", "limit-stack", "limit-printf-fifo",
              "limit-malloc-heap", "module-code", "module-kernels", "module-source", "device-runtime", "static-symbols",
              "constant-memory", "local-frame", "module-cycle", "other-limits", "module-copies",
              "streams", "events", "memory-pool", "graphs", "teardown", "textures",
              "green-contexts", "stack-overflow", "fragmentation", "first-launch-oom", "combined")
# The axes whose values are kernels to choose from.
SIZES = ("instructions", "kernel_instructions")
# What a simulation need not give back.
OWN = ("run", "attempt", "elapsed_ns", "settle_ns", "host_rss_bytes", "host_mapped_bytes",
       "host_shared_bytes")
# Of kernels.csv, what tells one build of a module from another.
IDENTITY = ("module", "kernel", "architecture", "instructions", "text_bytes", "cubin_bytes")
SHOWN_MAX = 10
SKIPPED = 77


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def axes_of(row):
    columns = list(row)
    return columns[columns.index("device") + 1:columns.index("repeat")]


class Recording:
    """A run directory: samples[(benchmark, axes as text, repeat)] is the rows of its last attempt."""

    def __init__(self, path):
        self.samples = {}
        self.values = {}  # benchmark -> axis -> its values, in the order of the rows
        names = {benchmark: os.path.join(path, f"{benchmark}.csv") for benchmark in BENCHMARKS}
        self.benchmarks = [benchmark for benchmark in names if os.path.exists(names[benchmark])]
        for benchmark in self.benchmarks:
            for row in read(names[benchmark]):
                self._add(benchmark, row)

    def _add(self, benchmark, row):
        axes = axes_of(row)
        for axis in axes:
            self.values.setdefault(benchmark, {}).setdefault(axis, {})[row[axis]] = None
        key = benchmark, " ".join(f"{axis}={row[axis]}" for axis in axes), row["repeat"]
        rows = self.samples.setdefault(key, [])
        # Attempts follow one another.
        if rows and rows[0]["attempt"] != row["attempt"]:
            rows.clear()
        rows.append(row)


def kernels_of(path):
    """module -> its rows in kernels.csv, as far as they say what the assembler made"""
    modules = {}
    for row in read(path):
        modules.setdefault(row["module"], []).append(tuple(row[column] for column in IDENTITY))
    return {module: sorted(rows) for module, rows in modules.items()}


def sizes_of(modules):
    """instructions of the modules that an axis of sizes can take"""
    return {rows[0][3] for module, rows in modules.items() if module.startswith(("fma-", "copy-"))}


def arguments_for(benchmark, values, absent):
    """Of `cuctx run`, to measure the same points."""
    yield benchmark
    for axis, of_axis in values.items():
        wanted = (value for value in of_axis if axis not in SIZES or value not in absent)
        yield from ("--axis", f"{axis}={','.join(wanted)}")


def simulate(build, profile, arguments):
    with tempfile.TemporaryDirectory(prefix="cuctx-recorded-") as out:
        command = [os.path.join(build, "bin", "cuctx"), "run", f"--simulate={profile}",
                   "--repeat", "1", "--out", out, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stderr}")
        return Recording(glob.glob(os.path.join(out, "*"))[0]).samples


def differences(recorded, simulated):
    """Of two samples, as text."""
    steps = [[row["step"] for row in rows] for rows in (recorded, simulated)]
    if steps[0] != steps[1]:
        yield f"steps {' '.join(steps[0])}, simulated {' '.join(steps[1])}"
        return
    for there, here in zip(recorded, simulated):
        for column in there:
            if column not in (*OWN, "repeat") and there[column] != here.get(column):
                yield f"{there['step']}: {column} {there[column]}, simulated {here.get(column)}"


def simulate_all(build, profile, recorded, absent):
    """One benchmark after the other, since axes of one name may have other values in another."""
    samples = {}
    for benchmark, values in recorded.values.items():
        samples.update(simulate(build, profile, arguments_for(benchmark, values, absent)))
    return samples


def compare(recorded, simulated, absent):
    """(rows compared, rows left out, what differs)"""
    compared, left_out, found = 0, 0, []
    for (benchmark, axes, repeat), rows in recorded.samples.items():
        if any(rows[0].get(axis) in absent for axis in SIZES):
            left_out += len(rows)
            continue
        compared += len(rows)
        here = simulated.get((benchmark, axes, "1"), [])
        found += [f"{benchmark} {axes} repeat={repeat} {text}" for text in differences(rows, here)]
    return compared, left_out, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="h200")
    parser.add_argument("run")
    options = parser.parse_args()
    build = os.environ.get("CUCTX_BUILD", os.path.join(SOURCE, "build-tests"))
    listed = glob.glob(os.path.join(build, "share/cuctx/modules/sm_*/kernels.csv"))
    if len(listed) != 1:
        sys.exit(f"{build} has modules of {len(listed)} architectures")
    built, there = kernels_of(listed[0]), kernels_of(os.path.join(options.run, "kernels.csv"))
    if any(built[module] != there[module] for module in built.keys() & there.keys()):
        print("modules of this build are not those of the recorded run")
        return SKIPPED
    absent = sizes_of(there) - sizes_of(built)
    recorded = Recording(options.run)
    simulated = simulate_all(build, options.profile, recorded, absent)
    compared, left_out, found = compare(recorded, simulated, absent)
    for line in found[:SHOWN_MAX]:
        print(line)
    print(f"{compared} rows compared, {left_out} left out, {len(found)} cells differ")
    return 1 if found or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
