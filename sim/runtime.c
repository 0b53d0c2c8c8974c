/* SPDX-License-Identifier: MIT */
/*
 * libcudart.so: the runtime library, on top of the simulated driver's exported calls, so that
 * faults count and strike what it asks of the driver. An error keeps the driver's number.
 */
#include <cuda.h>
#include <driver_types.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/driver_exports.h"
#include "sim/simulation.h"

#define RUNTIME_EXPORT(symbol, parameters) \
	__attribute__((visibility("default"))) cudaError_t symbol parameters;
#include "sim/runtime_exports.def"
#undef RUNTIME_EXPORT

static struct {
	pthread_mutex_t lock;
	bool has_profile;
	bool has_driver;
	bool has_context; /* of the device, retained once */
	struct profile profile;
	CUcontext context;
} library = { .lock = PTHREAD_MUTEX_INITIALIZER };

static cudaError_t end(CUresult result)
{
	pthread_mutex_unlock(&library.lock);
	return (cudaError_t)result;
}

static CUresult read_profile(void)
{
	struct err err = { "" };

	if (library.has_profile)
		return CUDA_SUCCESS;
	if (simulation_profile(&library.profile, &err) < 0) {
		simulation_complain(&err);
		return CUDA_ERROR_SYSTEM_NOT_READY;
	}
	library.has_profile = true;
	return CUDA_SUCCESS;
}

static CUresult start_driver(void)
{
	CUresult r = CUDA_SUCCESS;

	if (!library.has_driver)
		r = cuInit(0);
	library.has_driver = !r;
	return r ? r : read_profile();
}

/* The device's context, made if need be and current in the calling thread. */
static CUresult use_context(void)
{
	CUresult r = start_driver();

	if (r)
		return r;
	if (!library.has_context)
		r = cuDevicePrimaryCtxRetain(&library.context, 0);
	if (r)
		return r;
	library.has_context = true;
	return cuCtxSetCurrent(library.context);
}

static CUresult begin(void)
{
	pthread_mutex_lock(&library.lock);
	return use_context();
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	CUresult r;

	pthread_mutex_lock(&library.lock);
	r = version ? read_profile() : CUDA_ERROR_INVALID_VALUE;
	if (!r)
		*version = (int)library.profile.runtime_api_version;
	return end(r);
}

cudaError_t cudaSetDevice(int device)
{
	CUresult r;

	pthread_mutex_lock(&library.lock);
	r = start_driver();
	if (!r && device != 0)
		r = CUDA_ERROR_INVALID_DEVICE;
	if (!r && library.profile.runtime_context_at == RUNTIME_AT_SET_DEVICE)
		r = use_context();
	return end(r);
}

cudaError_t cudaFree(void *pointer)
{
	CUresult r = begin();

	if (!r && pointer)
		r = cuMemFree_v2((CUdeviceptr)(uintptr_t)pointer);
	return end(r);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
	CUresult r = begin();

	return end(r ? r : cuMemGetInfo_v2(free_bytes, total_bytes));
}

/* The two libraries number the limits alike. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	CUresult r = begin();

	return end(r ? r : cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	CUresult r = begin();

	return end(r ? r : cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t cudaDeviceReset(void)
{
	CUresult r;

	pthread_mutex_lock(&library.lock);
	r = library.has_context ? cuDevicePrimaryCtxRelease(0) : CUDA_SUCCESS;
	/* After a refusal the context is still there. */
	if (!r)
		library.has_context = false;
	return end(r);
}
