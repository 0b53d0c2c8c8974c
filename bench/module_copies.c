/* SPDX-License-Identifier: MIT */
#include "harness/bench.h"

/* Loads that many copies and finds the kernel of each, which also loads its code where that waits.
 */
static CUresult load_copies(struct sample *s, const void *image, uint64_t count)
{
	const struct driver *cu = sample_driver(s);
	CUresult error = CUDA_SUCCESS;
	CUmodule module;
	CUfunction function;

	for (uint64_t i = 0; i < count && !error; i++) {
		error = cu->module_load_data(&module, image);
		if (!error)
			error = cu->module_get_function(&function, module, "kernel");
	}
	return error;
}

static void module_copies_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const void *image = sample_module_sized(s, "fma", sample_number(s, "instructions"));

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "load-copies", load_copies(s, image, sample_number(s, "copies")));
	CU_TRY(s, "destroy", api->destroy(s));
}

const struct bench module_copies = {
	.name = "module-copies",
	.question = "What does one more copy of a small module cost, below what the meter shows?",
	.axes = { { .name = "copies",
		    .values = "1,64,128,256,512,640,768,896,1024,1536,2048,4096",
		    .quick_values = "1,256,1024" },
		  { .name = "instructions",
		    .values = "40,256,1024,4096",
		    .quick_values = "40,1024" } },
	.headline_step = "load-copies",
	.run = module_copies_run,
};
