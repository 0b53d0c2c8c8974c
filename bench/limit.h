/* SPDX-License-Identifier: MIT */
/*
 * The steps that every benchmark of a limit shares: set and read back the limit, load a module,
 * find its kernel, set the limit to its default and back again while nothing has been launched,
 * launch twice, set the limit back to its default, launch again, unload, destroy. Each is a step of
 * its own, so that the rows show which of them takes the memory, which gives it back, and from when
 * on the limit can no more be set.
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

/*
 * Between load and launch. "granted_bytes" are read after each call: refused, it leaves them as
 * they were; granted, they follow it. At the end the limit is what it was for the load.
 */
static inline bool limit_set_loaded(struct sample *s, const struct limit_question *q,
				    size_t default_bytes)
{
	const struct context_api *api = sample_api(s);

	CU_STEP(s, "set-loaded", api->set_limit(s, q->limit, default_bytes));
	if (!CU_STEP(s, "get-loaded", sample_get_limit(s, q->limit, "granted_bytes", NULL)))
		return false;
	CU_STEP(s, "set-loaded-again", api->set_limit(s, q->limit, q->limit_bytes));
	return CU_STEP(s, "get-loaded-again", sample_get_limit(s, q->limit, "granted_bytes", NULL));
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
	if (!limit_set_loaded(s, q, default_bytes))
		return;
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
