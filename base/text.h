/* SPDX-License-Identifier: MIT */
/*
 * Text that grows: text_add()/text_format() as often as needed, then text_take().
 *
 * Adding fails only for lack of memory, which is kept in `failed` and reported once by text_take().
 * A zeroed struct is an empty text.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct text {
	char *bytes; /* ends in a zero byte; NULL while empty */
	size_t used; /* without the zero */
	size_t size;
	bool failed;
};

void text_add(struct text *text, const char *more);
void text_add_bytes(struct text *text, const char *more, size_t count);
void text_fill(struct text *text, char c, size_t count);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text so far; never NULL. Valid until the next addition. */
const char *text_peek(const struct text *text);

/* Hands the bytes over (to be freed with free()) and empties the text. Returns 0 or -ENOMEM. */
int text_take(struct text *text, char **ret_bytes, struct err *reterr);

void text_free(struct text *text);

#endif
