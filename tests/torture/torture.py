#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the torture tests share: small runs of every benchmark on the simulated device, their rows, and
which driver call belongs to which step.

CUCTX_BUILD names the build tree. A check appends what is wrong to `Findings`, so that one run of a
program shows everything that is.
"""

import collections
import concurrent.futures
import csv
import functools
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

import filling
from object_steps import (COMBINATION, COMBINED, CYCLE, GRAPHS, GREEN_CONTEXTS, LAUNCH, MEMORY_POOL, STREAMS,
                          TEXTURES)
from source_steps import DEVICE_RUNTIME, SOURCE, can_launch

BUILD = os.environ.get("CUCTX_BUILD") or os.path.join(os.path.dirname(__file__), "..", "..", "build")
CUCTX = os.path.join(BUILD, "bin", "cuctx")

MEBIBYTE = 1 << 20
# Runs sleep more than they compute: a hang is waited for, memory that comes back late, too.
PARALLEL = 8
# Seconds after which a run counts as one that does not end by itself.
ENDLESS = 90

# One sample of every benchmark, measured twice. The module that prints locks its limit, so a refusal is
# part of a clean run.
AXES = {
    "call": "cuDevicePrimaryCtxRetain",
    "contexts": "2",
    "setting": "none",
    "flags": "auto",
    "api": "driver",
    "stack_limit_bytes": "8K",
    "direction": "down",
    "printf_fifo_limit_bytes": "1M",
    "malloc_heap_limit_bytes": "8M",
    "module": "called",
    "instructions": "64",
    "loading": "lazy",
    "kernels": "8",
    "launched": "4",
    "symbol_bytes": "4M",
    "symbol": "device",
    "constant_bytes": "4K",
    "frame_bytes": "2K",
    "grid": "thread",
    "copies": "2",
    "kernel_instructions": "4096",
    "steps": "one",
    "cycles": "2",
    "module_size": "small",
    "way": "library",
    "streams": "2",
    "priority": "high",
    "events": "2",
    "pool_bytes": "1",
    "threshold": "all",
    "nodes": "2",
    "executables": "2",
    "value": "128",
    "limit": "max-l2-fetch-granularity",
    "source": "fatbin-compressed",
    "pending_launches": "4096",
    "sync_depth": "0",
    "end": "destroy",
    "first": "clean-up",
    "objects": "2",
    "kind": "texture",
    "partitions": "2",
    "sm_count": "8",
    "parts": COMBINATION,
    **filling.AXES,
}

# ---- which driver call belongs to which step ---------------------------------------------------------

METER = "cuMemGetInfo_v2"  # the subject's own, at the end of every step after cuInit
ERROR_NAME = "cuGetErrorName"  # asked for when a step is refused, before the meter

INIT = [("init", ["cuInit", "cuDeviceGet"])]
CREATE = [("create", ["cuCtxCreate_v2"])]
DESTROY = [("destroy", ["cuCtxDestroy_v2"])]
LIMIT = [
    ("set", ["cuCtxSetLimit"]),
    ("get", ["cuCtxGetLimit"]),
    ("load", ["cuModuleLoadData"]),
    ("get-function", ["cuModuleGetFunction"]),
    ("set-loaded", ["cuCtxSetLimit"]),
    ("get-loaded", ["cuCtxGetLimit"]),
    ("set-loaded-again", ["cuCtxSetLimit"]),
    ("get-loaded-again", ["cuCtxGetLimit"]),
    ("launch-1", LAUNCH),
    ("launch-2", LAUNCH),
    ("restore", ["cuCtxSetLimit"]),
    ("launch-restored", LAUNCH),
    ("unload", ["cuModuleUnload"]),
]
GET_DEFAULT = [("get-default", ["cuCtxGetLimit"])]
RAISE = [
    ("raise", ["cuCtxSetLimit"]),
    ("raise-load", ["cuModuleLoadData"]),
    ("raise-get-function", ["cuModuleGetFunction"]),
    ("raise-launch", LAUNCH),
    ("raise-unload", ["cuModuleUnload"]),
]
SIMPLE_LIMIT = INIT + CREATE + GET_DEFAULT + LIMIT + DESTROY


def module_steps(functions, launches):
    return (
        INIT
        + CREATE
        + [
            ("load", ["cuModuleLoadData"]),
            ("get-function", ["cuModuleGetFunction"] * functions),
            ("launch-1", LAUNCH * launches),
            ("launch-2", LAUNCH * launches),
            ("unload", ["cuModuleUnload"]),
        ]
        + DESTROY
    )


LOCAL_FRAME = [
    ("load", ["cuModuleLoadData"]),
    ("get-function", ["cuModuleGetFunction"]),
    ("launch-1", LAUNCH),
    ("launch-2", LAUNCH),
    ("get", ["cuCtxGetLimit"]),
    ("load-small", ["cuModuleLoadData"]),
    ("get-small", ["cuModuleGetFunction"]),
    ("launch-small", LAUNCH),
    ("set-default", ["cuCtxSetLimit"]),
    ("launch-small-again", LAUNCH),
    ("unload", ["cuModuleUnload"]),
]

OTHER_LIMIT = [
    ("get-default", ["cuCtxGetLimit"]),
    ("set", ["cuCtxSetLimit"]),
    ("get", ["cuCtxGetLimit"]),
    ("load", ["cuModuleLoadData"]),
    ("get-function", ["cuModuleGetFunction"]),
    ("launch-1", LAUNCH),
    ("unload", ["cuModuleUnload"]),
]

TEARDOWN = [("make-current", ["cuCtxSetCurrent"]), ("set-stack", ["cuCtxSetLimit"])]
for kind in ("code", "printf", "malloc"):
    TEARDOWN += [(f"load-{kind}", ["cuModuleLoadData"]), (f"launch-{kind}", ["cuModuleGetFunction", *LAUNCH])]
TEARDOWN += [
    ("create-stream", ["cuStreamCreate"]),
    ("allocate", ["cuMemAlloc_v2"]),
    ("free", ["cuMemFree_v2"]),
    ("destroy-stream", ["cuStreamDestroy_v2"]),
    ("unload-malloc", ["cuModuleUnload"]),
    ("unload-printf", ["cuModuleUnload"]),
    ("unload-code", ["cuModuleUnload"]),
    ("end", ["cuCtxDestroy_v2"]),
]

SETTINGS = [("get-stack", ["cuCtxGetLimit"]), ("get-l2", ["cuCtxGetLimit"])]
for kind in ("code", "data"):
    SETTINGS += [(f"load-{kind}", ["cuModuleLoadData"]), (f"get-{kind}", ["cuModuleGetFunction"]),
                 (f"launch-{kind}", LAUNCH)]
SETTINGS += [("launch-again", LAUNCH), ("set-stack-0", ["cuCtxSetLimit"])]

STEPS = {
    "first-call": INIT
    + [
        ("first-call", ["cuDevicePrimaryCtxRetain"]),
        ("same-call-again", ["cuDevicePrimaryCtxRetain"]),
        ("is-active", ["cuDevicePrimaryCtxGetState"]),
        ("rest", ["cuDevicePrimaryCtxRetain", "cuCtxSetCurrent"]),
        ("reset", ["cuDevicePrimaryCtxReset"]),
    ],
    "context": INIT
    + [
        ("create-1", ["cuCtxCreate_v2"]),
        ("create-2", ["cuCtxCreate_v2"]),
        ("destroy-2", ["cuCtxDestroy_v2"]),
        ("destroy-1", ["cuCtxDestroy_v2"]),
    ],
    "context-settings": INIT + CREATE + SETTINGS + DESTROY,
    "limit-stack": INIT + CREATE + GET_DEFAULT + RAISE + LIMIT + DESTROY,
    "limit-printf-fifo": SIMPLE_LIMIT,
    "limit-malloc-heap": SIMPLE_LIMIT,
    "module-code": module_steps(1, 1),
    "module-kernels": module_steps(4, 4),
    "static-symbols": module_steps(1, 1),
    "constant-memory": module_steps(1, 1),
    "local-frame": INIT + CREATE + GET_DEFAULT + LOCAL_FRAME + DESTROY,
    "module-copies": INIT + CREATE + [("load-copies", ["cuModuleLoadData", "cuModuleGetFunction"] * 2)] + DESTROY,
    "module-cycle": INIT + CREATE + CYCLE + DESTROY,
    "module-source": INIT + CREATE + SOURCE + DESTROY,
    "streams": INIT + CREATE + STREAMS + DESTROY,
    "events": INIT + CREATE
    + [("create-events", ["cuEventCreate"] * 2), ("destroy-events", ["cuEventDestroy_v2"] * 2)] + DESTROY,
    "memory-pool": INIT + CREATE + MEMORY_POOL + DESTROY,
    "graphs": INIT + CREATE + GRAPHS + DESTROY,
    "other-limits": INIT + CREATE + OTHER_LIMIT + DESTROY,
    "device-runtime": INIT + CREATE + DEVICE_RUNTIME + DESTROY if can_launch(BUILD) else [],
    "teardown": INIT + CREATE + TEARDOWN,
    "textures": INIT + CREATE + TEXTURES + DESTROY,
    "green-contexts": INIT + GREEN_CONTEXTS,
    "combined": INIT + CREATE + COMBINED + DESTROY,
    **{name: INIT + CREATE + steps + DESTROY for name, steps in filling.STEPS.items()},
}

# Steps whose refusal is an answer, after which the sample goes on.
LAUNCHES = {"launch-1", "launch-2"}
OF_LIMITS = LAUNCHES | {"set", "set-loaded", "set-loaded-again", "restore", "launch-restored"}
GOES_ON = {
    "first-call": {"first-call", "same-call-again", "is-active"},
    "context-settings": {"get-stack", "get-l2", "launch-code", "launch-data", "launch-again", "set-stack-0"},
    "limit-stack": OF_LIMITS,
    "limit-printf-fifo": OF_LIMITS,
    "limit-malloc-heap": OF_LIMITS,
    "module-code": LAUNCHES,
    "module-kernels": LAUNCHES,
    "static-symbols": LAUNCHES,
    "constant-memory": LAUNCHES,
    "local-frame": LAUNCHES | {"launch-small", "set-default", "launch-small-again"},
    "module-source": LAUNCHES,
    "device-runtime": LAUNCHES | {"set-pending", "get-pending"},
    "other-limits": {"get-default", "set", "get", "launch-1"},
    "textures": {"create-objects", "create-again"},
    "teardown": {"free", "destroy-stream", "unload-malloc", "unload-printf", "unload-code", "end"},
    **filling.GOES_ON,
}

# What the observer asks before the first sample: (symbol, is the device of no use without it).
OBSERVER_START = (
    [("cuInit", True), ("cuDeviceGetCount", True), ("cuDeviceGet", True), ("cuDeviceGetName", True)]
    + [("cuDeviceGetPCIBusId", True), ("cuDeviceTotalMem_v2", True), ("cuDeviceGetUuid", False)]
    + [("cuDeviceGetAttribute", True)] * 4
    + [("cuCtxCreate_v2", True), ("cuDriverGetVersion", False), ("cuModuleGetLoadingMode", False)]
    + [(METER, True), ("cuMemAlloc_v2", False), (METER, True), ("cuMemFree_v2", True)] * 2
    + [(METER, True)] * 64
)
# The environment's key that stays empty when such a call is refused.
UNKNOWN_WITHOUT = {
    "cuDeviceGetUuid": "gpu_uuid",
    "cuDriverGetVersion": "driver_api_version",
    "cuModuleGetLoadingMode": "module_loading",
    "cuMemAlloc_v2": "granule_bytes",
}
OBSERVER_READS = 2  # per row: two that agree

Call = collections.namedtuple("Call", "number row symbol is_first")


def calls_of(sample):
    """Every driver call of a clean sample in order, the row it belongs to beside it."""
    calls = []
    for row, (_, symbols) in enumerate(STEPS[sample.benchmark], start=1):
        refused = [] if sample.rows[row]["status"] == "ok" else [ERROR_NAME]
        for position, symbol in enumerate(symbols + refused + [METER]):
            calls.append(Call(len(calls) + 1, row, symbol, position == 0))
    return calls


# ---- runs ------------------------------------------------------------------------------------------

Outcome = collections.namedtuple("Outcome", "code stdout stderr directory out")
Attempt = collections.namedtuple("Attempt", "benchmark repeat number rows")


class Place:
    """A folder for one program's runs, each with an --out of its own."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="cuctx-torture-")
        self.numbers = itertools.count(1)  # threads take each once

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def new(self):
        return os.path.join(self.path, str(next(self.numbers)))


