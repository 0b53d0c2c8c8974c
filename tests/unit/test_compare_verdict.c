/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/compare_record.h"
#include "analysis/compare_sketch.h"
#include "analysis/compare_verdict.h"
#include "analysis/compare_words.h"
#include "base/array.h"

#define GRANULE 100

static struct compare_range range(int64_t low, int64_t high)
{
	return (struct compare_range){ low, high, 2 };
}

static void test_ranges(void **state)
{
	static const struct {
		int64_t base_low, base_high, new_low, new_high;
		enum verdict verdict;
	} cases[] = {
		/* All repeats agree: any byte counts, granule or not. */
		{ 5, 5, 5, 5, VERDICT_SAME },
		{ 5, 5, 6, 6, VERDICT_MORE },
		{ 5, 5, 4, 4, VERDICT_LESS },
		{ -5, -5, -6, -6, VERDICT_LESS },
		{ INT64_MIN + 1, INT64_MIN + 1, INT64_MAX, INT64_MAX, VERDICT_MORE },
		{ INT64_MAX, INT64_MAX, INT64_MIN + 1, INT64_MIN + 1, VERDICT_LESS },
		/* They do not, but say the same. */
		{ 0, 500, 0, 500, VERDICT_SAME },
		/* Apart. */
		{ 0, 500, 600, 700, VERDICT_MORE },
		{ 600, 700, 0, 500, VERDICT_LESS },
		{ 0, 0, 600, 700, VERDICT_MORE },
		/* An overlap of no more than a granule, and of more. */
		{ 0, 500, 400, 900, VERDICT_MORE },
		{ 0, 500, 399, 900, VERDICT_AMBIGUOUS },
		{ 400, 900, 0, 500, VERDICT_LESS },
		{ 399, 900, 0, 500, VERDICT_AMBIGUOUS },
		/* One within the other is no move, however small they are. */
		{ 0, 100, 0, 0, VERDICT_AMBIGUOUS },
		{ 0, 0, 0, 100, VERDICT_AMBIGUOUS },
		{ 0, 500, 100, 200, VERDICT_AMBIGUOUS },
		{ 100, 200, 0, 500, VERDICT_AMBIGUOUS },
	};
	static const struct compare_rule rule = { .granule = GRANULE };

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct judgement judgement =
			compare_ranges(range(cases[i].base_low, cases[i].base_high),
				       range(cases[i].new_low, cases[i].new_high), &rule);

		if (judgement.verdict != cases[i].verdict)
			fail_msg("case %zu: %s, not %s", i, verdict_text(judgement.verdict),
				 verdict_text(cases[i].verdict));
	}
}

static void test_presence(void **state)
{
	static const struct compare_rule rule = { 0 };
	struct compare_range none = compare_range_none(), some = range(0, 0);

	(void)state;
	assert_int_equal(compare_ranges(none, none, &rule).verdict, VERDICT_SAME);
	assert_int_equal(compare_ranges(some, none, &rule).verdict, VERDICT_ONLY_IN_BASE);
	assert_int_equal(compare_ranges(none, some, &rule).verdict, VERDICT_ONLY_IN_NEW);
}

/* The smaller what is missing is against the whole, the longer one has to look for it. */
static void test_settling(void **state)
{
	static const struct compare_rule rule = { .granule = GRANULE };
	uint64_t far = compare_ranges(range(0, 0), range(0, 100), &rule).settle_count;
	uint64_t near = compare_ranges(range(0, 900), range(0, 1000), &rule).settle_count;
	struct compare_range many = { 0, 0, far };

	(void)state;
	/* Half of all values: seven in a row come out on the other half in less than one of 100. */
	assert_int_equal(far, 7);
	assert_true(near > far);
	/* These have been taken. */
	many.count = far;
	assert_int_equal(
		compare_ranges(many, (struct compare_range){ 0, 100, far }, &rule).settle_count, 0);
	assert_int_equal(compare_ranges(range(0, 0), range(5, 5), &rule).settle_count, 0);
}

