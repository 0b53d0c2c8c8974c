# SPDX-License-Identifier: MIT
"""The steps of the benchmark of first calls; see benchmarks.py."""

from model import Refused
from object_steps import do_nothing

BUFFER_BYTES = 2 * 2**20
STACK_BYTES = 1024

# Calls that only ask, and one that has nothing to undo.
QUESTIONS = {"cuDeviceGetCount", "cuDeviceGetName", "cuDeviceTotalMem", "cuDeviceGetAttribute",
             "cuDevicePrimaryCtxGetState", "cudaDriverGetVersion", "cudaGetDeviceCount",
             "cudaGetDeviceProperties", "cudaDeviceGetAttribute"}
# These do not even ask the driver.
SILENT = {"cudaGetLastError", "cudaDeviceReset", "nvmlDeviceGetMemoryInfo"}


class Calls:
    """What the process makes of its primary context."""

    def __init__(self, s):
        self.s = s
        self.process = s.process
        self.is_active = False

    def retain(self):
        """Which does not make it current. Once is enough for the runtime."""
        if not self.is_active:
            self.process.retain()
            self.is_active = True

    def use(self):
        self.retain()
        self.process.make_current()

    def reset(self):
        self.process.destroy()
        self.is_active = False
        # What was current is gone.
        self.process.has_current = False

    def make(self, call):
        if call in QUESTIONS:
            do_nothing(self.s)
        elif call == "cuMemGetInfo":
            do_nothing(self.s)
            raise Refused("CUDA_ERROR_INVALID_CONTEXT")
        elif call == "cuCtxCreate":
            self.process.create()
        elif call in ("cuDevicePrimaryCtxRetain", "cudaInitDevice"):
            self.retain()
        elif call == "cudaSetDevice":
            if self.s.profile["runtime_context_at"] == "set-device":
                self.use()
        elif call not in SILENT:
            self.use()
            self.go_on(call)

    def go_on(self, call):
        """Of the runtime's calls that need the context, the rest."""
        if call == "cudaMalloc":
            self.process.allocate(BUFFER_BYTES)
        elif call == "cudaDeviceSetLimit":
            self.process.set_limit("stack", STACK_BYTES)
        elif call == "cudaDeviceGetLimit":
            self.process.get_limit("stack")
        elif call == "cudaStreamCreate":
            self.process.create_streams(1)
        elif call == "cudaDeviceSynchronize":
            self.process.synchronize()
        else:
            # cudaFree of nothing, cudaMemGetInfo, and cudaHostAlloc, whose memory is the host's.
            assert call in ("cudaFree", "cudaMemGetInfo", "cudaHostAlloc"), call


def first_call(s, point):
    calls = Calls(s)
    s.step("first-call", calls.make, point["call"])
    s.step("same-call-again", calls.make, point["call"])
    s.read("primary_active", int(calls.is_active))
    s.step("is-active", do_nothing, s)
    s.must("rest", calls.use)
    s.must("reset", calls.reset)
