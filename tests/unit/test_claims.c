/* SPDX-License-Identifier: MIT */
/* Sentences about planted tables: what is so, what is not, and what cannot be told. */
#include "tests/unit/toy_run.h"

static const char two_points[] = ROW("1", "on", "1", "set", "ok", "10")
	ROW("2", "on", "1", "set", "ok", "-30") ROW("1", "on", "2", "set", "ok", "10")
		ROW("2", "on", "2", "set", "ok", "-30") ROW("2", "off", "2", "set", "ok", "7");

static void points_are_reduced_to_one_number(void **state)
{
	static const struct {
		enum figure_reduction reduction;
		int64_t number;
		const char *where;
		const char *words;
	} cases[] = {
		{ FIGURE_MAX, 10, NULL, "it: 10 bytes (toy, set)" },
		{ FIGURE_MIN, -30, NULL, "it: -30 bytes (toy, set)" },
		{ FIGURE_SUM, -13, NULL, "it: -13 bytes (toy, set)" },
		{ FIGURE_SUM, -20, "mode=on", "it: -20 bytes" },
		{ FIGURE_VALUE, 7, "mode=off", "it: 7 bytes" },
		{ FIGURE_VALUE, 10, "mode=on,size=1", "it: 10 bytes" },
		{ FIGURE_VALUE, -30, "mode=on,size=@granted_bytes,size=2", "it: -30 bytes" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct claim_request claim =
			claim_of(cases[i].reduction, cases[i].where, CHECK_EQUAL, cases[i].number);

		assert_int_equal(judge(two_points, &claim, cases[i].words), CLAIM_TRUE);
		claim.checks[0].constant++;
		assert_int_equal(judge(two_points, &claim, cases[i].words), CLAIM_FALSE_HERE);
	}
}

static void a_step_that_comes_again_counts_each_time(void **state)
{
	static const char rows[] =
		ROW("1", "on", "1", "set", "ok", "3") ROW("1", "on", "1", "set", "ok", "4");
	struct claim_request claim = claim_of(FIGURE_SUM, NULL, CHECK_EQUAL, 7);

	(void)state;
	assert_int_equal(judge(rows, &claim, "it: 7 bytes"), CLAIM_TRUE);
	claim = claim_of(FIGURE_MAX, NULL, CHECK_EQUAL, 4);
	assert_int_equal(judge(rows, &claim, "it: 4 bytes"), CLAIM_TRUE);
	claim = claim_of(FIGURE_VALUE, NULL, CHECK_EQUAL, 4);
	assert_int_equal(judge(rows, &claim, "it: 3 or 4 bytes, depending"), CLAIM_DEPENDS);
}

static void points_that_differ_are_no_value(void **state)
{
	static const char words[] = "it: -30 or 10 bytes, depending on the point (toy, set)";
	struct claim_request claim = claim_of(FIGURE_VALUE, NULL, CHECK_EQUAL, 10);

	(void)state;
	assert_int_equal(judge(two_points, &claim, words), CLAIM_DEPENDS);
	/* What is so of each of them is so. */
	claim.checks[0] = (struct check_request){ "it", CHECK_LESS, .constant = 11 };
	assert_int_equal(judge(two_points, &claim, words), CLAIM_TRUE);
	claim.checks[0] = (struct check_request){ "it", CHECK_MORE, .constant = 10 };
	assert_int_equal(judge(two_points, &claim, words), CLAIM_FALSE_HERE);
	/* Whatever else differs. */
	claim.checks[0] = (struct check_request){ "it", CHECK_LESS, "it", .constant = 1 };
	assert_int_equal(judge(two_points, &claim, words), CLAIM_DEPENDS);
	claim.checks[0] =
		(struct check_request){ "it", CHECK_EQUAL, .constant = 10, .is_condition = true };
	assert_int_equal(judge(two_points, &claim, words), CLAIM_DEPENDS);
}

/* Where the right ones of the repeats may be equal, the points do not differ. */
static void points_differ_whichever_repeats_are_right(void **state)
{
	static const char may_agree[] = ROW("1", "on", "1", "set", "ok", "10")
		ROW("1", "on", "2", "set", "ok", "14") ROW("2", "on", "1", "set", "ok", "14");
	static const char cannot[] = ROW("1", "on", "1", "set", "ok", "10")
		ROW("1", "on", "2", "set", "ok", "14") ROW("2", "on", "1", "set", "ok", "15");
	struct claim_request claim = claim_of(FIGURE_VALUE, NULL, CHECK_EQUAL, 14);

	(void)state;
	assert_int_equal(judge(may_agree, &claim, "it: 10 or 14 bytes (toy, set)"),
			 CLAIM_CONTRADICTORY);
	assert_int_equal(judge(cannot, &claim, "it: 10 or 15 bytes, depending on the point"),
			 CLAIM_DEPENDS);
	claim.figures[0].reduction = FIGURE_MAX;
	assert_int_equal(judge(cannot, &claim, "it: 15 bytes (toy, set)"), CLAIM_FALSE_HERE);
}

static void repeats_that_differ_decide_only_together(void **state)
{
	static const char rows[] =
		ROW("1", "on", "1", "set", "ok", "10") ROW("1", "on", "2", "set", "ok", "14");
	static const struct {
		enum check_relation relation;
		int64_t constant;
		enum claim_verdict verdict;
	} cases[] = {
		{ CHECK_MORE, 9, CLAIM_TRUE },
		{ CHECK_MORE, 10, CLAIM_CONTRADICTORY },
		{ CHECK_MORE, 14, CLAIM_FALSE_HERE },
		{ CHECK_AT_LEAST, 10, CLAIM_TRUE },
		{ CHECK_AT_LEAST, 15, CLAIM_FALSE_HERE },
		{ CHECK_LESS, 15, CLAIM_TRUE },
		{ CHECK_LESS, 14, CLAIM_CONTRADICTORY },
		{ CHECK_LESS, 10, CLAIM_FALSE_HERE },
		{ CHECK_AT_MOST, 14, CLAIM_TRUE },
		{ CHECK_AT_MOST, 9, CLAIM_FALSE_HERE },
		{ CHECK_EQUAL, 12, CLAIM_CONTRADICTORY },
		{ CHECK_EQUAL, 9, CLAIM_FALSE_HERE },
	};

	(void)state;
	for (int reduction = FIGURE_VALUE; reduction <= FIGURE_SUM; reduction++)
		for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
			struct claim_request claim =
				claim_of((enum figure_reduction)reduction, NULL, cases[i].relation,
					 cases[i].constant);

			assert_int_equal(judge(rows, &claim, "it: 10 or 14 bytes"),
					 cases[i].verdict);
		}
}