def environment(faults=None, **more):
    variables = {k: v for k, v in os.environ.items() if not k.startswith("CUCTX_SIM_")}
    if faults:
        variables["CUCTX_SIM_FAULTS"] = faults
    variables.update(more)
    # A sanitizer would turn a signal into an exit code.
    options = variables.get("ASAN_OPTIONS")
    variables["ASAN_OPTIONS"] = (options + ":" if options else "") + "handle_segv=0"
    return variables


def arguments(out, *more, benchmarks=(), axes=AXES, repeat=2, profile="h200", timeout=20,
              max_memory=None):
    words = [CUCTX, "run", *benchmarks, "--quiet", f"--simulate={profile}", "--out", out]
    words += ["--repeat", str(repeat), "--timeout", str(timeout)]
    words += ["--max-memory", max_memory] if max_memory else []
    known = axes_of(tuple(benchmarks)) if benchmarks else set(axes)
    for name, values in axes.items():
        if name in known:
            words += ["--axis", f"{name}={values}"]
    return words + list(more)


def planned_repeats(**options):
    """The repeat of each sample in the order in which it would be taken."""
    plan = subprocess.run(arguments(".", "--dry-run", **options), capture_output=True, text=True, check=True)
    return [int(re.search(r" repeat=(\d+)", line).group(1)) for line in plan.stdout.splitlines()]


