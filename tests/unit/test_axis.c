/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "harness/axis.h"

/* What the expression that is being made up stands for, by another way than the parser's. */
struct expected {
	uint64_t values[2000];
	size_t count;
};

static void note_value(struct expected *expected, uint64_t value)
{
	for (size_t i = 0; i < expected->count; i++)
		if (expected->values[i] == value)
			return;
	assert_true(expected->count < ARRAY_COUNT(expected->values));
	expected->values[expected->count++] = value;
}

/* A number as one of the ways to write it: with the largest suffix that leaves no rest, or plain.
 */
static void write_number(struct text *text, struct dice *dice, uint64_t value)
{
	static const char *const suffixes[] = { "", "K", "M", "G" };
	static const char *const endings[] = { "", "B", "iB" };
	size_t power = 0;

	while (power < 3 && value && value % 1024 == 0 && dice_below(dice, 4)) {
		value /= 1024;
		power++;
	}
	text_format(text, "%" PRIu64 "%s%s", value, suffixes[power],
		    power ? endings[dice_below(dice, ARRAY_COUNT(endings))] : "");
}

static void make_number(struct text *text, struct dice *dice, struct expected *expected)
{
	uint64_t value = dice_any(dice);

	write_number(text, dice, value);
	note_value(expected, value);
}

/* By its count: start + i * step, with a stop that is hit or not. */
static void make_steps(struct text *text, struct dice *dice, struct expected *expected)
{
	uint64_t start = dice_below(dice, 1 << 20), step = 1 + dice_below(dice, 1 << 12);
	uint64_t count = 1 + dice_below(dice, 40);

	write_number(text, dice, start);
	text_add(text, ":");
	write_number(text, dice, start + (count - 1) * step + dice_below(dice, step));
	text_add(text, ":");
	write_number(text, dice, step);
	for (uint64_t i = 0; i < count; i++)
		note_value(expected, start + i * step);
}

static void make_factors(struct text *text, struct dice *dice, struct expected *expected)
{
	uint64_t start = 1 + dice_below(dice, 1000), factor = 2 + dice_below(dice, 9);
	uint64_t count = 1 + dice_below(dice, 12), last = start;

	for (uint64_t i = 0; i < count; i++, last *= factor)
		note_value(expected, last);
	write_number(text, dice, start);
	text_add(text, ":");
	/* `last` is the first value beyond the range. */
	write_number(text, dice, last - 1 - dice_below(dice, last - last / factor));
	text_add(text, ":*");
	write_number(text, dice, factor);
}

static void what_is_written_is_expanded(void **state)
{
	static void (*const makers[])(struct text *, struct dice *,
				      struct expected *) = { make_number, make_steps,
							     make_factors };
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 5000; i++) {
		struct axis_numbers numbers = { 0 };
		struct expected expected = { .count = 0 };
		struct text text = { 0 };
		struct err err = { "" };

		for (uint64_t items = 1 + dice_below(&dice, 6); items; items--) {
			makers[dice_below(&dice, ARRAY_COUNT(makers))](&text, &dice, &expected);
			text_add(&text, items > 1 ? "," : "");
		}
		if (axis_numbers_parse(&numbers, text_peek(&text), "x", &err) < 0)
			fail_msg("%s: %s", text_peek(&text), err.text);
		if (numbers.count != expected.count ||
		    memcmp(numbers.values, expected.values, numbers.count * sizeof(uint64_t)) != 0)
			fail_msg("%s: %zu values, not these %zu", text_peek(&text), numbers.count,
				 expected.count);
		axis_numbers_free(&numbers);
		text_free(&text);
	}
}

/* Whatever comes in, it is either values or one complaint that names the axis. */
static void assert_values_or_complaint(const char *text)
{
	struct axis_numbers numbers = { .values = NULL, .count = 12345 };
	struct err err = { "" };
	int r = axis_numbers_parse(&numbers, text, "x", &err);

	if (r < 0) {
		assert_int_equal(numbers.count, 12345);
		if (r != -EINVAL || strncmp(err.text, "axis x: ", 8) != 0)
			fail_msg("'%s': %d, %s", text, r, err.text);
		return;
	}
	if (!numbers.count || numbers.count > AXIS_VALUES_MAX)
		fail_msg("'%s': %zu values", text, numbers.count);
	axis_numbers_free(&numbers);
}

