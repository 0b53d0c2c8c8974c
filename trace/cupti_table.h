/* SPDX-License-Identifier: MIT */
/*
 * CUPTI as a table of pointers, filled from trace/cupti.def. CUCTX_LIBCUPTI names another library
 * than those that are tried.
 */
#ifndef TRACE_CUPTI_TABLE_H
#define TRACE_CUPTI_TABLE_H

#include <cupti.h>

#include "base/err.h"

struct cupti {
#define CUPTI_CALL(field, symbol, need) __typeof__(symbol) *field;
#include "trace/cupti.def"
#undef CUPTI_CALL
};

/* -ENODEV when there is none. */
int cupti_load(struct cupti *cupti, struct err *reterr);

/* -EBUSY where another tool has subscribed, else -EIO; the text says what CUPTI answered. */
int cupti_check(const struct cupti *cupti, CUptiResult result, const char *what,
		struct err *reterr);

#endif