static void an_interrupted_repeat_contradicts_nobody(void **state)
{
	static const char rows[] = ROW("1", "on", "1", "set", "ok", "10")
		ROW("2", "on", "1", "set", "ok", "20") ROW("1", "on", "2", "set", "ok", "10");
	struct claim_request claim = claim_of(FIGURE_MAX, NULL, CHECK_EQUAL, 20);

	(void)state;
	assert_int_equal(judge(rows, &claim, "it: 20 bytes"), CLAIM_TRUE);
}

static void what_is_missing_says_what_to_run(void **state)
{
	struct claim_request claim =
		claim_of(FIGURE_MAX, "mode=off,size=@granted_bytes,size=4", CHECK_EQUAL, 0);

	(void)state;
	assert_int_equal(judge(two_points, &claim,
			       "it: not measured (cuctx run toy --axis mode=off --axis size=4)"),
			 CLAIM_NOT_MEASURED);
	claim.figures[0].benchmark = "absent";
	claim.figures[0].where = NULL;
	assert_int_equal(judge(two_points, &claim, "it: not measured (cuctx run absent)"),
			 CLAIM_NOT_MEASURED);
}

static void what_has_no_number_says_why(void **state)
{
	static const char refused[] = "r,toy,0,1,on,1,1,1,get,ok,,,0,0,\n"
				      "r,toy,0,1,on,1,1,2,set,refused,CUDA_NO,,0,0,meters differ\n";
	static const char unsupported[] =
		"r,toy,0,1,on,1,1,0,none,unsupported,,,,,too old a driver\n";
	static const char empty[] = "r,toy,0,1,on,1,1,2,set,ok,,,,,\n";
	struct claim_request claim = claim_of(FIGURE_MAX, NULL, CHECK_EQUAL, 0);

	(void)state;
	assert_int_equal(judge(refused, &claim, "it: not measured: refused CUDA_NO (toy, set)"),
			 CLAIM_NOT_MEASURED);
	assert_int_equal(judge(unsupported, &claim,
			       "it: not measured: unsupported too old a driver (toy, set)"),
			 CLAIM_NOT_MEASURED);
	assert_int_equal(judge(empty, &claim, "it: not measured (toy, set)"), CLAIM_NOT_MEASURED);
	claim.figures[0].column = "no_such_column";
	assert_int_equal(judge(two_points, &claim, "it: not measured (toy, set)"),
			 CLAIM_NOT_MEASURED);
	claim.figures[0].column = "delta_bytes";
	claim.figures[0].step = "no-such-step";
	assert_int_equal(judge(two_points, &claim, "it: not measured (toy, no-such-step)"),
			 CLAIM_NOT_MEASURED);
}

