/* SPDX-License-Identifier: MIT */
/*
 * Streams and executable graphs: each needs a piece of two pools, of which a context has the first
 * pieces anyway.
 */
#include "sim/model.h"

static uint64_t pool_bytes(const struct profile *profile, uint64_t needed_bytes,
			   uint64_t slack_bytes)
{
	if (needed_bytes <= slack_bytes)
		return 0;
	return model_round_up(needed_bytes - slack_bytes, profile->granule_bytes);
}

uint64_t model_stream_bytes(const struct model_context *context, const struct profile *profile)
{
	uint64_t streams = context->stream_peak, graphs = context->executable_peak;

	return pool_bytes(profile,
			  streams * profile->stream_large_bytes +
				  graphs * profile->graph_executable_large_bytes,
			  profile->stream_large_slack_bytes) +
	       pool_bytes(profile,
			  streams * profile->stream_small_bytes +
				  graphs * profile->graph_executable_small_bytes,
			  profile->stream_small_slack_bytes);
}

void model_create_stream(struct model_context *context)
{
	context->stream_count++;
	if (context->stream_count > context->stream_peak)
		context->stream_peak = context->stream_count;
}

void model_destroy_stream(struct model_context *context)
{
	context->stream_count--;
}
