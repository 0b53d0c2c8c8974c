/* SPDX-License-Identifier: MIT */
/*
 * From what traced processes have written, each for itself, to a trace: rows in order of time since
 * the start, names as people know them, and device memory accounted for.
 *
 * All readings of a device, in order of time, cut it into intervals. What changes in one belongs to
 * the call that was in flight then. Where none or several were, it becomes a row of its own
 * (`between`), so that delta_bytes of a device adds up, whatever threads and processes do:
 * used_bytes of its row `end` less that of its row `start`.
 */
#ifndef ANALYSIS_TRACE_FINISH_H
#define ANALYSIS_TRACE_FINISH_H

#include "analysis/trace_rows.h"
#include "base/csv.h"
#include "base/err.h"

/* Gives the name as a person writes it, to be freed; NULL for lack of memory. */
struct trace_names {
	char *(*demangle)(void *data, const char *name);
	void *data;
};

/* `out` is an empty row buffer; it gets header and rows. */
int trace_finish(const struct trace_rows *rows, const struct trace_names *names,
		 struct csv_row *out, struct err *reterr);

#endif
