/* SPDX-License-Identifier: MIT */
#include "analysis/json.h"

#include <inttypes.h>

#include "analysis/utf8.h"

/* Adds the first character, and returns its bytes. What is no UTF-8 becomes U+FFFD. */
static size_t add_character(struct text *text, const char *string)
{
	unsigned char c = (unsigned char)string[0], next = (unsigned char)string[1];
	size_t length = utf8_length(string);

	if (c == '"' || c == '\\') {
		text_format(text, "\\%c", c);
	} else if (length) {
		text_add_bytes(text, string, length);
	} else if (c < 0x80) {
		text_format(text, "\\u%04x", c);
	} else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
		text_format(text, "\\u%04x", next);
		return 2;
	} else {
		text_add(text, "\\ufffd");
	}
	return length ? length : 1;
}

void json_string(struct text *text, const char *string)
{
	text_add(text, "\"");
	while (*string)
		string += add_character(text, string);
	text_add(text, "\"");
}

void json_name(struct text *text, const char *name, bool is_first)
{
	text_add(text, is_first ? "" : ",");
	json_string(text, name);
	text_add(text, ":");
}

void json_pair(struct text *text, const char *name, const char *string, bool is_first)
{
	json_name(text, name, is_first);
	json_string(text, string);
}

void json_optional(struct text *text, const char *name, const char *string)
{
	json_name(text, name, false);
	if (*string)
		json_string(text, string);
	else
		text_add(text, "null");
}

void json_number(struct text *text, const char *name, uint64_t number)
{
	json_name(text, name, false);
	text_format(text, "%" PRIu64, number);
}
