/* SPDX-License-Identifier: MIT */
/*
 * Green contexts, for toolkits that do not have them yet. Drivers do since CUDA 12.4, and one
 * binary serves them all whatever headers it was built with: what a toolkit's <cuda.h> and
 * <cudaTypedefs.h> lack is declared here under the names and with the layout that it has in those
 * of CUDA 12.4, and of 12.5 for streams. Include this instead of <cuda.h> wherever they are used.
 *
 * struct CUdevResource_st has 144 bytes in all toolkits; younger ones give names to more of them.
 */
#ifndef HARNESS_ABI_GREEN_H
#define HARNESS_ABI_GREEN_H

#include <cuda.h>
#include <cudaTypedefs.h>

#if CUDA_VERSION < 12040

#define CUDA_ERROR_INVALID_RESOURCE_TYPE          914
#define CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION 915

#define CUdevResourceType            unsigned int
#define CU_DEV_RESOURCE_TYPE_INVALID 0u
#define CU_DEV_RESOURCE_TYPE_SM      1u
#define CU_GREEN_CTX_DEFAULT_STREAM  1u

struct CUgreenCtx_st;
struct CUdevResourceDesc_st;

struct CUdevResource_st {
	CUdevResourceType type;
	unsigned char padding[92];
	union {
		struct {
			unsigned int smCount;
		} sm;
		unsigned char room[48];
	};
};

typedef CUresult(CUDAAPI *PFN_cuDeviceGetDevResource_v12040)(CUdevice, struct CUdevResource_st *,
							     CUdevResourceType);
typedef CUresult(CUDAAPI *PFN_cuDevSmResourceSplitByCount_v12040)(struct CUdevResource_st *,
								  unsigned int *,
								  const struct CUdevResource_st *,
								  struct CUdevResource_st *,
								  unsigned int, unsigned int);
typedef CUresult(CUDAAPI *PFN_cuDevResourceGenerateDesc_v12040)(struct CUdevResourceDesc_st **,
								struct CUdevResource_st *,
								unsigned int);
typedef CUresult(CUDAAPI *PFN_cuGreenCtxCreate_v12040)(struct CUgreenCtx_st **,
						       struct CUdevResourceDesc_st *, CUdevice,
						       unsigned int);
typedef CUresult(CUDAAPI *PFN_cuGreenCtxDestroy_v12040)(struct CUgreenCtx_st *);
typedef CUresult(CUDAAPI *PFN_cuCtxFromGreenCtx_v12040)(CUcontext *, struct CUgreenCtx_st *);

#endif

#if CUDA_VERSION < 12050

typedef CUresult(CUDAAPI *PFN_cuGreenCtxStreamCreate_v12050)(CUstream *, struct CUgreenCtx_st *,
							     unsigned int, int);

#endif

_Static_assert(sizeof(struct CUdevResource_st) == 144, "not what drivers write");

#endif