static void refusals_can_be_asked_for(void **state)
{
	static const char rows[] =
		ROW("1", "on", "1", "set", "ok", "10") ROW("2", "on", "1", "set", "refused", "0")
			ROW("3", "off", "1", "set", "failed", "0")
				ROW("4", "on", "1", "set", "refused", "0");
	struct claim_request claim = claim_of(FIGURE_SUM, "mode=on", CHECK_EQUAL, 2);

	(void)state;
	claim.figures[0].column = "refused";
	assert_int_equal(judge(rows, &claim, "it: 2 (toy, set)"), CLAIM_TRUE);
	claim.figures[0].where = "size=3";
	assert_int_equal(judge(rows, &claim, "it: not measured: failed"), CLAIM_NOT_MEASURED);
	/* What was refused has no bytes, and does not stand in the way of what was not. */
	claim = claim_of(FIGURE_VALUE, "mode=on", CHECK_EQUAL, 10);
	assert_int_equal(judge(rows, &claim, "it: 10 bytes"), CLAIM_TRUE);
}

/* A step comes with readings where it is refused, too, and bytes may have moved. */
static void what_a_refusal_left_can_be_asked_for(void **state)
{
	static const char rows[] =
		ROW("1", "on", "1", "set", "ok", "10") ROW("2", "on", "1", "set", "refused", "-7")
			ROW("3", "on", "1", "set", "refused", "-9");
	static const char torn[] =
		ROW("1", "on", "1", "set", "ok", "10") ROW("1", "on", "2", "set", "refused", "-7");
	struct claim_request claim = claim_of(FIGURE_MIN, NULL, CHECK_EQUAL, -9);

	(void)state;
	claim.figures[0].of_refused = true;
	assert_int_equal(judge(rows, &claim, "it: -9 bytes (toy, set)"), CLAIM_TRUE);
	claim.figures[0].where = "size=1";
	assert_int_equal(judge(rows, &claim, "it: not measured (toy, set)"), CLAIM_NOT_MEASURED);
	claim.figures[0].where = NULL;
	assert_int_equal(judge(torn, &claim, "it: answered in one repeat, refused in another"),
			 CLAIM_CONTRADICTORY);
}

static void an_answer_and_a_refusal_contradict_each_other(void **state)
{
	static const char rows[] =
		ROW("1", "on", "1", "set", "ok", "10") ROW("1", "on", "2", "set", "refused", "0");
	struct claim_request claim = claim_of(FIGURE_MAX, NULL, CHECK_EQUAL, 10);

	(void)state;
	assert_int_equal(judge(rows, &claim, "it: answered in one repeat, refused in another"),
			 CLAIM_CONTRADICTORY);
	claim.figures[0].column = "refused";
	claim.checks[0].constant = 1;
	assert_int_equal(judge(rows, &claim, "it: 0 or 1"), CLAIM_CONTRADICTORY);
}

