/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

#define EVENTS_MAX 65536

/* More than one has been seen to take, for --max-memory. */
#define EVENT_BYTES 1024

static CUevent events_made[EVENTS_MAX];

static CUresult create_events(const struct driver *cu, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = cu->event_create(&events_made[i], CU_EVENT_DEFAULT);
	return error;
}

static CUresult destroy_events(const struct driver *cu, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = cu->event_destroy(events_made[i]);
	return error;
}

static void events_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	uint64_t count = sample_number(s, "events");

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "create-events", create_events(cu, count));
	CU_TRY(s, "destroy-events", destroy_events(cu, count));
	CU_TRY(s, "destroy", api->destroy(s));
}

static const char *events_obstacle(const struct bench *bench, const struct bench_point *point,
				   const struct device_info *device)
{
	(void)device;
	return bench_number(bench, point, "events") > EVENTS_MAX
		       ? "this benchmark makes up to 65,536 events"
		       : NULL;
}

static uint64_t events_need_bytes(const struct bench *bench, const struct bench_point *point,
				  const struct device_info *device)
{
	(void)device;
	return need_sum(NEED_LITTLE_BYTES,
			need_times(bench_number(bench, point, "events"), EVENT_BYTES));
}

const struct bench events = {
	.name = "events",
	.question = "What does an event cost, and does destroying it give that back?",
	.axes = { { .name = "events", .values = "1,64,1K,16K,64K", .quick_values = "1,64K" } },
	.laws = { { .component = "events", .axis = "events", .step = "create-events" } },
	.headline_step = "create-events",
	.obstacle = events_obstacle,
	.need_bytes = events_need_bytes,
	.run = events_run,
};
