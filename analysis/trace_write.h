/* SPDX-License-Identifier: MIT */
/* Rows of a trace that no traced process writes: what is known of it, and readings from outside. */
#ifndef ANALYSIS_TRACE_WRITE_H
#define ANALYSIS_TRACE_WRITE_H

#include <stdint.h>

#include "base/csv.h"

#define TRACE_NO_NUMBER (-1)

void trace_write_header(struct csv_row *out);

/* `device` is TRACE_NO_NUMBER for what is so of all of it. */
void trace_write_fact(struct csv_row *out, int64_t time_ns, int64_t device, const char *name,
		      const char *value);

/* `event` is "start" or "end". */
void trace_write_reading(struct csv_row *out, int64_t time_ns, int64_t device, const char *event,
			 int64_t used_bytes);

#endif
