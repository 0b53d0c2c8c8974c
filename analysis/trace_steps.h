/* SPDX-License-Identifier: MIT */
/* Rows that moved most, and what to call them. */
#ifndef ANALYSIS_TRACE_STEPS_H
#define ANALYSIS_TRACE_STEPS_H

#include "analysis/trace_parts.h"
#include "base/text.h"

#define TRACE_STEPS_MAX 100

/* Rows whose delta_bytes are largest, either way, the largest first; at most `count`, and
 * TRACE_STEPS_MAX. */
size_t trace_largest_steps(const struct trace_rows *rows, const struct trace_device *device,
			   size_t count, size_t ret_rows[TRACE_STEPS_MAX]);

/* "cuMemAlloc_v2, 100 B asked for", "first launch of frame(int*)". */
void trace_step_name(const struct trace_rows *rows, size_t row, struct text *ret_name);

/*
 * What plots/trace.gp draws, as CSV: a row for each change of a device's memory, with what it is
 * called where it is among the largest. 0 or -ENOMEM.
 */
int trace_steps_put(const struct trace_rows *rows, size_t named_count, struct csv_row *out);

#endif
