/* SPDX-License-Identifier: MIT */
#include "sim/model.h"

uint64_t model_round_up(uint64_t bytes, uint64_t unit)
{
	uint64_t rest = bytes % unit;

	if (!rest)
		return bytes;
	return bytes > UINT64_MAX - (unit - rest) ? UINT64_MAX : bytes + (unit - rest);
}

uint64_t model_round_down(uint64_t bytes, uint64_t unit)
{
	return bytes - bytes % unit;
}

/* What printf, malloc and launches from kernels would each take alone, and a context has once. */
static uint64_t shared_bytes(const struct model_context *context, const struct profile *profile)
{
	bool prints = context->has_printed, allocates = context->has_allocated;
	bool launches = context->has_device_runtime;
	uint64_t bytes = 0;

	if (prints && allocates)
		bytes += profile->printf_malloc_shared_bytes;
	if (prints && launches)
		bytes += profile->printf_device_runtime_shared_bytes;
	if (allocates && launches)
		bytes += profile->malloc_device_runtime_shared_bytes;
	/* It is part of each of these three, and two of the three times one too many. */
	if (prints && allocates && launches)
		bytes -= profile->printf_malloc_device_runtime_shared_bytes;
	return bytes;
}

/* What the driver links modules with, once for all of them. */
static uint64_t linked_bytes(const struct model_context *context, const struct profile *profile)
{
	uint64_t bytes = context->device_runtime_bytes;

	/* Never less than nothing: the usual ones are part of the fixed bytes. */
	bytes += (uint64_t)model_more_connection_bytes(context, profile);
	if (context->has_printed)
		bytes += profile->printf_fixed_bytes;
	if (context->has_allocated)
		bytes += profile->malloc_fixed_bytes;
	return bytes - shared_bytes(context, profile);
}

uint64_t model_context_bytes(const struct model_context *context, const struct profile *profile)
{
	uint64_t bytes =
		profile->context_fixed_bytes + context->stack_pool_bytes + context->chunk_bytes +
		context->fifo_device_bytes + context->page_table_bytes + context->heap_pool_bytes +
		context->allocated_bytes + context->managed_bytes + context->pool_reserved_bytes +
		model_round_up(context->data_bytes, profile->granule_bytes) +
		linked_bytes(context, profile) + model_limit_bytes(context, profile) +
		model_stream_bytes(context, profile) + model_graph_bytes(context, profile) +
		model_objects_bytes(context, profile);

	if (context->is_stripped)
		bytes -= profile->oom_returns_bytes + context->stack_pool_bytes;
	return bytes + context->printing_modules * profile->printf_module_bytes +
	       context->allocating_modules * profile->malloc_module_bytes;
}

uint64_t model_other_bytes(const struct model_context *context, const struct profile *profile)
{
	return model_context_bytes(context, profile) - context->allocated_bytes -
	       context->managed_bytes - context->pool_reserved_bytes;
}

uint64_t model_hidden_bytes(const struct model_context *context, const struct profile *profile)
{
	return profile->nvml_process_hidden_bytes + context->page_table_bytes +
	       context->managed_bytes + (uint64_t)model_more_connection_bytes(context, profile);
}

static void resize_stack(struct model_context *context, const struct profile *profile)
{
	uint64_t threads = profile->sm_count * profile->max_threads_per_sm;
	uint64_t limit = context->limit_bytes[MODEL_STACK];
	uint64_t frame = context->frame_bytes;
	uint64_t pool = threads * (limit > frame ? limit : frame);

	if (profile->stack_rounding == ROUND_UP)
		pool = model_round_up(pool, profile->granule_bytes);
	else
		pool = model_round_down(pool, profile->granule_bytes);
	if (pool > context->stack_pool_bytes || profile->stack_shrinks)
		context->stack_pool_bytes = pool;
}

void model_create(struct model_context *context, const struct profile *profile)
{
	struct model_settings usual = model_usual_settings(profile);

	*context = (struct model_context){ 0 };
	for (int i = 0; i < MODEL_LIMIT_COUNT; i++)
		context->limit_bytes[i] = model_default_limit(profile, (enum model_limit)i);
	context->slack_left_bytes = profile->code_slack_bytes;
	context->graph_slack_left_bytes = profile->graph_slack_bytes;
	model_apply_settings(context, profile, &usual);
	resize_stack(context, profile);
}

/* Has room for as many pending launches as the limit has at that moment. */
static void fit_device_runtime(struct model_context *context, const struct profile *profile)
{
	uint64_t launches = context->limit_bytes[MODEL_PENDING_LAUNCH];

	context->device_runtime_bytes =
		model_round_up(profile->device_runtime_fixed_bytes +
				       launches * profile->device_runtime_launch_bytes,
			       profile->granule_bytes) +
		model_round_up(launches * profile->device_runtime_launch_apart_bytes,
			       profile->granule_bytes);
}

bool model_set_limit(struct model_context *context, const struct profile *profile,
		     enum model_limit limit, uint64_t request)
{
	if (context->locked[limit] ||
	    !model_grant(profile, limit, request, &context->limit_bytes[limit]))
		return false;
	if (limit == MODEL_STACK && profile->stack_when == STACK_AT_SET)
		resize_stack(context, profile);
	if (limit == MODEL_PENDING_LAUNCH && context->has_device_runtime &&
	    profile->device_runtime_resizes)
		fit_device_runtime(context, profile);
	return true;
}

