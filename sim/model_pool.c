/* SPDX-License-Identifier: MIT */
/* The pool of stream-ordered allocations: reserved in units, given back when nobody needs it. */
#include "sim/model.h"

void model_pool_allocate(struct model_context *context, const struct profile *profile,
			 uint64_t request_bytes)
{
	uint64_t needed;

	context->pool_used_bytes += request_bytes;
	needed = model_round_up(context->pool_used_bytes, profile->pool_unit_bytes);
	if (needed > context->pool_reserved_bytes)
		context->pool_reserved_bytes = needed;
}

void model_pool_release(struct model_context *context, uint64_t request_bytes)
{
	context->pool_used_bytes -= request_bytes;
}

void model_pool_trim(struct model_context *context, const struct profile *profile,
		     uint64_t keep_bytes)
{
	uint64_t used = context->pool_used_bytes;
	uint64_t kept =
		model_round_up(used > keep_bytes ? used : keep_bytes, profile->pool_unit_bytes);

	if (kept < context->pool_reserved_bytes)
		context->pool_reserved_bytes = kept;
}

uint64_t model_outliving_bytes(const struct model_context *context, const struct profile *profile)
{
	return profile->pool_outlives ? context->pool_reserved_bytes : 0;
}
