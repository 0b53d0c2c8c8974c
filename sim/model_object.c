/* SPDX-License-Identifier: MIT */
/* Arrays, textures, surfaces and green contexts: each kind has a pool of its own. */
#include "sim/model.h"

struct object_pool {
	uint64_t slack_bytes; /* in what the context takes anyway */
	uint64_t unit_bytes;  /* in which it grows, before that is rounded to granules */
	uint64_t returns;
};

static struct object_pool pool_of(const struct profile *profile, enum model_object kind)
{
	const struct object_pool pools[MODEL_OBJECT_COUNT] = {
		[MODEL_ARRAY] = { 0, 1, profile->array_returns },
		[MODEL_TEXTURE] = { profile->texture_slack_bytes, profile->texture_unit_bytes,
				    profile->texture_returns },
		[MODEL_GREEN] = { 0, 1, profile->green_context_returns },
	};

	return pools[kind];
}

uint64_t model_array_bytes(const struct profile *profile, uint64_t element_bytes)
{
	return model_round_up(element_bytes, profile->array_slot_bytes);
}

uint64_t model_objects_bytes(const struct model_context *context, const struct profile *profile)
{
	uint64_t bytes = 0;

	for (int i = 0; i < MODEL_OBJECT_COUNT; i++) {
		struct object_pool pool = pool_of(profile, (enum model_object)i);
		uint64_t needed_bytes =
			pool.returns ? context->objects[i].bytes : context->objects[i].peak_bytes;

		if (needed_bytes > pool.slack_bytes)
			bytes += model_round_up(
				model_round_up(needed_bytes - pool.slack_bytes, pool.unit_bytes),
				profile->granule_bytes);
	}
	return bytes;
}

void model_object_add(struct model_context *context, enum model_object kind, uint64_t bytes)
{
	struct model_held *held = &context->objects[kind];

	held->bytes += bytes;
	if (held->bytes > held->peak_bytes)
		held->peak_bytes = held->bytes;
}

void model_object_remove(struct model_context *context, enum model_object kind, uint64_t bytes)
{
	context->objects[kind].bytes -= bytes;
}

void model_create_green(struct model_context *context, const struct profile *profile)
{
	model_object_add(context, MODEL_GREEN, profile->green_context_bytes);
	for (uint64_t i = 0; i < profile->green_context_stream_count; i++)
		model_create_stream(context);
}

void model_destroy_green(struct model_context *context, const struct profile *profile)
{
	/* What stays of it serves no other. */
	if (profile->green_context_returns)
		model_object_remove(context, MODEL_GREEN, profile->green_context_bytes);
	for (uint64_t i = 0; i < profile->green_context_stream_count; i++)
		model_destroy_stream(context);
}

uint64_t model_green_sms(const struct profile *profile, uint64_t sm_count_min)
{
	uint64_t count = model_round_up(sm_count_min, profile->green_sm_step_count);

	count = count > profile->green_sm_min_count ? count : profile->green_sm_min_count;
	return count < profile->sm_count ? count : profile->sm_count;
}
