/* SPDX-License-Identifier: MIT */
/*
 * Launches. Most of them have been seen before, and finding that out is all that a program pays:
 * trace_launch_is_known() compares with what the thread launched last, then looks into a set.
 *
 * The first launch of a kernel loads its code, where that was not done at the module's load, and
 * makes room for what it needs to run. So that the two are told apart, the code is loaded ahead of
 * the launch, and measured (trace_launch_load()).
 */
#ifndef TRACE_LAUNCH_H
#define TRACE_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/driver.h"
#include "trace/call.h"

/* What is launched, for the first time in this context or for the first time since code went away.
 */
struct trace_launch {
	uint64_t handle; /* function, kernel or executable graph */
	uint64_t key;    /* of it in its context, for this call */
	bool is_new;     /* no row tells of it yet */
};

/* Whether it need not be measured. Otherwise *ret_launch says what it is. */
bool trace_launch_is_known(const struct trace_call *call, const void *parameters, uint64_t context,
			   struct trace_launch *ret_launch);

/* Functions may be gone, and others come by the same handles. */
void trace_launch_forget(void);

/* Streams that are being captured only collect launches; none counts as the first one then. */
void trace_launch_capture(int more_or_less);

struct trace_kernel {
	CUfunction function; /* NULL: the handle is none of a function */
	bool has_local;
	uint64_t local_bytes;
	uint64_t stack_limit_bytes; /* 0: not known */
};

/*
 * Finds the function and loads it, unless it is loaded, the driver cannot do that apart, or there
 * is so little memory that the program itself should be told. Returns whether it did.
 */
bool trace_launch_load(const struct driver *driver, uint64_t handle,
		       struct trace_kernel *ret_kernel);
void trace_launch_describe(const struct driver *driver, struct trace_kernel *kernel);

#endif
