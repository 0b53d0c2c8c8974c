# SPDX-License-Identifier: MIT
"""A second model of the simulated device, written from docs/SIMULATOR.md and not from sim/.

    Device(profile)           the device with the observer's context on it
    Process(device, ...)      one process's calls; each raises Refused(answer) or happens as a whole

A profile is a dict of its keys; numbers are ints. Where the two models differ, one of them or the
page is wrong.
"""

from code_places import Code, piece_bytes
from library import Libraries, Managed
from objects import AsyncPool, Graphs, Streams, pools_bytes, shared_bytes
from rounding import down, up
from source_steps import DeviceRuntime
from things import ThingCalls, Things

INVALID_VALUE = "CUDA_ERROR_INVALID_VALUE"
OUT_OF_MEMORY = "CUDA_ERROR_OUT_OF_MEMORY"
UNSUPPORTED_LIMIT = "CUDA_ERROR_UNSUPPORTED_LIMIT"


class Refused(Exception):
    """The driver's answer to a call that it declined; nothing has changed."""


ROUNDING = {"down": down, "up": up}


def twin(thing):
    """A shallow copy, made faster than by copy.copy()."""
    made = object.__new__(type(thing))
    made.__dict__.update(thing.__dict__)
    return made


class Kernel:
    def __init__(self, name, text_bytes, local_bytes, call_bytes):
        self.name = name
        self.text_bytes = text_bytes
        self.local_bytes = local_bytes
        self.call_bytes = call_bytes  # of a function that it calls


class Module:
    """A cubin as kernels.csv describes it."""

    def __init__(self, name, static_bytes, instructions):
        self.name = name
        is_managed = name.startswith("managed-")
        self.static_bytes = 0 if is_managed else static_bytes
        self.managed_bytes = static_bytes if is_managed else 0
        self.instructions = instructions  # of its first kernel
        self.kernels = {}
        # What kernels/variants.def calls so is linked with that part of the device's runtime.
        self.prints = name.startswith("printf-")
        self.allocates = name.startswith("malloc-")
        self.launches = name.startswith("launch-")

    @property
    def has_traits(self):
        return self.prints or self.allocates or self.launches

    @property
    def text_bytes(self):
        return sum(kernel.text_bytes for kernel in self.kernels.values())


# Of every limit, what it is counted in.
LIMIT_UNITS = {"stack": "bytes", "fifo": "bytes", "heap": "bytes", "sync_depth": "count",
               "pending_launch": "count", "l2_fetch": "bytes", "l2_persisting": "bytes"}


class Limit:
    """One limit of a context, and what becomes of requests. The profile is asked where a key counts, not
    before: so doctored.py can tell which rows hang on it."""

    def __init__(self, profile, prefix):
        self.profile = profile
        self.prefix = prefix
        self.set_to = None
        self.is_locked = False

    def _count(self, name):
        return self.profile[f"{self.prefix}_{name}_{LIMIT_UNITS[self.prefix]}"]

    @property
    def granted(self):
        return self._count("default") if self.set_to is None else self.set_to

    @property
    def is_known(self):
        """A device need not have some of them, and may charge for those."""
        return self.profile.get(f"{self.prefix}_known", 1)

    def bytes(self):
        each = self.is_known and self.profile.get(f"{self.prefix}_each_bytes", 0)
        return up(self.granted * each, self.profile["granule_bytes"]) if each else 0

    def get(self):
        if not self.is_known:
            raise Refused(UNSUPPORTED_LIMIT)
        return self.granted

    def set(self, request):
        self.get()
        rounded, most = up(request, self._count("step")), self._count("max")
        # The stack neither clamps nor has a least limit.
        if self.is_locked or (rounded > most
                              and self.profile.get(f"{self.prefix}_over_max", "refuse") == "refuse"):
            raise Refused(INVALID_VALUE)
        self.set_to = min(rounded if self.prefix == "stack" else max(rounded, self._count("min")), most)


