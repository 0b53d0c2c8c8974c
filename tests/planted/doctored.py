# SPDX-License-Identifier: MIT
"""The proof that the comparison can fail: models with one key changed, and rows that were tampered with."""

import copy
import time

from compare import breaches, environment_mismatches, group, mismatches, point_mismatches, take_point
from files import points

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
    "printf_malloc_shared_bytes", "printf_device_runtime_shared_bytes", "malloc_device_runtime_shared_bytes",
    "printf_malloc_device_runtime_shared_bytes",
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


class Watched(dict):
    """A profile that knows which of its keys have been asked for."""

    def __init__(self, profile):
        super().__init__(profile)
        self.asked = set()

    def __getitem__(self, key):
        self.asked.add(key)
        return super().__getitem__(key)

    def get(self, key, default=None):
        self.asked.add(key)
        return super().get(key, default)


class Point:
    """One of a run that agrees with its profile's model, and the keys that the model asks for."""

    def __init__(self, benchmark, point, repeats, profile, modules):
        self.truth = benchmark, point, repeats
        self.modules = modules
        watched, begin = Watched(profile), time.process_time()
        assert not self.mismatch(watched)
        self.keys, self.seconds = watched.asked, time.process_time() - begin

    def mismatch(self, profile):
        """The first one, or None."""
        return next(point_mismatches(*self.truth, profile, self.modules), None)


def points_of(run, profile, modules):
    """Those first that the model is soonest done with."""
    found = []
    for benchmark, axes in run.axes.items():
        samples = group(run.tables[benchmark], axes)
        found += [Point(benchmark, point, take_point(samples, point, run.repeats), profile, modules)
                  for point in points(benchmark, axes)]
    return sorted(found, key=lambda point: point.seconds)


def find_out_by_environment(key, run, profile):
    """(the model's value, mismatch) of the first model found out, or None."""
    for value in other_values(key, profile[key.name]):
        found = next(environment_mismatches(run, {**profile, key.name: value}), None)
        if found:
            return value, found
    return None


def find_out(key, some_points, profile):
    """The same by the rows of one of these. Where the model does not ask for the key, it changes nothing."""
    models = [{**profile, key.name: value} for value in other_values(key, profile[key.name])]
    for point in some_points:
        for model in models if key.name in point.keys else ():
            found = point.mismatch(model)
            if found:
                return model[key.name], found
    return None


def check_keys(laboratory, tap, truths):
    """Each key by the first run that shows it."""
    left = [key for key in laboratory.keys.values() if key.name not in UNSEEN]
    for name, (run, profile) in truths.items():
        all_points = points_of(run, profile, laboratory.modules)
        for key in list(left):
            if key.kind == "TEXT" or key.name in NO_BYTES:
                found = find_out_by_environment(key, run, profile)
            else:
                found = find_out(key, all_points, profile)
            if found:
                left.remove(key)
                tap.result(True, f"a model of {name} with {key.name} {found[0]} instead of {profile[key.name]} "
                                 f"is found out by {found[1].benchmark} {found[1].column}")
    for key in left:
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
    benchmark = "limit-printf-fifo"
    alone = copy.copy(run)
    alone.axes = {benchmark: run.axes[benchmark]}
    for tamper, column in TAMPERINGS:
        alone.tables = {benchmark: copy.deepcopy(run.tables[benchmark])}
        tamper(alone.tables[benchmark], column)
        found = next(breaches(alone), None) or next(mismatches(alone, profile, laboratory.modules), None)
        tap.result(bool(found), f"rows {tamper.__name__.replace('_', ' ')} {column}".rstrip())


def check(laboratory, tap, runs):
    """By the runs that do not depend on the seed."""
    check_keys(laboratory, tap, runs)
    check_rows(laboratory, tap, *next(iter(runs.values())))
