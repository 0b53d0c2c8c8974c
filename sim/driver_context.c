/* SPDX-License-Identifier: MIT */
/* Contexts: made, destroyed, current, and the one that a device's runtime users share. */
#include "sim/driver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CURRENT_MAX 64

static _Thread_local struct {
	struct CUctx_st *contexts[CURRENT_MAX];
	size_t depth;
} current;

/* What was made current, a green context as itself. */
static struct CUctx_st *top(void)
{
	return current.depth ? current.contexts[current.depth - 1] : NULL;
}

struct CUctx_st *context_current(void)
{
	struct CUctx_st *context = top();

	return context && context->owner && context->is_alive ? context->owner : context;
}

static bool is_living(const struct CUctx_st *context)
{
	for (const struct CUctx_st *known = driver.contexts; known; known = known->next)
		if (known == context)
			return known->is_alive;
	return false;
}

/* Touches what it maps, so that the process's resident memory shows it. */
static void *make_fifo(uint64_t bytes)
{
	uint64_t max_bytes = driver.simulation.profile.fifo_host_touch_max_bytes;
	char *fifo = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (fifo == MAP_FAILED)
		return NULL;
	memset(fifo, 1, bytes < max_bytes ? bytes : max_bytes);
	return fifo;
}

static void drop_fifo(struct CUctx_st *context)
{
	if (context->fifo)
		munmap(context->fifo, context->model.fifo_host_bytes);
	context->fifo = NULL;
}

/* What a context has of the device; nothing for none, which is NULL. */
static struct state_change holding(const struct model_context *model)
{
	const struct profile *profile = &driver.simulation.profile;

	if (!model)
		return (struct state_change){ 0 };
	return (struct state_change){ .bytes = (int64_t)model_context_bytes(model, profile),
				      .contexts = 1,
				      .hidden_bytes = (int64_t)model_hidden_bytes(model, profile),
				      .managed_bytes = (int64_t)model->managed_bytes };
}

/*
 * All of it or, where the device has no room, nothing and a negative number. What outlives a
 * context is the process's from then on.
 */
static int change_device(const struct model_context *from, const struct model_context *to)
{
	const struct profile *profile = &driver.simulation.profile;
	struct state_change old = holding(from), change = holding(to);

	if (from && !to)
		change.bytes = (int64_t)model_outliving_bytes(from, profile);
	change.bytes -= old.bytes;
	change.contexts -= old.contexts;
	change.hidden_bytes -= old.hidden_bytes;
	change.managed_bytes -= old.managed_bytes;
	if (from && to && model_other_bytes(to, profile) > model_other_bytes(from, profile))
		change.spare_bytes = profile->call_spare_bytes;
	/* The usual case; a benchmark makes thousands of such calls. */
	if (!change.bytes && !change.contexts && !change.hidden_bytes)
		return 0;
	return state_adjust(driver.simulation.state, driver.slot, change);
}

CUresult context_become(struct CUctx_st *context, const struct model_context *model)
{
	void *fifo = context->fifo;

	if (model->fifo_host_bytes && !fifo) {
		fifo = make_fifo(model->fifo_host_bytes);
		if (!fifo)
			return CUDA_ERROR_OUT_OF_MEMORY;
	}
	if (change_device(&context->model, model) < 0) {
		if (fifo && !context->fifo)
			munmap(fifo, model->fifo_host_bytes);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	context->fifo = fifo;
	context->model = *model;
	return CUDA_SUCCESS;
}

void context_strip(struct CUctx_st *context)
{
	struct model_context model = context->model;

	model_strip(&model, &driver.simulation.profile);
	context_become(context, &model);
}

static void add(struct CUctx_st *context)
{
	context->is_alive = true;
	context->next = driver.contexts;
	driver.contexts = context;
}

CUresult context_create(struct CUctx_st **ret_context)
{
	const struct profile *profile = &driver.simulation.profile;
	struct CUctx_st *context = calloc(1, sizeof *context);

	if (!context)
		return CUDA_ERROR_OUT_OF_MEMORY;
	model_create(&context->model, profile);
	if (!model_apply_settings(&context->model, profile, &driver.settings)) {
		free(context);
		return CUDA_ERROR_INVALID_VALUE;
	}
	if (change_device(NULL, &context->model) < 0) {
		free(context);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	add(context);
	*ret_context = context;
	return CUDA_SUCCESS;
}

struct CUctx_st *context_add_green(struct CUctx_st *primary)
{
	struct CUctx_st *green = calloc(1, sizeof *green);

	if (!green)
		return NULL;
	green->owner = primary;
	add(green);
	return green;
}

void context_destroy(struct CUctx_st *context)
{
	modules_free(context);
	allocations_free(context);
	host_blocks_free(context);
	handles_end(context);
	drop_fifo(context);
	context->is_alive = false;
	change_device(&context->model, NULL);
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUctx_st *created;

	if (r)
		return r;
	(void)flags; /* how to wait and what to map: no memory of the device */
	if (!context)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (device != 0)
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	if (current.depth == CURRENT_MAX)
		return call_end(CUDA_ERROR_OUT_OF_MEMORY);
	r = context_create(&created);
	if (r)
		return call_end(r);
	current.contexts[current.depth++] = created;
	*context = created;
	return call_end(CUDA_SUCCESS);
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!is_living(context) || context->is_primary || context->owner)
		return call_end(CUDA_ERROR_INVALID_CONTEXT);
	context_destroy(context);
	if (top() == context)
		current.depth--;
	return call_end(CUDA_SUCCESS);
}

CUresult cuCtxSetCurrent(CUcontext context)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (context && !is_living(context))
		return call_end(CUDA_ERROR_INVALID_CONTEXT);
	/* Replaces the top of the stack; nothing replaces it by nothing. */
	if (current.depth)
		current.depth--;
	if (context)
		current.contexts[current.depth++] = context;
	return call_end(CUDA_SUCCESS);
}

CUresult cuCtxSynchronize(void)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	struct CUctx_st *context = context_current();

	if (r)
		return r;
	/* A kernel is over when its launch returns. */
	return call_end(pool_trim(context, context->model.pool_threshold_bytes));
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!flags || !active)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (device != 0)
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	*flags = CU_CTX_SCHED_AUTO;
	*active = driver.primary ? 1 : 0;
	return call_end(CUDA_SUCCESS);
}

CUresult primary_retain(struct CUctx_st **ret_context)
{
	CUresult r = CUDA_SUCCESS;

	/* Nobody has it, or it was reset. */
	if (!driver.primary)
		r = context_create(&driver.primary);
	if (r)
		return r;
	driver.primary->is_primary = true;
	driver.primary_holds++;
	*ret_context = driver.primary;
	return CUDA_SUCCESS;
}

CUresult primary_release(void)
{
	if (!driver.primary_holds)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (--driver.primary_holds == 0 && driver.primary) {
		context_destroy(driver.primary);
		driver.primary = NULL;
	}
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!context)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (device != 0)
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	return call_end(primary_retain(context));
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (device != 0)
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	return call_end(primary_release());
}

/* Whoever retains it afterwards, or has retained it, has to do with a new one. */
CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (device != 0)
		return call_end(CUDA_ERROR_INVALID_DEVICE);
	if (driver.primary)
		context_destroy(driver.primary);
	driver.primary = NULL;
	return call_end(CUDA_SUCCESS);
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	if (r)
		return r;
	if (!context)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	*context = top();
	return call_end(CUDA_SUCCESS);
}

/* There is one device. */
CUresult cuCtxGetDevice(CUdevice *device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!device)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	*device = 0;
	return call_end(CUDA_SUCCESS);
}
