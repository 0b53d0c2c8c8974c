#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The observer meets a fault at each of its calls in turn, until the run no longer gets that far.

    observer.py refuse|abort|hang     at start: exit 3 and nothing made; later: a new one takes over
    observer.py gone                  no new one is to be had: exit 3, what was measured is kept
    observer.py weary                 every observer dies before a sample is through: exit 1
    observer.py stranger              a stranger who is there before the run, or comes with the baseline
"""

import sys

from torture import (MEBIBYTE, METER, OBSERVER_READS, OBSERVER_START, UNKNOWN_WITHOUT, Findings, Place,
                     clean_run, in_parallel, measure, read_environment, read_run, resume)

# One benchmark with few steps is enough: the observer does not know what it watches.
SMALL = {"benchmarks": ("context",), "repeat": 2}
STARTED = len(OBSERVER_START)
# The 64 reads of the noise are one like the other.
NOISE_FROM, NOISE_TO = STARTED - 62, STARTED - 2
STRANGER = 64 * MEBIBYTE


def worth_trying(last):
    return [n for n in range(1, last + 2) if n % 10 == 0 or not NOISE_FROM <= n <= NOISE_TO]


def check_no_start(findings, where, outcome):
    findings.expect(where, "exit code", outcome.code, 3)
    findings.expect(where, "run directory", outcome.directory, None)
    findings.expect(where, "stdout", outcome.stdout, "")
    findings.expect(where, "lines on stderr", len(outcome.stderr.splitlines()), 1)


def check_tolerated(findings, where, outcome, clean, symbol):
    """A question without whose answer a run makes sense: only that answer is missing."""
    findings.expect(where, "exit code", outcome.code, 0)
    if not outcome.directory:
        return
    findings.expect(where, UNKNOWN_WITHOUT[symbol],
                    read_environment(outcome.directory)[UNKNOWN_WITHOUT[symbol]], "")
    # Without a granule, meters that differ by a byte are told to differ.
    ignore = {"note"} if symbol == "cuMemAlloc_v2" else ()
    for attempts, twin in zip(read_run(outcome.directory), clean):
        findings.expect(where, "number of attempts", len(attempts), 1)
        findings.attempt_equal(where, attempts[0], twin, ignore=ignore)


def check_lost(findings, where, outcome, clean, reading):
    """The observer was lost at this reading, counted from 0 over all rows of the run."""
    findings.expect(where, "exit code", outcome.code, 0)
    first = 0
    for attempts, twin in zip(read_run(outcome.directory), clean):
        index = reading - first
        first += len(twin.rows)
        findings.attempt_equal(where, attempts[-1], twin)
        if not 0 <= index < len(twin.rows):
            findings.expect(where, "number of attempts", len(attempts), 1)
            continue
        findings.expect(where, "numbers of attempts", [a.number for a in attempts], [1, 2])
        rows = attempts[0].rows
        findings.rows_equal(where, rows[:index], twin.rows)
        findings.expect(where, "steps", [row["step"] for row in rows[index:]],
                        list(dict.fromkeys([twin.rows[index]["step"], "exit"])))
        findings.expect(where, "statuses and errors",
                        {(row["status"], row["error"], row["delta_bytes"]) for row in rows[index:]},
                        {("failed", "observer", "")})


def sweep(findings, place, kind):
    clean = clean_run(place, **SMALL)
    last = STARTED + OBSERVER_READS * sum(len(sample.rows) for sample in clean)
    options = dict(SMALL, timeout=1) if kind == "hang" else SMALL
    numbers = worth_trying(last)
    if kind == "hang":
        numbers = numbers[::3] + [last, last + 1]
    outcomes = in_parallel(lambda n: measure(place, f"{kind}@observer:{n}", **options), numbers)
    for number, outcome in zip(numbers, outcomes):
        symbol, is_needed = OBSERVER_START[number - 1] if number <= STARTED else (METER, True)
        where = f"{kind} at call {number} of the observer ({symbol})"
        if number <= STARTED and (is_needed or kind != "refuse"):
            check_no_start(findings, where, outcome)
        elif number <= STARTED:
            check_tolerated(findings, where, outcome, clean, symbol)
        elif number <= last:
            check_lost(findings, where, outcome, clean, (number - STARTED - 1) // OBSERVER_READS)
        else:
            findings.expect(where, "exit code", outcome.code, 0)
            for attempts, twin in zip(read_run(outcome.directory), clean):
                findings.expect(where, "number of attempts", len(attempts), 1)
                findings.attempt_equal(where, attempts[0], twin)


def gone(findings, place):
    clean = clean_run(place, **SMALL)
    rows = len(clean[0].rows)
    faults = f"abort@observer:{STARTED + OBSERVER_READS * (rows + 2)};refuse@observer.2:1"
    outcome = measure(place, faults, **SMALL)
    findings.expect("gone", "exit code", outcome.code, 3)
    findings.expect("gone", "stdout", outcome.stdout, outcome.directory + "\n")
    samples = read_run(outcome.directory)
    findings.attempt_equal("gone, sample 1", samples[0][0], clean[0])
    findings.expect("gone", "attempts at sample 2", len(samples[1]), 1)
    again = resume(outcome.directory)
    findings.expect("gone, resumed", "exit code", again.code, 0)
    for attempts, twin, count in zip(read_run(outcome.directory), clean, (1, 2)):
        findings.expect("gone, resumed", "numbers of attempts", [a.number for a in attempts],
                        list(range(1, count + 1)))
        findings.attempt_equal("gone, resumed", attempts[-1], twin)


def weary(findings, place):
    clean = clean_run(place, **SMALL)
    faults = f"abort@observer.*:{STARTED + OBSERVER_READS * 3}"
    outcome = measure(place, faults, **SMALL)
    findings.expect("weary", "exit code", outcome.code, 1)
    for attempts, twin in zip(read_run(outcome.directory), clean):
        findings.expect("weary", "numbers of attempts", [a.number for a in attempts], [1, 2, 3])
        for attempt in attempts:
            findings.rows_equal("weary", attempt.rows[:2], twin.rows)
            findings.expect("weary", "last error", attempt.rows[-1]["error"], "observer")
    again = resume(outcome.directory)
    findings.expect("weary, resumed: it was tried often enough", "exit code", again.code, 1)
    findings.expect("weary, resumed", "attempts", [len(a) for a in read_run(outcome.directory)], [3, 3])


def stranger(findings, place):
    """Whoever is there before the first sample changes the absolute counts and nothing else."""
    clean = clean_run(place, **SMALL)
    for number in (1, 12, 15, 16, 20, 40, STARTED):
        where = f"stranger at call {number} of the observer"
        outcome = measure(place, f"stranger={STRANGER}@observer:{number}", **SMALL)
        findings.expect(where, "exit code", outcome.code, 0)
        for attempts, twin in zip(read_run(outcome.directory), clean):
            findings.expect(where, "number of attempts", len(attempts), 1)
            findings.attempt_equal(where, attempts[0], twin, shift=STRANGER)
        about = read_environment(outcome.directory)
        is_noise = number > STARTED - 64
        findings.expect(where, "noise_bytes", about["noise_bytes"], str(STRANGER) if is_noise else "0")
        if number == 1:
            findings.expect(where, "foreign_bytes", about["foreign_bytes"], str(STRANGER))
            findings.expect(where, "foreign_process_count", about["foreign_process_count"], "1")


def main():
    findings = Findings()
    with Place() as place:
        if sys.argv[1] in ("refuse", "abort", "hang"):
            sweep(findings, place, sys.argv[1])
        else:
            {"gone": gone, "weary": weary, "stranger": stranger}[sys.argv[1]](findings, place)
    findings.finish()


if __name__ == "__main__":
    main()
