/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

#include <string.h>

#include "base/array.h"

/* Every CUlimit that has no benchmark of its own; the numbers are those of <cuda.h>. */
static const struct {
	const char *word;
	CUlimit limit;
	uint64_t unit_bytes; /* more than one has been seen to take; 0: it is no memory */
} limits[] = {
	{ "dev-runtime-sync-depth", CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, NEED_SYNC_DEPTH_BYTES },
	{ "dev-runtime-pending-launch-count", CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT,
	  NEED_PENDING_LAUNCH_BYTES },
	{ "max-l2-fetch-granularity", CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 0 },
	{ "persisting-l2-cache-size", CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0 },
};

static CUlimit chosen_limit(const struct sample *s)
{
	for (size_t i = 0; i < ARRAY_COUNT(limits); i++)
		if (sample_word_is(s, "limit", limits[i].word))
			return limits[i].limit;
	return CU_LIMIT_MAX;
}

static void other_limits_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUlimit limit = chosen_limit(s);
	CUmodule module;
	CUfunction function;

	CU_TRY(s, "create", api->create(s));
	CU_STEP(s, "get-default", sample_get_limit(s, limit, "default_value", NULL));
	CU_STEP(s, "set", api->set_limit(s, limit, sample_number(s, "value")));
	CU_STEP(s, "get", sample_get_limit(s, limit, "granted_value", NULL));
	CU_TRY(s, "load", cu->module_load_data(&module, sample_module(s, "empty")));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_STEP(s, "launch-1", sample_launch(s, function));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

static uint64_t other_limits_need_bytes(const struct bench *bench, const struct bench_point *point,
					const struct device_info *device)
{
	uint64_t value = bench_number(bench, point, "value");

	(void)device;
	for (size_t i = 0; i < ARRAY_COUNT(limits); i++)
		if (bench_word_is(bench, point, "limit", limits[i].word))
			return need_sum(NEED_LITTLE_BYTES, need_times(value, limits[i].unit_bytes));
	return NEED_LITTLE_BYTES;
}

/* Over what was granted, like those of the limits that have benchmarks of their own. */
#define LIMIT_LAW(limit)                                                                           \
	{                                                                                          \
		.component = limit, .axis = "granted_value", .step = "launch-1", .is_total = true, \
		.where = "limit=" limit                                                            \
	}

const struct bench other_limits = {
	.name = "other-limits",
	.question = "Which values do the remaining limits take, and do they cost memory?",
	.axes = { { .name = "value",
		    .values = "0,1,128,2049,1M,32M,64M",
		    .quick_values = "1,2049" },
		  { .name = "limit",
		    .kind = AXIS_WORD,
		    .values = "dev-runtime-sync-depth,dev-runtime-pending-launch-count,"
			      "max-l2-fetch-granularity,persisting-l2-cache-size" } },
	.readings = { { "default_value" }, { "granted_value" } },
	.laws = { LIMIT_LAW("dev-runtime-sync-depth"),
		  LIMIT_LAW("dev-runtime-pending-launch-count"),
		  LIMIT_LAW("max-l2-fetch-granularity"), LIMIT_LAW("persisting-l2-cache-size") },
	.headline_step = "set",
	.need_bytes = other_limits_need_bytes,
	.run = other_limits_run,
};
