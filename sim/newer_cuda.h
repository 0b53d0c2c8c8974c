/* SPDX-License-Identifier: MIT */
/* <cuda.h>, and what prototypes name of newer toolkits, for those where it is older. */
#ifndef SIM_NEWER_CUDA_H
#define SIM_NEWER_CUDA_H

#include <cuda.h>

struct CUlib_st;
struct CUkern_st;

#if CUDA_VERSION < 12000
enum CUlibraryOption_enum {
	CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE,
};
#endif

#if CUDA_VERSION < 12040
enum CUfunctionLoadingState_enum {
	CU_FUNCTION_LOADING_STATE_UNLOADED,
	CU_FUNCTION_LOADING_STATE_LOADED,
};
#endif

#endif
