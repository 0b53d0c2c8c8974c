/* SPDX-License-Identifier: MIT */
#include "tests/unit/golden.h"

#include <errno.h>

#include "analysis/laws.h"
#include "analysis/run.h"
#include "tests/unit/scratch.h"

#define HEADER                                                                                \
	"run,benchmark,device,size,mode,repeat,attempt,step_index,step,status,error,granted," \
	"delta_bytes,total_bytes,note\n"

static int read_text(struct samples *samples, const char *text, struct err *reterr)
{
	struct scratch scratch = scratch_open();
	int r;

	scratch_fill(&scratch, text, strlen(text));
	r = samples_read(samples, scratch.path, reterr);
	scratch_close(&scratch);
	return r;
}

static struct samples samples_of(const char *text)
{
	struct samples samples;
	struct err err;

	assert_int_equal(read_text(&samples, text, &err), 0);
	return samples;
}

static void columns_are_found_by_name(void **state)
{
	struct samples samples =
		samples_of("more,device,size,repeat,step,status,error,granted,delta_bytes,note,"
			   "total_bytes,attempt\n"
			   "?,0,16,1,set,ok,,32,4096,,8192,1\n");
	int64_t value;

	(void)state;
	assert_int_equal(samples.count, 1);
	assert_int_equal(samples.axis_count, 1);
	assert_int_equal(samples.reading_count, 1);
	assert_true(samples_value(&samples, 0, "size", &value));
	assert_int_equal(value, 16);
	assert_true(samples_value(&samples, 0, "granted", &value));
	assert_int_equal(value, 32);
	assert_false(samples_value(&samples, 0, "more", &value));
	assert_false(samples_value(&samples, 0, "total_bytes", &value));
	samples_free(&samples);
}

static void a_missing_column_is_named(void **state)
{
	struct samples samples;
	struct err err;

	(void)state;
	assert_int_equal(read_text(&samples,
				   "device,size,repeat,attempt,step,status,error,delta_bytes,"
				   "note\n0,1,1,1,set,ok,,0,\n",
				   &err),
			 -EBADMSG);
	assert_non_null(strstr(err.text, "'total_bytes'"));
	assert_int_equal(read_text(&samples,
				   "repeat,size,device,attempt,step,status,error,delta_bytes,"
				   "total_bytes,note\n",
				   &err),
			 -EBADMSG);
}

static void conditions(void **state)
{
	struct samples samples = samples_of(HEADER "r,b,0,16,on,1,1,0,start,ok,,,0,0,\n"
						   "r,b,0,16,on,1,1,1,get,ok,,16,0,0,\n");

	(void)state;
	assert_true(samples_matches(&samples, 0, NULL));
	assert_true(samples_matches(&samples, 0, ""));
	assert_true(samples_matches(&samples, 0, "mode=on"));
	assert_true(samples_matches(&samples, 0, "mode=on,size=16"));
	assert_true(samples_matches(&samples, 0, "size=@granted,mode=on"));
	assert_false(samples_matches(&samples, 0, "mode=o"));
	assert_false(samples_matches(&samples, 0, "mode=one"));
	assert_false(samples_matches(&samples, 0, "mode="));
	assert_false(samples_matches(&samples, 0, "mode"));
	assert_false(samples_matches(&samples, 0, "mod=on"));
	assert_false(samples_matches(&samples, 0, "size=@nothing"));
	assert_false(samples_matches(&samples, 0, "mode=@granted"));
	assert_false(samples_matches(&samples, 0, "mode=on,size=17"));
	samples_free(&samples);
}

