/* SPDX-License-Identifier: MIT */
/*
 * The steps that every benchmark of one module with one kernel shares, from the context's creation
 * to its end. Each is a step of its own, so that the rows show which of them takes the memory and
 * which gives it back.
 */
#ifndef BENCH_MODULE_H
#define BENCH_MODULE_H

#include "harness/bench.h"

/* Whether it has come to its end. */
static inline bool module_run(struct sample *s, const void *image)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;

	if (!CU_STEP(s, "create", api->create(s)) ||
	    !CU_STEP(s, "load", cu->module_load_data(&module, image)) ||
	    !CU_STEP(s, "get-function", cu->module_get_function(&function, module, "kernel")))
		return false;
	CU_STEP(s, "launch-1", sample_launch(s, function));
	CU_STEP(s, "launch-2", sample_launch(s, function));
	return CU_STEP(s, "unload", cu->module_unload(module)) &&
	       CU_STEP(s, "destroy", api->destroy(s));
}

#endif
