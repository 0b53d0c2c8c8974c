/* SPDX-License-Identifier: MIT */
#include "sim/model.h"

/* How a request becomes a limit. */
struct limit_rule {
	bool is_known;
	bool over_refuses; /* else a request above the largest gets the largest */
	uint64_t initial;
	uint64_t step;
	uint64_t min;
	uint64_t max;
	uint64_t each_bytes; /* of the device, for each unit of the limit */
};

/* Stack, FIFO and heap have pools that are more than bytes for each unit. */
#define POOL_RULE(p, name, lowest, refuses)                                                        \
	(struct limit_rule)                                                                        \
	{                                                                                          \
		.is_known = true, .over_refuses = (refuses), .initial = (p)->name##_default_bytes, \
		.step = (p)->name##_step_bytes, .min = (lowest), .max = (p)->name##_max_bytes      \
	}
#define PLAIN_RULE(p, name, unit, refuses)                                                        \
	(struct limit_rule)                                                                       \
	{                                                                                         \
		.is_known = (p)->name##_known, .over_refuses = (p)->name##_over_max == (refuses), \
		.initial = (p)->name##_default_##unit, .step = (p)->name##_step_##unit,           \
		.min = (p)->name##_min_##unit, .max = (p)->name##_max_##unit,                     \
		.each_bytes = (p)->name##_each_bytes                                              \
	}

static struct limit_rule limit_rule(const struct profile *p, enum model_limit limit)
{
	switch (limit) {
	case MODEL_STACK:
		return POOL_RULE(p, stack, 0, true);
	case MODEL_FIFO:
		return POOL_RULE(p, fifo, p->fifo_min_bytes, p->fifo_over_max == OVER_REFUSES);
	case MODEL_HEAP:
		return POOL_RULE(p, heap, p->heap_min_bytes, p->heap_over_max == HEAP_OVER_REFUSES);
	case MODEL_SYNC_DEPTH:
		return PLAIN_RULE(p, sync_depth, count, SYNC_DEPTH_OVER_REFUSES);
	case MODEL_PENDING_LAUNCH:
		return PLAIN_RULE(p, pending_launch, count, PENDING_LAUNCH_OVER_REFUSES);
	case MODEL_L2_FETCH:
		return PLAIN_RULE(p, l2_fetch, bytes, L2_FETCH_OVER_REFUSES);
	case MODEL_L2_PERSISTING:
	default:
		return PLAIN_RULE(p, l2_persisting, bytes, L2_PERSISTING_OVER_REFUSES);
	}
}

bool model_knows_limit(const struct profile *profile, enum model_limit limit)
{
	return limit_rule(profile, limit).is_known;
}

uint64_t model_default_limit(const struct profile *profile, enum model_limit limit)
{
	return limit_rule(profile, limit).initial;
}

bool model_grant(const struct profile *profile, enum model_limit limit, uint64_t request,
		 uint64_t *ret_granted)
{
	struct limit_rule rule = limit_rule(profile, limit);
	uint64_t granted = model_round_up(request, rule.step);

	if (granted > rule.max && rule.over_refuses)
		return false;
	if (granted < rule.min)
		granted = rule.min;
	*ret_granted = granted > rule.max ? rule.max : granted;
	return true;
}

uint64_t model_limit_bytes(const struct model_context *context, const struct profile *profile)
{
	uint64_t bytes = 0;

	for (int i = 0; i < MODEL_LIMIT_COUNT; i++) {
		struct limit_rule rule = limit_rule(profile, (enum model_limit)i);

		if (rule.is_known)
			bytes += model_round_up(context->limit_bytes[i] * rule.each_bytes,
						profile->granule_bytes);
	}
	return bytes;
}
