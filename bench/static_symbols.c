/* SPDX-License-Identifier: MIT */
#include "harness/bench.h"

static void static_symbols_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "load",
	       cu->module_load_data(
		       &module,
		       sample_module_numbered(s, "static", sample_number(s, "symbol_bytes"))));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_STEP(s, "launch-1", sample_launch(s, function));
	CU_STEP(s, "launch-2", sample_launch(s, function));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

const struct bench static_symbols = {
	.name = "static-symbols",
	.question = "What does a __device__ array cost, and which call takes its memory?",
	.axes = { { .name = "symbol_bytes",
		    .values = "1,4K,64K,2M,4M,64M,256M",
		    .quick_values = "1,16M" },
		  { .name = "loading",
		    .kind = AXIS_WORD,
		    .values = "lazy,eager",
		    .environment = "CUDA_MODULE_LOADING" } },
	.laws = { { .component = "symbols-lazy",
		    .axis = "symbol_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "loading=lazy" },
		  { .component = "symbols-eager",
		    .axis = "symbol_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "loading=eager" } },
	.headline_step = "load",
	.run = static_symbols_run,
};
