/* SPDX-License-Identifier: MIT */
#include "harness/bench.h"

/* Step names are kept until the sample ends, so they come from tables. */
static const char *const create_steps[] = { "create-1", "create-2", "create-3", "create-4",
					    "create-5", "create-6", "create-7", "create-8" };
static const char *const destroy_steps[] = { "destroy-1", "destroy-2", "destroy-3", "destroy-4",
					     "destroy-5", "destroy-6", "destroy-7", "destroy-8" };
#define CONTEXTS_MAX 8

static void run_runtime(struct sample *s)
{
	const struct context_api *api = sample_api(s);

	CU_TRY(s, create_steps[0], api->create(s));
	CU_TRY(s, destroy_steps[0], api->destroy(s));
}

static void context_run(struct sample *s)
{
	const struct driver *cu = sample_driver(s);
	uint64_t count = sample_number(s, "contexts");
	CUcontext contexts[CONTEXTS_MAX];
	CUdevice device = sample_device(s);

	if (sample_word_is(s, "api", "runtime")) {
		run_runtime(s);
		return;
	}
	for (uint64_t i = 0; i < count; i++)
		CU_TRY(s, create_steps[i], cu->ctx_create(&contexts[i], 0, device));
	for (uint64_t i = count; i-- > 0;)
		CU_TRY(s, destroy_steps[i], cu->ctx_destroy(contexts[i]));
}

static const char *context_obstacle(const struct bench *bench, const struct bench_point *point,
				    const struct device_info *device)
{
	uint64_t count = bench_number(bench, point, "contexts");

	(void)device;
	if (!count || count > CONTEXTS_MAX)
		return "this benchmark makes 1 to 8 contexts";
	if (count > 1 && bench_word_is(bench, point, "api", "runtime"))
		return "the runtime API keeps one context per device and process";
	return NULL;
}

const struct bench context = {
	.name = "context",
	.question = "What does a context cost, does a second one cost less, and does destroying it "
		    "give everything back?",
	.axes = { { .name = "contexts", .values = "1:8:1", .quick_values = "1,2" },
		  { .name = "api", .kind = AXIS_WORD, .values = "driver,runtime" } },
	.laws = { { .component = "context",
		    .axis = "contexts",
		    .step = "create-{contexts}",
		    .is_total = true,
		    .where = "api=driver" } },
	.components = { { .name = "context, all of it",
			  .step = "create-1",
			  .with = "contexts=1,api=driver",
			  .when = "context creation" } },
	.headline_step = "create-1",
	.obstacle = context_obstacle,
	.run = context_run,
};
