/* SPDX-License-Identifier: MIT */
#include "bench/loading.h"
#include "bench/module.h"

static void static_symbols_run(struct sample *s)
{
	module_run(s, sample_module_numbered(s, "static", sample_number(s, "symbol_bytes")));
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
		    .settings = loading_settings } },
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
