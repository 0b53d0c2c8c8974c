/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "tests/unit/fail_memory.h"

static void an_empty_text_is_a_text(void **state)
{
	struct text text = { 0 };
	char *bytes;

	(void)state;
	assert_string_equal(text_peek(&text), "");
	assert_int_equal(text_take(&text, &bytes, NULL), 0);
	assert_string_equal(bytes, "");
	free(bytes);
	text_free(&text);
}

static void pieces_come_out_in_order(void **state)
{
	struct text text = { 0 };
	char *bytes;

	(void)state;
	text_add(&text, "a");
	text_add_bytes(&text, "bcd", 2);
	text_fill(&text, '-', 3);
	text_fill(&text, '!', 0);
	text_format(&text, "%d%%", 50);
	assert_string_equal(text_peek(&text), "abc---50%");
	assert_int_equal(text_take(&text, &bytes, NULL), 0);
	assert_string_equal(bytes, "abc---50%");
	assert_string_equal(text_peek(&text), "");
	free(bytes);
}

/* Every way of adding, at every distance from the end of the room. */
static void growth_loses_nothing(void **state)
{
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 200; i++) {
		struct text text = { 0 };
		size_t expected = 0;

		while (expected < 5000) {
			size_t count = dice_below(&dice, 40);
			static const char piece[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

			switch (dice_below(&dice, 3)) {
			case 0:
				text_add_bytes(&text, piece, count);
				break;
			case 1:
				text_fill(&text, 'x', count);
				break;
			default:
				text_format(&text, "%.*s", (int)count, piece);
			}
			expected += count;
			assert_int_equal(strlen(text_peek(&text)), expected);
		}
		assert_int_equal(strspn(text_peek(&text), "x"), expected);
		text_free(&text);
	}
}

static void each_lack_of_memory_is_reported(void **state)
{
	unsigned int call = 0;
	bool failed;

	(void)state;
	do {
		struct text text = { 0 };
		char *bytes = NULL;
		int r;

		fail_memory_at(++call);
		text_fill(&text, 'x', 2000);
		text_add(&text, "y");
		text_format(&text, "%5000d", 1);
		r = text_take(&text, &bytes, NULL);
		failed = fail_memory_end();
		assert_int_equal(r, failed ? -ENOMEM : 0);
		if (!failed)
			assert_int_equal(strlen(bytes), 7001);
		free(bytes);
	} while (failed);
	assert_true(call > 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_text_is_a_text),
		cmocka_unit_test(pieces_come_out_in_order),
		cmocka_unit_test(growth_loses_nothing),
		cmocka_unit_test(each_lack_of_memory_is_reported),
	};

	return cmocka_run_group_tests_name("base/text", tests, NULL, NULL);
}
