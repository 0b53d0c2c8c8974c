/* SPDX-License-Identifier: MIT */
/*
 * Prototypes of what libcuda.so.1 exports, under the symbols' own names. <cuda.h> gives some of
 * these names to younger symbols by macro, and declares the older ones only for itself.
 */
#ifndef SIM_DRIVER_EXPORTS_H
#define SIM_DRIVER_EXPORTS_H

#include <stddef.h>

#include "harness/abi_green.h"
#include "sim/newer_cuda.h"

#undef cuDeviceGetUuid
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuGraphAddKernelNode

/* Inside, these are the names of what the exported calls call: see sim/wrap.cmake. */
#ifdef DRIVER_INNER
#include "driver_inner.h"
#define DRIVER_VISIBILITY "hidden"
#else
#define DRIVER_VISIBILITY "default"
#endif

#define DRIVER_EXPORT(symbol, parameters) \
	__attribute__((visibility(DRIVER_VISIBILITY))) CUresult CUDAAPI symbol parameters;
#include "sim/driver_exports.def"
#undef DRIVER_EXPORT

#endif
