/* SPDX-License-Identifier: MIT */
/* A trace as a person reads it: see analysis/trace_parts.h for how it is added up. */
#ifndef ANALYSIS_TRACE_SUMMARY_H
#define ANALYSIS_TRACE_SUMMARY_H

#include <stdbool.h>

#include "analysis/document.h"
#include "analysis/trace_rows.h"

#define TRACE_TOP_DEFAULT 10

/* `top`: how many rows of the tables that could be long. 0, -ENOMEM, or -EBADMSG where it does not
 * add up. */
int trace_summary(struct document *document, const struct trace_rows *rows, size_t top,
		  struct err *reterr);

/*
 * One line that says why a process, or all of the program, was not traced; false where there is no
 * such thing to say. The summary says it, too.
 */
bool trace_problem(const struct trace_rows *rows, struct err *ret_problem);

#endif
