/* SPDX-License-Identifier: MIT */
/*
 * The steps that every benchmark of one module with one kernel shares, from the context's creation
 * to its end. Each is a step of its own, so that the rows show which of them takes the memory and
 * which gives it back.
 */
#ifndef BENCH_MODULE_H
#define BENCH_MODULE_H

#include "harness/bench.h"

static inline void module_run(struct sample *s, const void *image)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
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

#endif
