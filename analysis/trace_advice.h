/* SPDX-License-Identifier: MIT */
/* What could be done about it, where the rows make that certain. */
#ifndef ANALYSIS_TRACE_ADVICE_H
#define ANALYSIS_TRACE_ADVICE_H

#include "analysis/document.h"
#include "analysis/trace_parts.h"

/* Adds a list, or nothing. `peak` and `end` are the parts at those moments. */
void trace_advise(struct document *document, const struct trace_rows *rows,
		  const struct trace_device *device, const struct trace_parts *peak,
		  const struct trace_parts *end);

#endif
