/* SPDX-License-Identifier: MIT */
#include "sim/model.h"

enum model_moment model_kernel_moment(const struct profile *profile, bool is_eager,
				      struct model_traits traits)
{
	/* Such modules are linked with the driver's own code, which resolves all of them at once.
	 */
	if (is_eager || traits.prints || traits.allocates)
		return MODEL_AT_LOAD;
	return profile->lazy_when == LAZY_AT_GET ? MODEL_AT_GET : MODEL_AT_LAUNCH;
}

uint64_t model_kernel_piece_bytes(const struct profile *profile, uint64_t text_bytes)
{
	return model_round_up(text_bytes + profile->code_extra_bytes, profile->code_slot_bytes);
}

uint64_t model_data_piece_bytes(const struct profile *profile, uint64_t static_bytes)
{
	return model_round_up(static_bytes, profile->code_slot_bytes);
}

void model_place(struct model_context *context, const struct profile *profile,
		 struct model_share *share, uint64_t piece_bytes)
{
	uint64_t chunk_bytes = model_round_up(piece_bytes, profile->granule_bytes);

	if (piece_bytes <= context->slack_left_bytes) {
		context->slack_left_bytes -= piece_bytes;
		share->slack_bytes += piece_bytes;
		return;
	}
	if (piece_bytes <= context->chunk_left_bytes) {
		context->chunk_left_bytes -= piece_bytes;
		return;
	}
	context->chunk_bytes += chunk_bytes;
	context->chunk_left_bytes = chunk_bytes - piece_bytes;
	share->chunk_bytes += chunk_bytes;
	share->newest_chunk = ++context->chunk_count;
}

void model_unload_code(struct model_context *context, const struct profile *profile,
		       struct model_share share)
{
	context->slack_left_bytes += share.slack_bytes;
	if (!profile->code_returns)
		return;
	context->chunk_bytes -= share.chunk_bytes;
	if (share.newest_chunk == context->chunk_count)
		context->chunk_left_bytes = 0;
}
