# SPDX-License-Identifier: MIT
"""The proof that the comparison can fail: models with one key changed, and rows that were tampered with."""

import copy
import os
import random

from compare import benchmark_mismatches, breaches, environment_mismatches, mismatches

# Keys that no cell shows.
UNSEEN = {
    "nvml_total_bytes": "no column has NVML's total",
}

# Keys that only environment.csv shows; all others must be seen in the rows of a benchmark.
NO_BYTES = {"driver_api_version", "runtime_api_version", "persistence_mode", "ecc", "mig", "compute_mode"}

# Keys of which a single byte more is seen.
TO_THE_BYTE = {
    "total_bytes", "nvml_reserved_bytes", "nvml_process_hidden_bytes", "device_first_context_bytes",
    "context_fixed_bytes", "stack_default_bytes", "fifo_default_bytes", "fifo_step_bytes",
    "fifo_min_bytes", "fifo_max_bytes", "printf_fixed_bytes", "printf_module_bytes",
    "heap_default_bytes", "heap_step_bytes", "heap_min_bytes", "heap_max_bytes", "heap_extra_bytes",
    "malloc_fixed_bytes", "malloc_module_bytes",
    "printf_malloc_shared_bytes",
}


def other_values(key, value):
    """Values that the model is given instead, the nearest first."""
    if key.kind == "TEXT":
        return [value + "0"]
    if key.kind == "WORD":
        return [word for word in key.words if word != value]
    if key.name == "granule_bytes":
        return [2 * value, value // 2]
    near = [value + 1, value - 1]
    far = [] if key.name in TO_THE_BYTE else [2 * value + 1, value // 2, key.smallest, key.largest]
    return [number for number in dict.fromkeys(near + far)
            if key.smallest <= number <= key.largest and number != value]


def named_otherwise(key, truths):
    """(run's name, its value, the model's value, mismatch) of the first model found out by environment.csv."""
    for name, (run, profile) in truths.items():
        for value in other_values(key, profile[key.name]):
            found = next(environment_mismatches(run, {**profile, key.name: value}), None)
            if found:
                return name, profile[key.name], value, found
    return None


def find_out(key, truths, modules, benchmarks):
    """The same by the rows of one of these benchmarks, which is put first for the next key: keys that
    stand beside each other are mostly seen by the same."""
    for name, (run, profile) in truths.items():
        for value in other_values(key, profile[key.name]):
            changed = {**profile, key.name: value}
            for benchmark in benchmarks:
                found = next(benchmark_mismatches(run, benchmark, changed, modules), None)
                if found:
                    benchmarks.remove(benchmark)
                    benchmarks.insert(0, benchmark)
                    return name, profile[key.name], value, found
    return None


def check_keys(laboratory, tap, truths):
    """A part of them each time, by the seed: CUCTX_PLANTED_KEYS of a hundred."""
    share = int(os.environ.get("CUCTX_PLANTED_KEYS", "20"))
    rng = random.Random(laboratory.seed)
    benchmarks = list(next(iter(truths.values()))[0].axes)
    for key in laboratory.keys.values():
        if key.name in UNSEEN or rng.randrange(100) >= share:
            continue
        if key.kind == "TEXT" or key.name in NO_BYTES:
            found = named_otherwise(key, truths)
        else:
            found = find_out(key, truths, laboratory.modules, benchmarks)
        if found:
            name, value, instead, mismatch = found
            tap.result(True, f"a model of {name} with {key.name} {instead} instead of {value} is found "
                             f"out by {mismatch.benchmark} {mismatch.column}")
        else:
            tap.result(False, f"a model with another {key.name} is found out",
                       "no row of any run shows a difference")


# ---- rows ----


def with_another_byte(table, column):
    row = next(row for row in table if row[column] and row["step"] not in ("start", "exit"))
    row[column] = str(int(row[column]) + 1)


def with_another_word(table, column):
    table[len(table) // 2][column] += "x"


def without_a_row(table, _column):
    del table[len(table) // 2]


def with_a_row_twice(table, _column):
    table.insert(len(table) // 2, dict(table[len(table) // 2]))


def without_a_sample(table, _column):
    end = next(i for i, row in enumerate(table) if row["step"] == "exit")
    begin = max(i for i in range(end) if table[i]["step"] == "start")
    del table[begin:end + 1]


def with_a_leak(table, _column):
    row = next(row for row in table if row["step"] == "exit")
    row["total_bytes"] = "1"


TAMPERINGS = [
    *((with_another_byte, column) for column in (
        "delta_bytes", "total_bytes", "self_free_bytes", "observer_free_bytes", "nvml_used_bytes",
        "nvml_process_bytes", "nvml_reserved_bytes", "nvml_other_bytes", "default_bytes",
        "granted_bytes")),
    *((with_another_word, column) for column in ("step", "status", "error", "note", "run", "attempt")),
    (without_a_row, ""), (with_a_row_twice, ""), (without_a_sample, ""), (with_a_leak, ""),
]


def check_rows(laboratory, tap, run, profile):
    for tamper, column in TAMPERINGS:
        tampered = copy.copy(run)
        tampered.tables = copy.deepcopy(run.tables)
        tamper(tampered.tables["limit-printf-fifo"], column)
        found = next(breaches(tampered), None) or next(
            mismatches(tampered, profile, laboratory.modules), None)
        tap.result(bool(found), f"rows {tamper.__name__.replace('_', ' ')} {column}".rstrip())


def check(laboratory, tap, runs):
    """By the runs that do not depend on the seed."""
    check_keys(laboratory, tap, runs)
    check_rows(laboratory, tap, *next(iter(runs.values())))
