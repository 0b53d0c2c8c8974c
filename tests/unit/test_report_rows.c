/* SPDX-License-Identifier: MIT */
/* Sentences of a report that are about all rows must be true of each. */
#include "tests/unit/row_run.h"

#include "analysis/report.h"

/* Blanks and line ends alike become one blank: lines of a report are broken anywhere. */
static void join_lines(char *text)
{
	char *to = text;

	for (char *from = text; *from; from++) {
		bool is_blank = *from == ' ' || *from == '\n';

		if (is_blank && to > text && to[-1] == ' ')
			continue;
		*to = *from;
		if (is_blank)
			*to = ' ';
		to++;
	}
	*to = '\0';
}

static char *render(const char *rows)
{
	struct err err;
	char *text;

	toy_put("environment.csv", TOY_ENVIRONMENT);
	toy_put("toy.csv", rows);
	assert_int_equal(report_render(toy_folder, &toy_requests, DOCUMENT_MARKDOWN, &text, &err),
			 0);
	join_lines(text);
	return text;
}

static void assert_says(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' is not in '%s'", words, text);
}

/* ---- when the memory goes ---- */

static void what_is_refused_may_move_memory(void **state)
{
	char *text = render(
		TOY_HEADER TOY_STEP("1,on,1,1", "0,start,ok", "0")
			TOY_STEP("1,on,1,1", "1,set,ok", "0") TOY_STEP("1,on,1,1", "2,get,ok", "0")
				TOY_EXIT("1,on,1,1", "3")
		/* clang-format off */
		TOY_STEP("2,on,1,1", "0,start,ok", "0")
		TOY_ROW("2,on,1,1", "1,set,refused", "CUDA_ERROR_OUT_OF_MEMORY", "", "-434110464")
		TOY_ROW("2,on,1,1", "2,get,refused", "CUDA_ERROR_OUT_OF_MEMORY", "", "0")
		TOY_EXIT("2,on,1,1", "3"));
	/* clang-format on */

	(void)state;
	assert_says(text, "| ---: | | set (refused) | -414 MiB | No bytes moved at get, exit.");
	free(text);
}

static void each_status_has_a_line(void **state)
{
	/* In the order of the steps, and in that of the statuses whichever came first. */
	char *text = render(
		TOY_HEADER TOY_STEP("1,on,1,1", "0,set,crashed", "30") TOY_EXIT("1,on,1,1", "1")
			TOY_STEP("2,on,1,1", "0,set,ok", "10") TOY_STEP("2,on,1,1", "1,get,ok", "5")
				TOY_EXIT("2,on,1,1", "2") TOY_STEP("3,on,1,1", "0,set,refused",
								   "20") TOY_EXIT("3,on,1,1", "1"));

	(void)state;
	assert_says(text, "| set | 10 B | | set (refused) | 20 B | | set (crashed) | 30 B | "
			  "| get | 5 B |");
	free(text);
}

/* What was not metered is not said to have moved nothing. */
static void a_step_is_not_still_where_nobody_saw_it(void **state)
{
	char *text = render(TOY_HEADER TOY_STEP("1,on,1,1", "0,set,ok", "0")
				    TOY_STEP("1,on,1,1", "1,get,ok", "0") TOY_EXIT("1,on,1,1", "2")
					    TOY_STEP("2,on,1,1", "0,set,ok", "0")
						    TOY_STEP("2,on,1,1", "1,get,failed", "")
							    TOY_EXIT("2,on,1,1", "2"));

	(void)state;
	assert_says(text, "No bytes moved at set, exit.");
	free(text);
}

/* ---- repeats and attempts ---- */

#define SET(sample, status, error, granted) \
	TOY_ROW(sample, "0,set," status, error, granted, "5") TOY_EXIT(sample, "1")

static void repeats_that_answer_differently_are_not_equal(void **state)
{
	static const char *const same[] = {
		TOY_HEADER SET("1,on,1,1", "ok", "", "7") SET("1,on,2,1", "ok", "", "7"),
	};
	static const char *const different[] = {
		TOY_HEADER SET("1,on,1,1", "ok", "", "7") SET("1,on,2,1", "ok", "", "14"),
		TOY_HEADER SET("1,on,1,1", "refused", "A", "") SET("1,on,2,1", "refused", "B", ""),
		TOY_HEADER SET("1,on,1,1", "ok", "", "7") SET("1,on,2,1", "ok", "", ""),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(same); i++) {
		char *text = render(same[i]);

		assert_says(text, "all repeats are equal to the byte");
		free(text);
	}
	for (size_t i = 0; i < ARRAY_COUNT(different); i++) {
		char *text = render(different[i]);

		assert_says(text, "the repeats of 1 of them differ");
		free(text);
	}
}

