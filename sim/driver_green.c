/* SPDX-License-Identifier: MIT */
/* Green contexts: parts of the multiprocessors, each a face of the device's primary context. */
#include "sim/driver.h"

static struct CUdevResource_st some_sms(uint64_t count)
{
	return (struct CUdevResource_st){ .type = CU_DEV_RESOURCE_TYPE_SM,
					  .sm = { .smCount = (unsigned int)count } };
}

CUresult cuDeviceGetDevResource(CUdevice device, struct CUdevResource_st *resource,
				CUdevResourceType type)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!resource)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (device != 0)
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	if (type != CU_DEV_RESOURCE_TYPE_SM)
		return call_end(CUDA_ERROR_INVALID_RESOURCE_TYPE);
	*resource = some_sms(driver.simulation.profile.sm_count);
	return call_end(CUDA_SUCCESS);
}

/* Without `groups`, `group_count` is only told. There is always one at least. */
static void split(struct CUdevResource_st *groups, unsigned int *group_count, uint64_t sm_count,
		  uint64_t sm_count_min, struct CUdevResource_st *remaining)
{
	uint64_t each_count = model_green_sms(&driver.simulation.profile, sm_count_min);
	uint64_t most = sm_count / each_count;

	if (!groups || *group_count > most)
		*group_count = (unsigned int)most;
	for (unsigned int i = 0; groups && i < *group_count; i++)
		groups[i] = some_sms(each_count);
	if (remaining)
		*remaining = some_sms(sm_count - *group_count * each_count);
}

/* Of what the device has: to split groups further is nothing that this one does. */
static CUresult check_split(const struct CUdevResource_st *input, unsigned int sm_count_min)
{
	if (input->type != CU_DEV_RESOURCE_TYPE_SM)
		return CUDA_ERROR_INVALID_RESOURCE_TYPE;
	if (input->sm.smCount != driver.simulation.profile.sm_count ||
	    sm_count_min > input->sm.smCount)
		return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
	return CUDA_SUCCESS;
}

CUresult cuDevSmResourceSplitByCount(struct CUdevResource_st *groups, unsigned int *group_count,
				     const struct CUdevResource_st *input,
				     struct CUdevResource_st *remaining, unsigned int flags,
				     unsigned int sm_count_min)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!group_count || !input || flags)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	r = check_split(input, sm_count_min);
	if (!r)
		split(groups, group_count, input->sm.smCount, sm_count_min, remaining);
	return call_end(r);
}

/* One group of multiprocessors makes a description; what it says is nobody's concern here. */
CUresult cuDevResourceGenerateDesc(struct CUdevResourceDesc_st **description,
				   struct CUdevResource_st *resources, unsigned int count)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	void *handle;

	if (r)
		return r;
	if (!description || !resources || count != 1)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (resources[0].type != CU_DEV_RESOURCE_TYPE_SM)
		return call_end(CUDA_ERROR_INVALID_RESOURCE_TYPE);
	handle = handle_add(HANDLE_DESCRIPTION, NULL, NULL);
	if (!handle)
		return call_end(CUDA_ERROR_OUT_OF_MEMORY);
	*description = handle;
	return call_end(CUDA_SUCCESS);
}

/* The primary context is held by the caller already. */
static CUresult create_green(struct CUctx_st *primary, struct CUgreenCtx_st **ret_green)
{
	struct model_context model = primary->model;
	struct CUctx_st *face = context_add_green(primary);
	void *handle = face ? handle_add(HANDLE_GREEN, primary, face) : NULL;
	CUresult r = CUDA_ERROR_OUT_OF_MEMORY;

	if (handle) {
		model_create_green(&model, &driver.simulation.profile);
		r = context_become(primary, &model);
	}
	if (r) {
		handle_remove(HANDLE_GREEN, handle);
		if (face)
			face->is_alive = false;
		return r;
	}
	*ret_green = handle;
	return CUDA_SUCCESS;
}

CUresult cuGreenCtxCreate(struct CUgreenCtx_st **green, struct CUdevResourceDesc_st *description,
			  CUdevice device, unsigned int flags)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUctx_st *primary;

	if (r)
		return r;
	if (!green || flags != CU_GREEN_CTX_DEFAULT_STREAM ||
	    !handle_find(HANDLE_DESCRIPTION, description, NULL, NULL))
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (device != 0)
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	r = primary_retain(&primary);
	if (r)
		return call_end(r);
	r = create_green(primary, green);
	if (r)
		primary_release();
	return call_end(r);
}

CUresult cuGreenCtxDestroy(struct CUgreenCtx_st *green)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUctx_st *primary, *face;
	struct model_context model;

	if (r)
		return r;
	if (!handle_find(HANDLE_GREEN, green, &primary, &face))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	model = primary->model;
	model_destroy_green(&model, &driver.simulation.profile);
	r = context_become(primary, &model);
	if (r)
		return call_end(r);
	handle_remove(HANDLE_GREEN, green);
	face->is_alive = false;
	return call_end(primary_release());
}

CUresult cuCtxFromGreenCtx(CUcontext *context, struct CUgreenCtx_st *green)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUctx_st *face;

	if (r)
		return r;
	if (!context)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!handle_find(HANDLE_GREEN, green, NULL, &face))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	*context = face;
	return call_end(CUDA_SUCCESS);
}

CUresult cuGreenCtxStreamCreate(CUstream *stream, struct CUgreenCtx_st *green, unsigned int flags,
				int priority)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUctx_st *primary;

	if (r)
		return r;
	(void)priority; /* of kernels: no memory of the device */
	if (!stream || flags != CU_STREAM_NON_BLOCKING)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!handle_find(HANDLE_GREEN, green, &primary, NULL))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	return call_end(stream_create(primary, stream));
}
