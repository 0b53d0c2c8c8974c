/* SPDX-License-Identifier: MIT */
/* The device's default pool, as far as the current context has a part of it. */
#include "sim/driver.h"

static void *default_pool;

static bool is_pool(CUmemoryPool pool)
{
	return handle_find(HANDLE_POOL, pool, NULL, NULL);
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!pool)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (device != 0)
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	if (!default_pool)
		default_pool = handle_add(HANDLE_POOL, NULL, NULL);
	if (!default_pool)
		return call_end(CUDA_ERROR_OUT_OF_MEMORY);
	*pool = default_pool;
	return call_end(CUDA_SUCCESS);
}

CUresult pool_trim(struct CUctx_st *context, uint64_t keep_bytes)
{
	struct model_context model = context->model;

	model_pool_trim(&model, &driver.simulation.profile, keep_bytes);
	/* Most contexts have nothing to give, and the device is many processes' affair. */
	if (model.pool_reserved_bytes == context->model.pool_reserved_bytes)
		return CUDA_SUCCESS;
	return context_become(context, &model);
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep_bytes)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!is_pool(pool))
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(pool_trim(context_current(), keep_bytes));
}

/* NULL for an attribute that this pool does not have. */
static uint64_t *find_attribute(struct model_context *model, CUmemPool_attribute attribute)
{
	switch ((int)attribute) {
	case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
		return &model->pool_threshold_bytes;
	case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
		return &model->pool_reserved_bytes;
	case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
		return &model->pool_used_bytes;
	default:
		return NULL;
	}
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!is_pool(pool) || attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD || !value)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	context_current()->model.pool_threshold_bytes = *(const cuuint64_t *)value;
	return call_end(CUDA_SUCCESS);
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	const uint64_t *found;

	if (r)
		return r;
	found = find_attribute(&context_current()->model, attribute);
	if (!is_pool(pool) || !found || !value)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	*(cuuint64_t *)value = *found;
	return call_end(CUDA_SUCCESS);
}
