#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One kind of fault at every driver call of a sample in turn, until there is no such call any more.

    faults.py KIND

Each run has the fault at call N of every sample of the first repeat that gets so far. Every few runs
there is a second repeat, which has none and must not notice, and after the last call there is one
run of all benchmarks that meets none. Where call N is in the sample is known from torture.STEPS, which a clean run confirms.
"""

import sys

from filling import FAULTS, FOLLOWS_FREE, SWALLOWS_OOM
from torture import (ERROR_NAME, GOES_ON, MEBIBYTE, METER, Findings, Place, calls_of, clean_run,
                     in_parallel, measure, planned_repeats, read_run)

STRANGER = 64 * MEBIBYTE
BLINK_CALLS = 3
OUT_OF_MEMORY = "CUDA_ERROR_OUT_OF_MEMORY"
# Errors of clean runs.
NUMBERS = {"CUDA_ERROR_INVALID_VALUE": 1, "CUDA_ERROR_LAUNCH_FAILED": 719}
SLOW_MS = 60


class Fault:
    """A kind of fault, and what a sample looks like that met it at a call."""

    text = ""  # as in the list of faults
    before = ""  # other faults that set the scene
    options = {}
    shift_before = 0  # bytes of strangers that the scene has
    shift_each = 0  # and that every struck sample adds
    is_failure = False

    def strike(self, findings, where, attempts, clean, call, shift):
        """Checks the attempts at a sample that met the fault. Returns how often it struck for good."""
        raise NotImplementedError


class Answer(Fault):
    """The call does nothing and answers with an error."""

    def __init__(self, text, error, status):
        self.text = text
        self.error = error
        self.status = status
        self.is_failure = status == "failed"

    def fails_at(self, call, clean):
        step = clean.rows[call.row]["step"]
        return (self.is_failure and call.symbol not in (METER, ERROR_NAME)
                and step not in FAULTS.get(clean.benchmark, ()))

    def is_swallowed(self, call, clean):
        step = clean.rows[call.row]["step"]
        return (self.error == OUT_OF_MEMORY
                and call.symbol in SWALLOWS_OOM.get((clean.benchmark, step), ()))

    def strike(self, findings, where, attempts, clean, call, shift):
        findings.expect(where, "number of attempts", len(attempts), 1)
        rows = attempts[0].rows
        if call.symbol in (METER, ERROR_NAME):
            column = "self_free_bytes" if call.symbol == METER else "error"
            findings.attempt_equal(where, attempts[0], clean, ignore={column} if call.row else ())
            value = "" if call.symbol == METER else f"error {NUMBERS[clean.rows[call.row]['error']]}"
            findings.expect(where, column, rows[call.row][column], value)
            return
        findings.rows_equal(where, rows[:call.row], clean.rows)
        struck = rows[call.row]
        findings.expect(where, "step", struck["step"], clean.rows[call.row]["step"])
        is_swallowed = self.is_swallowed(call, clean)
        status, error = ("ok", "") if is_swallowed else (self.status, self.error)
        if status == "failed" and not self.fails_at(call, clean):
            status = "refused"
        findings.expect(where, "status", struck["status"], status)
        findings.expect(where, "error", struck["error"], error)
        if call.is_first:
            findings.expect(where, "delta_bytes", struck["delta_bytes"], "0")
        steps = [row["step"] for row in clean.rows]
        if not is_swallowed and struck["step"] not in GOES_ON.get(clean.benchmark, ()):
            steps = steps[:call.row + 1] + ["exit"]
        findings.expect(where, "steps", [row["step"] for row in rows], steps)
        findings.expect(where, "what is left", rows[-1]["total_bytes"], "0")


class End(Fault):
    """The call never returns, or the process ends in it."""

    is_failure = True

    def __init__(self, text, status, error, **options):
        self.text = text
        self.status = status
        self.error = error
        self.options = options

    def fails_at(self, call, clean):
        return True

    def strike(self, findings, where, attempts, clean, call, shift):
        findings.expect(where, "number of attempts", len(attempts), 1)
        rows = attempts[0].rows
        findings.expect(where, "number of rows", len(rows), call.row + 2)
        findings.rows_equal(where, rows[:call.row], clean.rows)
        for column, value in (("step", clean.rows[call.row]["step"]), ("status", self.status),
                              ("error", self.error), ("delta_bytes", "")):
            findings.expect(where, column, rows[call.row][column], value)
        for column, value in (("step", "exit"), ("status", "ok"), ("total_bytes", "0")):
            findings.expect(where, "last " + column, rows[-1][column], value)


class Stranger(Fault):
    """Somebody else's memory moves and stays so: the attempt is void, the next one is clean."""

    # While others are there, nothing that fills the device is done unasked.
    options = {"max_memory": "1T"}

    def __init__(self, text, shift_each, before="", shift_before=0):
        self.text = text
        self.before = before
        self.shift_each = shift_each
        self.shift_before = shift_before

    def fails_at(self, call, clean):
        return False

    def strike(self, findings, where, attempts, clean, call, shift):
        check_disturbed(findings, where, attempts, clean, clean.rows[call.row]["step"])
        findings.attempt_equal(where + " again", attempts[-1], clean, shift=shift)


