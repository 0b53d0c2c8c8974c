/* SPDX-License-Identifier: MIT */
#include "harness/bench.h"

static void constant_memory_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "load",
	       cu->module_load_data(
		       &module,
		       sample_module_numbered(s, "constant", sample_number(s, "constant_bytes"))));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_STEP(s, "launch-1", sample_launch(s, function));
	CU_STEP(s, "launch-2", sample_launch(s, function));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

const struct bench constant_memory = {
	.name = "constant-memory",
	.question = "What does a __constant__ array cost, and which call takes its memory?",
	.axes = { { .name = "constant_bytes", .values = "1,4K,16K,64K", .quick_values = "64K" },
		  { .name = "loading",
		    .kind = AXIS_WORD,
		    .values = "lazy,eager",
		    .environment = "CUDA_MODULE_LOADING" } },
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
	.run = constant_memory_run,
};
