/* SPDX-License-Identifier: MIT */
/* Executable graphs: a piece for the nodes of each. What each has as such is in model_stream.c. */
#include "sim/model.h"

/* Pieces come in eighths of a power of two: four sizes from one power to the next. */
#define SIZES_PER_POWER 8

uint64_t model_graph_piece_bytes(const struct profile *profile, uint64_t node_count)
{
	uint64_t bytes = node_count * profile->graph_node_bytes;
	uint64_t step = 1;

	while (step < profile->granule_bytes && step * SIZES_PER_POWER < bytes)
		step *= 2;
	return model_round_up(bytes, step);
}

static void note_peak(uint64_t *peak, uint64_t value)
{
	if (value > *peak)
		*peak = value;
}

void model_instantiate(struct model_context *context, struct model_piece *piece)
{
	piece->is_in_slack = piece->bytes <= context->graph_slack_left_bytes;
	if (piece->is_in_slack)
		context->graph_slack_left_bytes -= piece->bytes;
	else
		context->graph_piece_bytes += piece->bytes;
	context->executable_count++;
	note_peak(&context->graph_piece_peak_bytes, context->graph_piece_bytes);
	note_peak(&context->executable_peak, context->executable_count);
}

void model_destroy_executable(struct model_context *context, const struct profile *profile,
			      const struct model_piece *piece)
{
	if (!profile->graph_reuses)
		return;
	if (piece->is_in_slack)
		context->graph_slack_left_bytes += piece->bytes;
	else
		context->graph_piece_bytes -= piece->bytes;
	context->executable_count--;
}

uint64_t model_graph_bytes(const struct model_context *context, const struct profile *profile)
{
	return model_round_up(context->graph_piece_peak_bytes, profile->granule_bytes);
}
