/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests build with a tiny first buffer, so that growth runs. */
#ifndef TEXT_FIRST_BYTES
#define TEXT_FIRST_BYTES 1024
#endif

/* Room for `more` bytes and the zero behind them. */
static bool reserve(struct text *text, size_t more)
{
	size_t size = text->size ? text->size : TEXT_FIRST_BYTES;
	char *bytes;

	while (size - text->used <= more)
		size *= 2;
	if (text->bytes && size == text->size)
		return true;
	bytes = realloc(text->bytes, size);
	if (!bytes) {
		text->failed = true;
		return false;
	}
	text->bytes = bytes;
	text->size = size;
	return true;
}

void text_add_bytes(struct text *text, const char *more, size_t count)
{
	if (!reserve(text, count))
		return;
	if (count)
		memcpy(text->bytes + text->used, more, count);
	text->used += count;
	text->bytes[text->used] = '\0';
}

void text_add(struct text *text, const char *more)
{
	text_add_bytes(text, more, strlen(more));
}

void text_fill(struct text *text, char c, size_t count)
{
	if (!reserve(text, count))
		return;
	memset(text->bytes + text->used, c, count);
	text->used += count;
	text->bytes[text->used] = '\0';
}

void text_format(struct text *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0 || !reserve(text, (size_t)length)) {
		text->failed = true;
		return;
	}
	va_start(args, format);
	vsnprintf(text->bytes + text->used, (size_t)length + 1, format, args);
	va_end(args);
	text->used += (size_t)length;
}

const char *text_peek(const struct text *text)
{
	return text->bytes ? text->bytes : "";
}

int text_take(struct text *text, char **ret_bytes, struct err *reterr)
{
	if (!text->failed && !text->bytes)
		text_add(text, "");
	if (text->failed) {
		text_free(text);
		return err_errno(reterr, ENOMEM, "text");
	}
	*ret_bytes = text->bytes;
	*text = (struct text){ 0 };
	return 0;
}

void text_free(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}
