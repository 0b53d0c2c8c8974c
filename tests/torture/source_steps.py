# SPDX-License-Identifier: MIT
"""Which driver call belongs to which step of module-source and device-runtime, for torture.py."""

import glob
import os

LAUNCH = ["cuLaunchKernel", "cuCtxSynchronize"]

SOURCE = [
    ("load", ["cuModuleLoadData"]),
    ("get-function", ["cuModuleGetFunction"]),
    ("launch-1", LAUNCH),
    ("launch-2", LAUNCH),
    ("unload", ["cuModuleUnload"]),
    ("load-again", ["cuModuleLoadData"]),
    ("get-again", ["cuModuleGetFunction"]),
    ("unload-again", ["cuModuleUnload"]),
]

DEVICE_RUNTIME = [
    ("set-pending", ["cuCtxSetLimit"]),
    ("get-pending", ["cuCtxGetLimit"]),
    ("load", ["cuModuleLoadData"]),
    ("get-function", ["cuModuleGetFunction"]),
    ("launch-1", LAUNCH),
    ("launch-2", LAUNCH),
    ("load-printf", ["cuModuleLoadData"]),
    ("unload-printf", ["cuModuleUnload"]),
    ("unload", ["cuModuleUnload"]),
]


def can_launch(build):
    """Not every toolkit can link modules that launch kernels. Without them there is one row and no call."""
    modules = os.path.join(build, "share", "cuctx", "modules")
    return bool(glob.glob(os.path.join(modules, "sm_*", "launch-called.cubin")))
