# SPDX-License-Identifier: MIT
"""What every benchmark's rows must be: its steps, walked on the model.

    predict(benchmark, point, profile, modules) -> the rows of that sample, in order
    is_wanted(benchmark, point)                 -> whether the benchmark has such a point

A row is a dict of columns, as text as in the CSV. Besides, two numbers: "host_fifo_bytes", what must
be resident of FIFOs on the host, and "calls", how many driver calls the step makes at least.
"""

import copy

from call_steps import first_call
from combined_steps import combined
from cycle_steps import module_cycle, module_cycle_obstacle, module_cycle_wants
from data_steps import constant_memory, static_symbols, static_symbols_wants
from filling_steps import first_launch_oom, fragmentation, stack_overflow
from model import Device, Refused, up
from object_steps import (events, events_obstacle, graphs, graphs_obstacle, graphs_wants, memory_pool, only_kernel,
                          streams, streams_obstacle, streams_wants, teardown)
from scarcity import Process
from setting_steps import context_settings, context_settings_wants
from source_steps import Unsupported, device_runtime, device_runtime_wants, module_source, module_source_wants
from texture_steps import green_contexts, green_contexts_obstacle, textures, textures_obstacle

CONTEXTS_MAX = 8
KERNELS_MAX = 512
RAISED_BYTES_MIN = 2048


class Over(Exception):
    """The rest of the sample makes no sense."""


# The observer looks for the granule with pieces of this size.
PIECE_BYTES = 4096


def seen_granule_bytes(device):
    """What the observer finds the granule to be; 0 where there is no room to look."""
    piece = up(PIECE_BYTES, device.profile["granule_bytes"])
    return piece if piece <= device.free_bytes() else 0


def process_note(nvml_process, total, granule_bytes):
    """A row says where NVML's entry of the process is more than a granule off."""
    if nvml_process is None or abs(nvml_process - total) <= granule_bytes:
        return ""
    side = "lower" if nvml_process < total else "higher"
    return f"NVML's entry of the process is {abs(nvml_process - total)} bytes {side}"


def text(number):
    return "" if number is None else str(number)


class Sample:
    def __init__(self, profile, modules, loading=None):
        self.profile = profile
        self.modules = modules
        self.device = Device(profile)
        self.process = Process(self.device, loading)
        self.rows = []
        self.readings = {}
        self.granule_bytes = seen_granule_bytes(self.device)
        self.step("start", lambda: None)
        self.step("init", lambda: None)

    def _free_in_row(self, index):
        return int(self.rows[index]["observer_free_bytes"])

    def _add(self, step, error, own_free, nvml_process):
        free = self.device.free_bytes()
        total = self._free_in_row(0) - free if self.rows else 0
        row = {
            "step": step, "status": "refused" if error else "ok", "error": error,
            "note": process_note(nvml_process, total, self.granule_bytes), "step_index": str(len(self.rows)),
            "observer_free_bytes": str(free),
            "delta_bytes": str(self._free_in_row(-1) - free if self.rows else 0),
            "total_bytes": str(total),
            "self_free_bytes": text(own_free),
            "nvml_used_bytes": str(self.device.used_bytes()),
            "nvml_process_bytes": text(nvml_process),
            "nvml_reserved_bytes": str(self.profile["nvml_reserved_bytes"]),
            "nvml_other_bytes": "0",
            "host_fifo_bytes": self.process.host_fifo_bytes(),
            "calls": self.process.calls,
        }
        row.update(self.readings)
        self.readings = {}
        self.process.calls = 0
        self.rows.append(row)

    def read(self, reading, value):
        self.readings[reading] = str(value)

    def step(self, name, call, *arguments):
        """Whether the call was granted."""
        error = ""
        try:
            call(*arguments)
        except Refused as refusal:
            error = str(refusal)
        self._add(name, error, self.process.own_free_bytes(), self.process.nvml_bytes())
        return not error

    def must(self, name, call, *arguments):
        if not self.step(name, call, *arguments):
            raise Over

    def get_limit(self, name, limit, reading):
        value = self.process.get_limit(limit)
        self.read(reading, value)
        self.step(name, lambda: None)
        return value

    def read_limit(self, limit, reading):
        self.read(reading, self.process.get_limit(limit))

    def exit(self):
        self.device.end_process()
        self._add("exit", "", None, None)


def set_loaded(s, limit, request, default):
    """Whether it still can be, while nothing has been launched."""
    s.step("set-loaded", s.process.set_limit, limit, default)
    s.get_limit("get-loaded", limit, "granted_bytes")
    s.step("set-loaded-again", s.process.set_limit, limit, request)
    s.get_limit("get-loaded-again", limit, "granted_bytes")


def limit_steps(s, limit, request, module_name, default):
    module = s.modules[module_name]
    kernel = only_kernel(module)
    s.step("set", s.process.set_limit, limit, request)
    s.get_limit("get", limit, "granted_bytes")
    s.must("load", s.process.load, module)
    s.must("get-function", s.process.get_function, module, kernel)
    set_loaded(s, limit, request, default)
    s.step("launch-1", s.process.launch, module, kernel)
    s.step("launch-2", s.process.launch, module, kernel)
    s.step("restore", s.process.set_limit, limit, default)
    s.step("launch-restored", s.process.launch, module, kernel)
    s.must("unload", s.process.unload, module)
    s.must("destroy", s.process.destroy)


