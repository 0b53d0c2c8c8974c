/* SPDX-License-Identifier: MIT */
#include "bench/data_loading.h"
#include "bench/need.h"
#include "bench/module.h"

static void constant_memory_run(struct sample *s)
{
	module_run(s, sample_module_numbered(s, "constant", sample_number(s, "constant_bytes")));
}

static const char *constant_memory_obstacle(const struct bench *bench,
					    const struct bench_point *point,
					    const struct device_info *device)
{
	return device_has_module_numbered(device, "constant",
					  bench_number(bench, point, "constant_bytes"))
		       ? NULL
		       : BENCH_NOT_BUILT;
}

static uint64_t constant_memory_need_bytes(const struct bench *bench,
					   const struct bench_point *point,
					   const struct device_info *device)
{
	(void)device;
	return need_sum(NEED_LITTLE_BYTES, bench_number(bench, point, "constant_bytes"));
}

const struct bench constant_memory = {
	.name = "constant-memory",
	.question = "What does a __constant__ array cost, and which call takes its memory?",
	.axes = { { .name = "constant_bytes", .values = "1,4K,16K,64K", .quick_values = "64K" },
		  { .name = "loading",
		    .kind = AXIS_WORD,
		    .values = DATA_LOADING_WORDS,
		    .settings = data_loading_settings } },
	.laws = { { .component = "constants-lazy",
		    .axis = "constant_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "loading=lazy" },
		  { .component = "constants-eager",
		    .axis = "constant_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "loading=eager" } },
	.headline_step = "load",
	.obstacle = constant_memory_obstacle,
	.need_bytes = constant_memory_need_bytes,
	.run = constant_memory_run,
};
