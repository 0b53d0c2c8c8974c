#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `cuctx predict` says of combinations, against what they took.

usage: predicted.py CUCTX DIR [--exact]

DIR has the rows of `combined` and what the laws are made of. Each combination is predicted from its parts and held against
the most that the sample ever had. A granule for each component and a hundredth of the total is allowed; with --exact,
nothing where no law leaves anything open. Prints the table in Markdown; exit status 1 when one is off.
"""
import csv
import pathlib
import re
import subprocess
import sys

SIZES = {"": 1, "K": 2 ** 10, "M": 2 ** 20, "G": 2 ** 30}
# What parts are called that are options with the same amount, and those that add up when they come twice.
OPTIONS = {"stack", "frame", "fifo", "heap", "pending", "data", "streams", "graphs", "pool"}
ADD_UP = {"data", "streams", "graphs", "pool"}
SWITCHES = {"printf", "malloc", "launch"}
# Of these the laws say the byte, whatever else there is.
EXACT = {"stack", "frame", "fifo", "heap", "printf", "malloc", "pool"}
ALLOWED_PERCENT = 1


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def amount_of(text):
    number, unit = re.fullmatch(r"(\d+)([KMG]?)", text).groups()
    return int(number) * SIZES[unit]


def parts_of(word):
    """[(kind, amount or None)]"""
    parts = []
    for part in word.split("+"):
        kind, _, amount = part.partition("-")
        parts.append((kind, amount_of(amount) if amount else None))
    return parts


class Modules:
    """Instructions of a module's only kernel, and the largest frame of any."""

    def __init__(self, directory):
        self.instructions = {row["module"]: row["instructions"] for row in rows_of(directory / "kernels.csv")}

    def options(self, kind, amount):
        if kind == "code":
            return ["--instructions", self.instructions[f"fma-{amount}"]]
        return ["--instructions", f"{self.instructions['copy-1']}x{amount}"]


def options_of(parts, modules):
    options, amounts = [], {}
    for kind, amount in parts:
        if kind in SWITCHES:
            options.append(f"--{kind}")
        elif kind in OPTIONS:
            before = amounts.get(kind, 0)
            amounts[kind] = before + amount if kind in ADD_UP else max(before, amount)
        else:
            options += modules.options(kind, amount)
    for kind, amount in amounts.items():
        options += [f"--{kind}", str(amount)]
    return options


def taken(rows):
    """The most that the device gave from the first part on; None where a part was refused, or not to be had."""
    if any(row["status"] != "ok" for row in rows):
        return None
    return max(int(row["total_bytes"]) for row in rows if row["step"].startswith("part-"))


def samples_of(directory):
    samples = {}
    for row in rows_of(directory / "combined.csv"):
        samples.setdefault((row["parts"], row["repeat"]), []).append(row)
    measured = {}
    for (word, _), rows in samples.items():
        measured.setdefault(word, set()).add(taken(rows))
    return measured


def predict(cuctx, directory, options):
    """The rows of the answer, or why there is none."""
    result = subprocess.run([cuctx, "predict", str(directory), *options, "--format", "csv"], capture_output=True,
                            text=True, check=False)
    if result.returncode:
        return None, result.stderr.strip()
    return list(csv.DictReader(result.stdout.splitlines())), ""


def is_learnt(parts):
    """Whether the prediction is made of these very rows."""
    return all(kind in SWITCHES for kind, _ in parts)


def granule_of(directory):
    return next(int(row["value"]) for row in rows_of(directory / "environment.csv") if row["key"] == "granule_bytes")


class Check:
    def __init__(self, cuctx, directory, exact):
        self.cuctx, self.directory, self.exact = cuctx, directory, exact
        self.modules, self.granule = Modules(directory), granule_of(directory)
        self.tried, self.wrong = 0, []

    def one(self, word, measured):
        parts = parts_of(word)
        lines, why = predict(self.cuctx, self.directory, options_of(parts, self.modules))
        if lines is None:
            self.wrong.append(f"{word}: {why}")
            return
        predicted = next(int(line["predicted_bytes"]) for line in lines if line["component"] == "process")
        off = predicted - measured
        lines = [line for line in lines if not line["component"].startswith("process")]
        allowed = min(len(lines) * self.granule, measured * ALLOWED_PERCENT // 100)
        if self.exact and all(kind in EXACT for kind, _ in parts):
            allowed = 0
        if abs(off) > allowed:
            self.wrong.append(f"{word}: {predicted} for {measured}, off by {off}, where {allowed} are allowed")
        if not is_learnt(parts):
            self.tried += 1
            print(f"| {word} | {measured:,} | {predicted:,} | {off:,} |")

    def all(self):
        print("| in one context | measured | predicted | off by |\n| --- | ---: | ---: | ---: |")
        for word, measured in sorted(samples_of(self.directory).items()):
            if None not in measured:
                for bytes_taken in sorted(measured):
                    self.one(word, bytes_taken)


def main(arguments):
    check = Check(arguments[0], pathlib.Path(arguments[1]), "--exact" in arguments[2:])
    check.all()
    for line in check.wrong:
        print(line, file=sys.stderr)
    if check.tried < 12:
        print(f"only {check.tried} combinations that no law is made of", file=sys.stderr)
    return 1 if check.wrong or check.tried < 12 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
