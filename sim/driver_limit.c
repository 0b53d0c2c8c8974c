/* SPDX-License-Identifier: MIT */
/* The limits of a context. */
#include "sim/driver.h"

#include <errno.h>

#include "base/array.h"

static int find_limit(CUlimit limit, enum model_limit *ret_limit)
{
	static const struct {
		CUlimit limit;
		enum model_limit model;
	} limits[] = {
		{ CU_LIMIT_STACK_SIZE, MODEL_STACK },
		{ CU_LIMIT_PRINTF_FIFO_SIZE, MODEL_FIFO },
		{ CU_LIMIT_MALLOC_HEAP_SIZE, MODEL_HEAP },
		{ CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, MODEL_SYNC_DEPTH },
		{ CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, MODEL_PENDING_LAUNCH },
		{ CU_LIMIT_MAX_L2_FETCH_GRANULARITY, MODEL_L2_FETCH },
		{ CU_LIMIT_PERSISTING_L2_CACHE_SIZE, MODEL_L2_PERSISTING },
	};

	for (size_t i = 0; i < ARRAY_COUNT(limits); i++) {
		if (limits[i].limit != limit)
			continue;
		*ret_limit = limits[i].model;
		return model_knows_limit(&driver.simulation.profile, *ret_limit) ? 0 : -EINVAL;
	}
	return -EINVAL;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct CUctx_st *context = context_current();
	struct model_context model;
	enum model_limit which;

	if (r)
		return r;
	if (find_limit(limit, &which) < 0)
		return call_end(CUDA_ERROR_UNSUPPORTED_LIMIT);
	model = context->model;
	if (!model_set_limit(&model, &driver.simulation.profile, which, value))
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(context_become(context, &model));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	enum model_limit which;

	if (r)
		return r;
	if (!value)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (find_limit(limit, &which) < 0)
		return call_end(CUDA_ERROR_UNSUPPORTED_LIMIT);
	*value = context_current()->model.limit_bytes[which];
	return call_end(CUDA_SUCCESS);
}