static void the_attempt_that_counts(void **state)
{
	/* Of the first sample the second attempt; of the second the first, since nothing later was
	 * undisturbed; of the third the last. */
	struct samples samples = samples_of(HEADER "r,b,0,1,on,1,1,0,set,disturbed,,,9,9,\n"
						   "r,b,0,1,on,1,2,0,set,ok,,,5,5,\n"
						   "r,b,0,2,on,1,1,0,set,ok,,,7,7,\n"
						   "r,b,0,2,on,1,2,0,set,disturbed,,,9,9,\n"
						   "r,b,0,3,on,1,1,0,set,disturbed,,,3,3,\n"
						   "r,b,0,3,on,1,2,0,set,disturbed,,,4,4,\n");
	static const char *const deltas[] = { "5", "7", "4" };

	(void)state;
	assert_int_equal(samples.count, 3);
	assert_int_equal(samples.disturbed_count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(samples_cell(&samples, i, samples.columns.delta_bytes),
				    deltas[i]);
	assert_string_equal(samples_verdict(&samples, 0), "ok");
	assert_string_equal(samples_verdict(&samples, 2), "disturbed");
	samples_free(&samples);
}

static void the_gravest_status_is_the_verdict(void **state)
{
	struct samples samples = samples_of(HEADER "r,b,0,1,on,1,1,0,start,ok,,,0,0,\n"
						   "r,b,0,1,on,1,1,1,set,refused,,,0,0,\n"
						   "r,b,0,1,on,1,1,2,launch,crashed,,,0,0,\n"
						   "r,b,0,1,on,1,1,3,exit,ok,,,0,0,\n"
						   "r,b,0,2,on,1,1,0,set,from-the-future,,,0,0,\n"
						   "r,b,0,2,on,1,1,1,exit,crashed,,,0,0,\n");

	(void)state;
	assert_string_equal(samples_verdict(&samples, 0), "crashed");
	assert_string_equal(samples_verdict(&samples, 1), "from-the-future");
	samples_free(&samples);
}

static void repeats_that_agree_and_that_do_not(void **state)
{
	struct samples samples = samples_of(HEADER "r,b,0,1,on,1,1,0,set,ok,,,5,5,\n"
						   "r,b,0,2,on,1,1,0,set,ok,,,5,5,\n"
						   "r,b,0,3,on,1,1,0,set,ok,,,5,5,\n"
						   "r,b,0,1,on,2,1,0,set,ok,,,5,5,x\n"
						   "r,b,0,2,on,2,1,0,set,ok,,,6,6,\n");
	struct repeats repeats = samples_repeats(&samples);

	(void)state;
	assert_int_equal(samples.point_count, 3);
	assert_int_equal(repeats.point_count, 2);
	assert_int_equal(repeats.identical_count, 1);
	samples_free(&samples);
}

static void a_file_without_samples(void **state)
{
	struct samples samples = samples_of(HEADER);

	(void)state;
	assert_int_equal(samples.count, 0);
	assert_int_equal(samples_repeats(&samples).point_count, 0);
	samples_free(&samples);
}

/* Damaged files and devices that nobody has; the other laws are there all the same. */
static void no_law_of_more_than_its_arithmetic_holds(void **state)
{
	const struct law_request request = { .component = "pool", .axis = "size", .step = "set" };
	struct samples samples =
		samples_of(HEADER "r,b,0,1,on,1,1,0,set,ok,,,17592186044416,17592186044416,\n"
				  "r,b,0,2,on,1,1,0,set,ok,,,1,1,\n");
	struct fitted_law fitted;

	(void)state;
	assert_int_equal(laws_fit_one(&samples, &request, 4096, &fitted, NULL), 0);
	assert_false(fitted.is_measured);
	samples_free(&samples);
}

static void a_run_is_read_whole(void **state)
{
	struct run run;
	struct err err;

	(void)state;
	assert_int_equal(run_read(&run, GOLDEN_RUN, &golden_requests, &err), 0);
	assert_true(environment_is_simulated(&run.environment));
	assert_int_equal(environment_number(&run.environment, "granule_bytes"), 4096);
	assert_string_equal(environment_get(&run.environment, "no_such_key"), "");
	assert_non_null(run_samples(&run, "pool"));
	assert_int_equal(run_samples(&run, "pool")->disturbed_count, 1);
	assert_null(run_samples(&run, "absent"));
	assert_null(run_samples(&run, "never heard of"));
	run_free(&run);
	assert_int_equal(run_read(&run, "no-such-run", &golden_requests, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no-such-run/environment.csv"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_found_by_name),
		cmocka_unit_test(a_missing_column_is_named),
		cmocka_unit_test(conditions),
		cmocka_unit_test(the_attempt_that_counts),
		cmocka_unit_test(the_gravest_status_is_the_verdict),
		cmocka_unit_test(repeats_that_agree_and_that_do_not),
		cmocka_unit_test(a_file_without_samples),
		cmocka_unit_test(no_law_of_more_than_its_arithmetic_holds),
		cmocka_unit_test(a_run_is_read_whole),
	};

	return cmocka_run_group_tests(tests, golden_enter, NULL);
}
