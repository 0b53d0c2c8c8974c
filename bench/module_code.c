/* SPDX-License-Identifier: MIT */
#include "bench/loading.h"
#include "bench/need.h"
#include "bench/module.h"

static void module_code_run(struct sample *s)
{
	module_run(s, sample_module_sized(s, "fma", sample_number(s, "instructions")));
}

static uint64_t module_code_need_bytes(const struct bench *bench, const struct bench_point *point,
				       const struct device_info *device)
{
	(void)device;
	return need_code(bench_number(bench, point, "instructions"), 1);
}

const struct bench module_code = {
	.name = "module-code",
	.question = "How many bytes does an instruction of a kernel cost, which call loads it, and "
		    "does unloading give it back?",
	.axes = { { .name = "instructions",
		    .module_family = "fma",
		    /* Around the edges of the first and the fourth granule: without those, an
		     * instruction could be of any size between 16 and 21 bytes. */
		    .quick_values = "40,1K,16K,32K,129536,128K,256K,524032,2M" },
		  { .name = "loading",
		    .kind = AXIS_WORD,
		    .values = "lazy,eager",
		    .settings = loading_settings } },
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
	.need_bytes = module_code_need_bytes,
	.run = module_code_run,
};
