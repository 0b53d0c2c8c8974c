/* SPDX-License-Identifier: MIT */
/*
 * Axis values as text. A comma-separated list of items; an item of a number axis is
 *   a size (base/size.h)           512   64K   1.5M
 *   start:stop:step                0:64:16      0,16,32,48,64 (the stop is included when hit)
 *   start:stop:*factor             1K:16K:*2    1K,2K,4K,8K,16K
 * and an item of a word axis is one of the axis's words, or any of letters, digits, '+', '-' and
 * '.' where the axis is open. Doubles are dropped, the order is kept.
 */
#ifndef HARNESS_AXIS_H
#define HARNESS_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct axis_numbers {
	uint64_t *values; /* owned */
	size_t count;
};

#define AXIS_VALUES_MAX 10000

/* Appends nothing on failure: -EINVAL with the item at fault. `axis` is for the message. */
int axis_numbers_parse(struct axis_numbers *numbers, const char *text, const char *axis,
		       struct err *reterr);
void axis_numbers_free(struct axis_numbers *numbers);

/* 0 unless memory runs out; a value that is there already is not added again. */
int axis_numbers_add(struct axis_numbers *numbers, uint64_t value);

struct axis_words {
	char **words; /* owned */
	size_t count;
};

/* `allowed`: the axis's words, comma-separated; NULL: any. */
int axis_words_parse(struct axis_words *words, const char *text, const char *allowed,
		     const char *axis, struct err *reterr);
/* Whether axis_words_parse() would take it. */
bool axis_takes_word(const char *allowed, const char *word);
void axis_words_free(struct axis_words *words);

#endif
