/* SPDX-License-Identifier: MIT */
#include "analysis/utf8.h"

#include "base/array.h"
#include "base/text.h"

/*
 * The well-formed sequences (Unicode, table 3-7) less control characters: other readers refuse all
 * else, longer forms of a character and halves of pairs among them.
 */
static const struct {
	unsigned char lead_min, lead_max;
	unsigned char second_min, second_max;
	size_t length;
} forms[] = {
	{ 0x20, 0x7e, 0x00, 0xff, 1 }, { 0xc2, 0xc2, 0xa0, 0xbf, 2 }, { 0xc3, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

size_t utf8_length(const char *bytes)
{
	const unsigned char *text = (const unsigned char *)bytes;
	size_t i = 0;

	while (i < ARRAY_COUNT(forms) && (*text < forms[i].lead_min || *text > forms[i].lead_max))
		i++;
	if (i == ARRAY_COUNT(forms))
		return 0;
	if (forms[i].length > 1 && (text[1] < forms[i].second_min || text[1] > forms[i].second_max))
		return 0;
	for (size_t k = 2; k < forms[i].length; k++)
		if ((text[k] & 0xc0) != 0x80)
			return 0;
	return forms[i].length;
}

char *utf8_clean(const char *text)
{
	struct text copy = { 0 };
	char *bytes;

	while (*text) {
		size_t length = utf8_length(text);

		text_add_bytes(&copy, length ? text : "?", length ? length : 1);
		text += length ? length : 1;
	}
	return text_take(&copy, &bytes, NULL) < 0 ? NULL : bytes;
}
