/* SPDX-License-Identifier: MIT */
/* Launches: no kernel runs, but what its launch takes is taken. */
#include "sim/driver.h"

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

	if (!function_find(function, &context, &module))
		return CUDA_ERROR_INVALID_HANDLE;
	if (context != context_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	model = context->model;
	if (!model_launch(&model, &driver.simulation.profile, module->traits,
			  function->kernel->local_bytes))
		return CUDA_ERROR_INVALID_VALUE;
	return function_use(module, function, MODEL_AT_LAUNCH, context, &model);
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
	(void)parameters;
	(void)extra;
	if (is_empty(grid) || is_empty(block) ||
	    (uint64_t)block.x * block.y * block.z > THREADS_PER_BLOCK_MAX)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(function_launch(function));
}
