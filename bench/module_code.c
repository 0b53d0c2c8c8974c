/* SPDX-License-Identifier: MIT */
#include "bench/loading.h"
#include "bench/module.h"

static void module_code_run(struct sample *s)
{
	module_run(s, sample_module_sized(s, "fma", sample_number(s, "instructions")));
}

const struct bench module_code = {
	.name = "module-code",
	.question = "How many bytes does an instruction of a kernel cost, which call loads it, and "
		    "does unloading give it back?",
	.axes = { { .name = "instructions", .module_family = "fma", .quick_count = 8 },
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
	.run = module_code_run,
};
