/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

#include "base/array.h"

/* The time of an optimising compiler grows with the square of a straight line of code. */
#define OPTIMISED_INSTRUCTIONS_MAX 4096

static const struct {
	const char *word;
	enum cubin_form form;
} forms[] = {
	{ "fatbin", CUBIN_FORM_FATBIN },
	{ "fatbin-compressed", CUBIN_FORM_FATBIN_COMPRESSED },
	{ "ptx", CUBIN_FORM_PTX },
	{ "ptx-unoptimised", CUBIN_FORM_PTX },
};

static const void *chosen_image(struct sample *s)
{
	uint64_t instructions = sample_number(s, "kernel_instructions");

	for (size_t i = 0; i < ARRAY_COUNT(forms); i++)
		if (sample_word_is(s, "source", forms[i].word))
			return sample_module_form(s, "source", instructions, forms[i].form);
	return sample_module_sized(s, "source", instructions);
}

static int load(struct sample *s, CUmodule *module, const void *image)
{
	const struct driver *cu = sample_driver(s);
	CUjit_option option = CU_JIT_OPTIMIZATION_LEVEL;
	void *level = NULL;

	if (!sample_word_is(s, "source", "ptx-unoptimised"))
		return (int)cu->module_load_data(module, image);
	return (int)cu->module_load_data_ex(module, image, 1, &option, &level);
}

static void module_source_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	const void *image = chosen_image(s);
	CUmodule module;
	CUfunction function;

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "load", load(s, &module, image));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_STEP(s, "launch-1", sample_launch(s, function));
	CU_STEP(s, "launch-2", sample_launch(s, function));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "load-again", load(s, &module, image));
	CU_TRY(s, "get-again", cu->module_get_function(&function, module, "kernel"));
	CU_TRY(s, "unload-again", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

static bool module_source_wants(const struct bench *bench, const struct bench_point *point)
{
	return !bench_word_is(bench, point, "source", "ptx") ||
	       bench_number(bench, point, "kernel_instructions") <= OPTIMISED_INSTRUCTIONS_MAX;
}

/* What an earlier run has compiled must not stand in for compiling. */
static const struct bench_setting module_source_settings[] = {
	{ NULL, "CUDA_CACHE_DISABLE", "1" },
	{ 0 },
};

static uint64_t module_source_need_bytes(const struct bench *bench, const struct bench_point *point,
					 const struct device_info *device)
{
	(void)device;
	/* It is loaded twice, and code that was not optimised is longer. */
	return need_code(need_times(2, bench_number(bench, point, "kernel_instructions")), 2);
}

const struct bench module_source = {
	.name = "module-source",
	.question = "Does it matter to memory and time whether a kernel comes as a cubin, in a fat "
		    "binary, or as PTX?",
	.axes = { { .name = "kernel_instructions",
		    .module_family = "source",
		    .quick_values = "64" },
		  { .name = "source",
		    .kind = AXIS_WORD,
		    .values = "cubin,fatbin,fatbin-compressed,ptx,ptx-unoptimised" } },
	.no_law =
		"what an instruction costs is the question of module-code; here the kinds of image "
		"are compared at a few sizes",
	.headline_step = "load",
	.settings = module_source_settings,
	.wants = module_source_wants,
	.need_bytes = module_source_need_bytes,
	.run = module_source_run,
};