static void a_disturbed_attempt_is_not_heard(void **state)
{
	static const char rows[] = "r,toy,0,1,on,1,1,1,set,disturbed,,1,99,99,\n"
				   "r,toy,0,1,on,1,2,1,set,ok,,1,10,10,\n";
	struct claim_request claim = claim_of(FIGURE_VALUE, NULL, CHECK_EQUAL, 10);

	(void)state;
	assert_int_equal(judge(rows, &claim, "it: 10 bytes"), CLAIM_TRUE);
}

static void sums_that_are_too_large_are_not_told(void **state)
{
	static const char rows[] = ROW("1", "on", "1", "set", "ok", "9223372036854775807")
		ROW("2", "on", "1", "set", "ok", "1");
	struct claim_request claim = claim_of(FIGURE_SUM, NULL, CHECK_MORE, 0);

	(void)state;
	assert_int_equal(judge(rows, &claim, "it: too large to add up"), CLAIM_NOT_MEASURED);
	claim = claim_of(FIGURE_MAX, NULL, CHECK_EQUAL, INT64_MAX);
	assert_int_equal(judge(rows, &claim, "it: 9223372036854775807 bytes"), CLAIM_TRUE);
	claim = claim_of(FIGURE_MAX, NULL, CHECK_MORE, INT64_MIN);
	assert_int_equal(judge(rows, &claim, "it: 9223372036854775807 bytes"), CLAIM_TRUE);
}