def context(s, point):
    count = point["contexts"]
    for i in range(1, count + 1):
        s.must(f"create-{i}", s.process.create)
    for i in range(count, 0, -1):
        s.must(f"destroy-{i}", s.process.destroy)


def context_obstacle(point):
    if not 1 <= point["contexts"] <= CONTEXTS_MAX:
        return "this benchmark makes 1 to 8 contexts"
    if point["contexts"] > 1 and point["api"] == "runtime":
        return "the runtime API keeps one context per device and process"
    return None


def raise_stack(s, request):
    """All of these, or the sample is over."""
    module = s.modules["empty"]
    kernel = only_kernel(module)
    s.must("raise", s.process.set_limit, "stack", max(RAISED_BYTES_MIN, 2 * request))
    s.must("raise-load", s.process.load, module)
    s.must("raise-get-function", s.process.get_function, module, kernel)
    s.must("raise-launch", s.process.launch, module, kernel)
    s.must("raise-unload", s.process.unload, module)


def limit_stack(s, point):
    request = point["stack_limit_bytes"]
    s.must("create", s.process.create)
    default = s.get_limit("get-default", "stack", "default_bytes")
    if point["direction"] == "down":
        raise_stack(s, request)
    limit_steps(s, "stack", request, "empty", default)


def limit_stack_wants(point):
    return point["direction"] == "up" or point["api"] == "driver"


def limit_with_module(s, limit, request, module_name):
    s.must("create", s.process.create)
    default = s.get_limit("get-default", limit, "default_bytes")
    limit_steps(s, limit, request, module_name, default)


def limit_printf_fifo(s, point):
    names = {"none": "empty", "linked": "printf-linked", "called": "printf-called"}
    limit_with_module(s, "fifo", point["printf_fifo_limit_bytes"], names[point["module"]])


def limit_malloc_heap(s, point):
    names = {"none": "empty", "linked": "malloc-linked", "called": "malloc-called"}
    limit_with_module(s, "heap", point["malloc_heap_limit_bytes"], names[point["module"]])


def of_size(modules, family, instructions):
    """The first of its size, as kernels.csv lists them."""
    return next(module for name, module in modules.items()
                if name.startswith(family) and module.instructions == instructions)


def module_code(s, point):
    module = of_size(s.modules, "fma-", point["instructions"])
    kernel = only_kernel(module)
    s.must("create", s.process.create)
    s.must("load", s.process.load, module)
    s.must("get-function", s.process.get_function, module, kernel)
    s.step("launch-1", s.process.launch, module, kernel)
    s.step("launch-2", s.process.launch, module, kernel)
    s.must("unload", s.process.unload, module)
    s.must("destroy", s.process.destroy)


def for_all(call, module, kernels):
    for kernel in kernels:
        call(module, kernel)


def module_kernels(s, point):
    module = s.modules[f"many-{point['kernels']}"]
    used = [module.kernels[f"kernel_{i}"] for i in range(point["launched"])]
    s.must("create", s.process.create)
    s.read("text_bytes", module.text_bytes)
    s.must("load", s.process.load, module)
    s.must("get-function", for_all, s.process.get_function, module, used)
    s.step("launch-1", for_all, s.process.launch, module, used)
    s.step("launch-2", for_all, s.process.launch, module, used)
    s.must("unload", s.process.unload, module)
    s.must("destroy", s.process.destroy)


def module_kernels_wants(point):
    return point["launched"] <= point["kernels"]


def module_kernels_obstacle(point):
    count = point["kernels"]
    if not 1 <= count <= KERNELS_MAX or count & (count - 1):
        return "modules are built with 1, 2, 4 ... 512 kernels"
    return None


def limit_of_module_wants(point):
    return point["api"] == "driver" or point["module"] == "called"


def local_frame(s, point):
    framed, small = s.modules[f"frame-{point['frame_bytes']}"], s.modules["empty"]
    s.must("create", s.process.create)
    default = s.get_limit("get-default", "stack", "default_bytes")
    s.must("load", s.process.load, framed)
    s.must("get-function", s.process.get_function, framed, only_kernel(framed))
    s.step("launch-1", s.process.launch, framed, only_kernel(framed))
    s.step("launch-2", s.process.launch, framed, only_kernel(framed))
    s.get_limit("get", "stack", "limit_bytes")
    s.must("load-small", s.process.load, small)
    s.must("get-small", s.process.get_function, small, only_kernel(small))
    s.step("launch-small", s.process.launch, small, only_kernel(small))
    s.step("set-default", s.process.set_limit, "stack", default)
    s.step("launch-small-again", s.process.launch, small, only_kernel(small))
    s.must("unload", s.process.unload, framed)
    s.must("destroy", s.process.destroy)


