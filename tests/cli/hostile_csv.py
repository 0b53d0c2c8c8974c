#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that are no benchmark's results, or only just: what compare makes of each.

    hostile_csv.py CUCTX FOLDER
"""

import csv
import io
import json
import os
import re
import subprocess
import sys

HEADER = ["run", "benchmark", "device", "size", "repeat", "attempt", "step_index", "step", "status", "error",
          "granted_bytes", "delta_bytes", "total_bytes", "note"]


def rows(size="1", status="ok", delta="4096", total="4096", **cells):
    """One sample of two steps."""
    sample = dict(run="r", benchmark="toy", device="0", size=size, repeat="1", attempt="1", step="take", error="",
                  granted_bytes="", note="", status=status, delta_bytes=delta, total_bytes=total)
    sample.update(cells)
    end = dict(sample, step="exit", delta_bytes="0", status="ok", error="")
    return [dict(sample, step_index="0"), dict(end, step_index="1")]


def table(*samples, header=None):
    header = HEADER if header is None else header
    text = io.StringIO()
    # Not every release of Python puts a lone carriage return in quotes.
    quoting = csv.QUOTE_ALL if any("\r" in row["size"] for sample in samples for row in sample) else csv.QUOTE_MINIMAL
    writer = csv.DictWriter(text, header, extrasaction="ignore", lineterminator="\n", quoting=quoting)
    writer.writeheader()
    for sample in samples:
        writer.writerows(sample)
    return text.getvalue().encode()


GOOD = table(rows(), rows(size="2"))
LINES = GOOD.split(b"\n")
MORE = table(rows(delta="8192", total="8192"), rows(size="2"))

# What the file is, its bytes, the exit code with --fail-on any, and words on stderr ("": nothing there).
CASES = [
    ("the same", GOOD, 0, ""),
    ("one that differs", MORE, 1, ""),
    ("carriage returns", GOOD.replace(b"\n", b"\r\n"), 0, ""),
    ("a byte order mark", b"\xef\xbb\xbf" + GOOD, 0, ""),
    ("both", b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n"), 0, ""),
    ("empty lines", GOOD.replace(b"\n", b"\n\n\r\n"), 0, ""),
    ("everything in quotes", b"\n".join(b",".join(b'"' + cell + b'"' for cell in line.split(b",")) if line else line
                                        for line in LINES), 0, ""),
    ("columns that nobody knows", table(*[[dict(row, zebra="1") for row in rows(size=size)] for size in "12"],
                                        header=["zebra"] + HEADER), 0, ""),
    ("every row twice", table(rows(), rows(), rows(size="2"), rows(size="2")), 0, ""),
    ("a row twice that differs", table(rows(), rows(delta="8192", total="8192"), rows(size="2")), 0, ""),
    ("another order", table(rows(size="2"), rows()), 0, ""),
    ("a newline in a note", table(rows(note="one\ntwo"), rows(size="2")), 0, ""),
    ("quotes in an axis", table(rows(size='"'), rows(size="2")), 1, ""),
    ("a newline in an axis", table(rows(size="1\n2"), rows(size="2")), 1, ""),
    ("a note of 100,000 bytes", table(rows(note="x" * 100000), rows(size="2")), 0, ""),
    ("a note of 2 MiB", table(rows(note="x" * (2 << 20)), rows(size="2")), 4, "line 2: a row of more than 1048576"),
    ("a quote that is not closed", LINES[0] + b'\n"' + b"\n".join(LINES[1:]) * 20000, 4, "line 2"),
    ("a quote within a cell", GOOD.replace(b"take", b'ta"ke', 1), 4, "line 2: a quote is misplaced"),
    ("negative", table(rows(delta="-4096", total="-4096"), rows(size="2")), 1, ""),
    ("the largest", table(rows(delta="9223372036854775807"), rows(size="2")), 1, ""),
    ("2^63", table(rows(delta="9223372036854775808"), rows(size="2")), 4, "line 2: delta_bytes: '9223372036854775808'"),
    ("2^64", table(rows(delta="18446744073709551616"), rows(size="2")), 4, "line 2: delta_bytes"),
    ("no number", table(rows(), rows(size="2", total="NaN")), 4, "line 4: total_bytes: 'NaN'"),
    ("an infinite one", table(rows(granted_bytes="inf"), rows(size="2")), 4, "line 2: granted_bytes: 'inf'"),
    ("a fraction", table(rows(delta="1.5"), rows(size="2")), 4, "line 2: delta_bytes: '1.5'"),
    ("an exponent", table(rows(delta="1e3"), rows(size="2")), 4, "line 2: delta_bytes: '1e3'"),
    ("a blank before a number", table(rows(delta=" 4096"), rows(size="2")), 4, "line 2: delta_bytes"),
    ("no numbers at all", table(rows(delta="", total=""), rows(size="2")), 1, ""),
    ("no step number", table([dict(row, step_index="x") for row in rows()]), 4, "line 2: step_index: 'x'"),
    ("a row that is short", GOOD.replace(b",exit,ok", b",exit", 1), 4, "line 3 does not have the header's 14 columns"),
    ("a row that is long", GOOD.replace(b",exit,ok", b",exit,ok,ok", 1), 4, "line 3 does not have"),
    ("a last line that is cut off", GOOD[:-6], 1, "line 5: the last line is cut off"),
    ("no newline at the end", GOOD[:-1], 1, "line 5: the last line is cut off"),
    ("a header alone", LINES[0] + b"\n", 4, "no rows"),
    ("nothing", b"", 4, "no header line"),
    ("newlines", b"\n\n\n", 4, "no header line"),
    ("a zero byte", GOOD.replace(b"take", b"ta\0e", 1), 4, "line 2: a zero byte"),
    ("zeros", bytes(4096), 4, "line 1: a zero byte"),
    ("no text at all", bytes(range(1, 256)) * 64, 4, ""),
    ("a program", open(sys.argv[1], "rb").read(100000), 4, "line 1"),
    ("columns out of order", table(rows(), header=["repeat"] + [name for name in HEADER if name != "repeat"]), 4,
     "line 1: the columns are out of order"),
    ("too many axes", table(rows(), header=HEADER[:4] + [f"axis_{i}" for i in range(20)] + HEADER[4:]), 4,
     "line 1: more than 16 axes"),
]
CASES += [(f"no column {name}", table(rows(), header=[other for other in HEADER if other != name]), 4,
           f"line 1: no column '{name}'")
          for name in HEADER if name not in ("run", "size", "granted_bytes", "note")]

# Words that mean something somewhere.
WORDS = ["`id`", "$(id)", "<script>alert(1)</script>", "a|b", "**bold**", "[x](y)", "\x1b[31mred", "a\tb", "a\rb",
         "\x9b31m", "back\\slash", "'", "%s%n", "=1+1", "ü", "&amp;", "#"]


def broken(text):
    """What is no UTF-8."""
    return text.replace(b"broken", b"\xff\xfe\xc3\x28")


def compare(path, *options):
    return subprocess.run([sys.argv[1], "compare", "base.csv", path, *options], capture_output=True, check=False)


def fail(name, why, result):
    sys.exit(f"{name}: {why}\nexit code {result.returncode}\nstdout: {result.stdout[-2000:]!r}\n"
             f"stderr: {result.stderr[:2000]!r}")


def write(path, text):
    with open(path, "wb") as file:
        file.write(text)


def check_cases():
    for number, (name, text, code, words) in enumerate(CASES):
        path = f"{number}.csv"
        write(path, text)
        result = compare(path, "--fail-on", "any")
        if result.returncode != code:
            fail(name, f"the exit code should be {code}", result)
        if words.encode() not in result.stderr or (code != 4 and not words and result.stderr):
            fail(name, f"stderr should have {words!r}", result)
        if code == 4 and (result.stderr.count(b"\n") != 1 or path.encode() not in result.stderr):
            fail(name, "one line should name the file", result)
        if code == 4 and result.stdout:
            fail(name, "nothing should be on stdout", result)


def check_formats():
    """Hostile words come through as what they are, and as nothing else."""
    samples = [rows(size=word, delta="1", error=word, status="refused") for word in WORDS + ["broken"]]
    write("words-base.csv", broken(table(*samples)))
    for sample in samples:
        sample[0]["error"] += "!"
    write("base.csv", broken(table(*samples)))
    for number, format_name in enumerate(("table", "markdown", "csv", "json")):
        result = compare("words-base.csv", "--format", format_name)
        if result.returncode or result.stderr:
            fail(format_name, "it should be fine", result)
        check_format(number, format_name, result)


def check_format(number, format_name, result):
    if format_name == "csv":
        with open(f"format-{number}.csv", "wb") as file:
            file.write(result.stdout)
        with open(file.name, newline="", encoding="utf-8", errors="surrogateescape") as file:
            sizes = {row["axes"] for row in csv.DictReader(file)}
        if not sizes >= {f"size={word}" for word in WORDS}:
            fail(format_name, "a word was changed", result)
        return
    text = result.stdout.decode()
    if format_name == "json":
        sizes = {row["axes"] for row in json.loads(text)["differences"]}
        if not sizes >= {f"size={word}" for word in WORDS} or not any("\ufffd" in size for size in sizes):
            fail(format_name, "a word was changed", result)
        return
    if any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 for c in text):
        fail(format_name, "a control character", result)
    if format_name == "markdown":
        lines = [re.sub(r"\\.", "", line) for line in text.splitlines() if line.startswith("| size")]
        if len(lines) <= len(WORDS) or any(line.count("|") != 8 or re.search(r"[`*<>\[\]$&#]", line) for line in lines):
            fail(format_name, "a word is not escaped", result)


def main():
    os.chdir(sys.argv[2])
    write("base.csv", GOOD)
    check_cases()
    check_formats()


main()
