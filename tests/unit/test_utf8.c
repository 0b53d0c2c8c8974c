/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include "analysis/utf8.h"
#include "base/array.h"

static const struct {
	const char *bytes;
	size_t length;
} cases[] = {
	{ "a", 1 },
	{ "~", 1 },
	{ "\xc2\xa0", 2 },
	{ "\xdf\xbf", 2 },
	{ "\xe0\xa0\x80", 3 },
	{ "\xed\x9f\xbf", 3 },
	{ "\xef\xbf\xbf", 3 },
	{ "\xf0\x90\x80\x80", 4 },
	{ "\xf4\x8f\xbf\xbf", 4 },
	/* control characters */
	{ "\x1b", 0 },
	{ "\x7f", 0 },
	{ "\xc2\x9b", 0 },
	/* longer forms of '<', of a slash and of U+FFFF */
	{ "\xc0\xbc", 0 },
	{ "\xe0\x80\xaf", 0 },
	{ "\xf0\x8f\xbf\xbf", 0 },
	/* half a pair, and what is above the last character */
	{ "\xed\xa0\x80", 0 },
	{ "\xf4\x90\x80\x80", 0 },
	{ "\xf5\x80\x80\x80", 0 },
	/* ends too early, or begins in the middle */
	{ "\xc3", 0 },
	{ "\xe2\x82", 0 },
	{ "\xf0\x9f\x98", 0 },
	{ "\x80", 0 },
	{ "\xff", 0 },
	{ "", 0 },
};

static void only_characters_of_text_are_taken(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
		if (utf8_length(cases[i].bytes) != cases[i].length)
			fail_msg("case %zu: %zu bytes", i, utf8_length(cases[i].bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_characters_of_text_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
