/* SPDX-License-Identifier: MIT */
/*
 * The parts of a JSON document (RFC 8259). Strings may hold anything: control characters are
 * escaped, also those that move a cursor, and what is no UTF-8 becomes U+FFFD.
 */
#ifndef ANALYSIS_JSON_H
#define ANALYSIS_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

void json_string(struct text *text, const char *string);
/* "name": behind a comma unless it is the first of its object. */
void json_name(struct text *text, const char *name, bool is_first);
void json_pair(struct text *text, const char *name, const char *string, bool is_first);
/* An empty string is null; not the first of its object. */
void json_optional(struct text *text, const char *name, const char *string);
/* Not the first of its object. */
void json_number(struct text *text, const char *name, uint64_t number);

#endif