def load_copy(s, original):
    module = copy.copy(original)
    s.process.load(module)
    s.process.get_function(module, only_kernel(module))


def load_to_edge(s, module, copies, loaded):
    """`loaded` is a list of one number, which the row shows even when a copy finds no room."""
    before = s.device.free_bytes()
    try:
        while loaded[0] < copies and s.device.free_bytes() == before:
            load_copy(s, module)
            loaded[0] += 1
    finally:
        s.read("loaded_copies", loaded[0])


def module_copies(s, point):
    module = of_size(s.modules, "copy-", point["kernel_instructions"])
    copies, loaded = point["copies"], [0]
    s.read("text_bytes", module.text_bytes)
    s.must("create", s.process.create)
    if point["steps"] == "one":
        s.must("load-copies", lambda: [load_copy(s, module) for _ in range(copies)])
    while point["steps"] == "edges" and loaded[0] < copies:
        s.must("load-to-edge", load_to_edge, s, module, copies, loaded)
    s.must("destroy", s.process.destroy)


OTHER_LIMITS = {"dev-runtime-sync-depth": "sync_depth",
                "dev-runtime-pending-launch-count": "pending_launch",
                "max-l2-fetch-granularity": "l2_fetch",
                "persisting-l2-cache-size": "l2_persisting"}


def other_limits(s, point):
    limit, module = OTHER_LIMITS[point["limit"]], s.modules["empty"]
    s.must("create", s.process.create)
    s.step("get-default", s.read_limit, limit, "default_value")
    s.step("set", s.process.set_limit, limit, point["value"])
    s.step("get", s.read_limit, limit, "granted_value")
    s.must("load", s.process.load, module)
    s.must("get-function", s.process.get_function, module, only_kernel(module))
    s.step("launch-1", s.process.launch, module, only_kernel(module))
    s.must("unload", s.process.unload, module)
    s.must("destroy", s.process.destroy)


def always(_point):
    return True


def never(_point):
    return None


# name -> (steps, whether there is such a point, why it cannot be measured)
BENCHMARKS = {
    "first-call": (first_call, always, never),
    "context": (context, always, context_obstacle),
    "context-settings": (context_settings, context_settings_wants, never),
    "limit-stack": (limit_stack, limit_stack_wants, never),
    "limit-printf-fifo": (limit_printf_fifo, limit_of_module_wants, never),
    "limit-malloc-heap": (limit_malloc_heap, limit_of_module_wants, never),
    "module-code": (module_code, always, never),
    "module-kernels": (module_kernels, module_kernels_wants, module_kernels_obstacle),
    "static-symbols": (static_symbols, static_symbols_wants, never),
    "constant-memory": (constant_memory, always, never),
    "local-frame": (local_frame, always, never),
    "module-cycle": (module_cycle, module_cycle_wants, module_cycle_obstacle),
    "other-limits": (other_limits, always, never),
    "module-copies": (module_copies, always, never),
    "module-source": (module_source, module_source_wants, never),
    "device-runtime": (device_runtime, device_runtime_wants, never),
    "streams": (streams, streams_wants, streams_obstacle),
    "events": (events, always, events_obstacle),
    "memory-pool": (memory_pool, always, never),
    "graphs": (graphs, graphs_wants, graphs_obstacle),
    "teardown": (teardown, always, never),
    "textures": (textures, always, textures_obstacle),
    "green-contexts": (green_contexts, always, green_contexts_obstacle),
    "stack-overflow": (stack_overflow, always, never),
    "fragmentation": (fragmentation, always, never),
    "first-launch-oom": (first_launch_oom, always, never),
    "combined": (combined, always, never),
}

# Columns that a row must have exactly; a column that the prediction does not name is empty.
EXACT = ("step_index", "step", "status", "error", "default_bytes", "granted_bytes", "text_bytes",
         "pool_reserved_bytes", "pool_used_bytes", "primary_active", "connections",
         "copy_connections", "stack_bytes", "persisting_l2_bytes", "limit_bytes", "loaded_copies", "default_value",
         "granted_value", "granted_launches", "granted_depth", "created_count", "granted_count",
         "granted_sm_count", "priority_levels",
         "launched_limit_bytes", "launched_calls", "worked_calls", "buffers", "modules",
         "sought_bytes", "largest_bytes", "least_free_bytes", "refused_free_bytes", "done_calls",
         "delta_bytes", "total_bytes", "self_free_bytes", "observer_free_bytes", "nvml_used_bytes",
         "nvml_process_bytes", "nvml_reserved_bytes", "nvml_other_bytes", "note")


def is_wanted(benchmark, point):
    return BENCHMARKS[benchmark][1](point)


def predict(benchmark, point, profile, modules):
    steps, _, obstacle = BENCHMARKS[benchmark]
    why_not = obstacle(point)
    sample = Sample(profile, modules, point.get("loading"))
    try:
        if why_not:
            raise Unsupported(why_not)
        steps(sample, point)
    except Unsupported as unsupported:
        return [{"step_index": "0", "step": "none", "status": "unsupported", "note": str(unsupported)}]
    except Over:
        pass
    sample.exit()
    return sample.rows
