/* SPDX-License-Identifier: MIT */
#include "harness/bench.h"

/* Loads, finds, launches and unloads the module, that many times over. */
static int cycle(struct sample *s, const void *image, uint64_t count)
{
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;
	int error = 0;

	for (uint64_t i = 0; i < count && !error; i++) {
		error = (int)cu->module_load_data(&module, image);
		if (!error)
			error = (int)cu->module_get_function(&function, module, "kernel");
		if (!error)
			error = sample_launch(s, function);
		if (!error)
			error = (int)cu->module_unload(module);
	}
	return error;
}

static void module_cycle_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const void *image = sample_module(
		s, sample_word_is(s, "module_size", "small") ? "fma-991" : "fma-131039");

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "cycle-first", cycle(s, image, 1));
	CU_TRY(s, "cycle-rest", cycle(s, image, sample_number(s, "cycles") - 1));
	CU_TRY(s, "destroy", api->destroy(s));
}

static const char *module_cycle_obstacle(const struct bench *bench, const struct bench_point *point,
					 const struct device_info *device)
{
	(void)device;
	return bench_number(bench, point, "cycles") ? NULL : "there is no cycle before the first";
}

const struct bench module_cycle = {
	.name = "module-cycle",
	.question =
		"Does loading, launching and unloading a module over and over leak device memory?",
	.axes = { { .name = "cycles", .values = "1,10,100,1000", .quick_values = "100" },
		  { .name = "module_size", .kind = AXIS_WORD, .values = "small,large" } },
	.laws = { { .component = "cycle-small",
		    .axis = "cycles",
		    .step = "cycle-rest",
		    .is_total = true,
		    .where = "module_size=small" },
		  { .component = "cycle-large",
		    .axis = "cycles",
		    .step = "cycle-rest",
		    .is_total = true,
		    .where = "module_size=large" } },
	.headline_step = "cycle-rest",
	.obstacle = module_cycle_obstacle,
	.run = module_cycle_run,
};
