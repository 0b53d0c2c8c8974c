/* SPDX-License-Identifier: MIT */
/* How much is free, and memory that a program asks for. */
#include "sim/driver.h"

#include <stdlib.h>

static uint64_t free_now(void)
{
	uint64_t total = driver.simulation.profile.total_bytes;

	return total - state_used_bytes(driver.simulation.state);
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!free_bytes || !total_bytes)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	*free_bytes = free_now();
	*total_bytes = driver.simulation.profile.total_bytes;
	return call_end(CUDA_SUCCESS);
}

/* A place for it in the context's memory, where the device is one on which that matters. */
static int take_place(struct CUctx_st *context, uint64_t bytes)
{
	const struct profile *profile = &driver.simulation.profile;
	const struct model_context *model = &context->model;

	if (!profile->memory_is_contiguous)
		return 0;
	return model_line_allocate(&context->line, driver.next_address,
				   model_round_up(bytes, profile->granule_bytes), free_now(),
				   model_other_bytes(model, profile));
}

static CUresult allocate(struct CUctx_st *context, uint64_t bytes, enum allocation_kind kind,
			 CUdeviceptr *ret_address)
{
	const struct profile *profile = &driver.simulation.profile;
	struct model_context model = context->model;
	struct allocation *allocation;
	CUresult r;

	/* Before the sums, which a number without end would wrap. */
	if (bytes > profile->total_bytes)
		return CUDA_ERROR_OUT_OF_MEMORY;
	allocation = malloc(sizeof *allocation);
	if (!allocation)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (kind == ALLOCATION_POOLED)
		model_pool_allocate(&model, profile, bytes);
	else if (kind == ALLOCATION_OWN)
		model_allocate(&model, profile, bytes);
	if (kind == ALLOCATION_OWN && take_place(context, bytes) < 0)
		r = CUDA_ERROR_OUT_OF_MEMORY;
	else
		r = context_become(context, &model);
	if (r) {
		model_line_free(&context->line, driver.next_address);
		free(allocation);
		return r;
	}
	*allocation = (struct allocation){ .next = context->allocations,
					   .address = driver.next_address,
					   .bytes = bytes,
					   .kind = kind };
	context->allocations = allocation;
	driver.next_address += model_round_up(bytes, profile->granule_bytes);
	*ret_address = allocation->address;
	return CUDA_SUCCESS;
}

/* The link that leads to the allocation, NULL when there is none. */
static struct allocation **find(CUdeviceptr address, struct CUctx_st **ret_context)
{
	for (struct CUctx_st *context = driver.contexts; context; context = context->next) {
		struct allocation **link = &context->allocations;

		while (*link && (*link)->address != address)
			link = &(*link)->next;
		if (!*link)
			continue;
		*ret_context = context;
		return link;
	}
	return NULL;
}

bool allocation_exists(CUdeviceptr address)
{
	struct CUctx_st *context;

	return find(address, &context);
}

static CUresult release(CUdeviceptr address)
{
	struct CUctx_st *context;
	struct allocation **link = find(address, &context);
	struct allocation *allocation;
	struct model_context model;
	CUresult r;

	if (!link)
		return CUDA_ERROR_INVALID_VALUE;
	allocation = *link;
	model = context->model;
	if (allocation->kind == ALLOCATION_POOLED)
		model_pool_release(&model, allocation->bytes);
	else if (allocation->kind == ALLOCATION_OWN)
		model_release(&model, &driver.simulation.profile, allocation->bytes);
	else if (allocation->is_resident)
		model_give_managed(&model, &driver.simulation.profile, allocation->bytes);
	r = context_become(context, &model);
	if (r)
		return r;
	model_line_free(&context->line, address);
	*link = allocation->next;
	free(allocation);
	return CUDA_SUCCESS;
}

void allocations_free(struct CUctx_st *context)
{
	while (context->allocations) {
		struct allocation *next = context->allocations->next;

		free(context->allocations);
		context->allocations = next;
	}
	model_line_release(&context->line);
}

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!pointer || !bytes)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(allocate(context_current(), bytes, ALLOCATION_OWN, pointer));
}

/* Takes nothing of the device yet. */
CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!pointer || !bytes || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(allocate(context_current(), bytes, ALLOCATION_MANAGED, pointer));
}

/* Managed memory comes to the device as a whole, however little of it is written to. */
static CUresult make_resident(struct CUctx_st *context, struct allocation *allocation)
{
	struct model_context model = context->model;
	CUresult r;

	if (allocation->kind != ALLOCATION_MANAGED || allocation->is_resident)
		return CUDA_SUCCESS;
	model_take_managed(&model, &driver.simulation.profile, allocation->bytes);
	r = context_become(context, &model);
	allocation->is_resident = !r;
	return r;
}

/* From the beginning of an allocation on, and there is no byte to see. */
CUresult cuMemsetD8_v2(CUdeviceptr pointer, unsigned char value, size_t bytes)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct CUctx_st *context;
	struct allocation **link;

	if (r)
		return r;
	(void)value;
	link = find(pointer, &context);
	if (!link || bytes > (*link)->bytes)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(bytes ? make_resident(context, *link) : CUDA_SUCCESS);
}

CUresult cuMemFree_v2(CUdeviceptr pointer)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	return r ? r : call_end(release(pointer));
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!stream_is_good(stream))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	if (!pointer || !bytes)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(allocate(context_current(), bytes, ALLOCATION_POOLED, pointer));
}

/* Either kind of memory may be freed by either call. */
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	return call_end(stream_is_good(stream) ? release(pointer) : CUDA_ERROR_INVALID_HANDLE);
}
