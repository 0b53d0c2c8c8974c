#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the two witnesses of a disturbance see, alone and together, and what becomes of the sample.

    witness.py quiet       NVML falls silent at each call in turn: its columns stay empty, nothing else
    witness.py foreign     NVML knows everybody by other numbers, as in some containers: no sample is disturbed by that
    witness.py count       NVML is silent and a stranger comes: the free count tells on it
    witness.py unseen      NVML is silent and a stranger blinks: nobody can know
    witness.py always      a stranger at every attempt: disturbed to the end, exit 1
    witness.py crashed     a crash is a crash, whoever else moved
    witness.py late        memory that comes back later than anybody waits
"""

import sys

from torture import (MEBIBYTE, Findings, Place, calls_of, clean_run, in_parallel, measure, read_run)

STRANGER = 64 * MEBIBYTE
# The note compares NVML with the free count, so it is silent, too.
SILENT = {"nvml_process_bytes", "nvml_other_bytes", "note"}
SMALL = {"benchmarks": ("context",), "repeat": 2}


def quiet(findings, place):
    clean = clean_run(place)
    # Four calls lie less than two steps apart; the samples take turns at being struck.
    tries = [(order, number) for order, sample in enumerate(clean[:6], start=1)
             for number in range(1 + order % 4, len(calls_of(sample)) + 1, 4)]
    outcomes = in_parallel(lambda t: measure(place, f"quiet-nvml@{t[0]}:{t[1]}"), tries)
    for (order, number), outcome in zip(tries, outcomes):
        where = f"quiet-nvml at call {number} of sample {order}"
        findings.expect(where, "exit code", outcome.code, 0)
        for index, (attempts, twin) in enumerate(zip(read_run(outcome.directory), clean), start=1):
            from_row = 0
            if index <= order:
                from_row = calls_of(twin)[number - 1].row if index == order else len(twin.rows)
            rows = attempts[0].rows
            findings.expect(where, "number of attempts", len(attempts), 1)
            findings.attempt_equal(where, attempts[0], twin, ignore=SILENT)
            findings.rows_equal(where, rows[:from_row], twin.rows)
            spoken = {row[column] for row in rows[from_row:] for column in SILENT}
            findings.expect(where, "NVML's columns", spoken - {""}, set())


def foreign(findings, place):
    clean = clean_run(place, **SMALL)
    outcome = measure(place, "foreign-pids@observer:1", **SMALL)
    findings.expect("other numbers", "exit code", outcome.code, 0)
    for attempts, twin in zip(read_run(outcome.directory), clean):
        findings.expect("other numbers", "number of attempts", len(attempts), 1)
        findings.attempt_equal("other numbers", attempts[0], twin, ignore=SILENT)
        spoken = {row[column] for row in attempts[0].rows for column in SILENT}
        findings.expect("other numbers", "NVML's columns", spoken, {""})
    outcome = measure(place, f"foreign-pids@observer:1;stranger={STRANGER}@1:4", **SMALL)
    findings.expect("other numbers, a stranger", "numbers of attempts",
                    [len(attempts) for attempts in read_run(outcome.directory)], [2, 1])


def count(findings, place):
    clean = clean_run(place, **SMALL)
    numbers = range(1, len(calls_of(clean[0])) + 1, 3)
    outcomes = in_parallel(
        lambda n: measure(place, f"quiet-nvml@observer:1;stranger={STRANGER}@1:{n}", **SMALL), numbers)
    for number, outcome in zip(numbers, outcomes):
        where = f"stranger at call {number}, NVML silent"
        samples = read_run(outcome.directory)
        findings.expect(where, "exit code", outcome.code, 0)
        findings.expect(where, "numbers of attempts", [[a.number for a in s] for s in samples], [[1, 2], [1]])
        rows = samples[0][0].rows
        findings.expect(where, "statuses", {row["status"] for row in rows}, {"disturbed"})
        findings.expect(where, "does the note tell",
                        f"{-STRANGER} bytes more were free than before" in rows[-1]["note"], True)
        for attempts, twin in zip(samples, clean):
            findings.attempt_equal(where, attempts[-1], twin, shift=STRANGER, ignore=SILENT)


def unseen(findings, place):
    clean = clean_run(place, **SMALL)
    step = calls_of(clean[0])[3]  # cuCtxCreate_v2 of create-1
    outcome = measure(place, f"quiet-nvml@observer:1;stranger-blink={STRANGER}@1:{step.number}", **SMALL)
    samples = read_run(outcome.directory)
    findings.expect("blink", "exit code", outcome.code, 0)
    findings.expect("blink", "numbers of attempts", [len(attempts) for attempts in samples], [1, 1])
    # It is in the rows, and a repeat shows that they are not to be trusted.
    taken = [int(attempts[0].rows[step.row]["delta_bytes"]) for attempts in samples]
    findings.expect("blink", "difference between the repeats", taken[0] - taken[1], STRANGER)
    findings.expect("blink", "what is left", samples[0][0].rows[-1]["total_bytes"], "0")


def always(findings, place):
    clean = clean_run(place, **SMALL)
    outcome = measure(place, f"stranger={STRANGER}@1.*:5", **SMALL)
    samples = read_run(outcome.directory)
    findings.expect("always", "exit code", outcome.code, 1)
    findings.expect("always", "numbers of attempts", [[a.number for a in s] for s in samples], [[1, 2, 3], [1]])
    for attempt in samples[0]:
        findings.expect("always", "statuses", {row["status"] for row in attempt.rows}, {"disturbed"})
        findings.expect("always", "number of rows", len(attempt.rows), len(clean[0].rows))
    findings.attempt_equal("always, sample 2", samples[1][0], clean[1], shift=3 * STRANGER)


def crashed(findings, place):
    clean = clean_run(place, **SMALL)
    outcome = measure(place, f"stranger={STRANGER}@1:4;abort@1:6", **SMALL)
    samples = read_run(outcome.directory)
    findings.expect("crashed", "exit code", outcome.code, 1)
    findings.expect("crashed", "numbers of attempts", [len(attempts) for attempts in samples], [1, 1])
    findings.expect("crashed", "statuses", [row["status"] for row in samples[0][0].rows],
                    ["ok", "ok", "ok", "crashed", "ok"])
    findings.attempt_equal("crashed, sample 2", samples[1][0], clean[1], shift=STRANGER)


def late(findings, place):
    clean = clean_run(place, **SMALL)
    outcome = measure(place, "slow-release=3500@1:1", **SMALL)
    samples = read_run(outcome.directory)
    findings.expect("late", "exit code", outcome.code, 0)
    findings.expect("late", "status of the first attempt",
                    {row["status"] for row in samples[0][0].rows}, {"disturbed"})
    findings.expect("late", "was it taken again", len(samples[0]) > 1, True)
    absolute = {"self_free_bytes", "observer_free_bytes", "nvml_used_bytes", "note"}
    for attempts, twin in zip(samples, clean):
        findings.attempt_equal("late", attempts[-1], twin, ignore=absolute)


def main():
    cases = {"quiet": quiet, "foreign": foreign, "count": count, "unseen": unseen, "always": always, "crashed": crashed,
             "late": late}
    findings = Findings()
    with Place() as place:
        cases[sys.argv[1]](findings, place)
    findings.finish()


if __name__ == "__main__":
    main()
