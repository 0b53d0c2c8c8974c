/* SPDX-License-Identifier: MIT */
/*
 * To which call each change of a device's memory belongs: see analysis/trace_finish.h.
 * trace_intervals_find() -> the arrays -> trace_intervals_free(), also after a failure.
 */
#ifndef ANALYSIS_TRACE_INTERVALS_H
#define ANALYSIS_TRACE_INTERVALS_H

#include "analysis/trace_rows.h"

struct trace_delta {
	bool is_measured; /* the row has readings before and after */
	int64_t bytes;
};

/* What moved while no call was in flight, or several were. */
struct trace_gap {
	int64_t time_ns; /* of the reading behind it, less one, so that it comes before that row */
	int64_t device;
	int64_t before_bytes;
	int64_t used_bytes;
	size_t call_count; /* in flight, and processes that had ended */
	int64_t process;   /* whose memory came back when it ended; 0: not known */
	const char *kind;  /* of all calls in flight, "exit" for a process that has ended, or "" */
	char *note;        /* names of the calls, or NULL; owned */
};

struct trace_intervals {
	struct trace_delta *deltas; /* one for each row; owned */
	struct trace_gap *gaps;     /* owned */
	size_t gap_count;
};

/* 0 or -ENOMEM. */
int trace_intervals_find(struct trace_intervals *intervals, const struct trace_rows *rows);
void trace_intervals_free(struct trace_intervals *intervals);

#endif
