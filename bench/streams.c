/* SPDX-License-Identifier: MIT */
#include "harness/bench.h"

#define STREAMS_MAX 65536

static CUstream streams_made[STREAMS_MAX];

static CUresult create_streams(const struct driver *cu, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = cu->stream_create(&streams_made[i], CU_STREAM_NON_BLOCKING);
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

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "create-streams", create_streams(cu, count));
	CU_TRY(s, "destroy-streams", destroy_streams(cu, count));
	CU_TRY(s, "destroy", api->destroy(s));
}

static const char *streams_obstacle(const struct bench *bench, const struct bench_point *point,
				    const struct device_info *device)
{
	(void)device;
	return bench_number(bench, point, "streams") > STREAMS_MAX
		       ? "this benchmark makes up to 65,536 streams"
		       : NULL;
}

const struct bench streams = {
	.name = "streams",
	.question = "What does a stream cost, and does destroying it give that back?",
	.axes = { { .name = "streams", .values = "1:256:*2,1K,4K", .quick_values = "1,64" } },
	.laws = { { .component = "streams", .axis = "streams", .step = "create-streams" } },
	.headline_step = "create-streams",
	.obstacle = streams_obstacle,
	.run = streams_run,
};
