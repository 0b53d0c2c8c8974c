/* SPDX-License-Identifier: MIT */
/* Rows as they are in a finished trace, with their bytes: tables of lines -> lines_read(). */
#ifndef TESTS_UNIT_TRACE_LINES_H
#define TESTS_UNIT_TRACE_LINES_H

#include "tests/unit/trace_plant.h"

#include "analysis/trace_facts.h"

/* Its contexts have 10 x 100 x 16 bytes of stack, and 500 of the tracer. */
static const struct trace_device small_device = { 0, "", 10, 100, 500 };
#define STACK_BYTES INT64_C(16000)
#define LIMIT       "16"

/* A row as it is in a finished trace; all of device 0. */
struct line {
	const char *process;
	const char *event;
	const char *kind;
	const char *call;
	const char *delta_bytes;
	const char *object;
	const char *requested_bytes;
	const char *module;
	const char *kernel;
	const char *local_bytes;
	const char *stack_limit_bytes;
	const char *cubin_bytes;
	const char *uses;
	const char *at_once;
	const char *error;
};

static inline void lines_read(const struct line *lines, size_t count, struct trace_rows *ret_rows)
{
	struct plant plant;

	plant_begin(&plant);
	for (size_t i = 0; i < count; i++) {
		const struct line *line = &lines[i];
		const struct plant_cells row = {
			{ [TRACE_COLUMN_time_ns] = "1",
			  [TRACE_COLUMN_device] = "0",
			  [TRACE_COLUMN_process] = line->process,
			  [TRACE_COLUMN_event] = line->event ? line->event : "call",
			  [TRACE_COLUMN_kind] = line->kind,
			  [TRACE_COLUMN_call] = line->call,
			  [TRACE_COLUMN_delta_bytes] = line->delta_bytes,
			  [TRACE_COLUMN_object] = line->object,
			  [TRACE_COLUMN_requested_bytes] = line->requested_bytes,
			  [TRACE_COLUMN_module] = line->module,
			  [TRACE_COLUMN_kernel] = line->kernel,
			  [TRACE_COLUMN_local_bytes] = line->local_bytes,
			  [TRACE_COLUMN_stack_limit_bytes] = line->stack_limit_bytes,
			  [TRACE_COLUMN_cubin_bytes] = line->cubin_bytes,
			  [TRACE_COLUMN_uses] = line->uses,
			  [TRACE_COLUMN_at_once] = line->at_once,
			  [TRACE_COLUMN_error] = line->error }
		};

		plant_row(&plant, &row);
	}
	plant_read(&plant, ret_rows);
}

#define CONTEXT(process_, bytes_)                                                             \
	{                                                                                     \
		.process = (process_), .kind = "context", .call = "cuDevicePrimaryCtxRetain", \
		.delta_bytes = (bytes_), .stack_limit_bytes = LIMIT                           \
	}
#define ALLOC(process_, object_, asked_, bytes_)                                          \
	{                                                                                 \
		.process = (process_), .kind = "allocation", .call = "cuMemAlloc_v2",     \
		.object = (object_), .requested_bytes = (asked_), .delta_bytes = (bytes_) \
	}
#define FREE(process_, object_, bytes_)                                              \
	{                                                                            \
		.process = (process_), .kind = "allocation", .call = "cuMemFree_v2", \
		.object = (object_), .delta_bytes = (bytes_)                         \
	}

#define LAUNCH(process_, kernel_, local_, bytes_)                                                \
	{                                                                                        \
		.process = (process_), .event = "launch", .kind = "launch", .kernel = (kernel_), \
		.local_bytes = (local_), .stack_limit_bytes = LIMIT, .delta_bytes = (bytes_)     \
	}

#define END(process_, bytes_)                                                                      \
	{                                                                                          \
		.process = (process_), .event = "between", .kind = "exit", .delta_bytes = (bytes_) \
	}

#endif
