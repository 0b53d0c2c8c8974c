#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts what ctest ran, test by test.

    ctest -V | tally.py

A program that ctest runs holds many tests and tells about each in TAP ("ok", "not ok", "ok # skip").
ctest counts programs: one with a skipped test in it looks passed. Here every test counts, and a program
that ended badly without a "not ok" is a failed test, too. Prints what the programs with failed tests
said, what failed, what was skipped and why, then

    N passed, N failed, N skipped

and exits 1 when one failed or none ran.
"""

import re
import sys

# "12: ok 3 - name # SKIP reason" as ctest -V shows the output of its 12th test.
TAP = re.compile(r"^(\d+): (not ok|ok)\b(?: \d+)?(?: - | )?(.*)$")
SKIP = re.compile(r"\s*#\s*skip\w*\s*(.*)$", re.I)
# " 3/12 Test #12: name ....***Failed  0.3 sec"
RESULT = re.compile(r"^\s*\d+/\d+ Test\s+#(\d+): (\S+) \.*\s*(?:\*\*\*)?([A-Z][A-Za-z ():]*?)\s+[\d.]+ sec")
OUTPUT = re.compile(r"^(\d+): ?(.*)$")
REASON = re.compile(r"^(\d+): .*# skip (.*)$", re.I)


class Program:
    """What one program of ctest said so far."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []
        self.reason = "no reason given"
        self.output = []

    def hear(self, verdict, name):
        skip = SKIP.search(name)
        if skip:
            # cmocka 1.1 says "not ok 3 # SKIP name".
            what = [SKIP.sub("", name), f"({skip.group(1) or 'no reason given'})"]
            self.skipped.append(" ".join(word for word in what if word))
        elif verdict == "not ok":
            self.failed.append(name)
        else:
            self.passed += 1

    def end(self, name, result):
        """The program's own end, where its tests do not tell it."""
        heard = self.passed or self.failed or self.skipped
        if result == "Passed":
            self.passed += not heard
        elif result == "Skipped":
            if not heard:
                self.skipped.append(self.reason)
        elif not self.failed:
            self.failed.append(f"ended badly: {result}")
        self.failed = [f"{name}: {what}" for what in self.failed]
        self.skipped = [f"{name}: {what}" for what in self.skipped]


def tally(lines):
    """Programs by number, in the order in which they ended."""
    running, ended = {}, []
    for line in lines:
        if match := OUTPUT.match(line):
            running.setdefault(match.group(1), Program()).output.append(match.group(2))
        if match := TAP.match(line):
            running.setdefault(match.group(1), Program()).hear(match.group(2), match.group(3))
        elif match := REASON.match(line):
            running.setdefault(match.group(1), Program()).reason = match.group(2)
        elif match := RESULT.match(line):
            program = running.pop(match.group(1), None) or Program()
            program.end(match.group(2), match.group(3).strip())
            ended.append(program)
    return ended


def main():
    programs = tally(line.rstrip("\n") for line in sys.stdin)
    passed = sum(program.passed for program in programs)
    failed = [what for program in programs for what in program.failed]
    skipped = [what for program in programs for what in program.skipped]
    for program in programs:
        if program.failed:
            print("\n".join(program.output), end="\n\n")
    for what in skipped:
        print(f"skipped  {what}")
    for what in failed:
        print(f"FAILED   {what}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
