/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void format_text(struct err *err, const char *format, va_list args)
{
	if (vsnprintf(err->text, sizeof err->text, format, args) < 0)
		err->text[0] = '\0';
	for (char *c = err->text; *c; c++)
		if (*c == '\n' || *c == '\r')
			*c = ' ';
}

int err_set(struct err *reterr, int error, const char *format, ...)
{
	va_list args;

	if (reterr) {
		va_start(args, format);
		format_text(reterr, format, args);
		va_end(args);
	}
	return -error;
}

int err_errno(struct err *reterr, int error, const char *format, ...)
{
	va_list args;
	size_t used;

	if (reterr) {
		va_start(args, format);
		format_text(reterr, format, args);
		va_end(args);
		used = strlen(reterr->text);
		snprintf(reterr->text + used, sizeof reterr->text - used, ": %s", strerror(error));
	}
	return -error;
}
