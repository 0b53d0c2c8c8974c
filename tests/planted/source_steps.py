# SPDX-License-Identifier: MIT
"""The steps of module-source and device-runtime, see benchmarks.py, and what is made of PTX."""

import copy
import re

from object_steps import only_kernel
from rounding import up

NO_LAUNCHES = "the toolkit that built the modules had no nvlink and libcudadevrt.a of CUDA 12 or later"


class Unsupported(Exception):
    """Why the point does not exist with these modules."""


INSTRUCTION = re.compile(r"^\t(@\S+ )?[a-z]", re.M)


def count_instructions(path):
    """Of a PTX text with one kernel: each is a line of its own there."""
    with open(path, encoding="ascii") as file:
        return len(INSTRUCTION.findall(file.read()))


def compiled(profile, module):
    """The module that the driver makes of this one's PTX."""
    made = copy.copy(module)
    made.kernels = {name: copy.copy(kernel) for name, kernel in module.kernels.items()}
    only_kernel(made).text_bytes = (module.ptx_instructions * profile["jit_instruction_bytes"]
                                    + profile["jit_kernel_bytes"])
    return made


def module_source(s, point):
    module = next(module for name, module in s.modules.items()
                  if name.startswith("source-") and module.instructions == point["kernel_instructions"])
    if point["source"].startswith("ptx"):
        module = compiled(s.profile, module)
    kernel = only_kernel(module)
    s.must("create", s.process.create)
    s.must("load", s.process.load, module)
    s.must("get-function", s.process.get_function, module, kernel)
    s.step("launch-1", s.process.launch, module, kernel)
    s.step("launch-2", s.process.launch, module, kernel)
    s.must("unload", s.process.unload, module)
    s.must("load-again", s.process.load, module)
    s.must("get-again", s.process.get_function, module, kernel)
    s.must("unload-again", s.process.unload, module)
    s.must("destroy", s.process.destroy)


def module_source_wants(point):
    return point["source"] != "ptx" or point["kernel_instructions"] <= 4096


class DeviceRuntime:
    """What a context has for kernels that launch kernels."""

    def __init__(self, profile):
        self.profile = profile
        self.was_used = False
        self.taken = 0

    def _fit(self, pending_launches):
        p = self.profile
        self.taken = (up(p["device_runtime_fixed_bytes"] + pending_launches * p["device_runtime_launch_bytes"],
                         p["granule_bytes"])
                      + up(pending_launches * p["device_runtime_launch_apart_bytes"], p["granule_bytes"]))

    def take(self, pending_launches):
        if not self.was_used:
            self.was_used = True
            self._fit(pending_launches)

    def follow(self, pending_launches):
        """The limit has been set."""
        if self.was_used and self.profile["device_runtime_resizes"]:
            self._fit(pending_launches)


def device_runtime(s, point):
    name = {"none": "empty", "linked": "launch-linked", "called": "launch-called"}[point["module"]]
    if name not in s.modules:
        raise Unsupported(NO_LAUNCHES)
    module = s.modules[name]
    printing, kernel = s.modules["printf-called"], module.kernels["kernel"]
    s.must("create", s.process.create)
    if point["pending_launches"]:
        s.step("set-pending", s.process.set_limit, "pending_launch", point["pending_launches"])
    s.step("get-pending", s.read_limit, "pending_launch", "granted_launches")
    if point["sync_depth"]:
        s.step("set-depth", s.process.set_limit, "sync_depth", point["sync_depth"])
        s.step("get-depth", s.read_limit, "sync_depth", "granted_depth")
    s.must("load", s.process.load, module)
    s.must("get-function", s.process.get_function, module, kernel)
    s.step("launch-1", s.process.launch, module, kernel)
    s.step("launch-2", s.process.launch, module, kernel)
    s.must("load-printf", s.process.load, printing)
    s.must("unload-printf", s.process.unload, printing)
    s.must("unload", s.process.unload, module)
    s.must("destroy", s.process.destroy)


def device_runtime_wants(point):
    return not point["sync_depth"] or (not point["pending_launches"] and point["module"] == "called")
