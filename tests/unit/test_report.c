/* SPDX-License-Identifier: MIT */
/*
 * Reports of the golden run are compared as a whole. After a wanted change, CUCTX_TEST_UPDATE=1
 * writes tests/golden anew; read the difference before you commit it.
 */
#include "tests/unit/golden.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "analysis/anatomy.h"
#include "analysis/laws.h"
#include "analysis/report.h"
#include "tests/unit/fail_memory.h"

/* Nearly as many as the golden CSVs have. */
#define CELL_COUNT 11000

/* More than a format makes by itself, behind what is the same for all: some 30. */
#define OWN_COUNT 100

static char *read_whole(const char *path)
{
	FILE *file = fopen(path, "re");
	char *bytes = calloc(1, 1 << 20);

	assert_non_null(bytes);
	if (file) {
		assert_true(fread(bytes, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
		fclose(file);
	}
	return bytes;
}

static void write_whole(const char *path, const char *bytes)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(bytes, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void assert_golden(const char *path, const char *bytes)
{
	char *expected;

	if (getenv("CUCTX_TEST_UPDATE"))
		write_whole(path, bytes);
	expected = read_whole(path);
	assert_string_equal(bytes, expected);
	free(expected);
}

static char *render(enum document_format format)
{
	struct err err;
	char *text;

	assert_int_equal(report_render(GOLDEN_RUN, &golden_requests, format, &text, &err), 0);
	return text;
}

static void as_text(void **state)
{
	char *text = render(DOCUMENT_TEXT);
	size_t column_count = 0;

	(void)state;
	assert_golden("report.txt", text);
	for (const char *c = text; *c; c++) {
		column_count = *c == '\n' ? 0 : column_count + 1;
		assert_true(column_count <= 100);
		assert_true(*c == '\n' || *c >= ' ');
	}
	free(text);
}

static void as_markdown(void **state)
{
	char *text = render(DOCUMENT_MARKDOWN);

	(void)state;
	assert_golden("report.md", text);
	assert_null(strstr(text, "<b>"));
	free(text);
}

static void as_a_page(void **state)
{
	char *text = render(DOCUMENT_HTML);

	(void)state;
	assert_golden("report.html", text);
	assert_null(strstr(text, "<b>"));
	assert_null(strstr(text, "<i>"));
	assert_null(strstr(text, "http"));
	free(text);
}

static void laws_are_the_planted_truth(void **state)
{
	struct run run;
	struct laws laws;
	struct err err;
	char dir[] = "/tmp/cuctx-laws-XXXXXX", path[64];
	char *text;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(run_read(&run, GOLDEN_RUN, &golden_requests, &err), 0);
	assert_int_equal(laws_fit(&laws, &run, &err), 0);
	assert_int_equal(laws.count, golden_requests.law_count);
	assert_false(laws.items[4].is_measured);
	assert_int_equal(laws_write(&laws, dir, &err), 0);
	/* Twice: the second replaces the first. */
	assert_int_equal(laws_write(&laws, dir, &err), 0);
	snprintf(path, sizeof path, "%s/laws.csv", dir);
	text = read_whole(path);
	assert_golden("laws.csv", text);
	free(text);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0); /* nothing else was left there */
	assert_int_equal(laws_write(&laws, dir, &err), -ENOENT);
	assert_non_null(strstr(err.text, dir));
	laws_free(&laws);
	run_free(&run);
}

static void a_benchmark_without_laws_says_why(void **state)
{
	struct benchmark_request benchmarks[ARRAY_COUNT(golden_benchmarks)];
	struct requests requests = golden_requests;
	struct err err;
	char *text;

	(void)state;
	memcpy(benchmarks, golden_benchmarks, sizeof benchmarks);
	benchmarks[0].no_law = "one is a choice";
	requests.benchmarks = benchmarks;
	requests.law_count = 0;
	assert_int_equal(report_render(GOLDEN_RUN, &requests, DOCUMENT_MARKDOWN, &text, &err), 0);
	assert_non_null(strstr(text, "### Laws\n\nNone: one is a choice.\n"));
	free(text);
}

static void assert_range(struct byte_range range, int64_t min_bytes, int64_t max_bytes)
{
	assert_true(range.is_measured);
	assert_int_equal(range.min_bytes, min_bytes);
	assert_int_equal(range.max_bytes, max_bytes);
}

static void anatomy_adds_up(void **state)
{
	struct run run;
	struct anatomy anatomy;
	struct err err;

	(void)state;
	assert_int_equal(run_read(&run, GOLDEN_RUN, &golden_requests, &err), 0);
	assert_int_equal(anatomy_measure(&anatomy, &run, &err), 0);
	assert_range(anatomy.components[0], 112288, 112288);
	assert_range(anatomy.components[1], 4096, 4096);
	assert_range(anatomy.components[2], 0, 4096); /* a repeat differs */
	assert_range(anatomy.components[3], 57344, 57344);
	assert_false(anatomy.components[4].is_measured);
	assert_true(anatomy.has_rest);
	assert_range(anatomy.rest, 112288 - 4096, 112288 - 4096);
	assert_range(anatomy.savings[0], 4096, 4096);
	assert_range(anatomy.savings[1], -151552, -151552);
	anatomy_free(&anatomy);
	run_free(&run);
}

static void a_missing_part_leaves_no_rest(void **state)
{
	static const struct component_request components[] = {
		{ "base", "all of it", "create-1", "count=1", NULL, NULL, "creation" },
		{ "absent", "a part", "set", "count=1", "count=0", NULL, "creation" },
	};
	struct requests requests = golden_requests;
	struct run run;
	struct anatomy anatomy;
	struct err err;

	(void)state;
	requests.components = components;
	requests.component_count = ARRAY_COUNT(components);
	assert_int_equal(run_read(&run, GOLDEN_RUN, &requests, &err), 0);
	assert_int_equal(anatomy_measure(&anatomy, &run, &err), 0);
	assert_true(anatomy.has_rest);
	assert_false(anatomy.rest.is_measured);
	anatomy_free(&anatomy);
	run_free(&run);
}

static void charts_are_part_of_the_page(void **state)
{
	char dir[] = "/tmp/cuctx-page-XXXXXX", path[96];
	struct err err;
	char *text;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/plots", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/environment.csv", dir);
	write_whole(path, "key,value\nrun,simulated-run\nsimulated,no\n");
	snprintf(path, sizeof path, "%s/base.csv", dir);
	text = read_whole(GOLDEN_RUN "/base.csv");
	write_whole(path, text);
	free(text);
	snprintf(path, sizeof path, "%s/plots/base.svg", dir);
	for (int length = 1; length <= 4; length++) {
		static const char *const encoded[] = { "\"data:image/svg+xml;base64,PA==\"",
						       "\"data:image/svg+xml;base64,PHM=\"",
						       "\"data:image/svg+xml;base64,PHN2\"",
						       "\"data:image/svg+xml;base64,PHN2Zw==\"" };
		char svg[8];

		snprintf(svg, sizeof svg, "%.*s", length, "<svg>");
		write_whole(path, svg);
		assert_int_equal(report_render(dir, &golden_requests, DOCUMENT_HTML, &text, &err),
				 0);
		assert_non_null(strstr(text, encoded[length - 1]));
		assert_null(strstr(text, "SIMULATED"));
		free(text);
	}
	unlink(path);
	snprintf(path, sizeof path, "%s/plots", dir);
	rmdir(path);
	snprintf(path, sizeof path, "%s/base.csv", dir);
	unlink(path);
	snprintf(path, sizeof path, "%s/environment.csv", dir);
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
}

static const enum document_format formats[] = { DOCUMENT_TEXT, DOCUMENT_MARKDOWN, DOCUMENT_HTML };

/* How many allocations rendering makes. */
static unsigned int count_calls(enum document_format format)
{
	unsigned int count;
	char *text;

	fail_memory_at(UINT_MAX);
	text = render(format);
	count = fail_memory_calls();
	assert_false(fail_memory_end());
	free(text);
	return count;
}

/* Whether memory ended in between. */
static bool render_with(unsigned int call, enum document_format format, const char *whole)
{
	struct err err;
	char *text = NULL;
	bool failed;
	int r;

	fail_memory_at(call);
	r = report_render(GOLDEN_RUN, &golden_requests, format, &text, &err);
	failed = fail_memory_end();
	assert_int_equal(r, failed ? -ENOMEM : 0);
	if (!r)
		assert_string_equal(text, whole);
	free(text);
	return failed;
}

/*
 * Reading makes one allocation per cell, all alike: only some of those fail. What follows is the
 * same for each format, so they take turns; the end is a format's own.
 */
static void memory_that_ends_is_an_error(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < ARRAY_COUNT(formats); i++) {
		unsigned int count = count_calls(formats[i]), call = 1;
		char *whole = render(formats[i]);

		for (; call < CELL_COUNT; call += 997)
			assert_true(render_with(call, formats[i], whole));
		for (call = CELL_COUNT + 3 * i; call <= count;
		     call += call < count - OWN_COUNT ? 9 : 3)
			assert_true(render_with(call, formats[i], whole));
		assert_false(render_with(count + 1, formats[i], whole));
		free(whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_text),
		cmocka_unit_test(as_markdown),
		cmocka_unit_test(as_a_page),
		cmocka_unit_test(laws_are_the_planted_truth),
		cmocka_unit_test(a_benchmark_without_laws_says_why),
		cmocka_unit_test(anatomy_adds_up),
		cmocka_unit_test(a_missing_part_leaves_no_rest),
		cmocka_unit_test(charts_are_part_of_the_page),
		cmocka_unit_test(memory_that_ends_is_an_error),
	};

	return cmocka_run_group_tests(tests, golden_enter, NULL);
}
