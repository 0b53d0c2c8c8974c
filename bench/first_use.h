/* SPDX-License-Identifier: MIT */
/* The first use of a module: loading it, finding its kernel, launching that. */
#ifndef BENCH_FIRST_USE_H
#define BENCH_FIRST_USE_H

#include "harness/bench.h"

/* How far it has got, which is also the number of calls that succeeded; none of them is made again.
 */
enum first_use_stage {
	FIRST_USE_NONE,
	FIRST_USE_LOADED,
	FIRST_USE_FOUND,
	FIRST_USE_RUN,
};

struct first_use {
	const void *image;
	CUmodule module;
	CUfunction function;
	enum first_use_stage stage;
	int error; /* of the last try */
};

static inline int first_use_next_call(struct sample *s, struct first_use *use)
{
	const struct driver *cu = sample_driver(s);

	switch (use->stage) {
	case FIRST_USE_NONE:
		return (int)cu->module_load_data(&use->module, use->image);
	case FIRST_USE_LOADED:
		return (int)cu->module_get_function(&use->function, use->module, "kernel");
	case FIRST_USE_FOUND:
	case FIRST_USE_RUN:
		break;
	}
	return sample_launch(s, use->function);
}

/* Goes on where it was refused. */
static inline int first_use_reach(struct sample *s, struct first_use *use,
				  enum first_use_stage stage)
{
	use->error = 0;
	while (!use->error && use->stage < stage) {
		use->error = first_use_next_call(s, use);
		use->stage += !use->error;
	}
	return use->error;
}

/* Launches once more, or for the first time where it has not come to that. */
static inline int first_use_again(struct sample *s, struct first_use *use)
{
	if (use->stage == FIRST_USE_RUN)
		use->stage = FIRST_USE_FOUND;
	return first_use_reach(s, use, FIRST_USE_RUN);
}

static inline int first_use_unload(struct sample *s, struct first_use *use)
{
	CUmodule module = use->module;
	bool is_loaded = use->stage >= FIRST_USE_LOADED;

	*use = (struct first_use){ .image = use->image };
	return is_loaded ? (int)sample_driver(s)->module_unload(module) : 0;
}

#endif
