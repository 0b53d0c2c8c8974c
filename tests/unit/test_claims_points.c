/* SPDX-License-Identifier: MIT */
/* Which points a claim is judged by, and what is missed of them. */
#include "tests/unit/toy_run.h"

/* A second step of the same sample. */
#define THEN(size, mode, repeat, step, status, delta)                                             \
	"r,toy,0," size "," mode "," repeat ",1,2," step "," status ",," size "," delta "," delta \
	",\n"

/* At its most, "made" is more than "left" at its most. */
static struct claim_request made_and_left(const char *where_made, const char *where_left)
{
	return (struct claim_request){
		.figures = { { "made", FIGURE_MAX, "toy", "set", .column = "delta_bytes",
			       .where = where_made },
			     { "left", FIGURE_MAX, "toy", "end", .column = "delta_bytes",
			       .where = where_left } },
		.checks = { { "made", CHECK_MORE, .right = "left" } },
	};
}

static void points_that_have_both_are_compared(void **state)
{
	static const char ends_early[] = ROW("1", "on", "1", "set", "ok", "5")
		THEN("1", "on", "1", "end", "ok", "5") ROW("2", "on", "1", "set", "ok", "90");
	static const char refused[] = ROW("1", "on", "1", "set", "ok", "5")
		THEN("1", "on", "1", "end", "ok", "5") ROW("2", "on", "1", "set", "ok", "90")
			THEN("2", "on", "1", "end", "refused", "0");
	struct claim_request claim = made_and_left(NULL, NULL);

	(void)state;
	/* One has no such step: the other decides. */
	assert_int_equal(judge(ends_early, &claim, "made: 5 bytes (toy, set); left: 5 bytes"),
			 CLAIM_FALSE_HERE);
	assert_int_equal(judge(refused, &claim, "; a point that has one of them lacks another"),
			 CLAIM_NOT_MEASURED);
}

static void points_are_equal_but_for_what_is_compared(void **state)
{
	static const char crossed[] =
		ROW("1", "on", "1", "set", "ok", "5") ROW("2", "off", "1", "end", "ok", "1");
	static const char one_pair[] = ROW("1", "on", "1", "set", "ok", "5")
		ROW("2", "off", "1", "end", "ok", "1") ROW("1", "off", "1", "end", "ok", "7")
			ROW("3", "on", "1", "set", "ok", "8");
	struct claim_request claim = made_and_left("mode=on", "mode=off");

	(void)state;
	assert_int_equal(judge(crossed, &claim,
			       "made: 5 bytes (toy, set); left: 1 bytes (toy, end); no point has "
			       "all of them"),
			 CLAIM_NOT_MEASURED);
	assert_int_equal(judge(one_pair, &claim, "made: 5 bytes (toy, set); left: 7 bytes"),
			 CLAIM_FALSE_HERE);
	/* Two points are meant, whatever else is there. */
	claim = made_and_left("size=3,mode=on", "size=2,mode=off");
	assert_int_equal(judge(one_pair, &claim, "made: 8 bytes (toy, set); left: 1 bytes"),
			 CLAIM_TRUE);
	/* A reading is no value that tells points apart. */
	claim = made_and_left("size=@granted_bytes,mode=on", "size=@granted_bytes,mode=off");
	assert_int_equal(judge(crossed, &claim, "; no point has all of them"), CLAIM_NOT_MEASURED);
}

static void what_a_device_cannot_take_is_left_out(void **state)
{
	static const char rows[] = ROW("1", "on", "1", "set", "ok", "5")
		ROW("1", "off", "1", "end", "ok", "4") ROW("2", "on", "1", "set", "ok", "6")
			ROW("2", "off", "1", "none", "unsupported", "")
				ROW("3", "on", "1", "none", "skipped", "")
					ROW("3", "off", "1", "end", "ok", "9");
	struct claim_request claim = made_and_left("mode=on", "mode=off");

	(void)state;
	assert_int_equal(judge(rows, &claim, "made: 5 bytes (toy, set); left: 4 bytes"),
			 CLAIM_TRUE);
}

