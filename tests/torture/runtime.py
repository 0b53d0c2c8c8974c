#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A fault at every driver call of samples that go through the runtime library.

    runtime.py refuse|abort

How many driver calls the library makes is its own affair, so where call N is is not known beforehand.
But the steps that are struck must be all of them, in their order, and what came before must be clean.
"""

import sys

from torture import AXES, Findings, Place, in_parallel, measure, read_run

OPTIONS = {"benchmarks": ("first-call", "context", "limit-stack"), "repeat": 1,
           "axes": dict(AXES, api="runtime", call="cudaFree", contexts="1", direction="up")}
BATCH = 12
EXPECTED = {"refuse": ("refused", "CUDA_ERROR_INVALID_VALUE", 0), "abort": ("crashed", "SIGABRT", 1)}


def first_struck(attempt, twin):
    """Index of the first row whose status is not the clean one."""
    for index, (row, clean) in enumerate(zip(attempt.rows, twin.rows)):
        if row["status"] != clean["status"]:
            return index
    return None


def sweep(findings, place, kind, order, twin):
    status, error, code = EXPECTED[kind]
    struck, number, is_there = [], 0, True
    while is_there:
        numbers = range(number + 1, number + BATCH + 1)
        number += BATCH
        is_there = False
        for n, outcome in zip(numbers, in_parallel(
                lambda n: measure(place, f"{kind}@{order}:{n}", **OPTIONS), numbers)):
            where = f"{kind} at call {n} of {twin.benchmark}"
            attempt = read_run(outcome.directory)[order - 1][0]
            index = first_struck(attempt, twin)
            if index is None:
                findings.expect(where, "exit code", outcome.code, 0)
                continue
            is_there = True
            struck.append(index)
            findings.expect(where, "exit code", outcome.code, code)
            findings.rows_equal(where, attempt.rows[:index], twin.rows)
            findings.expect(where, "step", attempt.rows[index]["step"], twin.rows[index]["step"])
            findings.expect(where, "status", attempt.rows[index]["status"], status)
            if attempt.rows[index]["error"] != "error 1": # the question for the name was refused
                findings.expect(where, "error", attempt.rows[index]["error"], error)
            findings.expect(where, "what is left", attempt.rows[-1]["total_bytes"], "0")
    findings.expect(f"{kind} in {twin.benchmark}", "order of the steps", struck, sorted(struck))
    # All but the first and the last, in which no driver is called.
    findings.expect(f"{kind} in {twin.benchmark}", "steps that were struck", sorted(set(struck)),
                    list(range(1, len(twin.rows) - 1)))


def main():
    findings = Findings()
    with Place() as place:
        outcome = measure(place, **OPTIONS)
        clean = [attempts[0] for attempts in read_run(outcome.directory)]
        findings.expect("clean run", "exit code", outcome.code, 0)
        for order, twin in enumerate(clean, start=1):
            sweep(findings, place, sys.argv[1], order, twin)
    findings.finish()


if __name__ == "__main__":
    main()
