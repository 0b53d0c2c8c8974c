/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_UTF8_H
#define ANALYSIS_UTF8_H

#include <stddef.h>

/* Bytes of the UTF-8 character at `text`, 0 when there is none (or one that moves a cursor). */
size_t utf8_length(const char *text);

/* A copy with '?' for what is none, to be freed. NULL: no memory. */
char *utf8_clean(const char *text);

#endif