static void figures_are_compared_with_one_another(void **state)
{
	static const char rows[] =
		ROW("1", "on", "1", "set", "ok", "100") ROW("2", "on", "1", "set", "ok", "55");
	static const struct {
		enum check_relation relation;
		int percent;
		int64_t constant;
		enum claim_verdict verdict;
	} cases[] = {
		{ CHECK_LESS, 0, 0, CLAIM_TRUE },
		{ CHECK_LESS, 55, 0, CLAIM_FALSE_HERE },
		{ CHECK_AT_MOST, 55, 0, CLAIM_TRUE },
		{ CHECK_AT_MOST, 54, 0, CLAIM_FALSE_HERE },
		{ CHECK_EQUAL, 50, 5, CLAIM_TRUE },
		{ CHECK_EQUAL, 0, -45, CLAIM_TRUE },
		{ CHECK_AT_LEAST, 110, -55, CLAIM_TRUE },
		{ CHECK_MORE, 54, 1, CLAIM_FALSE_HERE },
	};
	struct claim_request claim = {
		.figures = { { "large", FIGURE_VALUE, "toy", "set", .column = "delta_bytes",
			       .where = "size=1" },
			     { "small", FIGURE_VALUE, "toy", "set", .column = "delta_bytes",
			       .where = "size=2" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		claim.checks[0] = (struct check_request){ .left = "small",
							  .relation = cases[i].relation,
							  .right = "large",
							  .percent = cases[i].percent,
							  .constant = cases[i].constant };
		assert_int_equal(
			judge(rows, &claim, "large: 100 bytes (toy, set); small: 55 bytes"),
			cases[i].verdict);
	}
}

/* One that is wrong is enough; one that is missing is not made up for. */
static void all_checks_have_to_be_so(void **state)
{
	static const char rows[] =
		ROW("1", "on", "1", "set", "ok", "1") ROW("1", "on", "2", "set", "ok", "2");
	struct claim_request claim = {
		.figures = { { "both", FIGURE_MAX, "toy", "set", .column = "delta_bytes" },
			     { "none", FIGURE_MAX, "absent", "get", .column = "delta_bytes" } },
		.checks = { { "both", CHECK_MORE, .constant = 0 },
			    { "none", CHECK_MORE, .constant = 0 },
			    { "both", CHECK_MORE, .constant = 1 } },
	};

	(void)state;
	assert_int_equal(judge(rows, &claim, "both: 1 or 2 bytes"), CLAIM_NOT_MEASURED);
	claim.checks[2].constant = 2;
	assert_int_equal(judge(rows, &claim, "none: not measured"), CLAIM_FALSE_HERE);
	claim.checks[1] = (struct check_request){ "both", CHECK_LESS, .constant = 2 };
	claim.checks[2] = (struct check_request){ 0 };
	assert_int_equal(judge(rows, &claim, "both"), CLAIM_CONTRADICTORY);
}

static void where_a_condition_is_not_met_nothing_is_told(void **state)
{
	static const char rows[] = ROW("1", "on", "1", "set", "ok", "10");
	struct claim_request claim = claim_of(FIGURE_VALUE, NULL, CHECK_EQUAL, 10);

	(void)state;
	claim.checks[1] = (struct check_request){ "it", CHECK_AT_LEAST, .constant = 11,
						  .is_condition = true };
	assert_int_equal(judge(rows, &claim, "; can be told only where it >= 11"),
			 CLAIM_NOT_MEASURED);
	/* Not even that it is wrong. */
	claim.checks[0].constant = 12;
	assert_int_equal(judge(rows, &claim, "it: 10 bytes"), CLAIM_NOT_MEASURED);
	claim.checks[1].constant = 10;
	assert_int_equal(judge(rows, &claim, "it: 10 bytes"), CLAIM_FALSE_HERE);
	claim.checks[1] =
		(struct check_request){ "it",          CHECK_MORE,    "it",
					.percent = 50, .constant = 7, .is_condition = true };
	assert_int_equal(judge(rows, &claim, "; can be told only where it > 50 % of it + 7"),
			 CLAIM_NOT_MEASURED);
}

/* Each relation is that of C, for any numbers. */
static void relations_are_those_of_numbers(void **state)
{
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 40; i++) {
		int64_t number = (int64_t)(dice_below(&dice, 7)) - 3;
		int64_t constant = (int64_t)(dice_below(&dice, 7)) - 3;
		const bool truths[] = {
			[CHECK_EQUAL] = number == constant,
			[CHECK_LESS] = number<constant, [CHECK_AT_MOST] = number <= constant,
					      [CHECK_MORE] = number>
				constant,
			[CHECK_AT_LEAST] = number >= constant
		};
		char rows[160];

		snprintf(rows, sizeof rows, "r,toy,0,1,on,1,1,1,set,ok,,1,%lld,0,\n",
			 (long long)number);
		for (size_t k = 0; k < ARRAY_COUNT(truths); k++) {
			struct claim_request claim =
				claim_of(FIGURE_VALUE, NULL, (enum check_relation)k, constant);

			assert_int_equal(judge(rows, &claim, "it: "),
					 truths[k] ? CLAIM_TRUE : CLAIM_FALSE_HERE);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_reduced_to_one_number),
		cmocka_unit_test(a_step_that_comes_again_counts_each_time),
		cmocka_unit_test(points_that_differ_are_no_value),
		cmocka_unit_test(points_differ_whichever_repeats_are_right),
		cmocka_unit_test(repeats_that_differ_decide_only_together),
		cmocka_unit_test(an_interrupted_repeat_contradicts_nobody),
		cmocka_unit_test(what_is_missing_says_what_to_run),
		cmocka_unit_test(what_has_no_number_says_why),
		cmocka_unit_test(refusals_can_be_asked_for),
		cmocka_unit_test(what_a_refusal_left_can_be_asked_for),
		cmocka_unit_test(an_answer_and_a_refusal_contradict_each_other),
		cmocka_unit_test(a_disturbed_attempt_is_not_heard),
		cmocka_unit_test(sums_that_are_too_large_are_not_told),
		cmocka_unit_test(figures_are_compared_with_one_another),
		cmocka_unit_test(all_checks_have_to_be_so),
		cmocka_unit_test(where_a_condition_is_not_met_nothing_is_told),
		cmocka_unit_test(relations_are_those_of_numbers),
	};

	return cmocka_run_group_tests(tests, toy_make_folder, toy_leave);
}
