/* SPDX-License-Identifier: MIT */
#include "sim/model.h"

struct model_settings model_usual_settings(const struct profile *profile)
{
	return (struct model_settings){
		.connection_count = profile->connection_default_count,
		.copy_connection_count = profile->copy_connection_default_count,
	};
}

int64_t model_more_connection_bytes(const struct model_context *context,
				    const struct profile *profile)
{
	uint64_t bytes = context->connection_count * profile->connection_bytes +
			 context->copy_connection_count * profile->copy_connection_bytes;

	return (int64_t)bytes - (int64_t)profile_connection_bytes(profile);
}

bool model_apply_settings(struct model_context *context, const struct profile *profile,
			  const struct model_settings *settings)
{
	context->connection_count = settings->connection_count;
	context->copy_connection_count = settings->copy_connection_count;
	if (!settings->has_l2_percent || !model_knows_limit(profile, MODEL_L2_PERSISTING))
		return true;
	return model_set_limit(context, profile, MODEL_L2_PERSISTING,
			       profile->l2_cache_bytes * settings->l2_percent / 100);
}