static void garbage_is_refused_in_one_line(void **state)
{
	static const char letters[] = "0123456789::,,**KMGTiB.-+ x\t\n\x80\xff";
	struct dice dice = dice_start();
	char text[200];

	(void)state;
	for (int i = 0; i < 30000; i++) {
		size_t length = dice_below(&dice, i % 100 ? 16 : sizeof text);

		for (size_t j = 0; j < length; j++)
			text[j] = letters[dice_below(&dice, sizeof letters - 1)];
		text[length] = '\0';
		assert_values_or_complaint(text);
	}
}

/* One letter wrong in what is right otherwise reaches further into the parser. */
static void near_misses_are_refused_in_one_line(void **state)
{
	static const char *const right[] = { "0,1,16,512,1K,1025,2K:1M:*2", "1:8:1", "0:64K:16,3",
					     "18446744073709551615", "1:18446744073709551615:*2" };
	struct dice dice = dice_start();
	char text[64];

	(void)state;
	for (int i = 0; i < 1500; i++) {
		snprintf(text, sizeof text, "%s", right[dice_below(&dice, ARRAY_COUNT(right))]);
		text[dice_below(&dice, strlen(text))] = (char)(1 + dice_below(&dice, 255));
		assert_values_or_complaint(text);
	}
}

static void ranges_end_at_the_largest_number(void **state)
{
	struct axis_numbers numbers;

	(void)state;
	assert_int_equal(axis_numbers_parse(&numbers, "1:18446744073709551615:*2", "x", NULL), 0);
	assert_int_equal(numbers.count, 64);
	assert_true(numbers.values[63] == (uint64_t)1 << 63);
	axis_numbers_free(&numbers);
	assert_int_equal(axis_numbers_parse(&numbers,
					    "18446744073709551000:18446744073709551615:100", "x",
					    NULL),
			 0);
	assert_int_equal(numbers.count, 7);
	axis_numbers_free(&numbers);
}

static void the_number_of_values_is_bounded(void **state)
{
	struct axis_numbers numbers;
	struct err err;

	(void)state;
	assert_int_equal(axis_numbers_parse(&numbers, "1:10000:1", "x", &err), 0);
	assert_int_equal(numbers.count, AXIS_VALUES_MAX);
	axis_numbers_free(&numbers);
	assert_int_equal(axis_numbers_parse(&numbers, "0:10000:1", "x", &err), -EINVAL);
	assert_int_equal(axis_numbers_parse(&numbers, "1:18446744073709551615:1", "x", &err),
			 -EINVAL);
}

static void words_are_those_of_the_axis(void **state)
{
	static const char *const bad[] = { "",    ",",     "drive", "drivers", "driver,",
					   " up", "up,UP", "up;up", "none,up", "driver,runtime" };
	struct axis_words words = { 0 };
	struct err err = { "" };

	(void)state;
	assert_int_equal(axis_words_parse(&words, "b,a,b", "a,b,c", "x", &err), 0);
	assert_int_equal(words.count, 2);
	assert_string_equal(words.words[0], "b");
	assert_string_equal(words.words[1], "a");
	axis_words_free(&words);
	for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
		assert_int_equal(axis_words_parse(&words, bad[i], "up,down", "x", &err), -EINVAL);
		assert_int_equal(words.count, 0);
		assert_non_null(strstr(err.text, "is none of up,down"));
	}
}

static void words_of_an_open_axis_are_any(void **state)
{
	static const char *const bad[] = {
		"", "a,", "a b", "a\nb", "a;b", "`a`", "<a>", "\xc3\xa4"
	};
	struct axis_words words = { 0 };
	struct err err = { "" };

	(void)state;
	assert_int_equal(axis_words_parse(&words, "a-1.5K+b,c,a-1.5K+b", NULL, "x", &err), 0);
	assert_int_equal(words.count, 2);
	assert_string_equal(words.words[0], "a-1.5K+b");
	assert_string_equal(words.words[1], "c");
	axis_words_free(&words);
	for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
		assert_int_equal(axis_words_parse(&words, bad[i], NULL, "x", &err), -EINVAL);
		assert_int_equal(words.count, 0);
		assert_non_null(strstr(err.text, "is not made of letters"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_expanded),
		cmocka_unit_test(garbage_is_refused_in_one_line),
		cmocka_unit_test(near_misses_are_refused_in_one_line),
		cmocka_unit_test(ranges_end_at_the_largest_number),
		cmocka_unit_test(the_number_of_values_is_bounded),
		cmocka_unit_test(words_are_those_of_the_axis),
		cmocka_unit_test(words_of_an_open_axis_are_any),
	};

	return cmocka_run_group_tests_name("harness/axis", tests, NULL, NULL);
}
