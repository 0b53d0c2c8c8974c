/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Formatted aside: the arguments may contain the old text. `room` includes the final zero. */
static size_t format_text(struct err *err, size_t room, const char *format, va_list args)
{
	static const char ellipsis[] = "...";
	char text[sizeof err->text];
	int length = vsnprintf(text, room, format, args);

	if (length < 0)
		length = 0;
	if ((size_t)length >= room) {
		length = (int)room - 1;
		memcpy(text + room - sizeof ellipsis, ellipsis, sizeof ellipsis);
	}
	text[length] = '\0';
	memcpy(err->text, text, (size_t)length + 1);
	for (char *c = err->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '\x7f')
			*c = ' ';
	return (size_t)length;
}

int err_set(struct err *reterr, int error, const char *format, ...)
{
	va_list args;

	if (reterr) {
		va_start(args, format);
		format_text(reterr, sizeof reterr->text, format, args);
		va_end(args);
	}
	return -error;
}

int err_errno(struct err *reterr, int error, const char *format, ...)
{
	va_list args;
	char reason[128];
	int length;
	size_t used;

	if (reterr) {
		length = snprintf(reason, sizeof reason, ": %s", strerror(error));
		if (length < 0 || (size_t)length >= sizeof reason)
			length = sizeof reason - 1;
		/* A path too long for the text loses its end, not the reason. */
		va_start(args, format);
		used = format_text(reterr, sizeof reterr->text - (size_t)length, format, args);
		va_end(args);
		memcpy(reterr->text + used, reason, (size_t)length + 1);
	}
	return -error;
}
