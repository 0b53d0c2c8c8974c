/* SPDX-License-Identifier: MIT */
/* Which rows a law is made of, and what it says of those that it cannot take. */
#include "tests/unit/row_run.h"

#include "analysis/laws.h"
#include "analysis/report.h"

#define HUGE_BYTES "17592186044416"
#define LEAST      "-9223372036854775808"

/* A sample that ends in `status` and `error` with this reading. */
#define ENDS(size, status, error, granted)                            \
	TOY_ROW(size ",on,1,1", "0,set," status, error, granted, "5") \
	TOY_EXIT(size ",on,1,1", "1")

static const struct law_request wants_ok = { .benchmark = "toy",
					     .component = "granted",
					     .axis = "size",
					     .step = "set",
					     .reading = "granted_bytes" };
static const struct law_request wants_fault = {
	.benchmark = "toy",
	.component = "fault",
	.axis = "size",
	.step = "set",
	.reading = "granted_bytes",
	.refused_with = "CUDA_ERROR_LAUNCH_FAILED,CUDA_ERROR_ILLEGAL_ADDRESS"
};
static const struct law_request wants_bytes = {
	.benchmark = "toy", .component = "bytes", .axis = "size", .step = "set", .is_total = true
};
static const struct law_request wants_edge = { .benchmark = "toy",
					       .component = "edge",
					       .axis = "size",
					       .step = "set",
					       .is_total = true,
					       .is_edge = true };
static const struct law_request wants_slots = { .benchmark = "toy",
						.component = "slots",
						.axis = "size",
						.step = "set",
						.copies = "granted_bytes" };

static struct fitted_law fit(const char *rows, const struct law_request *request)
{
	char text[4096], path[96];
	struct samples samples;
	struct fitted_law fitted;
	struct err err;

	snprintf(text, sizeof text, TOY_HEADER "%s", rows);
	toy_put("toy.csv", text);
	snprintf(path, sizeof path, "%s/toy.csv", toy_folder);
	assert_int_equal(samples_read(&samples, path, &err), 0);
	assert_int_equal(laws_fit_one(&samples, request, 4096, &fitted, &err), 0);
	samples_free(&samples);
	return fitted;
}

static void a_reading_counts_where_its_step_ended_as_wanted(void **state)
{
	static const char rows[] = ENDS("1", "ok", "", "10") ENDS("2", "refused",
								  "CUDA_ERROR_LAUNCH_FAILED", "20")
		ENDS("3", "refused", "CUDA_ERROR_ILLEGAL_ADDRESS",
		     "30") ENDS("4", "refused", "CUDA_ERROR_OUT_OF_MEMORY", "1")
			ENDS("5", "crashed", "SIGSEGV", "2") ENDS("6", "refused", "", "3")
				ENDS("7", "refused", "CUDA_ERROR_LAUNCH", "4")
					ENDS("8", "failed", "CUDA_ERROR_LAUNCH_FAILED", "5");

	(void)state;
	assert_int_equal(fit(rows, &wants_ok).law.point_count, 1);
	assert_int_equal(fit(rows, &wants_ok).law.intercept_bytes.numerator, 10);
	assert_int_equal(fit(rows, &wants_fault).law.point_count, 2);
	assert_int_equal(fit(rows, &wants_fault).law.per_unit.numerator, 10);
	assert_false(
		fit(ENDS("1", "refused", "CUDA_ERROR_NOT_PERMITTED", "0"), &wants_ok).is_measured);
}

static void the_line_beyond_all_laws_is_named(void **state)
{
	static const struct {
		const char *rows;
		const struct law_request *request;
		size_t line;
	} cases[] = {
		{ ENDS("1", "ok", "", HUGE_BYTES), &wants_ok, 2 },
		{ ENDS("1", "ok", "", "1") ENDS("2", "ok", "", HUGE_BYTES), &wants_ok, 4 },
		{ ENDS("1", "ok", "", "1") ENDS(HUGE_BYTES, "ok", "", "1"), &wants_bytes, 4 },
		/* One less than the least there is. */
		{ "r,toy,0,9,on,1,1,0,set,ok,,,1," LEAST ",\n" TOY_EXIT("9,on,1,1", "1"),
		  &wants_edge, 2 },
		{ ENDS("1", "ok", "", "1") "r,toy,0,9,on,1,1,0,set,ok,,1,1," LEAST
					   ",\n" TOY_EXIT("9,on,1,1", "1"),
		  &wants_slots, 4 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct fitted_law fitted = fit(cases[i].rows, cases[i].request);

		assert_false(fitted.is_measured);
		assert_true(fitted.is_beyond);
		assert_int_equal(fitted.beyond_line, cases[i].line);
	}
	assert_false(fit(ENDS("1", "ok", "", "1"), &wants_ok).is_beyond);
	assert_false(fit("", &wants_ok).is_beyond);
}

/* The report in Markdown, and laws.csv. */
static void assert_told(const char *rows, const char *report_words, const char *laws_words)
{
	const struct law_request laws[] = { wants_ok, wants_bytes };
	const struct requests requests = {
		.benchmarks = toys, .benchmark_count = 1, .laws = laws, .law_count = 2
	};
	char path[96], csv[4096];
	struct laws fitted;
	struct run run;
	struct err err;
	FILE *file;
	char *text;

	toy_put("environment.csv", TOY_ENVIRONMENT);
	toy_put("toy.csv", rows);
	assert_int_equal(report_render(toy_folder, &requests, DOCUMENT_MARKDOWN, &text, &err), 0);
	if (!strstr(text, report_words))
		fail_msg("'%s' is not in '%s'", report_words, text);
	free(text);
	assert_int_equal(run_read(&run, toy_folder, &requests, &err), 0);
	assert_int_equal(laws_fit(&fitted, &run, &err), 0);
	assert_int_equal(laws_write(&fitted, toy_folder, &err), 0);
	laws_free(&fitted);
	run_free(&run);
	snprintf(path, sizeof path, "%s/laws.csv", toy_folder);
	file = fopen(path, "re");
	assert_non_null(file);
	csv[fread(csv, 1, sizeof csv - 1, file)] = '\0';
	fclose(file);
	unlink(path);
	if (!strstr(csv, laws_words))
		fail_msg("'%s' is not in '%s'", laws_words, csv);
}

static void what_cannot_be_told_is_said(void **state)
{
	(void)state;
	assert_told(TOY_HEADER ENDS("1", "ok", "", "1") ENDS("2", "ok", "", HUGE_BYTES),
		    "| granted | none | line 4 of toy.csv has a number beyond 16 TiB |",
		    "toy,bytes,constant,bytes,5,bytes,2,0,yes,yes\n");
	/* One point meets any law. */
	assert_told(TOY_HEADER ENDS("1", "ok", "", "7"), "untested: too few points",
		    "toy,granted,constant,bytes,7,bytes,1,0,yes,no\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reading_counts_where_its_step_ended_as_wanted),
		cmocka_unit_test(the_line_beyond_all_laws_is_named),
		cmocka_unit_test(what_cannot_be_told_is_said),
	};

	return cmocka_run_group_tests(tests, toy_enter, toy_leave);
}
