/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include "analysis/fraction.h"

static void assert_fraction(struct fraction value, const char *expected)
{
	char text[FRACTION_TEXT_MAX];

	assert_string_equal(fraction_text(value, text, sizeof text), expected);
}

static void test_fractions_are_reduced(void **state)
{
	(void)state;
	assert_fraction(fraction_make(6, -4), "-3/2");
	assert_fraction(fraction_make(0, -7), "0");
	assert_fraction(fraction_make((int128)1 << 100, (int128)1 << 36), "18446744073709551616");
}

static void test_roundest_integer(void **state)
{
	int128 value;

	(void)state;
	assert_true(fraction_roundest(fraction_make(29, 2), fraction_make(37, 2), &value));
	assert_int_equal((int64_t)value, 16);
	assert_true(fraction_roundest(fraction_make(-1, 2), fraction_make(1, 2), &value));
	assert_int_equal((int64_t)value, 0);
	assert_true(fraction_roundest(fraction_make(-7, 1), fraction_make(-2, 1), &value));
	assert_int_equal((int64_t)value, -4);
	/* The ends themselves do not count. */
	assert_false(fraction_roundest(fraction_whole(4), fraction_whole(5), &value));
}

static void test_simplest_fraction(void **state)
{
	(void)state;
	assert_fraction(fraction_simplest(fraction_make(3, 10), fraction_make(2, 5)), "1/3");
	assert_fraction(fraction_simplest(fraction_whole(4), fraction_whole(5)), "9/2");
	assert_fraction(fraction_simplest(fraction_make(-2, 5), fraction_make(-3, 10)), "-1/3");
	assert_fraction(fraction_simplest(fraction_make(355, 113), fraction_make(22, 7)),
			"377/120");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fractions_are_reduced),
		cmocka_unit_test(test_roundest_integer),
		cmocka_unit_test(test_simplest_fraction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
