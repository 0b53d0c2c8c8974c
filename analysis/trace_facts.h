/* SPDX-License-Identifier: MIT */
/* What a trace says of itself and of its devices, and the moments that are looked at. */
#ifndef ANALYSIS_TRACE_FACTS_H
#define ANALYSIS_TRACE_FACTS_H

#include "analysis/trace_rows.h"

/* What the facts of the trace say of a device; TRACE_UNKNOWN where they do not. */
#define TRACE_UNKNOWN (-1)
struct trace_device {
	int64_t index;
	const char *gpu_name; /* "" */
	int64_t sm_count;
	int64_t max_threads_per_sm;
	int64_t own_context_bytes; /* what the tracer takes in each context */
};

/* A fact of the whole trace by name; "" where there is none. */
const char *trace_fact(const struct trace_rows *rows, const char *name);

/* Devices in the order of their first rows. Returns how many, at most `max`. */
size_t trace_devices(const struct trace_rows *rows, struct trace_device *ret_devices, size_t max);

/* delta_bytes of a row of this device; false where it has none. */
bool trace_delta_of(const struct trace_rows *rows, size_t row, const struct trace_device *device,
		    int64_t *ret_bytes);

/* The row at whose end the device had lost most, and the last one before processes gave theirs
 * back. */
size_t trace_peak_row(const struct trace_rows *rows, const struct trace_device *device);
size_t trace_end_row(const struct trace_rows *rows, const struct trace_device *device);

#endif
