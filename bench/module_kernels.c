/* SPDX-License-Identifier: MIT */
#include "bench/loading.h"
#include "bench/need.h"
#include "harness/bench.h"

#include <stdio.h>

#define KERNELS_MAX 512

/* More than one of them has. */
#define KERNEL_INSTRUCTIONS_MAX 1024

/* Asks for kernel_0 … kernel_<count - 1>; the first error ends it. */
static int get_functions(struct sample *s, CUmodule module, uint64_t count,
			 CUfunction *ret_functions)
{
	char name[32];
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++) {
		snprintf(name, sizeof name, "kernel_%u", (unsigned int)i);
		error = sample_driver(s)->module_get_function(&ret_functions[i], module, name);
	}
	return (int)error;
}

static int launch_all(struct sample *s, const CUfunction *functions, uint64_t count)
{
	int error = 0;

	for (uint64_t i = 0; i < count && !error; i++)
		error = sample_launch(s, functions[i]);
	return error;
}

static void module_kernels_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	uint64_t launched_count = sample_number(s, "launched");
	CUfunction functions[KERNELS_MAX];
	char name[32];
	CUmodule module;

	snprintf(name, sizeof name, "many-%u", (unsigned int)sample_number(s, "kernels"));
	CU_TRY(s, "create", api->create(s));
	sample_read(s, "text_bytes", sample_module_text_bytes(s, name));
	CU_TRY(s, "load", cu->module_load_data(&module, sample_module(s, name)));
	CU_TRY(s, "get-function", get_functions(s, module, launched_count, functions));
	CU_STEP(s, "launch-1", launch_all(s, functions, launched_count));
	CU_STEP(s, "launch-2", launch_all(s, functions, launched_count));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

static bool module_kernels_wants(const struct bench *bench, const struct bench_point *point)
{
	return bench_number(bench, point, "launched") <= bench_number(bench, point, "kernels");
}

static const char *module_kernels_obstacle(const struct bench *bench,
					   const struct bench_point *point,
					   const struct device_info *device)
{
	uint64_t count = bench_number(bench, point, "kernels");

	(void)device;
	if (!count || count > KERNELS_MAX || (count & (count - 1)))
		return "modules are built with 1, 2, 4 ... 512 kernels";
	return NULL;
}

static uint64_t module_kernels_need_bytes(const struct bench *bench,
					  const struct bench_point *point,
					  const struct device_info *device)
{
	(void)device;
	return need_code(KERNEL_INSTRUCTIONS_MAX, bench_number(bench, point, "kernels"));
}

const struct bench module_kernels = {
	.name = "module-kernels",
	.question = "Of a module with many kernels, is all code loaded or only that of the kernels "
		    "that are used?",
	.axes = { { .name = "kernels", .values = "1:512:*2", .quick_values = "1,16,512" },
		  { .name = "launched", .values = "0,1,8,64,512", .quick_values = "0,1,512" },
		  { .name = "loading",
		    .kind = AXIS_WORD,
		    .values = "lazy,eager",
		    .settings = loading_settings } },
	.readings = { { "text_bytes" } },
	.laws = { { .component = "kernels-eager",
		    .axis = "kernels",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "loading=eager,launched=1" },
		  { .component = "kernels-lazy",
		    .axis = "kernels",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "loading=lazy,launched=1" } },
	.headline_step = "load",
	.wants = module_kernels_wants,
	.obstacle = module_kernels_obstacle,
	.need_bytes = module_kernels_need_bytes,
	.run = module_kernels_run,
};
