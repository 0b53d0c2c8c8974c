/* SPDX-License-Identifier: MIT */
/* Launches: what a kernel's launch takes is taken, and hardly anything of it runs. */
#include "sim/driver.h"

#include <string.h>

#define THREADS_PER_BLOCK_MAX 1024

struct shape {
	unsigned int x, y, z;
};

static bool is_empty(struct shape shape)
{
	return !shape.x || !shape.y || !shape.z;
}

CUresult function_launch(CUfunction function)
{
	struct CUctx_st *context;
	struct CUmod_st *module;
	struct model_context model;
	CUresult r;

	if (!function_find(function, &context, &module))
		return CUDA_ERROR_INVALID_HANDLE;
	if (context != context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (function->is_lost)
		return CUDA_ERROR_UNKNOWN;
	model = context->model;
	if (!model_launch(&model, &driver.simulation.profile, module->traits,
			  function->kernel->local_bytes))
		return CUDA_ERROR_INVALID_VALUE;
	r = function_use(module, function, MODEL_AT_LAUNCH, context, &model);
	if (r != CUDA_ERROR_OUT_OF_MEMORY)
		return r;
	if (model.has_heap && !context->model.has_heap &&
	    driver.simulation.profile.heap_no_room == HEAP_OUT_OF_RESOURCES)
		return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
	context_strip(context);
	return r;
}

/*
 * The one thing that a kernel does: where it has a function with a frame, it makes as many nested
 * calls of it as its first argument says. Where those need more than the stack, the kernel's end,
 * which is at once, shows in all later calls.
 */
static void run(CUfunction function, void **parameters)
{
	struct CUctx_st *context = context_current();
	const struct profile *profile = &driver.simulation.profile;
	uint64_t call_count;

	if (!parameters || !function->kernel->call_bytes)
		return;
	memcpy(&call_count, parameters[0], sizeof call_count);
	if (model_holds_calls(&context->model, profile, call_count, function->kernel->call_bytes))
		return;
	context->fault = profile->stack_overflow == OVERFLOW_LAUNCH_FAILED
				 ? CUDA_ERROR_LAUNCH_FAILED
				 : CUDA_ERROR_ILLEGAL_ADDRESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
			unsigned int grid_z, unsigned int block_x, unsigned int block_y,
			unsigned int block_z, unsigned int shared_bytes, CUstream stream,
			void **parameters, void **extra)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct shape grid = { grid_x, grid_y, grid_z };
	struct shape block = { block_x, block_y, block_z };

	if (r)
		return r;
	(void)shared_bytes;
	(void)stream;
	(void)extra;
	if (is_empty(grid) || is_empty(block) ||
	    (uint64_t)block.x * block.y * block.z > THREADS_PER_BLOCK_MAX)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	r = function_launch(function);
	if (!r)
		run(function, parameters);
	return call_end(r);
}

/* ---- what is known of a function, and its code ahead of its launch ---- */

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct CUctx_st *context;
	struct CUmod_st *module;

	if (r)
		return r;
	if (!value || attribute != CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!function_find(function, &context, &module))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	*value = (int)function->kernel->local_bytes;
	return call_end(CUDA_SUCCESS);
}

CUresult cuFuncIsLoaded(enum CUfunctionLoadingState_enum *state, CUfunction function)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct CUctx_st *context;
	struct CUmod_st *module;

	if (r)
		return r;
	if (!state)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!function_find(function, &context, &module))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	*state = function->is_loaded ? CU_FUNCTION_LOADING_STATE_LOADED
				     : CU_FUNCTION_LOADING_STATE_UNLOADED;
	return call_end(CUDA_SUCCESS);
}

static CUresult load(CUfunction function)
{
	struct CUctx_st *context;
	struct CUmod_st *module;
	struct model_context model;

	if (!function_find(function, &context, &module))
		return CUDA_ERROR_INVALID_HANDLE;
	model = context->model;
	return function_use(module, function, module->kernel_moment, context, &model);
}

CUresult cuFuncLoad(CUfunction function)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	return r ? r : call_end(load(function));
}
