/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

/* Loads one copy and finds its kernel, which also loads its code where that waits. */
static CUresult load_copy(struct sample *s, const void *image)
{
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;
	CUresult error = cu->module_load_data(&module, image);

	return error ? error : cu->module_get_function(&function, module, "kernel");
}

static CUresult load_all(struct sample *s, const void *image, uint64_t copies)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < copies && !error; i++)
		error = load_copy(s, image);
	return error;
}

/* Loads further copies until there are so many or the meter has moved: the last copy moved it. */
static CUresult load_to_edge(struct sample *s, const void *image, uint64_t copies, uint64_t *loaded)
{
	const struct driver *cu = sample_driver(s);
	size_t before_bytes, free_bytes, total_bytes;
	CUresult error = cu->mem_get_info(&before_bytes, &total_bytes);

	free_bytes = before_bytes;
	while (!error && *loaded < copies && free_bytes == before_bytes) {
		error = load_copy(s, image);
		*loaded += !error;
		if (!error)
			error = cu->mem_get_info(&free_bytes, &total_bytes);
	}
	sample_read(s, "loaded_copies", *loaded);
	return error;
}

static void module_copies_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	uint64_t instructions = sample_number(s, "kernel_instructions");
	const void *image = sample_module_sized(s, "copy", instructions);
	uint64_t copies = sample_number(s, "copies"), loaded = 0;

	sample_read(s, "text_bytes", sample_module_sized_text_bytes(s, "copy", instructions));
	CU_TRY(s, "create", api->create(s));
	if (sample_word_is(s, "steps", "one"))
		CU_TRY(s, "load-copies", load_all(s, image, copies));
	else
		while (loaded < copies)
			CU_TRY(s, "load-to-edge", load_to_edge(s, image, copies, &loaded));
	CU_TRY(s, "destroy", api->destroy(s));
}

static uint64_t module_copies_need_bytes(const struct bench *bench, const struct bench_point *point,
					 const struct device_info *device)
{
	(void)device;
	return need_code(bench_number(bench, point, "kernel_instructions"),
			 bench_number(bench, point, "copies"));
}

/* Of a copy, whose cost is far below the granule: the copies at which the meter moves tell it. */
#define COPY_LAW(instructions)                                              \
	{                                                                   \
		.component = "copy-" instructions, .axis = "loaded_copies", \
		.step = "load-to-edge", .is_total = true, .is_edge = true,  \
		.where = "steps=edges,kernel_instructions=" instructions    \
	}

const struct bench module_copies = {
	.name = "module-copies",
	.question = "What does one more copy of a small module cost, below what the meter shows?",
	.axes = { { .name = "copies", .values = "4K", .quick_values = "1K" },
		  { .name = "kernel_instructions",
		    .module_family = "copy",
		    .quick_values = "40,4K" },
		  { .name = "steps", .kind = AXIS_WORD, .values = "one,edges" } },
	.readings = { { "text_bytes" }, { "loaded_copies" } },
	.laws = { COPY_LAW("40"),
		  COPY_LAW("256"),
		  COPY_LAW("1024"),
		  COPY_LAW("4096"),
		  { .component = "slot",
		    .axis = "text_bytes",
		    .copies = "loaded_copies",
		    .step = "load-to-edge",
		    .where = "steps=edges" },
		  { .component = "text",
		    .axis = "kernel_instructions",
		    .step = "create",
		    .reading = "text_bytes" } },
	.headline_step = "load-copies",
	.need_bytes = module_copies_need_bytes,
	.run = module_copies_run,
};
