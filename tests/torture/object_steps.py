# SPDX-License-Identifier: MIT
"""Which driver call belongs to which step where things are made and destroyed, for torture.py: libraries,
streams, memory, graphs, textures and green contexts, alone and several in one context."""

LAUNCH = ["cuLaunchKernel", "cuCtxSynchronize"]

CYCLE = [
    ("load-library", ["cuLibraryLoadData"]),
    ("get-kernel", ["cuLibraryGetKernel"]),
    ("get-function", ["cuKernelGetFunction"]),
    ("launch-1", LAUNCH),
    ("unload-library", ["cuLibraryUnload"]),
]
CYCLE += [("cycle-rest", [call for _, calls in CYCLE for call in calls])]

STREAMS = [
    ("get-priorities", ["cuCtxGetStreamPriorityRange"]),
    ("create-streams", ["cuStreamCreateWithPriority"] * 2),
    ("destroy-streams", ["cuStreamDestroy_v2"] * 2),
    ("create-again", ["cuStreamCreateWithPriority"] * 2),
]

POOL_TAKE = ["cuMemAllocAsync", "cuCtxSynchronize"]
POOL_FREE = ["cuMemFreeAsync", "cuCtxSynchronize"]
POOL_READ = ["cuMemPoolGetAttribute"] * 2
MEMORY_POOL = [
    ("get-pool", ["cuDeviceGetDefaultMemPool"]),
    ("set-threshold", ["cuMemPoolSetAttribute"]),
    ("allocate", POOL_TAKE),
    ("read-allocated", POOL_READ),
    ("free", POOL_FREE),
    ("read-freed", POOL_READ),
    ("allocate-again", POOL_TAKE),
    ("free-again", POOL_FREE),
    ("trim", ["cuMemPoolTrimTo"]),
]

GRAPHS = [
    ("load", ["cuModuleLoadData"]),
    ("get-function", ["cuModuleGetFunction"]),
    ("launch-1", LAUNCH),
    ("create-graph", ["cuGraphCreate"]),
    ("add-nodes", ["cuGraphAddKernelNode"] * 2),
    ("instantiate", ["cuGraphInstantiateWithFlags"] * 2),
    ("upload", ["cuGraphUpload"] * 2 + ["cuCtxSynchronize"]),
    ("launch-graphs", ["cuGraphLaunch"] * 2 + ["cuCtxSynchronize"]),
    ("destroy-executables", ["cuGraphExecDestroy"] * 2),
    ("instantiate-again", ["cuGraphInstantiateWithFlags"] * 2),
    ("launch-again", ["cuGraphLaunch"] * 2 + ["cuCtxSynchronize"]),
    ("destroy-again", ["cuGraphExecDestroy"] * 2),
    ("destroy-graph", ["cuGraphDestroy"]),
    ("trim", ["cuDeviceGraphMemTrim"]),
    ("unload", ["cuModuleUnload"]),
]

TEXTURES = [
    ("make-base", ["cuArrayCreate_v2"]),
    ("create-objects", ["cuTexObjectCreate"] * 2),
    ("destroy-objects", ["cuTexObjectDestroy"] * 2),
    ("create-again", ["cuTexObjectCreate"] * 2),
    ("destroy-again", ["cuTexObjectDestroy"] * 2),
    ("destroy-base", ["cuArrayDestroy"]),
]

CREATE_GREEN = ["cuDevResourceGenerateDesc", "cuGreenCtxCreate"]
LAUNCH_GREEN = ["cuCtxFromGreenCtx", "cuCtxSetCurrent", *LAUNCH]
GREEN_CONTEXTS = [
    ("create", ["cuDevicePrimaryCtxRetain"]),
    ("make-current", ["cuCtxSetCurrent"]),
    ("load", ["cuModuleLoadData"]),
    ("launch", ["cuModuleGetFunction", *LAUNCH]),
    ("split", ["cuDeviceGetDevResource", "cuDevSmResourceSplitByCount"]),
    ("create-green-1", CREATE_GREEN),
    ("create-green-2", CREATE_GREEN),
    ("launch-green-1", LAUNCH_GREEN),
    ("launch-green-2", LAUNCH_GREEN),
    ("create-streams", ["cuGreenCtxStreamCreate"] * 2),
    ("destroy-streams", ["cuStreamDestroy_v2"] * 2),
    ("leave-green", ["cuCtxSetCurrent"]),
    ("destroy-green-2", ["cuGreenCtxDestroy"]),
    ("destroy-green-1", ["cuGreenCtxDestroy"]),
    ("create-again", CREATE_GREEN * 2),
    ("destroy-again", ["cuGreenCtxDestroy"] * 2),
    ("destroy", ["cuDevicePrimaryCtxRelease"]),
]

# A limit, something linked, graphs and an allocation.
COMBINATION = "stack-2K+printf+graphs-2+pool-1M"
USE = ["cuModuleLoadData", "cuModuleGetFunction"]
COMBINED = [
    ("part-1", ["cuCtxSetLimit"]),
    ("part-2", [*USE, *LAUNCH]),
    ("part-3", [*USE, "cuGraphCreate", "cuGraphAddKernelNode",
                *["cuGraphInstantiateWithFlags", "cuGraphLaunch"] * 2, "cuCtxSynchronize"]),
    ("part-4", POOL_TAKE),
]
