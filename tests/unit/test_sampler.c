/* SPDX-License-Identifier: MIT */
/* Samples that end where no step is: on the simulated device, whose calls all succeed. */
#include "tests/unit/check.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/sampler.h"
#include "harness/simulate.h"

#define SKIPPED   77
#define SECOND_NS 1000000000u

/* What a process does in place of its _exit(), which this program wraps. */
static enum way_out { EXITS, ABORTS, STAYS } at_exit;

void __real__exit(int code) __attribute__((noreturn));
void __wrap__exit(int code) __attribute__((noreturn));

void __wrap__exit(int code)
{
	if (at_exit == ABORTS)
		abort();
	while (at_exit == STAYS)
		pause();
	__real__exit(code);
}

static void run_nothing(struct sample *s)
{
	(void)s;
}

static void run_undeclared(struct sample *s)
{
	sample_read(s, "nobody_declared_this", 1);
}

static void run_into_abort(struct sample *s)
{
	(void)s;
	abort();
}

/* Asked for before the first step. */
static unsigned int abort_early(const struct bench *bench, const struct bench_point *point)
{
	(void)bench;
	(void)point;
	abort();
}

static const struct bench breaks_early = { .name = "breaks-early",
					   .libraries = abort_early,
					   .run = run_nothing };
static const struct bench breaks_between = { .name = "breaks-between", .run = run_into_abort };
static const struct bench nothing = { .name = "nothing", .run = run_nothing };
static const struct bench undeclared = { .name = "undeclared", .run = run_undeclared };

/* To be freed. */
static struct result take(const struct bench *bench)
{
	const struct plan_sample sample = { .bench = bench, .repeat = 1 };
	struct sampler sampler = { .timeout_ns = SECOND_NS };
	struct result result = { .attempt = 1 };
	struct err err = { "" };

	if (sampler_start(&sampler, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(sampler_take(&sampler, &sample, 1, &result), 0);
	sampler_stop(&sampler);
	return result;
}

static void assert_row(const struct result *result, size_t i, const char *step, enum status status)
{
	assert_true(i < result->row_count);
	assert_string_equal(result->rows[i].step, step);
	assert_int_equal(result->rows[i].status, status);
	assert_true(result->rows[i].has_device);
}

static void a_process_that_breaks_on_its_way_out_has_one_last_row(void **state)
{
	static const struct {
		enum way_out how;
		enum status status;
		const char *error;
	} cases[] = { { EXITS, STATUS_OK, "" },
		      { ABORTS, STATUS_CRASHED, "SIGABRT" },
		      { STAYS, STATUS_TIMEOUT, "no answer in 1 s" } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct result result;

		at_exit = cases[i].how;
		result = take(&nothing);
		at_exit = EXITS;
		assert_int_equal(result.row_count, 3);
		assert_row(&result, 0, "start", STATUS_OK);
		assert_row(&result, 1, "init", STATUS_OK);
		assert_row(&result, 2, "exit", cases[i].status);
		assert_string_equal(result.rows[2].error, cases[i].error);
		assert_int_equal(result.verdict, cases[i].status);
		result_free(&result);
	}
}

static void what_fails_between_two_steps_has_a_name(void **state)
{
	struct result result = take(&undeclared);

	(void)state;
	assert_int_equal(result.row_count, 4);
	assert_row(&result, 1, "init", STATUS_OK);
	assert_row(&result, 2, "init", STATUS_FAILED);
	assert_string_equal(result.rows[2].error, "cuctx");
	assert_non_null(strstr(result.rows[2].note, "has not declared"));
	assert_row(&result, 3, "exit", STATUS_OK);
	result_free(&result);
}

static void assert_crashed(const struct result_row *row)
{
	assert_string_equal(row->error, "SIGABRT");
	assert_true(row->elapsed_ns < 10 * (uint64_t)SECOND_NS);
}

static void a_process_that_breaks_before_its_first_step_broke_in_that(void **state)
{
	struct result result = take(&breaks_early);

	(void)state;
	assert_int_equal(result.row_count, 2);
	assert_row(&result, 1, "exit", STATUS_OK);
	assert_string_equal(result.rows[0].step, "start");
	assert_int_equal(result.rows[0].status, STATUS_CRASHED);
	assert_crashed(&result.rows[0]);
	result_free(&result);
}

static void a_process_that_breaks_between_two_steps_broke_in_neither(void **state)
{
	struct result result = take(&breaks_between);

	(void)state;
	assert_int_equal(result.row_count, 3);
	assert_row(&result, 0, "start", STATUS_OK);
	assert_row(&result, 1, "init", STATUS_OK);
	assert_row(&result, 2, "exit", STATUS_CRASHED);
	assert_crashed(&result.rows[2]);
	result_free(&result);
}

static bool simulate(void)
{
	const char *build = getenv("CUCTX_BUILD");
	char profiles[4096], libraries[4096];
	struct err err;

	if (!build)
		return false;
	snprintf(profiles, sizeof profiles, "%s/share/cuctx/profiles", build);
	snprintf(libraries, sizeof libraries, "%s/lib/cuctx/sim", build);
	return !simulate_device("h200", profiles, libraries, &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_breaks_on_its_way_out_has_one_last_row),
		cmocka_unit_test(a_process_that_breaks_before_its_first_step_broke_in_that),
		cmocka_unit_test(a_process_that_breaks_between_two_steps_broke_in_neither),
		cmocka_unit_test(what_fails_between_two_steps_has_a_name),
	};

	if (!simulate())
		return SKIPPED;
	return cmocka_run_group_tests_name("harness/sampler", tests, NULL, NULL);
}
