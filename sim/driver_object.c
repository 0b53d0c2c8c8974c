/* SPDX-License-Identifier: MIT */
/* Arrays, and the textures and surfaces through which kernels look at memory. */
#include "sim/driver.h"

#include <stdlib.h>

#define CHANNELS_MAX 4

struct array {
	uint64_t bytes;
	bool has_surfaces;
};

void array_free(struct array *array)
{
	free(array);
}

/* ---- arrays ---- */

/* 0 for a format that arrays do not have. */
static uint64_t format_bytes(CUarray_format format)
{
	switch ((int)format) {
	case CU_AD_FORMAT_UNSIGNED_INT8:
	case CU_AD_FORMAT_SIGNED_INT8:
		return 1;
	case CU_AD_FORMAT_UNSIGNED_INT16:
	case CU_AD_FORMAT_SIGNED_INT16:
	case CU_AD_FORMAT_HALF:
		return 2;
	case CU_AD_FORMAT_UNSIGNED_INT32:
	case CU_AD_FORMAT_SIGNED_INT32:
	case CU_AD_FORMAT_FLOAT:
		return 4;
	default:
		return 0;
	}
}

/* Sides of 0 are dimensions that it does not have. */
static bool measure(const CUDA_ARRAY3D_DESCRIPTOR_v2 *wanted, uint64_t *ret_bytes)
{
	uint64_t bytes = format_bytes(wanted->Format) * wanted->NumChannels;
	const uint64_t sides[] = { wanted->Width, wanted->Height ? wanted->Height : 1,
				   wanted->Depth ? wanted->Depth : 1 };

	if (!bytes || wanted->NumChannels > CHANNELS_MAX || wanted->NumChannels == 3)
		return false;
	for (int i = 0; i < 3; i++)
		if (!sides[i] || __builtin_mul_overflow(bytes, sides[i], &bytes))
			return false;
	*ret_bytes = bytes;
	return true;
}

static CUresult take_array(struct CUctx_st *context, struct array *array, CUarray *ret_array)
{
	const struct profile *profile = &driver.simulation.profile;
	struct model_context model = context->model;
	void *handle;
	CUresult r;

	/* Before the sums, which a number without end would wrap. */
	if (array->bytes > profile->total_bytes)
		return CUDA_ERROR_OUT_OF_MEMORY;
	handle = handle_add(HANDLE_ARRAY, context, array);
	if (!handle)
		return CUDA_ERROR_OUT_OF_MEMORY;
	model_object_add(&model, MODEL_ARRAY, model_array_bytes(profile, array->bytes));
	r = context_become(context, &model);
	if (r)
		handle_remove(HANDLE_ARRAY, handle);
	else
		*ret_array = handle;
	return r;
}

static CUresult create_array(CUarray *ret_array, const CUDA_ARRAY3D_DESCRIPTOR_v2 *wanted)
{
	struct array *array = malloc(sizeof *array);
	CUresult r;

	if (!array)
		return CUDA_ERROR_OUT_OF_MEMORY;
	array->has_surfaces = wanted->Flags & CUDA_ARRAY3D_SURFACE_LDST;
	r = measure(wanted, &array->bytes) ? take_array(context_current(), array, ret_array)
					   : CUDA_ERROR_INVALID_VALUE;
	if (r)
		array_free(array);
	return r;
}

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR_v2 *wanted)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!array || !wanted)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(create_array(array, wanted));
}

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR_v2 *wanted)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	CUDA_ARRAY3D_DESCRIPTOR_v2 plain;

	if (r)
		return r;
	if (!array || !wanted)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	plain = (CUDA_ARRAY3D_DESCRIPTOR_v2){ .Width = wanted->Width,
					      .Height = wanted->Height,
					      .Format = wanted->Format,
					      .NumChannels = wanted->NumChannels };
	return call_end(create_array(array, &plain));
}

CUresult cuArrayDestroy(CUarray array)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUctx_st *context;
	struct model_context model;
	struct array *found;

	if (r)
		return r;
	if (!handle_find(HANDLE_ARRAY, array, &context, &found))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	model = context->model;
	model_object_remove(&model, MODEL_ARRAY,
			    model_array_bytes(&driver.simulation.profile, found->bytes));
	r = context_become(context, &model);
	if (r)
		return call_end(r);
	handle_remove(HANDLE_ARRAY, array);
	array_free(found);
	return call_end(CUDA_SUCCESS);
}

/* ---- textures and surfaces: numbers, not pointers ---- */

static CUresult create_object(enum handle_kind kind, unsigned long long *ret_object)
{
	struct CUctx_st *context = context_current();
	struct model_context model = context->model;
	void *handle = handle_add(kind, context, NULL);
	CUresult r;

	if (!handle)
		return CUDA_ERROR_OUT_OF_MEMORY;
	model_object_add(&model, MODEL_TEXTURE, driver.simulation.profile.texture_bytes);
	r = context_become(context, &model);
	if (r)
		handle_remove(kind, handle);
	else
		*ret_object = (uintptr_t)handle;
	return r;
}

static CUresult destroy_object(enum handle_kind kind, unsigned long long object)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): nobody follows it */
	void *handle = (void *)(uintptr_t)object;
	struct CUctx_st *context;
	struct model_context model;
	CUresult r;

	if (!handle_find(kind, handle, &context, NULL))
		return CUDA_ERROR_INVALID_VALUE;
	model = context->model;
	model_object_remove(&model, MODEL_TEXTURE, driver.simulation.profile.texture_bytes);
	r = context_become(context, &model);
	if (!r)
		handle_remove(kind, handle);
	return r;
}

/* Arrays and plain buffers; kernels of this project look at nothing else. */
static bool is_there(const CUDA_RESOURCE_DESC_v1 *resource)
{
	switch ((int)resource->resType) {
	case CU_RESOURCE_TYPE_ARRAY:
		return handle_find(HANDLE_ARRAY, resource->res.array.hArray, NULL, NULL);
	case CU_RESOURCE_TYPE_LINEAR:
		return resource->res.linear.sizeInBytes &&
		       allocation_exists(resource->res.linear.devPtr);
	default:
		return false;
	}
}

static bool has_surfaces(const CUDA_RESOURCE_DESC_v1 *resource)
{
	struct array *array;

	return resource->resType == CU_RESOURCE_TYPE_ARRAY &&
	       handle_find(HANDLE_ARRAY, resource->res.array.hArray, NULL, &array) &&
	       array->has_surfaces;
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC_v1 *resource,
			   const CUDA_TEXTURE_DESC_v1 *reading,
			   const CUDA_RESOURCE_VIEW_DESC_v1 *view)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	(void)view; /* as what it is looked at: no memory of the device */
	if (!texture || !resource || !reading || !is_there(resource))
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(create_object(HANDLE_TEXTURE, texture));
}

CUresult cuTexObjectDestroy(CUtexObject texture)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	return r ? r : call_end(destroy_object(HANDLE_TEXTURE, texture));
}

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC_v1 *resource)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!surface || !resource || !has_surfaces(resource))
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(create_object(HANDLE_SURFACE, surface));
}

CUresult cuSurfObjectDestroy(CUsurfObject surface)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	return r ? r : call_end(destroy_object(HANDLE_SURFACE, surface));
}
