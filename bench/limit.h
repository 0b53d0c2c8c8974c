/* SPDX-License-Identifier: MIT */
/*
 * The steps that every benchmark of a limit shares: set and read back the limit, load a module,
 * find its kernel, launch it twice, set the limit back to its default, launch again, unload,
 * destroy. Each is a step of its own, so that the rows show which of them takes the memory and
 * which gives it back.
 */
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

#include "harness/bench.h"

struct limit_question {
	CUlimit limit;
	uint64_t limit_bytes;
	const char *module;
};

/* The runtime's calls go the driver's way; once, where most happens, is enough to see that. */
static inline bool limit_wants(const struct bench *bench, const struct bench_point *point)
{
	return bench_word_is(bench, point, "api", "driver") ||
	       bench_word_is(bench, point, "module", "called");
}

/* The context exists, and "default_bytes" was read into `default_bytes`. */
static inline void limit_steps(struct sample *s, const struct limit_question *q,
			       size_t default_bytes)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;

	CU_STEP(s, "set", api->set_limit(s, q->limit, q->limit_bytes));
	CU_TRY(s, "get", sample_get_limit(s, q->limit, "granted_bytes", NULL));
	CU_TRY(s, "load", cu->module_load_data(&module, sample_module(s, q->module)));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_STEP(s, "launch-1", sample_launch(s, function));
	CU_STEP(s, "launch-2", sample_launch(s, function));
	CU_STEP(s, "restore", api->set_limit(s, q->limit, default_bytes));
	CU_STEP(s, "launch-restored", sample_launch(s, function));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

/* Creates the context, reads the default and goes through the steps. */
static inline void limit_run(struct sample *s, const struct limit_question *q)
{
	size_t default_bytes;

	CU_TRY(s, "create", sample_api(s)->create(s));
	CU_TRY(s, "get-default", sample_get_limit(s, q->limit, "default_bytes", &default_bytes));
	limit_steps(s, q, default_bytes);
}

#endif
