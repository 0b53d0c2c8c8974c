/* SPDX-License-Identifier: MIT */
#include "analysis/utf8.h"

#include "base/array.h"

size_t utf8_length(const char *bytes)
{
	const unsigned char *text = (const unsigned char *)bytes;
	static const struct {
		unsigned char mask, lead;
		size_t length;
	} leads[] = { { 0x80, 0x00, 1 }, { 0xe0, 0xc0, 2 }, { 0xf0, 0xe0, 3 }, { 0xf8, 0xf0, 4 } };

	if (*text < 0x20 || *text == 0x7f || (text[0] == 0xc2 && text[1] < 0xa0))
		return 0;
	for (size_t i = 0; i < ARRAY_COUNT(leads); i++) {
		if ((*text & leads[i].mask) != leads[i].lead)
			continue;
		for (size_t k = 1; k < leads[i].length; k++)
			if ((text[k] & 0xc0) != 0x80)
				return 0;
		return leads[i].length;
	}
	return 0;
}