class Pool:
    """printf's and malloc's part of a context: what comes with modules, and what is taken once."""

    def __init__(self, profile, kind, runtime):
        self.profile = profile
        self.kind = kind
        self.runtime = runtime
        self.modules = 0
        self.was_used = False
        self.is_taken = False
        self.taken_bytes = 0  # of the device
        self.host_bytes = 0

    def bytes(self):
        if not self.was_used:
            return 0
        return (self.profile[f"{self.runtime}_fixed_bytes"]
                + self.modules * self.profile[f"{self.runtime}_module_bytes"] + self.taken_bytes)

    def page_table_bytes(self):
        """What it has taken of the device when what it stands for is on the host."""
        return self.taken_bytes if self.host_bytes else 0

    def reach(self, moment, limit, taken_bytes, host_bytes):
        """A module of the kind is loaded, or a kernel of one launched."""
        if self.profile[f"{self.kind}_when"] == moment and not self.is_taken:
            self.is_taken = True
            self.taken_bytes = taken_bytes
            self.host_bytes = host_bytes
        if self.profile[f"{self.kind}_locks_at"] == moment:
            limit.is_locked = True


class Context:
    settled_bytes = None
    is_stripped = False  # after a call that found no room; see scarcity.py, also for the next two
    line = None
    fault = ""

    def __init__(self, profile):
        self.profile = profile
        self.limits = {name: Limit(profile, name) for name in LIMIT_UNITS}
        self.printf = Pool(profile, "fifo", "printf")
        self.malloc = Pool(profile, "heap", "malloc")
        self.code = Code(profile)
        self.device_runtime = DeviceRuntime(profile)
        self.streams = Streams()
        self.graphs = Graphs(profile)
        self.pool = AsyncPool(profile)
        self.things = Things(profile)
        self.managed_units = 0
        self.allocated_bytes = 0
        self.connection_bytes = 0  # more than the profile's fixed bytes have, or less
        self.frame_bytes = 0
        self.stack_bytes = 0
        self._resize_stack()

    def clone(self):
        clone = twin(self)
        clone.settled_bytes = None
        clone.limits = {name: twin(limit) for name, limit in self.limits.items()}
        for part in ("printf", "malloc", "code", "device_runtime", "streams", "graphs", "pool", "things"):
            setattr(clone, part, twin(getattr(self, part)))
        return clone

    def bytes(self):
        # All else only ever changes in a new clone, and is added up once.
        if self.settled_bytes is None:
            self.settled_bytes = self._add_up()
        return self.settled_bytes + self.pool.reserved + self.allocated_bytes

    def _shared_bytes(self):
        used = {name for name, is_used in (("printf", self.printf.was_used), ("malloc", self.malloc.was_used),
                                           ("device_runtime", self.device_runtime.was_used)) if is_used}
        return shared_bytes(self.profile, used) if used else 0

    def _add_up(self):
        return (self.profile["context_fixed_bytes"] + self.stack_bytes + self.code.bytes()
                + self.printf.bytes() + self.malloc.bytes() + self.graphs.bytes()
                + pools_bytes(self.profile, {"stream": self.streams.most, "graph_executable": self.graphs.most})
                + self.things.bytes() + self.connection_bytes + self.managed_bytes()
                + sum(limit.bytes() for limit in self.limits.values())
                + self.device_runtime.taken - self._shared_bytes()
                - (self.profile["oom_returns_bytes"] + self.stack_bytes if self.is_stripped else 0))

    def other_bytes(self):
        return self.bytes() - self.allocated_bytes - self.managed_bytes() - self.pool.reserved

    def nvml_hidden_bytes(self):
        return (self.profile["nvml_process_hidden_bytes"] + self.printf.page_table_bytes()
                + self.connection_bytes + self.managed_bytes())

    def managed_bytes(self):
        return self.managed_units * self.profile["managed_unit_bytes"]

    def _units(self, size):
        return up(size, self.profile["managed_unit_bytes"]) // self.profile["managed_unit_bytes"]

    def add_managed(self, size):
        self.managed_units += self._units(size)

    def drop_managed(self, size):
        self.managed_units -= self._units(size)

    def limit(self, name):
        return self.limits[name]

    def _resize_stack(self):
        p = self.profile
        threads = p["sm_count"] * p["max_threads_per_sm"]
        round_ = ROUNDING[p["stack_rounding"]]
        pool = round_(threads * max(self.limits["stack"].granted, self.frame_bytes), p["granule_bytes"])
        if pool > self.stack_bytes or p["stack_shrinks"]:
            self.stack_bytes = pool

    def set_limit(self, name, request):
        self.limit(name).set(request)
        if name == "stack" and self.profile["stack_when"] == "set":
            self._resize_stack()
        if name == "pending_launch":
            self.device_runtime.follow(self.limit(name).granted)

    def _fifo(self):
        """What the FIFO takes of the device, and of the process."""
        granted, granule = self.limits["fifo"].granted, self.profile["granule_bytes"]
        if self.profile["fifo_where"] == "device":
            return up(granted, granule), 0
        divisor = self.profile["fifo_host_page_table_divisor"]
        return down(granted // divisor, granule) if divisor else 0, granted

    def _heap(self):
        rounded = ROUNDING[self.profile["heap_rounding"]](self.limits["heap"].granted,
                                                          self.profile["granule_bytes"])
        return rounded + self.profile["heap_extra_bytes"], 0

    def _reach(self, module, moment):
        if module.prints:
            self.printf.reach(moment, self.limits["fifo"], *self._fifo())
        if module.allocates:
            self.malloc.reach(moment, self.limits["heap"], *self._heap())

    def load(self, module, kernels):
        for pool, is_used in ((self.printf, module.prints), (self.malloc, module.allocates)):
            pool.was_used |= is_used
            pool.modules += is_used
        self.is_stripped &= not module.has_traits
        self._reach(module, "load")
        if module.launches:
            self.device_runtime.take(self.limits["pending_launch"].granted)
        self.code.load_data(module)
        self.add_managed(module.managed_bytes)
        self.code.load_kernels(module, kernels)

    def unload(self, module):
        self.printf.modules -= module.prints
        self.malloc.modules -= module.allocates
        self.drop_managed(module.managed_bytes)
        self.code.unload(module)

    def launch(self, module, kernel):
        least = self.profile["device_runtime_frame_bytes"] if module.launches else 0
        frame = up(max(kernel.local_bytes, least), self.profile["stack_step_bytes"])
        if frame > self.profile["stack_max_bytes"]:
            raise Refused(INVALID_VALUE)
        self.is_stripped = False
        if self.profile["frame_raises"] == "limit":
            self.limits["stack"].set_to = max(self.limits["stack"].granted, frame)
        else:
            self.frame_bytes = max(self.frame_bytes, frame)
        self._resize_stack()
        self._reach(module, "launch")


class Device:
    def __init__(self, profile):
        self.profile = profile
        self.observer = Context(profile)
        self.contexts = []
        self.managed_units = 0  # in the pool
        self.outliving_bytes = 0  # of contexts that are gone

    def own_bytes(self):
        return self.outliving_bytes + sum(context.bytes() for context in self.contexts)

    def end_context(self):
        pool = self.contexts.pop().pool
        if self.profile["pool_outlives"]:
            self.outliving_bytes += pool.reserved

    def end_process(self):
        self.contexts.clear()
        self.outliving_bytes = 0

    def used_bytes(self):
        # The observer's context is always there, so the device's first context has been paid for.
        return (self.profile["device_first_context_bytes"] + self.observer.bytes()
                + self.own_bytes() + self.managed_units * self.profile["managed_unit_bytes"])

    def free_bytes(self):
        return self.profile["total_bytes"] - self.used_bytes()


class Process(ThingCalls, Libraries, Managed):
    """The measured process. Its current context is the one that it created last."""

    def __init__(self, device, loading=None):
        self.device = device
        self.profile = device.profile
        self.loading = loading or self.profile["default_loading"]
        self.loaded = {}  # module -> its kernels that are on the device
        self.calls = 0
        self.current = -1  # of the device's contexts
        self.has_current = True  # where it has a context at all
        self.prepare = lambda context: None  # what its environment does to each new context

    def _afford(self, more_bytes):
        if more_bytes > max(0, self.device.free_bytes()):
            raise Refused(OUT_OF_MEMORY)

    def _current(self):
        return self.device.contexts[self.current]

    def _become(self, changed):
        """What is managed comes out of the device's pool, which takes batches where it has too little."""
        batch, unit = self.profile["managed_batch_count"], self.profile["managed_unit_bytes"]
        wanted = max(0, changed.managed_units - self._current().managed_units)
        taken = up(max(0, wanted - self.device.managed_units), batch) - wanted
        more = changed.bytes() - self._current().bytes() + taken * unit
        self._afford(more + self._spare(changed) if more > 0 else more)
        self.device.managed_units += taken
        self.device.contexts[self.current] = changed

    def create(self):
        self.calls += 1
        created = Context(self.profile)
        self.prepare(created)
        self._afford(created.bytes())
        self.device.contexts.append(created)

    def destroy(self):
        self.calls += 1
        self.device.end_context()

    def retain(self):
        """The primary context, which that does not make current."""
        self.create()
        self.has_current = False

    def make_current(self):
        self.calls += 1
        self.has_current = True

    def set_limit(self, name, request):
        self.calls += 1
        changed = self._current().clone()
        changed.set_limit(name, request)
        self._become(changed)

    def get_limit(self, name):
        self.calls += 1
        return self._current().limit(name).get()

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
            changed.code.load_kernels(module, [kernel])
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
        changed.unload(module)
        self._become(changed)
        del self.loaded[module]

    # ---- streams, graphs and memory ----

    def _change(self, change, *arguments):
        self.calls += 1
        changed = self._current().clone()
        result = change(changed, *arguments)
        self._become(changed)
        return result

    def create_streams(self, count):
        for _ in range(count):
            self._change(lambda context: context.streams.create())

    def destroy_streams(self, count):
        self.calls += count
        self._current().streams.alive -= count

    def instantiate(self, nodes, count):
        return [self._change(lambda context: context.graphs.instantiate(nodes))
                for _ in range(count)]

    def destroy_executables(self, pieces):
        for piece in pieces:
            self._change(lambda context, piece=piece: context.graphs.destroy(*piece))

    def _check_request(self, request):
        if not request:
            raise Refused(INVALID_VALUE)
        if request > self.profile["total_bytes"]:
            raise Refused(OUT_OF_MEMORY)

    def _rounded(self, request):
        return up(request, self.profile["granule_bytes"])

    def allocate_async(self, request):
        self._check_request(request)
        self._change(lambda context: context.pool.allocate(request))
        self.synchronize()

    def free_async(self, request):
        self.calls += 1
        self._current().pool.used -= request
        self.synchronize()

    def trim(self, keep):
        self.calls += 1
        self._current().pool.trim(keep)

    def synchronize(self):
        self.trim(self._current().pool.threshold)

    # ---- what the meters show ----

    def own_free_bytes(self):
        """None where the process has no current context."""
        has_context = self.device.contexts and self.has_current
        return self.device.free_bytes() if has_context else None

    def nvml_bytes(self):
        """None where NVML does not list the process."""
        if not self.device.contexts:
            return None
        hidden = sum(context.nvml_hidden_bytes() for context in self.device.contexts)
        return max(0, self.device.own_bytes() - hidden)

    def host_fifo_bytes(self):
        """Of the FIFOs on the host, what is resident."""
        most = self.profile["fifo_host_touch_max_bytes"]
        return sum(min(context.printf.host_bytes, most) for context in self.device.contexts)
