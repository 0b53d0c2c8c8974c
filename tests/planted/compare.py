# SPDX-License-Identifier: MIT
"""A run against the model, and against what holds for every run."""

import collections

from benchmarks import EXACT, predict, seen_granule_bytes
from files import points
from model import Device

# A page here and there is the process's own affair.
HOST_TOLERANCE_BYTES = 4 * 2**20


COMPUTE_MODES = ("default", "exclusive-thread", "prohibited", "exclusive-process")

Mismatch = collections.namedtuple("Mismatch", "benchmark axes step column expected got")


def axes_text(point, repeat):
    return " ".join(f"{axis}={value}" for axis, value in [*point.items(), ("repeat", repeat)])


# ---- environment.csv ----


def predict_environment(profile):
    device = Device(profile)
    context = device.observer.bytes()
    granule = seen_granule_bytes(device)
    same = {"gpu_name", "gpu_uuid", "pci_bus_id", "driver_release", "driver_api_version",
            "runtime_api_version", "compute_capability", "sm_count", "max_threads_per_sm"}
    switches = {"ecc", "mig", "persistence_mode"}
    return {
        **{key: str(profile[key]) for key in same},
        **{key: "on" if profile[key] else "off" for key in switches},
        "simulated": "yes",
        "compute_mode": COMPUTE_MODES[profile["compute_mode"]],
        "module_loading": profile["default_loading"],
        "total_memory_bytes": str(profile["total_bytes"]),
        "granule_bytes": str(granule) if granule else "",
        "noise_bytes": "0",
        "baseline_free_bytes": str(device.free_bytes()),
        "observer_context_bytes": str(max(0, context - profile["nvml_process_hidden_bytes"])),
        "foreign_process_count": "0",
        "foreign_bytes": "0",
    }


def environment_mismatches(run, profile):
    for key, expected in predict_environment(profile).items():
        got = run.environment.get(key)
        if got != expected:
            yield Mismatch("environment", "", "", key, expected, got)


# ---- rows, by the model ----


def group(table, axes):
    """(axis values..., repeat) -> rows, in the order of the file."""
    samples = {}
    for row in table:
        samples.setdefault(tuple(row[axis] for axis in axes) + (row["repeat"],), []).append(row)
    return samples


def cell_mismatches(expected, row):
    for column in EXACT:
        if column in row and row[column] != expected.get(column, ""):
            yield column, expected.get(column, ""), row[column]


def host_mismatches(expected, rows):
    """The FIFO in the process's own memory, in the steps between "init" and "exit"."""
    for i in range(2, len(rows) - 1):
        grown = int(rows[i]["host_rss_bytes"]) - int(rows[i - 1]["host_rss_bytes"])
        fifo = expected[i]["host_fifo_bytes"] - expected[i - 1]["host_fifo_bytes"]
        if abs(grown - fifo) > HOST_TOLERANCE_BYTES:
            yield rows[i]["step"], "host_rss_bytes", f"about {fifo:+d}", f"{grown:+d}"


def delay_mismatches(expected, rows, delay_ns):
    for prediction, row in zip(expected, rows):
        least = prediction.get("calls", 0) * delay_ns
        if least and int(row["elapsed_ns"] or 0) < least:
            yield row["step"], "elapsed_ns", f"{least} or more", row["elapsed_ns"]


def sample_mismatches(point, expected, rows, profile):
    """(step, column, expected, got)"""
    for prediction, row in zip(expected, rows):
        for column, wanted, got in cell_mismatches(prediction, row):
            yield row["step"], column, wanted, got
    if len(rows) != len(expected):
        longer = max(rows, expected, key=len)[min(len(rows), len(expected)):]
        yield longer[0]["step"], "(rows)", len(expected), len(rows)
        return
    yield from delay_mismatches(expected, rows, profile["call_delay_ns"])
    if "printf_fifo_limit_bytes" in point:
        yield from host_mismatches(expected, rows)


def point_mismatches(benchmark, point, repeats, profile, modules):
    """`repeats` has the rows of each."""
    expected = predict(benchmark, point, profile, modules)
    for repeat, rows in enumerate(repeats, start=1):
        where = axes_text(point, repeat)
        if not rows:
            yield Mismatch(benchmark, where, "", "(sample)", "measured", "missing")
            continue
        for found in sample_mismatches(point, expected, rows, profile):
            yield Mismatch(benchmark, where, *found)


def take_point(samples, point, repeats):
    """The rows of each repeat, out of what group() has made."""
    values = tuple(map(str, point.values()))
    return [samples.pop(values + (str(repeat),), []) for repeat in range(1, repeats + 1)]


def benchmark_mismatches(run, benchmark, profile, modules):
    axes = run.axes[benchmark]
    samples = group(run.tables[benchmark], axes)
    for point in points(benchmark, axes):
        repeats = take_point(samples, point, run.repeats)
        yield from point_mismatches(benchmark, point, repeats, profile, modules)
    for key in samples:
        yield Mismatch(benchmark, " ".join(key), "", "(sample)", "none", "measured")


def row_mismatches(run, profile, modules):
    """Lazily, so that who wants only one need not wait for all."""
    for benchmark in run.axes:
        yield from benchmark_mismatches(run, benchmark, profile, modules)


def mismatches(run, profile, modules):
    yield from environment_mismatches(run, profile)
    yield from row_mismatches(run, profile, modules)


# ---- rows, whatever the device ----


def sum_breaches(rows):
    """(row, column, expected, got) where delta, total and the meters do not fit each other."""
    if rows[0]["status"] == "unsupported":
        return
    first, before, total = int(rows[0]["observer_free_bytes"]), None, 0
    for row in rows:
        free = int(row["observer_free_bytes"])
        total += int(row["delta_bytes"])
        if before is not None and int(row["delta_bytes"]) != before - free:
            yield row, "delta_bytes", before - free, row["delta_bytes"]
        if int(row["total_bytes"]) != total or total != first - free:
            yield row, "total_bytes", first - free, row["total_bytes"]
        before = free
    if rows[-1]["step"] != "exit" or total:
        yield rows[-1], "total_bytes", "0 at exit", f"{total} at {rows[-1]['step']}"


def repeat_breaches(samples):
    """(row, column, expected, got) where a repeat differs from the first."""
    for key, rows in samples.items():
        for first, row in zip(samples.get(key[:-1] + ("1",), []), rows):
            for column in EXACT:
                if first.get(column) != row.get(column):
                    yield row, column, first[column], row[column]


def key_breaches(run, benchmark, rows):
    seen = set()
    for row in rows:
        key = (*(row[axis] for axis in run.axes[benchmark]), row["repeat"], row["attempt"],
               row["step_index"])
        if key in seen:
            yield row, "(row)", "one with its key", "another"
        seen.add(key)
        names = {"run": run.environment["run"], "benchmark": benchmark, "device": "0",
                 "attempt": "1"}
        for column, expected in names.items():
            if row[column] != expected:
                yield row, column, expected, row[column]


def breaches(run):
    for benchmark, axes in run.axes.items():
        table = run.tables[benchmark]
        samples = group(table, axes)
        found = list(key_breaches(run, benchmark, table))
        found += [breach for rows in samples.values() for breach in sum_breaches(rows)]
        found += repeat_breaches(samples)
        for row, column, expected, got in found:
            where = axes_text({axis: row[axis] for axis in axes}, row["repeat"])
            yield Mismatch(benchmark, where, row["step"], column, expected, got)