/* The device reaches a FIFO on the host through page tables of its own. */
static uint64_t page_table_bytes(const struct profile *profile, uint64_t host_bytes)
{
	uint64_t divisor = profile->fifo_host_page_table_divisor;

	return divisor ? model_round_down(host_bytes / divisor, profile->granule_bytes) : 0;
}

static void take_fifo(struct model_context *context, const struct profile *profile)
{
	uint64_t limit = context->limit_bytes[MODEL_FIFO];

	if (context->has_fifo)
		return;
	context->has_fifo = true;
	if (profile->fifo_where == FIFO_ON_DEVICE) {
		context->fifo_device_bytes = model_round_up(limit, profile->granule_bytes);
	} else {
		context->fifo_host_bytes = limit;
		context->page_table_bytes = page_table_bytes(profile, limit);
	}
}

static void take_heap(struct model_context *context, const struct profile *profile)
{
	uint64_t pool = context->limit_bytes[MODEL_HEAP];

	if (context->has_heap)
		return;
	context->has_heap = true;
	if (profile->heap_rounding == HEAP_ROUND_UP)
		pool = model_round_up(pool, profile->granule_bytes);
	else
		pool = model_round_down(pool, profile->granule_bytes);
	context->heap_pool_bytes = pool + profile->heap_extra_bytes;
}

/* A module that prints or allocates is being loaded, or a kernel of one launched. */
static void reach(struct model_context *context, const struct profile *profile,
		  struct model_traits traits, bool is_launch)
{
	if (traits.prints) {
		if (is_launch == (profile->fifo_when == TAKEN_AT_LAUNCH))
			take_fifo(context, profile);
		if (is_launch == (profile->fifo_locks_at == LOCKED_AT_LAUNCH))
			context->locked[MODEL_FIFO] = true;
	}
	if (traits.allocates) {
		if (is_launch == (profile->heap_when == HEAP_AT_LAUNCH))
			take_heap(context, profile);
		if (is_launch == (profile->heap_locks_at == HEAP_LOCKED_AT_LAUNCH))
			context->locked[MODEL_HEAP] = true;
	}
}

void model_load_module(struct model_context *context, const struct profile *profile,
		       struct model_traits traits)
{
	if (traits.launches && !context->has_device_runtime)
		fit_device_runtime(context, profile);
	context->has_device_runtime |= traits.launches;
	if (model_is_linked(traits))
		context->is_stripped = false;
	context->has_printed |= traits.prints;
	context->printing_modules += traits.prints;
	context->has_allocated |= traits.allocates;
	context->allocating_modules += traits.allocates;
	reach(context, profile, traits, false);
}

void model_unload_module(struct model_context *context, struct model_traits traits)
{
	context->printing_modules -= traits.prints;
	context->allocating_modules -= traits.allocates;
}

static void raise_frame(struct model_context *context, const struct profile *profile,
			uint64_t frame_bytes)
{
	uint64_t *raised = profile->frame_raises == FRAME_RAISES_LIMIT
				   ? &context->limit_bytes[MODEL_STACK]
				   : &context->frame_bytes;

	if (frame_bytes > *raised)
		*raised = frame_bytes;
}

bool model_launch(struct model_context *context, const struct profile *profile,
		  struct model_traits traits, uint64_t local_bytes)
{
	uint64_t least = traits.launches ? profile->device_runtime_frame_bytes : 0;
	uint64_t frame = model_round_up(local_bytes > least ? local_bytes : least,
					profile->stack_step_bytes);

	if (frame > profile->stack_max_bytes)
		return false;
	context->is_stripped = false;
	raise_frame(context, profile, frame);
	/* A limit that was set since the last launch counts from here on, with stack_when=launch.
	 */
	resize_stack(context, profile);
	reach(context, profile, traits, true);
	return true;
}

void model_strip(struct model_context *context, const struct profile *profile)
{
	if (profile->oom_returns_bytes)
		context->is_stripped = true;
}

bool model_holds_calls(const struct model_context *context, const struct profile *profile,
		       uint64_t call_count, uint64_t call_bytes)
{
	uint64_t limit = context->limit_bytes[MODEL_STACK], frame = context->frame_bytes;
	uint64_t stack_bytes = limit > frame ? limit : frame;

	if (!call_count || !call_bytes)
		return true;
	return stack_bytes >= profile->stack_reserved_bytes &&
	       (stack_bytes - profile->stack_reserved_bytes) / call_bytes >= call_count;
}

void model_allocate(struct model_context *context, const struct profile *profile,
		    uint64_t request_bytes)
{
	context->allocated_bytes += model_round_up(request_bytes, profile->granule_bytes);
}

void model_release(struct model_context *context, const struct profile *profile,
		   uint64_t request_bytes)
{
	context->allocated_bytes -= model_round_up(request_bytes, profile->granule_bytes);
}

void model_take_managed(struct model_context *context, const struct profile *profile,
			uint64_t bytes)
{
	context->managed_bytes += model_round_up(bytes, profile->managed_unit_bytes);
}

void model_give_managed(struct model_context *context, const struct profile *profile,
			uint64_t bytes)
{
	context->managed_bytes -= model_round_up(bytes, profile->managed_unit_bytes);
}

uint64_t model_managed_batches(const struct profile *profile, uint64_t pool_bytes,
			       uint64_t needed_bytes)
{
	uint64_t batch_bytes = profile->managed_batch_count * profile->managed_unit_bytes;

	return needed_bytes > pool_bytes ? model_round_up(needed_bytes - pool_bytes, batch_bytes)
					 : 0;
}