/* Steps behind a refusal that counts need not be there. */
static void a_refusal_that_counts_may_end_a_sample(void **state)
{
	static const char rows[] = ROW("1", "on", "1", "set", "ok", "5")
		THEN("1", "on", "1", "end", "ok", "5") ROW("2", "on", "1", "set", "refused", "0");
	struct claim_request claim = {
		.figures = { { "refused", FIGURE_SUM, "toy", "set", .column = "refused" },
			     { "left", FIGURE_MAX, "toy", "end", .column = "delta_bytes" } },
		.checks = { { "refused", .relation = CHECK_EQUAL },
			    { "left", .relation = CHECK_MORE } },
	};

	(void)state;
	assert_int_equal(judge(rows, &claim, "refused: 1 (toy, set); left: 5 bytes"),
			 CLAIM_FALSE_HERE);
}

static void a_sample_that_failed_leaves_it_open(void **state)
{
	static const char *const statuses[] = { "failed", "timeout", "crashed", "disturbed" };
	struct claim_request claim = claim_of(FIGURE_MAX, "mode=on", CHECK_EQUAL, 10);
	char rows[512], words[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(statuses); i++) {
		snprintf(rows, sizeof rows,
			 ROW("1", "on", "1", "set", "ok", "10")
				 ROW("2", "on", "1", "set", "ok", "10") "r,toy,0,2,on,1,1,2,end,"
									"%s,SIG,2,,,\n",
			 statuses[i]);
		snprintf(words, sizeof words, "it: not measured: %s SIG (toy, set)", statuses[i]);
		assert_int_equal(judge(rows, &claim, words), CLAIM_NOT_MEASURED);
		/* It may have been one of these; its reading was yet to come. */
		claim.figures[0].where = "mode=on,size=@granted_bytes";
		assert_int_equal(judge(rows, &claim, words), CLAIM_NOT_MEASURED);
		claim.figures[0].where = "mode=on,size=1";
		assert_int_equal(judge(rows, &claim, "it: 10 bytes"), CLAIM_TRUE);
		claim.figures[0].where = "mode=on";
	}
}

/* ---- what was planned ---- */

#define PLAN_HEADER "order,benchmark,repeat,axis_1,value_1,axis_2,value_2\n"

static void what_was_planned_is_missed(void **state)
{
	static const char rows[] =
		ROW("1", "on", "1", "set", "ok", "10") ROW("2", "on", "1", "set", "ok", "10");
	static const char planned[] = PLAN_HEADER "1,toy,1,size,1,mode,on\n"
						  "2,absent,1,size,1,mode,on\n"
						  "3,toy,1,size,2,mode,on\n"
						  "4,toy,1,size,1,mode,off\n"
						  "5,toy,2,size,1,mode,on\n";
	struct claim_request claim = claim_of(FIGURE_MAX, NULL, CHECK_EQUAL, 10);

	(void)state;
	toy_put("plan.csv", planned);
	assert_int_equal(judge(rows, &claim, "it: not measured: 2 of 4 samples are missing (toy"),
			 CLAIM_NOT_MEASURED);
	claim.figures[0].where = "mode=on,size=@granted_bytes";
	assert_int_equal(judge(rows, &claim, "it: not measured: 1 of 3 samples are missing"),
			 CLAIM_NOT_MEASURED);
	claim.figures[0].where = "mode=off";
	assert_int_equal(judge(rows, &claim, "it: not measured: 1 of 1 samples are missing"),
			 CLAIM_NOT_MEASURED);
	claim.figures[0].where = "size=2";
	assert_int_equal(judge(rows, &claim, "it: 10 bytes"), CLAIM_TRUE);
	/* More than was planned is fine, and so is a plan that lacks it altogether. */
	toy_put("plan.csv", PLAN_HEADER "1,toy,1,size,1,mode,on\n");
	claim.figures[0].where = NULL;
	assert_int_equal(judge(rows, &claim, "it: 10 bytes"), CLAIM_TRUE);
	claim.figures[0].benchmark = "absent";
	assert_int_equal(judge(rows, &claim, "it: not measured (cuctx run absent)"),
			 CLAIM_NOT_MEASURED);
	toy_put("plan.csv", planned);
	assert_int_equal(judge(rows, &claim, "it: not measured: 1 of 1 samples are missing"),
			 CLAIM_NOT_MEASURED);
}

