/* SPDX-License-Identifier: MIT */
/* What is refused as a run directory: what no run has written. */
#include "tests/unit/row_run.h"

#include <errno.h>

#include "analysis/run.h"

#define ONE  "1,on,1,1"
#define TWO  "2,on,1,1"
#define GOOD TOY_STEP(ONE, "0,start,ok", "0") TOY_STEP(ONE, "1,set,ok", "5") TOY_EXIT(ONE, "2")

static int read_toy(const char *environment, const char *rows, struct err *reterr)
{
	struct run run;
	int r;

	toy_put("environment.csv", environment);
	toy_put("toy.csv", rows);
	r = run_read(&run, toy_folder, &toy_requests, reterr);
	if (!r)
		run_free(&run);
	return r;
}

static void what_a_run_wrote_is_read(void **state)
{
	static const char *const rows[] = {
		TOY_HEADER,
		TOY_HEADER GOOD,
		TOY_HEADER GOOD TOY_ROW(TWO, "0,none,skipped", "", "", ""),
		/* Attempts and repeats of one point. */
		TOY_HEADER GOOD TOY_EXIT("1,on,1,2", "0") TOY_EXIT("1,on,2,1", "0"),
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		assert_int_equal(read_toy(TOY_ENVIRONMENT, rows[i], &err), 0);
}

static void whether_it_is_simulated_is_said_once(void **state)
{
	static const struct {
		const char *environment;
		const char *words;
	} cases[] = {
		{ "key,value\n", "and 0 do" },
		{ "key,value\nrun,r\n", "and 0 do" },
		{ "key,value\nrun,r\nsimulated,no\nsimulated,yes\n", "and 2 do" },
		{ "key,value\nrun,r\nsimulated,no\nsimulated,no\n", "and 2 do" },
		{ "key,value\nrun,r\nsimulated,\n", "neither yes nor no" },
		{ "key,value\nrun,r\nsimulated,false\n", "neither yes nor no" },
		{ "key,value\nrun,r\nsimulated,No\n", "neither yes nor no" },
		{ "key,value\nrun,r\nsimulated,no\ngpu_na", "the middle of a row" },
		{ "key,value\nrun,r\nsimulated,no", "the middle of a row" },
		{ "key,word\nrun,r\nsimulated,no\n", "'key' and 'value'" },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		assert_int_equal(read_toy(cases[i].environment, TOY_HEADER GOOD, &err), -EBADMSG);
		assert_non_null(strstr(err.text, "environment.csv"));
		assert_non_null(strstr(err.text, cases[i].words));
	}
}

static void what_is_of_a_simulated_run_says_so(void **state)
{
	struct run run;
	struct err err;

	(void)state;
	toy_put("environment.csv", "key,value\nrun,r\nsimulated,yes\n");
	toy_put("toy.csv", TOY_HEADER GOOD);
	assert_int_equal(run_read(&run, toy_folder, &toy_requests, &err), 0);
	assert_true(environment_is_simulated(&run.environment));
	run_free(&run);
	toy_put("environment.csv", TOY_ENVIRONMENT);
	assert_int_equal(run_read(&run, toy_folder, &toy_requests, &err), 0);
	assert_false(environment_is_simulated(&run.environment));
	run_free(&run);
}

static void rows_that_no_run_wrote_are_refused(void **state)
{
	static const struct {
		const char *rows;
		const char *words;
	} cases[] = {
		/* Of another run, simulated perhaps, or of another benchmark. */
		{ TOY_HEADER GOOD "simulated-r,toy,0,2,on,1,1,0,exit,ok,,,0,0,\n",
		  "line 5: it is of the run 'simulated-r', not of 'r'" },
		{ TOY_HEADER GOOD "r,joy,0,2,on,1,1,0,exit,ok,,,0,0,\n",
		  "line 5: it is of the benchmark 'joy', not of 'toy'" },
		{ "device,size,repeat,attempt,step_index,step,status,error,delta_bytes,total_bytes,"
		  "note\n0,1,1,1,0,exit,ok,,0,0,\n",
		  "no column 'run'" },
		/* Swapped, deleted, doubled, from elsewhere. */
		{ TOY_HEADER TOY_STEP(ONE, "1,set,ok", "5") TOY_STEP(ONE, "0,start,ok", "0")
			  TOY_EXIT(ONE, "2"),
		  "line 2: its step_index is '1', and 0 is next" },
		{ TOY_HEADER TOY_STEP(ONE, "0,start,ok", "0") TOY_EXIT(ONE, "2"),
		  "line 3: its step_index is '2', and 1 is next" },
		{ TOY_HEADER TOY_STEP(ONE, "0,start,ok", "0") TOY_STEP(ONE, "0,start,ok", "0")
			  TOY_EXIT(ONE, "1"),
		  "line 3: its step_index is '0', and 1 is next" },
		{ TOY_HEADER TOY_STEP(ONE, "zero,start,ok", "0") TOY_EXIT(ONE, "1"),
		  "line 2: its step_index is 'zero', and 0 is next" },
		{ TOY_HEADER TOY_STEP(ONE, "0,start,ok", "0") TOY_EXIT(TWO, "1"),
		  "line 3: the sample before it has no end" },
		{ TOY_HEADER GOOD GOOD, "line 5: this attempt at the sample was there before" },
		{ TOY_HEADER GOOD TOY_EXIT(TWO, "0") GOOD,
		  "line 6: this attempt at the sample was there before" },
		{ TOY_HEADER TOY_STEP(ONE, "0,start,ok", "0")
			  TOY_ROW(ONE, "1,none,skipped", "", "", ""),
		  "line 3: what was measured" },
		{ TOY_HEADER GOOD TOY_STEP(TWO, "0,start,ok", "0"),
		  "line 5: the last sample has no end" },
		/* A note of two lines counts as two. */
		{ TOY_HEADER "r,toy,0,1,on,1,1,0,start,ok,,,0,0,\"a\nb\"\n" TOY_EXIT(ONE, "2"),
		  "line 4: its step_index is '2', and 1 is next" },
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		assert_int_equal(read_toy(TOY_ENVIRONMENT, cases[i].rows, &err), -EBADMSG);
		if (!strstr(err.text, cases[i].words))
			fail_msg("'%s' is not in '%s'", cases[i].words, err.text);
	}
}

static void a_sample_that_is_torn_is_left_out(void **state)
{
	static const struct {
		const char *rows;
		size_t sample_count;
	} cases[] = {
		{ TOY_HEADER GOOD "r,toy,0,2,on,", 1 },
		{ TOY_HEADER GOOD TOY_STEP(TWO, "0,start,ok", "0") "r,toy,0,2,on,", 1 },
		{ TOY_HEADER GOOD TOY_EXIT(TWO, "0") "r,toy,0,3,on,1,1,0,start,ok,,,0,0,", 2 },
		{ TOY_HEADER TOY_STEP(TWO, "0,start,ok", "0") "r,toy,0,2,on,", 0 },
	};
	struct run run;
	struct err err;

	(void)state;
	toy_put("environment.csv", TOY_ENVIRONMENT);
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		toy_put("toy.csv", cases[i].rows);
		assert_int_equal(run_read(&run, toy_folder, &toy_requests, &err), 0);
		assert_int_equal(run.samples[0].count, cases[i].sample_count);
		assert_true(run.samples[0].table.torn);
		run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_run_wrote_is_read),
		cmocka_unit_test(whether_it_is_simulated_is_said_once),
		cmocka_unit_test(what_is_of_a_simulated_run_says_so),
		cmocka_unit_test(rows_that_no_run_wrote_are_refused),
		cmocka_unit_test(a_sample_that_is_torn_is_left_out),
	};

	return cmocka_run_group_tests(tests, toy_enter, toy_leave);
}
