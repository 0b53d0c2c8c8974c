/* SPDX-License-Identifier: MIT */
/*
 * The CUDA driver API as a table of pointers, filled from harness/driver.def. CUCTX_LIBCUDA names
 * another library than libcuda.so.1. Call driver_load() once, in a child process, before any entry;
 * optional entries may be NULL.
 */
#ifndef HARNESS_DRIVER_H
#define HARNESS_DRIVER_H

#include <cuda.h>
#include <cudaTypedefs.h>

#include "base/err.h"
#include "harness/abi_green.h"

/* Calls that older toolkits lack, and options that nobody here gives. */
struct CUlib_st;
struct CUkern_st;
typedef CUresult(CUDAAPI *driver_library_load_data)(struct CUlib_st **library, const void *image,
						    CUjit_option *jit_options, void **jit_values,
						    unsigned int jit_option_count, void *options,
						    void **values, unsigned int option_count);
typedef CUresult(CUDAAPI *driver_library_get_kernel)(struct CUkern_st **kernel,
						     struct CUlib_st *library, const char *name);
typedef CUresult(CUDAAPI *driver_library_unload)(struct CUlib_st *library);
typedef CUresult(CUDAAPI *driver_kernel_get_function)(CUfunction *function,
						      struct CUkern_st *kernel);
/* 0: it is not loaded in the context (CUfunctionLoadingState). */
typedef CUresult(CUDAAPI *driver_func_is_loaded)(int *state, CUfunction function);
typedef CUresult(CUDAAPI *driver_func_load)(CUfunction function);

struct driver {
#define DRIVER_CALL(field, symbol, type, need) type field;
#include "harness/driver.def"
#undef DRIVER_CALL
};

/* -ENODEV when the library is missing, or too old to have an entry that is needed. */
int driver_load(struct driver *driver, struct err *reterr);

/* "CUDA_ERROR_INVALID_VALUE", or "error 12345" for a number that the driver does not know. */
#define DRIVER_ERROR_MAX 64
const char *driver_error_name(const struct driver *driver, int error, char *buffer);

#endif
