/* SPDX-License-Identifier: MIT */
/*
 * The CUDA runtime API as a table of pointers, filled from harness/runtime.def. CUCTX_LIBCUDART
 * names another library, so that several runtimes can be measured on one driver. Loading it alone
 * makes no context. The entries answer with cudaError_t, whose numbers equal CUresult's for every
 * refusal.
 */
#ifndef HARNESS_RUNTIME_H
#define HARNESS_RUNTIME_H

#include <driver_types.h>
#include <stddef.h>

#include "base/err.h"

struct runtime {
#define RUNTIME_CALL(field, symbol, parameters, need) cudaError_t(*field) parameters;
#include "harness/runtime.def"
#undef RUNTIME_CALL
};

/* -ENODEV when there is none. */
int runtime_load(struct runtime *runtime, struct err *reterr);

#endif
