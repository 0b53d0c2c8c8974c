#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One kind of fault at every driver call of a sample in turn, until there is no such call any more.

    faults.py KIND

Several calls share a run, each with a repeat of its own in which every sample meets the fault at that call, if
it gets so far. The last repeat has none and must not notice, and after the last call there is one run of all
benchmarks that meets none. Where call N is in the sample is known from torture.STEPS, which a clean run confirms.
"""

import sys

from filling import FAULTS, FOLLOWS_FREE, SWALLOWS_OOM
from torture import (ERROR_NAME, GOES_ON, MEBIBYTE, METER, PARALLEL, Findings, Place, calls_of, clean_run,
                     in_parallel, measure, planned_repeats, read_run)

# All strangers of a run together must leave room for samples that fill the device.
STRANGER = 8 * MEBIBYTE
STRANGERS_MAX = 256
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
    calls_per_run = 5
    runs_at_once = PARALLEL
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

    def __init__(self, text, status, error):
        self.text = text
        self.status = status
        self.error = error

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


class Hang(End):
    """Each is waited for, so these runs are short and many."""

    options = {"timeout": 1}
    calls_per_run = 1
    runs_at_once = 2 * PARALLEL


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
    "hang": Hang("hang", "timeout", "no answer in 1 s"),
    "stranger": Stranger(f"stranger={STRANGER}", STRANGER),
    "stranger-free": Stranger(f"stranger-free={STRANGER}", -STRANGER,
                              f"stranger={STRANGERS_MAX * STRANGER}@observer:1;", STRANGERS_MAX * STRANGER),
    "stranger-blink": Blink(),
    "slow-release": SlowRelease(),
}


def check_disturbed(findings, where, attempts, clean, step):
    findings.expect(where, "numbers of attempts", [a.number for a in attempts], [1, 2])
    rows = attempts[0].rows
    findings.expect(where, "steps", [row["step"] for row in rows], [row["step"] for row in clean.rows])
    findings.expect(where, "statuses", {row["status"] for row in rows}, {"disturbed"})
    findings.expect(where, "note", rows[-1]["note"], f"other processes' memory changed in step {step}")


class Clean:
    """What a run without faults says of each benchmark."""

    def __init__(self, samples):
        self.samples = {sample.benchmark: sample for sample in samples if sample.repeat == 1}
        self.last = max(len(calls_of(sample)) for sample in samples)

    def reaching(self, number):
        """The benchmarks whose sample has such a call; all where none has."""
        names = sorted(name for name, sample in self.samples.items() if len(calls_of(sample)) >= number)
        return tuple(names or sorted(self.samples))

    def batches(self, size):
        """The numbers of the calls that share a run, and at last one that no sample gets to."""
        numbers = range(1, self.last + 1)
        return [*(numbers[i:i + size] for i in range(0, self.last, size)), range(self.last + 1, self.last + 2)]


class Batch:
    """A run in which the samples of each repeat but the last meet the fault at a call of their own."""

    def __init__(self, clean, numbers):
        self.clean = clean
        self.numbers = numbers
        self.chosen = {"benchmarks": clean.reaching(numbers[0]), "repeat": len(numbers) + 1}

    def number(self, repeat):
        """None in the last one."""
        return self.numbers[repeat - 1] if repeat <= len(self.numbers) else None

    def measure(self, place, fault):
        numbers = map(self.number, planned_repeats(**self.chosen))
        text = ";".join(f"{fault.text}@{order}:{number}" for order, number in enumerate(numbers, start=1) if number)
        return measure(place, fault.before + text, **self.chosen, **fault.options)

    def check(self, findings, fault, outcome):
        what = f"{fault.text} at calls {self.numbers[0]} to {self.numbers[-1]}"
        shift = fault.shift_before
        code = 0
        samples = read_run(outcome.directory)
        findings.expect(what, "number of samples", len(samples),
                        len(self.chosen["benchmarks"]) * self.chosen["repeat"])
        for order, attempts in enumerate(samples, start=1):
            twin, number = self.clean.samples[attempts[0].benchmark], self.number(attempts[0].repeat)
            where = f"{fault.text} at call {number} of sample {order} ({twin.benchmark})"
            calls = calls_of(twin)
            if number and number <= len(calls):
                call = calls[number - 1]
                shift += fault.shift_each
                code = 1 if fault.fails_at(call, twin) else code
                fault.strike(findings, f"{where}, {call.symbol}", attempts, twin, call, shift)
            else:
                findings.expect(where, "number of attempts", len(attempts), 1)
                findings.attempt_equal(where, attempts[0], twin, shift=shift)
        findings.expect(what, "exit code", outcome.code, code)


def main():
    fault = KINDS[sys.argv[1]]
    findings = Findings()
    with Place() as place:
        clean = Clean(clean_run(place))
        batches = [Batch(clean, numbers) for numbers in clean.batches(fault.calls_per_run)]
        outcomes = in_parallel(lambda batch: batch.measure(place, fault), batches, fault.runs_at_once)
        for batch, outcome in zip(batches, outcomes):
            batch.check(findings, fault, outcome)
    findings.finish()


if __name__ == "__main__":
    main()