@functools.lru_cache(maxsize=None)
def axes_of(benchmarks):
    """Names of the axes that these benchmarks have."""
    listing = subprocess.run([CUCTX, "list", "--format", "csv"], capture_output=True, text=True, check=True)
    return {r["axis"] for r in csv.DictReader(listing.stdout.splitlines()) if r["benchmark"] in benchmarks}


def start(words, faults=None, out=None, **options):
    try:
        done = subprocess.run(words, env=environment(faults), capture_output=True, text=True,
                              timeout=ENDLESS, check=False, **options)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"it does not end by itself: {faults}") from None
    directories = sorted(os.listdir(out)) if out and os.path.isdir(out) else []
    directory = os.path.join(out, directories[0]) if directories else None
    return Outcome(done.returncode, done.stdout, done.stderr, directory, out)


def measure(place, faults=None, **options):
    out = place.new()
    return start(arguments(out, **options), faults, out)


def resume(directory, faults=None, profile="h200", timeout=20):
    words = [CUCTX, "run", "--quiet", f"--simulate={profile}", "--resume", directory]
    return start(words + ["--timeout", str(timeout)], faults, os.path.dirname(directory))


def in_parallel(function, items, at_once=PARALLEL):
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(function, items))


# ---- rows ------------------------------------------------------------------------------------------


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_environment(directory):
    return {row["key"]: row["value"] for row in read_csv(os.path.join(directory, "environment.csv"))}


