/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

/* More than any device has by default. */
#define DEFAULT_LAUNCHES_MAX 4096

/* A limit that is 0 here is left alone; the default of pending launches is part of the question. */
static void set_limits(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	uint64_t launches = sample_number(s, "pending_launches");
	uint64_t depth = sample_number(s, "sync_depth");

	if (launches)
		CU_STEP(s, "set-pending",
			api->set_limit(s, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, launches));
	CU_STEP(s, "get-pending",
		sample_get_limit(s, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, "granted_launches",
				 NULL));
	if (!depth)
		return;
	CU_STEP(s, "set-depth", api->set_limit(s, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, depth));
	CU_STEP(s, "get-depth",
		sample_get_limit(s, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, "granted_depth", NULL));
}

static const void *chosen_module(struct sample *s)
{
	if (sample_word_is(s, "module", "linked"))
		return sample_module(s, "launch-linked");
	if (sample_word_is(s, "module", "called"))
		return sample_module(s, "launch-called");
	return sample_module(s, "empty");
}

static void device_runtime_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUmodule module, printing;
	CUfunction function;

	CU_TRY(s, "create", api->create(s));
	set_limits(s);
	CU_TRY(s, "load", cu->module_load_data(&module, chosen_module(s)));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_STEP(s, "launch-1", sample_launch(s, function));
	CU_STEP(s, "launch-2", sample_launch(s, function));
	/* Whether printf brings along what is there already. */
	CU_TRY(s, "load-printf",
	       cu->module_load_data(&printing, sample_module(s, "printf-called")));
	CU_TRY(s, "unload-printf", cu->module_unload(printing));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

/* A depth is of interest where something is launched, one limit at a time. */
static bool device_runtime_wants(const struct bench *bench, const struct bench_point *point)
{
	return !bench_number(bench, point, "sync_depth") ||
	       (!bench_number(bench, point, "pending_launches") &&
		bench_word_is(bench, point, "module", "called"));
}

static const char *device_runtime_obstacle(const struct bench *bench,
					   const struct bench_point *point,
					   const struct device_info *device)
{
	if (bench_word_is(bench, point, "module", "none") ||
	    device_has_module(device, "launch-called"))
		return NULL;
	return "the toolkit that built the modules had no nvlink and libcudadevrt.a of CUDA 12 or "
	       "later";
}

static uint64_t device_runtime_need_bytes(const struct bench *bench,
					  const struct bench_point *point,
					  const struct device_info *device)
{
	uint64_t launches = bench_number(bench, point, "pending_launches");
	uint64_t depth = bench_number(bench, point, "sync_depth");

	(void)device;
	if (launches < DEFAULT_LAUNCHES_MAX)
		launches = DEFAULT_LAUNCHES_MAX;
	return need_sum(NEED_DEVICE_RUNTIME_BYTES,
			need_sum(need_times(launches, NEED_PENDING_LAUNCH_BYTES),
				 need_times(depth, NEED_SYNC_DEPTH_BYTES)));
}

const struct bench device_runtime = {
	.name = "device-runtime",
	.question = "What does a kernel that launches kernels cost, is it linking or calling that "
		    "costs it, and what do the limits of the device runtime change?",
	.axes = { { .name = "pending_launches",
		    .values = "0,8192,32768,131072,262144",
		    .quick_values = "0,262144" },
		  { .name = "module", .kind = AXIS_WORD, .values = "none,linked,called" },
		  { .name = "sync_depth", .values = "0,2,16", .quick_values = "0" } },
	.readings = { { "granted_launches" }, { "granted_depth" } },
	.laws = { { .component = "launch-called",
		    .axis = "granted_launches",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "module=called,sync_depth=0" },
		  { .component = "launch-linked",
		    .axis = "granted_launches",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "module=linked,sync_depth=0" } },
	.components = { { .name = "device runtime, once a module links it",
			  .step = "launch-2",
			  .with = "pending_launches=0,module=linked,sync_depth=0",
			  .minus = "pending_launches=0,module=none,sync_depth=0",
			  .when = "module load" } },
	.savings = { { .advice = "link no kernel that launches kernels",
		       .step = "launch-2",
		       .with = "pending_launches=0,module=none,sync_depth=0",
		       .minus = "pending_launches=0,module=linked,sync_depth=0",
		       .caveat = "malloc or printf in device code may need a part of it" } },
	.headline_step = "load",
	.wants = device_runtime_wants,
	.obstacle = device_runtime_obstacle,
	.need_bytes = device_runtime_need_bytes,
	.run = device_runtime_run,
};
