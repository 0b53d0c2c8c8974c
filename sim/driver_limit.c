/* SPDX-License-Identifier: MIT */
/* The three limits that a context has on the device's memory. */
#include "sim/driver.h"

#include <errno.h>

static int find_limit(CUlimit limit, enum model_limit *ret_limit)
{
	switch ((int)limit) {
	case CU_LIMIT_STACK_SIZE:
		*ret_limit = MODEL_STACK;
		return 0;
	case CU_LIMIT_PRINTF_FIFO_SIZE:
		*ret_limit = MODEL_FIFO;
		return 0;
	case CU_LIMIT_MALLOC_HEAP_SIZE:
		*ret_limit = MODEL_HEAP;
		return 0;
	default:
		return -EINVAL;
	}
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