static void test_thresholds(void **state)
{
	static const struct {
		const char *text;
		int64_t base, newer;
		enum verdict verdict;
	} cases[] = {
		{ "0", 1000, 1001, VERDICT_MORE },
		{ "1", 1000, 1001, VERDICT_SAME },
		{ "1", 1000, 1002, VERDICT_MORE },
		{ "1", 1000, 999, VERDICT_SAME },
		{ "1K", 0, 1024, VERDICT_SAME },
		{ "1K", 0, 1025, VERDICT_MORE },
		{ "1%", 1000, 1010, VERDICT_SAME },
		{ "1%", 1000, 1011, VERDICT_MORE },
		{ "1%", -1000, -1010, VERDICT_SAME },
		{ "1%", -1000, -1011, VERDICT_LESS },
		{ "0.1%", 1000, 1001, VERDICT_SAME },
		{ "0.1%", 1000, 1002, VERDICT_MORE },
		{ "100%", 0, 1, VERDICT_MORE },
		{ "1000%", INT64_MAX, INT64_MIN + 1, VERDICT_SAME },
	};
	static const char *const wrong[] = { "",
					     "%",
					     "-1",
					     "-1%",
					     "1.%",
					     ".5%",
					     "1..5%",
					     "x%",
					     "1 %%",
					     "x",
					     "1e3%",
					     "9E",
					     "1234567890123456%",
					     "9223372036854775808" };
	struct compare_rule rule = { 0 };
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		assert_int_equal(compare_threshold_parse(cases[i].text, &rule.threshold, &err), 0);
		if (compare_ranges(range(cases[i].base, cases[i].base),
				   range(cases[i].newer, cases[i].newer), &rule)
			    .verdict != cases[i].verdict)
			fail_msg("case %zu (%s)", i, cases[i].text);
	}
	for (size_t i = 0; i < ARRAY_COUNT(wrong); i++)
		if (compare_threshold_parse(wrong[i], &rule.threshold, &err) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
}

/* ---- what points are kept in ---- */

static void test_numbers_of_records(void **state)
{
	static const int64_t values[] = {
		0,   1,     -1,      127,      128,       -128,          -129,          255,
		256, 65535, 2097152, -2097152, INT64_MAX, INT64_MIN + 1, INT64_MAX - 1, INT64_MIN,
	};
	struct text bytes = { 0 };
	const unsigned char *at;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(values); i++) {
		size_t before = bytes.used;

		compare_record_put(&bytes, values[i]);
		assert_int_equal(bytes.used - before, compare_record_size(values[i]));
	}
	at = (const unsigned char *)bytes.bytes;
	for (size_t i = 0; i < ARRAY_COUNT(values); i++)
		assert_true(compare_record_get(&at) == values[i]);
	assert_ptr_equal(at, bytes.bytes + bytes.used);
	text_free(&bytes);
}

static void test_words(void **state)
{
	struct compare_words words = { 0 };
	char text[32];
	uint32_t number;

	(void)state;
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 1; i < 1000; i++) {
			snprintf(text, sizeof text, "word %u", i);
			assert_int_equal(compare_words_number(&words, text, &number), 0);
			assert_int_equal(number, i);
		}
	assert_int_equal(compare_words_number(&words, "", &number), 0);
	assert_int_equal(number, 0);
	assert_string_equal(compare_words_text(&words, 999), "word 999");
	compare_words_free(&words);
}

/* Of many samples in any order, the ones that differ are found, and hardly any others. */
static void test_sketch(void **state)
{
	struct compare_sketch sketch;
	struct compare_round whole = { 0, 1 };
	size_t found_count = 0;

	(void)state;
	assert_int_equal(compare_sketch_init(&sketch, 3, 100000), 0);
	for (uint64_t source = 0; source < 3; source++)
		for (uint64_t i = 0; i < 5000; i++) {
			uint64_t number = source == 1 ? 4999 - i : i;
			struct hash point =
				hash_join((struct hash){ number, 0 }, (struct hash){ 0, 1 });
			uint64_t says = source == 2 && number % 1000 == 7;

			compare_sketch_add(&sketch, (size_t)source, point,
					   (struct hash){ 17, says }, 10);
		}
	for (uint64_t i = 0; i < 5000; i++) {
		struct hash point = hash_join((struct hash){ i, 0 }, (struct hash){ 0, 1 });
		bool is_found = compare_sketch_differs(&sketch, point, whole);
		size_t rounds = 0;

		for (size_t k = 0; k < 7; k++)
			rounds += compare_sketch_differs(&sketch, point,
							 (struct compare_round){ k, 7 });
		assert_int_equal(rounds, is_found);
		assert_true(is_found || i % 1000 != 7);
		found_count += is_found;
	}
	assert_true(found_count < 50);
	assert_int_equal(compare_sketch_load(&sketch, whole).sample_count, 3 * found_count);
	compare_sketch_free(&sketch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_presence),
		cmocka_unit_test(test_settling),
		cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_numbers_of_records),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_sketch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