static void only_disturbed_attempts_are_called_so(void **state)
{
	char *text = render(
		TOY_HEADER SET("1,on,1,1", "failed", "observer", "") SET("1,on,1,2", "ok", "", "")
			SET("2,on,1,1", "disturbed", "", "") SET("2,on,1,2", "disturbed", "", "")
				SET("2,on,1,3", "ok", "", ""));

	(void)state;
	assert_says(text, " 2 disturbed attempts were taken again.");
	assert_says(text, " 1 attempt was taken again because measuring broke off.");
	free(text);
}

/* ---- where it did not succeed ---- */

#define NO(point)  SET(point ",1,1", "refused", "E", "")
#define YES(point) SET(point ",1,1", "ok", "", "")

static void only_points_that_did_not_succeed_are_named(void **state)
{
	static const struct {
		const char *rows;
		const char *where;
	} cases[] = {
		{ NO("1,on") NO("2,on") NO("1,off") NO("2,off"), "| all points |" },
		{ NO("1,on") YES("2,on") NO("1,off") YES("2,off"), "| size 1 |" },
		{ NO("1,on") NO("2,on") YES("1,off") YES("2,off"), "| mode on |" },
		/* No product: two of four. */
		{ NO("1,on") YES("2,on") YES("1,off") NO("2,off"),
		  "| size 1; mode on or size 2; mode off |" },
		/* Three of four: all of one word, and one point of the other. */
		{ NO("1,on") NO("2,on") NO("1,off") YES("2,off"),
		  "| mode on or size 1; mode off |" },
		/* What fails at the same sizes is told together, whatever lies between. */
		{ NO("1,on") NO("2,on") YES("3,on") YES("1,off") NO("2,off") NO("3,off") NO("1,un")
			  NO("2,un") YES("3,un"),
		  "| size 1, 2; mode on, un or size 2, 3; mode off |" },
		/* A point that does not exist is no exception. */
		{ NO("1,on") NO("2,on") NO("1,off") YES("3,on"), "| size 1, 2 |" },
		/* Between the first and the last of many, not all. */
		{ NO("1,on") NO("2,on") NO("3,on") YES("4,on") NO("5,on") NO("6,on") NO("7,on")
			  NO("8,on"),
		  "| size 1 ... 8 (7 of these 8 values) |" },
		{ NO("1,on") NO("2,on") NO("3,on") NO("4,on") NO("5,on") NO("6,on") NO("7,on")
			  YES("8,on"),
		  "| size 1 ... 7 (7 values) |" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		char rows[4096];
		char *text;

		snprintf(rows, sizeof rows, TOY_HEADER "%s", cases[i].rows);
		text = render(rows);
		assert_says(text, cases[i].where);
		free(text);
	}
}

/* A diagonal, beside which nothing is refused. */
static void too_many_words_become_a_number(void **state)
{
	char rows[16384] = TOY_HEADER;
	size_t used = strlen(rows);
	char *text;

	(void)state;
	for (int i = 1; i <= 7; i++)
		for (int j = i; j <= 7; j++)
			used += (size_t)snprintf(&rows[used], sizeof rows - used,
						 "r,toy,0,%d,m%d,1,1,0,set,%s,,,5,5,\n"
						 "r,toy,0,%d,m%d,1,1,1,exit,ok,,,0,5,\n",
						 i, j, i == j ? "refused" : "ok", i, j);
	text = render(rows);
	assert_says(text, "| 7 of 28 points |");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_refused_may_move_memory),
		cmocka_unit_test(each_status_has_a_line),
		cmocka_unit_test(a_step_is_not_still_where_nobody_saw_it),
		cmocka_unit_test(repeats_that_answer_differently_are_not_equal),
		cmocka_unit_test(only_disturbed_attempts_are_called_so),
		cmocka_unit_test(only_points_that_did_not_succeed_are_named),
		cmocka_unit_test(too_many_words_become_a_number),
	};

	return cmocka_run_group_tests(tests, toy_enter, toy_leave);
}
