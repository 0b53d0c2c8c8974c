/* SPDX-License-Identifier: MIT */
#include "sim/model.h"

bool model_is_linked(struct model_traits traits)
{
	return traits.prints || traits.allocates || traits.launches;
}

enum model_moment model_kernel_moment(const struct profile *profile, bool is_eager,
				      struct model_traits traits)
{
	/* Linking resolves all kernels at once. */
	if (is_eager || model_is_linked(traits))
		return MODEL_AT_LOAD;
	return profile->lazy_when == LAZY_AT_GET ? MODEL_AT_GET : MODEL_AT_LAUNCH;
}

uint64_t model_compiled_bytes(const struct profile *profile, uint64_t instructions)
{
	return instructions * profile->jit_instruction_bytes + profile->jit_kernel_bytes;
}

struct model_spot model_place_kernel(struct model_context *context, const struct profile *profile,
				     uint64_t text_bytes)
{
	return model_place(
		context, profile,
		model_round_up(text_bytes + profile->code_extra_bytes, profile->code_slot_bytes));
}

struct model_spot model_place_data(struct model_context *context, const struct profile *profile,
				   uint64_t static_bytes)
{
	if (profile->data_where == DATA_WITH_CODE)
		return model_place(context, profile,
				   model_round_up(static_bytes, profile->code_slot_bytes));
	context->data_bytes += static_bytes;
	return (struct model_spot){ .data_bytes = static_bytes };
}

/* All pieces one behind the other, the first of them in the slack. */
static void fit_pool(struct model_context *context, const struct profile *profile)
{
	uint64_t slack = profile->code_slack_bytes, packed = context->packed_bytes;
	uint64_t pool = packed > slack ? packed - slack : 0;

	pool = model_round_up(pool, profile->granule_bytes);
	if (pool > context->chunk_bytes || profile->code_returns)
		context->chunk_bytes = pool;
}

static struct model_spot make_chunk(struct model_context *context, uint64_t bytes)
{
	context->chunk_bytes += bytes;
	context->chunk_count++;
	return (struct model_spot){ .chunk = context->chunk_count, .chunk_bytes = bytes };
}

/* A piece of more than a granule has a chunk of its own, of which nothing else uses the rest. */
static struct model_spot place_in_chunk(struct model_context *context,
					const struct profile *profile, uint64_t piece_bytes)
{
	if (piece_bytes <= context->slack_left_bytes) {
		context->slack_left_bytes -= piece_bytes;
		return (struct model_spot){ .slack_bytes = piece_bytes };
	}
	if (piece_bytes > profile->granule_bytes)
		return make_chunk(context, model_round_up(piece_bytes, profile->granule_bytes));
	if (piece_bytes > context->chunk_left_bytes) {
		context->newest = make_chunk(context, profile->granule_bytes);
		context->chunk_left_bytes = profile->granule_bytes;
	}
	context->chunk_left_bytes -= piece_bytes;
	return context->newest;
}

struct model_spot model_place(struct model_context *context, const struct profile *profile,
			      uint64_t piece_bytes)
{
	if (profile->code_packing == CODE_IN_CHUNKS)
		return place_in_chunk(context, profile, piece_bytes);
	context->packed_bytes += piece_bytes;
	fit_pool(context, profile);
	return (struct model_spot){ .packed_bytes = piece_bytes };
}

void model_remove(struct model_context *context, const struct profile *profile,
		  const struct model_spot *spot, bool is_last)
{
	context->data_bytes -= spot->data_bytes;
	context->packed_bytes -= spot->packed_bytes;
	if (profile->code_packing == CODE_IN_POOL)
		fit_pool(context, profile);
	context->slack_left_bytes += spot->slack_bytes;
	if (!profile->code_returns || !spot->chunk || !is_last)
		return;
	context->chunk_bytes -= spot->chunk_bytes;
	if (spot->chunk == context->newest.chunk)
		context->chunk_left_bytes = 0;
}
