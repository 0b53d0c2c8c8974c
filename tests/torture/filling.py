# SPDX-License-Identifier: MIT
"""Of the benchmarks that overflow a stack or fill the device: axes, and which driver call belongs to
which step; see torture.py.

The samples are such that few calls do it: two buffers fill the device, and hardly less is left for the
first use of a kernel than there is.
"""

from object_steps import LAUNCH

# A reading of the free count that is part of a step, and not the meter at its end.
FREE = "cuMemGetInfo_v2 within the step"
USE = ["cuModuleLoadData", "cuModuleGetFunction"]

AXES = {
    "array_bytes": "1000",
    "buffer_bytes": "64G",
    "between": "modules",
    "first_use": "code",
    "search": "below",
    "left_bytes": "139G",
}

# With a limit of 8 KiB and 1 KiB for each call, the ninth is too deep.
STACK_OVERFLOW = [
    ("set", ["cuCtxSetLimit"]),
    ("get", ["cuCtxGetLimit"]),
    ("load", ["cuModuleLoadData"]),
    ("get-function", ["cuModuleGetFunction"]),
    ("launch-none", ["cuLaunchKernel"]),
    ("sync-none", ["cuCtxSynchronize"]),
    ("get-launched", ["cuCtxGetLimit"]),
    ("deepen", LAUNCH * 9),
    ("launch-after", ["cuLaunchKernel"]),
    ("sync-after", ["cuCtxSynchronize"]),
    ("unload", ["cuModuleUnload"]),
]

SEARCH = [FREE, "cuMemAlloc_v2", "cuMemFree_v2"]
FRAGMENTATION = [
    ("take-ballast", ["cuDeviceTotalMem_v2", FREE]),
    ("fill", [FREE] + ["cuMemAlloc_v2", *USE, FREE] * 2),
    ("free-buffers", ["cuMemFree_v2"] * 2),
    ("search-largest", SEARCH),
    ("launch", LAUNCH),
    ("unload-modules", ["cuModuleUnload"] * 2),
    ("search-largest-again", SEARCH),
    ("free-ballast", []),
]

FIRST_LAUNCH_OOM = [
    ("load-other", ["cuModuleLoadData"]),
    ("get-other", ["cuModuleGetFunction"]),
    ("launch-other", LAUNCH),
    ("fill", [FREE] * 3),
    ("load-full", ["cuModuleLoadData"]),
    ("get-full", ["cuModuleGetFunction"]),
    ("launch-full", LAUNCH),
    ("other-full", LAUNCH),
    ("climb", []),
    ("launch-again", LAUNCH),
    ("free-filling", []),
    ("launch-freed", LAUNCH),
    ("other-freed", LAUNCH),
    ("unload", ["cuModuleUnload"]),
    ("use-anew", [*USE, *LAUNCH]),
    ("unload-anew", ["cuModuleUnload"]),
]

STEPS = {"stack-overflow": STACK_OVERFLOW, "fragmentation": FRAGMENTATION, "first-launch-oom": FIRST_LAUNCH_OOM}

# Steps that are meant to fail: any error of theirs is an answer.
FAULTS = {
    "stack-overflow": {"deepen", "launch-after", "sync-after", "unload", "destroy"},
    "first-launch-oom": {"load-full", "get-full", "launch-full", "other-full", "climb", "launch-again",
                         "launch-freed", "other-freed", "unload", "use-anew", "destroy"},
}
GOES_ON = {
    "stack-overflow": FAULTS["stack-overflow"] | {"set", "get-launched"},
    "first-launch-oom": FAULTS["first-launch-oom"],
}
# Where a call that finds no room only ends or narrows what the step does.
SWALLOWS_OOM = {
    ("fragmentation", "fill"): {"cuMemAlloc_v2", *USE},
    ("fragmentation", "search-largest"): {"cuMemAlloc_v2"},
    ("fragmentation", "search-largest-again"): {"cuMemAlloc_v2"},
}
# Readings that follow the free count.
FOLLOWS_FREE = {"sought_bytes", "largest_bytes"}
