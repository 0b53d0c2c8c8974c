/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "harness/plan.h"

static bool is_even(const struct bench *bench, const struct bench_point *point)
{
	return bench_number(bench, point, "size_bytes") % 2 == 0;
}

static const struct bench two_axes = {
	.name = "two-axes",
	.axes = { { .name = "size_bytes", .values = "1:10:1", .quick_values = "1,2" },
		  { .name = "api", .kind = AXIS_WORD, .values = "driver,runtime" } },
};
static const struct bench even_only = {
	.name = "even-only",
	.axes = { { .name = "size_bytes", .values = "1:10:1" } },
	.wants = is_even,
};
static const struct bench *const benches[] = { &two_axes, &even_only };

#define ALL_COUNT 25 /* 10 sizes x 2 words, and 5 even sizes */
#define REPEATS   3
#define TEXT_MAX  (PLAN_TEXT_MAX + 16)

static struct plan_request all_of_it(void)
{
	return (struct plan_request){ .benches = benches,
				      .bench_count = ARRAY_COUNT(benches),
				      .repeats = REPEATS };
}

static struct plan make(const struct plan_request *request)
{
	struct plan plan;
	struct err err = { "" };

	if (plan_make(&plan, request, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return plan;
}

static bool same_point(const struct plan_sample *a, const struct plan_sample *b)
{
	char text_a[TEXT_MAX], text_b[TEXT_MAX];

	return !strcmp(plan_sample_text(a, text_a, sizeof text_a),
		       plan_sample_text(b, text_b, sizeof text_b));
}

static bool samples_equal(const struct plan_sample *a, const struct plan_sample *b)
{
	return a->repeat == b->repeat && same_point(a, b);
}

static void assert_plans_equal(const struct plan *a, const struct plan *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++)
		assert_true(samples_equal(&a->samples[i], &b->samples[i]));
}

/* Repeats one after the other, each with every point once. */
static void every_repeat_has_every_point_once(void **state)
{
	struct plan_request request = all_of_it();
	struct plan plan = make(&request);

	(void)state;
	assert_int_equal(plan.count, ALL_COUNT * REPEATS);
	for (size_t i = 0; i < plan.count; i++) {
		assert_int_equal(plan.samples[i].repeat, i / ALL_COUNT + 1);
		for (size_t j = 0; j < i; j++)
			assert_false(samples_equal(&plan.samples[i], &plan.samples[j]));
		assert_true(plan.samples[i].bench != &even_only ||
			    is_even(&even_only, &plan.samples[i].point));
	}
	plan_free(&plan);
}

static void the_order_is_shuffled_and_the_same_every_time(void **state)
{
	struct plan_request request = all_of_it();
	struct plan plan = make(&request), again = make(&request);
	size_t ascending = 0, moved = 0;

	(void)state;
	assert_plans_equal(&plan, &again);
	for (size_t i = 1; i < ALL_COUNT; i++)
		ascending += plan.samples[i - 1].point.values[0].number <
			     plan.samples[i].point.values[0].number;
	for (size_t i = 0; i < ALL_COUNT; i++)
		moved += !same_point(&plan.samples[i], &plan.samples[ALL_COUNT + i]);
	/* Neither sorted nor one repeat like the other. */
	assert_in_range(ascending, 4, ALL_COUNT - 5);
	assert_true(moved > ALL_COUNT / 2);
	plan_free(&plan);
	plan_free(&again);
}

static void a_plan_is_read_back_as_it_was_written(void **state)
{
	char folder[] = "/tmp/cuctx-test-XXXXXX", path[64];
	struct plan_request request = all_of_it();
	struct plan plan = make(&request), back;
	struct err err = { "" };

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/plan.csv", folder);
	assert_int_equal(plan_write(&plan, path, &err), 0);
	assert_int_equal(plan_write(&plan, path, &err), -EEXIST);
	if (plan_read(&back, path, &request, NULL, &err) < 0)
		fail_msg("%s", err.text);
	assert_plans_equal(&plan, &back);
	plan_free(&back);
	/* A plan with a benchmark that is not known cannot be gone on with. */
	request.bench_count = 1;
	assert_int_equal(plan_read(&back, path, &request, NULL, &err), -EBADMSG);
	request.bench_count = ARRAY_COUNT(benches);
	assert_int_equal(truncate(path, 200), 0);
	assert_int_equal(plan_read(&back, path, &request, NULL, &err), -EBADMSG);
	plan_free(&plan);
	unlink(path);
	rmdir(folder);
}

static size_t count_of(struct plan_request request)
{
	struct plan plan = make(&request);
	size_t count = plan.count;

	plan_free(&plan);
	return count;
}

static void requests_narrow_the_plan(void **state)
{
	const struct axis_override sizes = { "size_bytes", "2,4,4,1K" };
	const struct axis_override words = { "api", "runtime" };
	struct plan_request request = all_of_it();

	(void)state;
	request.repeats = 1;
	request.quick = true;
	assert_int_equal(count_of(request), 2 * 2 + 5);
	request.overrides = &sizes;
	request.override_count = 1;
	assert_int_equal(count_of(request), 3 * 2 + 3);
	request.quick = false;
	request.overrides = &words; /* only one of the benchmarks has it */
	assert_int_equal(count_of(request), 10 + 5);
	request.filter = "^two-axes size_bytes=(3|10) ";
	assert_int_equal(count_of(request), 2);
}

/* Of the sizes of a family, a quick plan has those nearest to what it wants, each once. */
static void a_quick_plan_has_some_sizes(void **state)
{
	static const struct {
		const char *quick_values;
		size_t count;
		const char *last;
	} cases[] = { { NULL, 4, "sizes instructions=40" },
		      { "1", 1, "sizes instructions=10" },
		      { "26", 1, "sizes instructions=30" },
		      { "24,26", 2, "sizes instructions=20" },
		      { "10,11,1G", 2, "sizes instructions=40" } };
	struct module list[] = { { .name = "some-1", .instructions = 10 },
				 { .name = "other-1", .instructions = 15 },
				 { .name = "some-2", .instructions = 20 },
				 { .name = "some-3", .instructions = 30 },
				 { .name = "some-4", .instructions = 40 } };
	const struct modules modules = { .list = list, .count = ARRAY_COUNT(list) };

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		const struct bench sizes = { .name = "sizes",
					     .axes = {
						     { .name = "instructions",
						       .module_family = "some",
						       .quick_values = cases[i].quick_values } } };
		const struct bench *const only[] = { &sizes };
		struct plan_request request = {
			.benches = only, .bench_count = 1, .repeats = 1, .quick = true
		};
		char text[TEXT_MAX];
		struct plan plan;
		bool found = false;

		assert_int_equal(plan_make(&plan, &request, &modules, NULL), 0);
		assert_int_equal(plan.count, cases[i].count);
		for (size_t k = 0; k < plan.count; k++)
			found |= !strcmp(plan_sample_text(&plan.samples[k], text, sizeof text),
					 cases[i].last);
		assert_true(found);
		plan_free(&plan);
	}
}

