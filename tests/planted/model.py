# SPDX-License-Identifier: MIT
"""A second model of the simulated device, written from docs/SIMULATOR.md and not from sim/.

    Device(profile)           the device with the observer's context on it
    Process(device, ...)      one process's calls; each raises Refused(answer) or happens as a whole

A profile is a dict of its keys; numbers are ints. Where the two models differ, one of them or the
page is wrong.
"""

import copy

INVALID_VALUE = "CUDA_ERROR_INVALID_VALUE"
OUT_OF_MEMORY = "CUDA_ERROR_OUT_OF_MEMORY"
OUT_OF_RESOURCES = "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"


class Refused(Exception):
    """The driver's answer to a call that it declined; nothing has changed."""


def up(number, unit):
    return -(-number // unit) * unit


def down(number, unit):
    return number // unit * unit


class Kernel:
    def __init__(self, name, text_bytes, local_bytes):
        self.name = name
        self.text_bytes = text_bytes
        self.local_bytes = local_bytes


class Module:
    """A cubin as kernels.csv describes it."""

    def __init__(self, name, static_bytes, instructions):
        self.name = name
        self.static_bytes = static_bytes
        self.instructions = instructions  # of its first kernel
        self.kernels = {}
        # What kernels/variants.def calls so is linked with that part of the device's runtime.
        self.prints = name.startswith("printf-")
        self.allocates = name.startswith("malloc-")

    @property
    def has_traits(self):
        return self.prints or self.allocates

    @property
    def text_bytes(self):
        return sum(kernel.text_bytes for kernel in self.kernels.values())


class Code:
    """The code pool of one context: all that is known of how code and module data are placed."""

    def __init__(self, profile):
        self.profile = profile
        self.slots_bytes = 0
        self.pool_bytes = 0

    def kernel_slot(self, kernel):
        return up(kernel.text_bytes + self.profile["code_extra_bytes"],
                  self.profile["code_slot_bytes"])

    def data_slot(self, module):
        return up(module.static_bytes, self.profile["code_slot_bytes"])

    def _resize(self):
        beyond = max(0, self.slots_bytes - self.profile["code_slack_bytes"])
        needed = up(beyond, self.profile["granule_bytes"])
        if needed > self.pool_bytes or self.profile["code_returns"]:
            self.pool_bytes = needed

    def load(self, module, kernels):
        """Data of the module that is being loaded, if any, and code."""
        self.slots_bytes += self.data_slot(module) if module else 0
        self.slots_bytes += sum(self.kernel_slot(kernel) for kernel in kernels)
        self._resize()

    def unload(self, module, kernels):
        self.slots_bytes -= self.data_slot(module)
        self.slots_bytes -= sum(self.kernel_slot(kernel) for kernel in kernels)
        self._resize()


class Limit:
    """One limit of a context, and what becomes of requests."""

    def __init__(self, profile, prefix):
        self.granted = profile[f"{prefix}_default_bytes"]
        self.step = profile[f"{prefix}_step_bytes"]
        self.max = profile[f"{prefix}_max_bytes"]
        # The stack has neither of these two.
        self.min = profile.get(f"{prefix}_min_bytes", 0)
        self.refuses = profile.get(f"{prefix}_over_max", "refuse") == "refuse"
        self.is_locked = False

    def set(self, request):
        rounded = up(request, self.step)
        if self.is_locked or (rounded > self.max and self.refuses):
            raise Refused(INVALID_VALUE)
        self.granted = min(max(rounded, self.min), self.max)


class Pool:
    """printf's and malloc's part of a context: what comes with modules, and what is taken once."""

    def __init__(self, profile, kind, runtime):
        self.fixed_bytes = profile[f"{runtime}_fixed_bytes"]
        self.module_bytes = profile[f"{runtime}_module_bytes"]
        self.taken_at = profile[f"{kind}_when"]
        self.locks_at = profile[f"{kind}_locks_at"]
        self.modules = 0
        self.was_used = False
        self.is_taken = False
        self.device_bytes = 0
        self.host_bytes = 0

    def bytes(self):
        fixed = self.fixed_bytes if self.was_used else 0
        return fixed + self.modules * self.module_bytes + self.device_bytes

    def reach(self, moment, limit, device_bytes, host_bytes):
        """A module of the kind is loaded, or a kernel of one launched."""
        if self.taken_at == moment and not self.is_taken:
            self.is_taken = True
            self.device_bytes = device_bytes
            self.host_bytes = host_bytes
        if self.locks_at == moment:
            limit.is_locked = True


class Context:
    def __init__(self, profile):
        self.profile = profile
        self.stack = Limit(profile, "stack")
        self.fifo = Limit(profile, "fifo")
        self.heap = Limit(profile, "heap")
        self.printf = Pool(profile, "fifo", "printf")
        self.malloc = Pool(profile, "heap", "malloc")
        self.code = Code(profile)
        self.frame_bytes = 0
        self.stack_bytes = 0
        self._resize_stack()

    def clone(self):
        clone = copy.copy(self)
        for part in ("stack", "fifo", "heap", "printf", "malloc", "code"):
            setattr(clone, part, copy.copy(getattr(self, part)))
        return clone

    def bytes(self):
        return (self.profile["context_fixed_bytes"] + self.stack_bytes + self.code.pool_bytes
                + self.printf.bytes() + self.malloc.bytes())

    def limit(self, name):
        return {"stack": self.stack, "fifo": self.fifo, "heap": self.heap}[name]

    def _resize_stack(self):
        p = self.profile
        threads = p["sm_count"] * p["max_threads_per_sm"]
        rounding = {"down": down, "up": up}[p["stack_rounding"]]
        pool = rounding(threads * max(self.stack.granted, self.frame_bytes), p["granule_bytes"])
        if pool > self.stack_bytes or p["stack_shrinks"]:
            self.stack_bytes = pool

    def set_limit(self, name, request):
        self.limit(name).set(request)
        if name == "stack" and self.profile["stack_when"] == "set":
            self._resize_stack()

    def _reach(self, module, moment):
        p = self.profile
        if module.prints:
            limit, on_host = self.fifo.granted, p["fifo_where"] == "host"
            self.printf.reach(moment, self.fifo, 0 if on_host else up(limit, p["granule_bytes"]),
                              limit if on_host else 0)
        if module.allocates:
            pool = up(self.heap.granted, p["granule_bytes"]) + p["heap_extra_bytes"]
            self.malloc.reach(moment, self.heap, pool, 0)

    def load(self, module, kernels):
        for pool, is_used in ((self.printf, module.prints), (self.malloc, module.allocates)):
            pool.was_used |= is_used
            pool.modules += is_used
        self._reach(module, "load")
        self.code.load(module, kernels)

    def unload(self, module, kernels):
        self.printf.modules -= module.prints
        self.malloc.modules -= module.allocates
        self.code.unload(module, kernels)

    def launch(self, module, kernel):
        frame = up(kernel.local_bytes, self.profile["stack_step_bytes"])
        if frame > self.profile["stack_max_bytes"]:
            raise Refused(OUT_OF_RESOURCES)
        self.frame_bytes = max(self.frame_bytes, frame)
        self._resize_stack()
        self._reach(module, "launch")


class Device:
    def __init__(self, profile):
        self.profile = profile
        self.observer = Context(profile)
        self.contexts = []

    def own_bytes(self):
        return sum(context.bytes() for context in self.contexts)

    def used_bytes(self):
        # The observer's context is always there, so the device's first context has been paid for.
        return (self.profile["device_first_context_bytes"] + self.observer.bytes()
                + self.own_bytes())

    def free_bytes(self):
        return self.profile["total_bytes"] - self.used_bytes()


class Process:
    """The measured process. Its current context is the one that it created last."""

    def __init__(self, device, loading=None):
        self.device = device
        self.profile = device.profile
        self.loading = loading or self.profile["default_loading"]
        self.loaded = {}  # module -> its kernels that are on the device
        self.calls = 0

    def _afford(self, more_bytes):
        if more_bytes > max(0, self.device.free_bytes()):
            raise Refused(OUT_OF_MEMORY)

    def _current(self):
        return self.device.contexts[-1]

    def _become(self, changed):
        self._afford(changed.bytes() - self._current().bytes())
        self.device.contexts[-1] = changed

    def create(self):
        self.calls += 1
        created = Context(self.profile)
        self._afford(created.bytes())
        self.device.contexts.append(created)

    def destroy(self):
        self.calls += 1
        self.device.contexts.pop()

    def set_limit(self, name, request):
        self.calls += 1
        changed = self._current().clone()
        changed.set_limit(name, request)
        self._become(changed)

    def get_limit(self, name):
        self.calls += 1
        return self._current().limit(name).granted

    def _kernel_moment(self, module):
        return "load" if self.loading == "eager" or module.has_traits else self.profile["lazy_when"]

    def load(self, module):
        self.calls += 1
        kernels = []
        if self._kernel_moment(module) == "load":
            kernels = list(module.kernels.values())
        changed = self._current().clone()
        changed.load(module, kernels)
        self._become(changed)
        self.loaded[module] = kernels

    def _load_kernel(self, changed, module, kernel, moment):
        """Whether the kernel's code came with this call."""
        is_due = self._kernel_moment(module) == moment and kernel not in self.loaded[module]
        if is_due:
            changed.code.load(None, [kernel])
        return is_due

    def get_function(self, module, kernel):
        self.calls += 1
        changed = self._current().clone()
        is_new = self._load_kernel(changed, module, kernel, "get")
        self._become(changed)
        if is_new:
            self.loaded[module].append(kernel)

    def launch(self, module, kernel):
        self.calls += 1
        changed = self._current().clone()
        is_new = self._load_kernel(changed, module, kernel, "launch")
        changed.launch(module, kernel)
        self._become(changed)
        self.calls += 1  # waits for the kernel, too
        if is_new:
            self.loaded[module].append(kernel)

    def unload(self, module):
        self.calls += 1
        changed = self._current().clone()
        changed.unload(module, self.loaded[module])
        self._become(changed)
        del self.loaded[module]

    # ---- what the meters show ----

    def own_free_bytes(self):
        """None where the process has no current context."""
        return self.device.free_bytes() if self.device.contexts else None

    def nvml_bytes(self):
        """None where NVML does not list the process."""
        if not self.device.contexts:
            return None
        return max(0, self.device.own_bytes() - self.profile["nvml_process_hidden_bytes"])

    def host_fifo_bytes(self):
        """Of the FIFOs on the host, what is resident."""
        most = self.profile["fifo_host_touch_max_bytes"]
        return sum(min(context.printf.host_bytes, most) for context in self.device.contexts)
