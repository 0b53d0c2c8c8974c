/* SPDX-License-Identifier: MIT */
/* The different texts of some cells, listed as a person would: "0, 1, 16", "0 ... 4096 (13
 * values)". */
#ifndef ANALYSIS_VALUES_H
#define ANALYSIS_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define VALUES_SHOWN_MAX 6

/* A zeroed struct has none. */
struct values {
	const char **items; /* owned; the texts are the caller's */
	size_t count;
};

/* Adds the text unless it is there. Returns 0 or -ENOMEM. */
int values_add(struct values *values, const char *text);
void values_free(struct values *values);

/* Of two `const char *`, for qsort(): integers by size. */
int values_compare(const void *a, const void *b);

/* Puts them in this order. */
void values_sort(struct values *values);

/* Of two that are in order. */
bool values_equal(const struct values *a, const struct values *b);

void values_list(const struct values *values, struct text *ret_text);

#endif
