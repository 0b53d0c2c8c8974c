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

uint64_t model_kernel_slot_bytes(const struct profile *profile, uint64_t text_bytes)
{
	return model_round_up(text_bytes + profile->code_extra_bytes, profile->code_slot_bytes);
}

uint64_t model_data_slot_bytes(const struct profile *profile, uint64_t static_bytes)
{
	return model_round_up(static_bytes, profile->code_slot_bytes);
}

static void resize(struct model_context *context, const struct profile *profile)
{
	uint64_t slack = profile->code_slack_bytes;
	uint64_t beyond = context->slot_bytes > slack ? context->slot_bytes - slack : 0;
	uint64_t pool = model_round_up(beyond, profile->granule_bytes);

	if (pool > context->code_pool_bytes || profile->code_returns)
		context->code_pool_bytes = pool;
}

void model_load_code(struct model_context *context, const struct profile *profile,
		     uint64_t slot_bytes)
{
	context->slot_bytes += slot_bytes;
	resize(context, profile);
}

void model_unload_code(struct model_context *context, const struct profile *profile,
		       uint64_t slot_bytes)
{
	context->slot_bytes -= slot_bytes;
	resize(context, profile);
}
