/* SPDX-License-Identifier: MIT */
/*
 * Rows of trace.csv as the traced processes write them: each by one write() to a file that is
 * opened to append, so that rows of many processes do not mix and none is lost when a process dies.
 * Times are those of the monotonic clock, names as the compiler made them; delta_bytes and at_once
 * are left to analysis, which sees all rows at once.
 *
 * trace_record_open() once -> trace_record_write() from any thread. Nothing here fails loudly: a
 * program must not end because its trace cannot be written.
 */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Texts may be NULL, numbers that were not taken 0 or, where 0 is a number, said by a flag. */
struct trace_row {
	uint64_t time_ns;
	int device; /* TRACE_NO_DEVICE: none */
	const char *event;
	const char *call;
	const char *kind;
	const char *module;
	const char *kernel;
	uint64_t object;         /* handle or address; 0: none … */
	const char *object_name; /* … or its name */
	bool has_requested;
	uint64_t requested_bytes;
	bool has_used;
	uint64_t used_before_bytes;
	uint64_t used_bytes;
	uint64_t host_before_bytes;
	uint64_t host_rss_bytes;
	bool has_elapsed;
	uint64_t elapsed_ns;
	const char *error;
	bool has_local;
	uint64_t local_bytes;
	uint64_t stack_limit_bytes;
	uint64_t cubin_bytes;
	const char *uses;
	const char *note;
};

/* The file exists already. -errno where it cannot be opened. */
int trace_record_open(const char *path, struct err *reterr);
void trace_record_write(const struct trace_row *row);

#endif