def sample_key(benchmark, row, axes):
    return (benchmark, row["repeat"], *(row[axis] for axis in axes))


def read_plan(directory):
    """(benchmark, repeat, axis values) of every sample in the order of the run."""
    plan = []
    for row in read_csv(os.path.join(directory, "plan.csv")):
        axes = [row[f"axis_{i}"] for i in (1, 2, 3) if row[f"axis_{i}"]]
        values = [row[f"value_{i}"] for i in range(1, len(axes) + 1)]
        plan.append(((row["benchmark"], row["repeat"], *values), axes))
    return plan


def read_run(directory):
    """For each sample in the order of the plan, its attempts with their rows."""
    plan = read_plan(directory)
    samples = {key: {} for key, _ in plan}
    for benchmark, axes in {key[0]: axes for key, axes in plan}.items():
        path = os.path.join(directory, benchmark + ".csv")
        for row in read_csv(path) if os.path.exists(path) else []:
            attempts = samples[sample_key(benchmark, row, axes)]
            attempts.setdefault(int(row["attempt"]), []).append(row)
    return [
        [Attempt(key[0], int(key[1]), number, rows) for number, rows in sorted(samples[key].items())]
        for key, _ in plan
    ]


# What differs between two runs of the same thing, or two repeats: time, and the process's own host memory.
VOLATILE = {"run", "repeat", "attempt", "elapsed_ns", "settle_ns", "host_rss_bytes", "host_shared_bytes",
            "host_mapped_bytes"}
