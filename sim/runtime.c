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

/* Of the thread, until it asks. */
static _Thread_local cudaError_t last_error;

static cudaError_t end(CUresult result)
{
	pthread_mutex_unlock(&library.lock);
	if (result)
		last_error = (cudaError_t)result;
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

/* The device's context, made if need be. */
static CUresult make_context(void)
{
	CUresult r = start_driver();

	if (r || library.has_context)
		return r;
	r = cuDevicePrimaryCtxRetain(&library.context, 0);
	library.has_context = !r;
	return r;
}

/* The same, and current in the calling thread. */
static CUresult use_context(void)
{
	CUresult r = make_context();

	return r ? r : cuCtxSetCurrent(library.context);
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

cudaError_t cudaDriverGetVersion(int *version)
{
	pthread_mutex_lock(&library.lock);
	return end(cuDriverGetVersion(version));
}

cudaError_t cudaGetLastError(void)
{
	cudaError_t error = last_error;

	last_error = cudaSuccess;
	return error;
}

/* ---- what needs no context ---- */

/* For questions about a device. */
static CUresult begin_device(int device)
{
	CUresult r;

	pthread_mutex_lock(&library.lock);
	r = start_driver();
	return !r && device != 0 ? CUDA_ERROR_INVALID_DEVICE : r;
}

cudaError_t cudaGetDeviceCount(int *count)
{
	CUresult r = begin_device(0);

	return end(r ? r : cuDeviceGetCount(count));
}

/* The two libraries number the attributes alike. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
	CUresult r = begin_device(device);

	return end(r ? r : cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, 0));
}

static CUresult describe(struct cudaDeviceProp *properties)
{
	const struct {
		int *target;
		CUdevice_attribute attribute;
	} wanted[] = {
		{ &properties->major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR },
		{ &properties->minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR },
		{ &properties->multiProcessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT },
		{ &properties->maxThreadsPerMultiProcessor,
		  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR },
		{ &properties->warpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE },
		{ &properties->ECCEnabled, CU_DEVICE_ATTRIBUTE_ECC_ENABLED },
	};
	CUresult r = cuDeviceGetName(properties->name, sizeof properties->name, 0);

	if (!r)
		r = cuDeviceGetUuid(&properties->uuid, 0);
	if (!r)
		r = cuDeviceTotalMem_v2(&properties->totalGlobalMem, 0);
	for (size_t i = 0; !r && i < sizeof wanted / sizeof *wanted; i++)
		r = cuDeviceGetAttribute(wanted[i].target, wanted[i].attribute, 0);
	return r;
}

/* What no profile says stays 0. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
	struct cudaDeviceProp described = { 0 };
	CUresult r = begin_device(device);

	if (!r && !properties)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = describe(&described);
	if (!r)
		*properties = described;
	return end(r);
}

/* ---- what makes the context ---- */

/* Makes it, but not current: that is for the call that uses it. */
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags)
{
	CUresult r = begin_device(device);

	(void)device_flags; /* how to wait and what to map */
	(void)flags;
	return end(r ? r : make_context());
}

cudaError_t cudaSetDevice(int device)
{
	CUresult r = begin_device(device);

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

cudaError_t cudaMalloc(void **pointer, size_t size)
{
	CUdeviceptr memory;
	CUresult r = begin();

	if (!r && !pointer)
		r = CUDA_ERROR_INVALID_VALUE;
	if (!r)
		r = cuMemAlloc_v2(&memory, size);
	if (!r)
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): of the device, so nobody follows it */
		*pointer = (void *)(uintptr_t)memory;
	return end(r);
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags)
{
	CUresult r = begin();

	return end(r ? r : cuMemHostAlloc(pointer, size, flags));
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

cudaError_t cudaDeviceSynchronize(void)
{
	CUresult r = begin();

	return end(r ? r : cuCtxSynchronize());
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	CUresult r = begin();

	return end(r ? r : cuStreamCreate(stream, CU_STREAM_DEFAULT));
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