static void what_is_no_plan_is_an_error(void **state)
{
	const struct requests requests = { .benchmarks = toys, .benchmark_count = 1 };
	struct run run;
	struct err err;

	(void)state;
	toy_put("toy.csv", HEADER);
	toy_put("plan.csv", "order,benchmark\n1,toy\n");
	assert_int_equal(run_read(&run, toy_folder, &requests, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "plan.csv: no column 'repeat'"));
	toy_put("plan.csv", "order,benchmark,repeat\n1,toy,1\n");
	assert_int_equal(run_read(&run, toy_folder, &requests, &err), 0);
	run_free(&run);
	toy_put("plan.csv", PLAN_HEADER);
}

/* ---- what can be seen ---- */

static void nothing_seen_is_told_only_where_it_could_be(void **state)
{
	static const char rows[] = ROW("100", "on", "1", "set", "ok", "0");
	struct claim_request claim = {
		.figures = { { "granule", FIGURE_VALUE, FIGURE_ENVIRONMENT, NULL,
			       .column = "granule_bytes" },
			     { "things", FIGURE_MAX, "toy", "set", .column = "size" },
			     { "all", FIGURE_MAX, "toy", "set", .column = "delta_bytes" } },
		.checks = { { "things", CHECK_AT_LEAST, "granule", .is_evidence = true,
			      .times = 32 },
			    { "all", .relation = CHECK_MORE } },
	};

	(void)state;
	assert_int_equal(judge(rows, &claim, "granule: not measured (environment.csv); things"),
			 CLAIM_NOT_MEASURED);
	toy_put("environment.csv", TOY_ENVIRONMENT "granule_bytes,3200\n");
	assert_int_equal(judge(rows, &claim, "granule: 3200 bytes (environment.csv); things: 100"),
			 CLAIM_FALSE_HERE);
	toy_put("environment.csv", TOY_ENVIRONMENT "granule_bytes,3201\n");
	assert_int_equal(
		judge(rows, &claim, "; can be told to be false only where things x 32 >= granule"),
		CLAIM_NOT_MEASURED);
	/* What was seen needs no proof that it could be. */
	claim.checks[1] = (struct check_request){ .left = "all", .relation = CHECK_EQUAL };
	assert_int_equal(judge(rows, &claim, "all: 0 bytes (toy, set)"), CLAIM_TRUE);
	toy_put("environment.csv", TOY_ENVIRONMENT);
}

static void a_refusal_may_have_to_be_a_certain_one(void **state)
{
	static const char meant[] = "r,toy,0,1,on,1,1,1,set,refused,LOW,1,0,0,\n";
	static const char other[] = "r,toy,0,1,on,1,1,1,set,refused,LO,1,0,0,\n";
	struct claim_request claim = claim_of(FIGURE_SUM, NULL, CHECK_EQUAL, 1);

	(void)state;
	claim.figures[0].column = "refused";
	claim.figures[0].errors = "HIGH,LOW";
	assert_int_equal(judge(meant, &claim, "it: 1 (toy, set)"), CLAIM_TRUE);
	assert_int_equal(judge(other, &claim, "it: not measured: refused LO (toy, set)"),
			 CLAIM_NOT_MEASURED);
	claim.checks[0].constant = 0;
	claim.figures[0].column = "delta_bytes";
	claim.figures[0].of_refused = true;
	assert_int_equal(judge(meant, &claim, "it: 0 bytes"), CLAIM_TRUE);
	assert_int_equal(judge(other, &claim, "it: not measured: refused LO"), CLAIM_NOT_MEASURED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_that_have_both_are_compared),
		cmocka_unit_test(points_are_equal_but_for_what_is_compared),
		cmocka_unit_test(what_a_device_cannot_take_is_left_out),
		cmocka_unit_test(a_refusal_that_counts_may_end_a_sample),
		cmocka_unit_test(a_sample_that_failed_leaves_it_open),
		cmocka_unit_test(what_was_planned_is_missed),
		cmocka_unit_test(what_is_no_plan_is_an_error),
		cmocka_unit_test(nothing_seen_is_told_only_where_it_could_be),
		cmocka_unit_test(a_refusal_may_have_to_be_a_certain_one),
	};

	return cmocka_run_group_tests(tests, toy_make_folder, toy_leave);
}