# What a stranger's bytes move, and in which direction.
MOVED = {"self_free_bytes": -1, "observer_free_bytes": -1, "nvml_used_bytes": 1, "nvml_other_bytes": 1,
         **dict.fromkeys(filling.FOLLOWS_FREE, -1)}


def differences(row, clean, shift=0, ignore=()):
    """Columns in which a row differs from its clean twin, strangers with `shift` bytes being there."""
    found = []
    for column, value in clean.items():
        if column in VOLATILE or column in ignore:
            continue
        if shift and column in MOVED and value:
            value = str(int(value) + MOVED[column] * shift)
        if row[column] != value:
            found.append(f"{column} is '{row[column]}', not '{value}'")
    return found


class Findings:
    """What is wrong, said at the end."""

    def __init__(self):
        self.texts = []

    def add(self, where, text):
        self.texts.append(f"{where}: {text}")

    def expect(self, where, what, is_value, should_be):
        if is_value != should_be:
            self.add(where, f"{what} is {is_value!r}, not {should_be!r}")

    def rows_equal(self, where, rows, clean, **options):
        for index, (row, twin) in enumerate(zip(rows, clean)):
            for text in differences(row, twin, **options):
                self.add(f"{where} row {index} ({twin['step']})", text)

    def attempt_equal(self, where, attempt, clean, **options):
        self.expect(where, "number of rows", len(attempt.rows), len(clean.rows))
        self.rows_equal(where, attempt.rows, clean.rows, **options)

    def finish(self):
        for text in self.texts[:40]:
            print(text)
        if len(self.texts) > 40:
            print(f"... and {len(self.texts) - 40} more")
        sys.exit(1 if self.texts else 0)


def clean_run(place, **options):
    """A run with no fault: its attempts in the order of the plan, one per sample."""
    outcome = measure(place, **options)
    if outcome.code or not outcome.directory:
        raise SystemExit(f"the clean run ended with {outcome.code}: {outcome.stderr}")
    samples = read_run(outcome.directory)
    for attempts in samples:
        steps = [row["step"] for row in attempts[0].rows]
        known = ["start"] + [step for step, _ in STEPS[attempts[0].benchmark]] + ["exit"]
        if len(attempts) != 1 or steps != known:
            raise SystemExit(f"{attempts[0].benchmark}: the steps are {steps}, torture.py knows {known}")
    return [attempts[0] for attempts in samples]