static void bad_requests_are_refused(void **state)
{
	const struct axis_override unknown = { "size", "1" }, bad = { "size_bytes", "1:" },
				   twice[] = { { "api", "driver" }, { "api", "runtime" } };
	const struct {
		const struct axis_override *overrides;
		size_t override_count;
		const char *filter;
		unsigned int repeats;
		const char *says;
	} cases[] = {
		{ &unknown, 1, NULL, 1, "axis size: no chosen benchmark has it" },
		{ &bad, 1, NULL, 1, "axis size_bytes: '1:'" },
		{ twice, 2, NULL, 1, "axis api: it is given twice" },
		{ NULL, 0, "(", 1, "filter '('" },
		{ NULL, 0, "nothing", 1, "no point is left" },
		{ NULL, 0, NULL, PLAN_SAMPLES_MAX, "two-axes: 20 points" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct plan_request request = all_of_it();
		struct plan plan = { 0 };
		struct err err = { "" };

		request.overrides = cases[i].overrides;
		request.override_count = cases[i].override_count;
		request.filter = cases[i].filter;
		request.repeats = cases[i].repeats;
		assert_int_equal(plan_make(&plan, &request, NULL, &err), -EINVAL);
		if (!strstr(err.text, cases[i].says))
			fail_msg("'%s' lacks '%s'", err.text, cases[i].says);
		assert_int_equal(plan.count, 0);
	}
}

static void a_sample_is_told_in_words(void **state)
{
	struct plan_request request = all_of_it();
	struct plan plan;
	char text[TEXT_MAX], small[12];

	(void)state;
	request.filter = "^two-axes size_bytes=7 api=driver$";
	plan = make(&request);
	assert_string_equal(plan_sample_text(&plan.samples[0], text, sizeof text),
			    "two-axes size_bytes=7 api=driver");
	/* What does not fit is cut off, within the buffer. */
	assert_int_equal(
		strlen(plan_sample_text(&plan.samples[0], small, sizeof small)) < sizeof small, 1);
	plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_repeat_has_every_point_once),
		cmocka_unit_test(the_order_is_shuffled_and_the_same_every_time),
		cmocka_unit_test(a_plan_is_read_back_as_it_was_written),
		cmocka_unit_test(requests_narrow_the_plan),
		cmocka_unit_test(a_quick_plan_has_some_sizes),
		cmocka_unit_test(bad_requests_are_refused),
		cmocka_unit_test(a_sample_is_told_in_words),
	};

	return cmocka_run_group_tests_name("harness/plan", tests, NULL, NULL);
}