class Blink(Fault):
    """A stranger who is gone before the third call after: seen when a reading falls in between."""

    text = f"stranger-blink={STRANGER}"

    def fails_at(self, call, clean):
        return False

    def strike(self, findings, where, attempts, clean, call, shift):
        # The observer reads once the subject has read its own meter.
        there = range(call.number, call.number + BLINK_CALLS)
        seen = [c for c in calls_of(clean) if c.number in there and c.symbol == METER]
        if not seen:
            findings.expect(where, "number of attempts", len(attempts), 1)
        else:
            check_disturbed(findings, where, attempts, clean, clean.rows[seen[0].row]["step"])
        # Unseen at the end of a step, it is still in what the step read for itself.
        findings.attempt_equal(where + " at last", attempts[-1], clean, ignore=FOLLOWS_FREE)


class SlowRelease(Fault):
    """What is given back is free a little later: fewer bytes at the step, none missing at the end."""

    text = f"slow-release={SLOW_MS}"

    def fails_at(self, call, clean):
        return False

    def strike(self, findings, where, attempts, clean, call, shift):
        findings.expect(where, "number of attempts", len(attempts), 1)
        rows = attempts[0].rows
        findings.expect(where, "number of rows", len(rows), len(clean.rows))
        findings.rows_equal(where, rows[:call.row], clean.rows)
        for row, twin in zip(rows, clean.rows):
            for column in ("step", "status", "error"):
                findings.expect(where, column, row[column], twin[column])
        findings.expect(where, "what is left", rows[-1]["total_bytes"], "0")


KINDS = {
    "refuse": Answer("refuse", "CUDA_ERROR_INVALID_VALUE", "refused"),
    "oom": Answer("oom", OUT_OF_MEMORY, "refused"),
    "fail": Answer("refuse=CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_LAUNCH_FAILED", "failed"),
    "abort": End("abort", "crashed", "SIGABRT"),
    "hang": End("hang", "timeout", "no answer in 1 s", timeout=1),
    "stranger": Stranger(f"stranger={STRANGER}", STRANGER),
    "stranger-free": Stranger(f"stranger-free={STRANGER}", -STRANGER,
                              f"stranger={64 * STRANGER}@observer:1;", 64 * STRANGER),
    "stranger-blink": Blink(),
    "slow-release": SlowRelease(),
}


def check_disturbed(findings, where, attempts, clean, step):
    findings.expect(where, "numbers of attempts", [a.number for a in attempts], [1, 2])
    rows = attempts[0].rows
    findings.expect(where, "steps", [row["step"] for row in rows], [row["step"] for row in clean.rows])
    findings.expect(where, "statuses", {row["status"] for row in rows}, {"disturbed"})
    findings.expect(where, "note", rows[-1]["note"], f"other processes' memory changed in step {step}")


def repeats_of(number):
    return 2 if number % 4 == 1 else 1


class Clean:
    """What a run without faults says of each benchmark."""

    def __init__(self, samples):
        self.samples = {(sample.benchmark, sample.repeat): sample for sample in samples}
        self.last = max(len(calls_of(sample)) for sample in samples)

    def reaching(self, number):
        """The benchmarks whose sample has such a call; all where none has."""
        names = sorted(name for (name, repeat), sample in self.samples.items()
                       if repeat == 1 and len(calls_of(sample)) >= number)
        return tuple(names) or tuple(sorted({name for name, _ in self.samples}))


def check(findings, fault, clean, number, outcome):
    """One run, in which every sample of the first repeat met the fault at its call `number`."""
    shift = fault.shift_before
    code = 0
    samples = read_run(outcome.directory)
    findings.expect(f"{fault.text} at call {number}", "number of samples", len(samples),
                    len(clean.reaching(number)) * repeats_of(number))
    for order, attempts in enumerate(samples, start=1):
        twin = clean.samples[attempts[0].benchmark, attempts[0].repeat]
        where = f"{fault.text} at call {number} of sample {order} ({twin.benchmark})"
        calls = calls_of(twin)
        if twin.repeat == 1 and number <= len(calls):
            call = calls[number - 1]
            shift += fault.shift_each
            code = 1 if fault.fails_at(call, twin) else code
            fault.strike(findings, f"{where}, {call.symbol}", attempts, twin, call, shift)
        else:
            findings.expect(where, "number of attempts", len(attempts), 1)
            findings.attempt_equal(where, attempts[0], twin, shift=shift)
    findings.expect(f"{fault.text} at call {number}", "exit code", outcome.code, code)


def main():
    fault = KINDS[sys.argv[1]]
    findings = Findings()
    with Place() as place:
        clean = Clean(clean_run(place))

        def one(number):
            chosen = {"benchmarks": clean.reaching(number), "repeat": repeats_of(number)}
            text = ";".join(f"{fault.text}@{order}:{number}"
                            for order, repeat in enumerate(planned_repeats(**chosen), start=1) if repeat == 1)
            return measure(place, fault.before + text, **chosen, **fault.options)

        numbers = range(1, clean.last + 2)
        for number, outcome in zip(numbers, in_parallel(one, numbers)):
            check(findings, fault, clean, number, outcome)
    findings.finish()


if __name__ == "__main__":
    main()
