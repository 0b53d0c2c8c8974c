/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

#define STREAMS_MAX 65536

/* Ten thousand take seconds, and so many are enough to see what becomes of places. */
#define AGAIN_MAX 4096
#define HIGH_MAX  4096

/* More than one has been seen to take, for --max-memory. */
#define STREAM_BYTES ((uint64_t)1 << 20)

static CUstream streams_made[STREAMS_MAX];

/* The lower the number, the more urgent. */
static CUresult get_priorities(struct sample *s, int *ret_highest)
{
	int lowest;
	CUresult error = sample_driver(s)->ctx_get_stream_priority_range(&lowest, ret_highest);

	if (!error)
		sample_read(s, "priority_levels", 1u + (unsigned int)(lowest - *ret_highest));
	return error;
}

static CUresult create_streams(struct sample *s, int highest, uint64_t count)
{
	const struct driver *cu = sample_driver(s);
	bool is_high = sample_word_is(s, "priority", "high");
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = is_high ? cu->stream_create_with_priority(&streams_made[i],
								  CU_STREAM_NON_BLOCKING, highest)
				: cu->stream_create(&streams_made[i], CU_STREAM_NON_BLOCKING);
	return error;
}

static CUresult destroy_streams(const struct driver *cu, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = cu->stream_destroy(streams_made[i]);
	return error;
}

static void streams_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	uint64_t count = sample_number(s, "streams");
	int highest;

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "get-priorities", get_priorities(s, &highest));
	CU_TRY(s, "create-streams", create_streams(s, highest, count));
	CU_TRY(s, "destroy-streams", destroy_streams(cu, count));
	CU_TRY(s, "create-again",
	       create_streams(s, highest, count < AGAIN_MAX ? count : AGAIN_MAX));
	CU_TRY(s, "destroy", api->destroy(s));
}

static bool streams_wants(const struct bench *bench, const struct bench_point *point)
{
	return bench_word_is(bench, point, "priority", "default") ||
	       bench_number(bench, point, "streams") <= HIGH_MAX;
}

static const char *streams_obstacle(const struct bench *bench, const struct bench_point *point,
				    const struct device_info *device)
{
	(void)device;
	return bench_number(bench, point, "streams") > STREAMS_MAX
		       ? "this benchmark makes up to 65,536 streams"
		       : NULL;
}

static uint64_t streams_need_bytes(const struct bench *bench, const struct bench_point *point,
				   const struct device_info *device)
{
	(void)device;
	return need_sum(NEED_LITTLE_BYTES,
			need_times(bench_number(bench, point, "streams"), STREAM_BYTES));
}

#define STREAM_LAW(name, words)                                                                \
	{                                                                                      \
		.component = name, .axis = "streams", .step = "create-streams", .where = words \
	}

const struct bench streams = {
	.name = "streams",
	.question = "What does a stream cost, does its priority matter, and what becomes of its "
		    "memory when it is destroyed?",
	.axes = { { .name = "streams", .values = "1:256:*2,1K,4K,64K", .quick_values = "1,64" },
		  { .name = "priority", .kind = AXIS_WORD, .values = "default,high" } },
	.readings = { { "priority_levels" } },
	.laws = { STREAM_LAW("streams", "priority=default"),
		  STREAM_LAW("streams-high", "priority=high") },
	.components = { { .name = "64 streams",
			  .step = "create-streams",
			  .with = "streams=64,priority=default",
			  .since = "create",
			  .when = "stream creation" } },
	.headline_step = "create-streams",
	.wants = streams_wants,
	.obstacle = streams_obstacle,
	.need_bytes = streams_need_bytes,
	.run = streams_run,
};
