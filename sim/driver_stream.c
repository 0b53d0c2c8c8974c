/* SPDX-License-Identifier: MIT */
/* Streams and events. Nothing ever waits in a stream: a call has done all when it returns. */
#include "sim/driver.h"

bool stream_is_good(CUstream stream)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): that is how <cuda.h> defines them */
	return !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD ||
	       handle_find(HANDLE_STREAM, stream, NULL, NULL);
}

CUresult stream_create(struct CUctx_st *context, CUstream *stream)
{
	struct model_context model = context->model;
	void *handle = handle_add(HANDLE_STREAM, context, NULL);
	CUresult r;

	if (!handle)
		return CUDA_ERROR_OUT_OF_MEMORY;
	model_create_stream(&model);
	r = context_become(context, &model);
	if (r)
		handle_remove(HANDLE_STREAM, handle);
	else
		*stream = handle;
	return r;
}

static CUresult create_if_good(CUstream *stream, unsigned int flags)
{
	if (!stream || (flags & ~(unsigned int)CU_STREAM_NON_BLOCKING))
		return CUDA_ERROR_INVALID_VALUE;
	return stream_create(context_current(), stream);
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	return r ? r : call_end(create_if_good(stream, flags));
}

/* A priority beyond the range is moved to its end, and none costs more than another. */
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	(void)priority;
	return r ? r : call_end(create_if_good(stream, flags));
}

/* The lower the number, the more urgent; the lowest priority is 0. Either may be left out. */
CUresult cuCtxGetStreamPriorityRange(int *lowest, int *highest)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (lowest)
		*lowest = 0;
	if (highest)
		*highest = 1 - (int)driver.simulation.profile.stream_priority_count;
	return call_end(CUDA_SUCCESS);
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUctx_st *context;
	struct model_context model;

	if (r)
		return r;
	if (!handle_find(HANDLE_STREAM, stream, &context, NULL))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	model = context->model;
	model_destroy_stream(&model);
	r = context_become(context, &model);
	if (!r)
		handle_remove(HANDLE_STREAM, stream);
	return call_end(r);
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	void *handle;

	if (r)
		return r;
	(void)flags; /* how to wait, and whether times are taken: no memory of the device */
	if (!event)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	handle = handle_add(HANDLE_EVENT, context_current(), NULL);
	if (!handle)
		return call_end(CUDA_ERROR_OUT_OF_MEMORY);
	*event = handle;
	return call_end(CUDA_SUCCESS);
}

CUresult cuEventDestroy_v2(CUevent event)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!handle_find(HANDLE_EVENT, event, NULL, NULL))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	handle_remove(HANDLE_EVENT, event);
	return call_end(CUDA_SUCCESS);
}
