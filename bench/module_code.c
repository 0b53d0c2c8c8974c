/* SPDX-License-Identifier: MIT */
#include "harness/bench.h"

static void module_code_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	const void *image = sample_module_sized(s, "fma", sample_number(s, "instructions"));
	CUmodule module;
	CUfunction function;

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "load", cu->module_load_data(&module, image));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_STEP(s, "launch-1", sample_launch(s, function));
	CU_STEP(s, "launch-2", sample_launch(s, function));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

const struct bench module_code = {
	.name = "module-code",
	.question = "How many bytes does an instruction of a kernel cost, which call loads it, and "
		    "does unloading give it back?",
	.axes = { { .name = "instructions", .module_family = "fma", .quick_count = 8 },
		  { .name = "loading",
		    .kind = AXIS_WORD,
		    .values = "lazy,eager",
		    .environment = "CUDA_MODULE_LOADING" } },
	.laws = { { .component = "code-lazy",
		    .axis = "instructions",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "loading=lazy" },
		  { .component = "code-eager",
		    .axis = "instructions",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "loading=eager" } },
	.headline_step = "get-function",
	.run = module_code_run,
};
