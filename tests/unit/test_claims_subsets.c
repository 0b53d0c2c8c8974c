/* SPDX-License-Identifier: MIT */
/*
 * A part of a run must not say what the whole denies: of the recorded run, or of the run directory
 * that is named, every claim is judged by random points of it and by what there is of its plan
 * after so many samples. What is true or false of a part has to be so of all of it.
 *
 *   test_claims_subsets [DIRECTORY [ROUNDS]]
 */
#include "tests/unit/check.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "analysis/claims.h"
#include "base/array.h"
#include "bench/benches.h"

#define BENCHES_MAX 64
#define SKIPPED     77

static const struct claim_request claim_requests[] = {
#define CLAIM(...) { __VA_ARGS__ },
#include "bench/claims.def"
#undef CLAIM
};

static struct benchmark_request benchmarks[BENCHES_MAX];
static struct requests requests = { .benchmarks = benchmarks,
				    .claims = claim_requests,
				    .claim_count = ARRAY_COUNT(claim_requests) };

static glob_t recorded;
static const char *directory;
static size_t round_count = 60;
static struct run whole;
static enum claim_verdict verdicts[ARRAY_COUNT(claim_requests)];

/* ---- a part of it ---- */

/* The same tables with fewer samples. */
struct part {
	struct run run;
	struct samples samples[BENCHES_MAX];
};

static void part_start(struct part *part)
{
	part->run = whole;
	part->run.samples = part->samples;
	for (size_t i = 0; i < requests.benchmark_count; i++) {
		part->samples[i] = whole.samples[i];
		part->samples[i].count = 0;
		part->samples[i].items =
			calloc(whole.samples[i].count + 1, sizeof *part->samples[i].items);
		assert_non_null(part->samples[i].items);
	}
}

static void part_add(struct part *part, size_t benchmark, size_t sample)
{
	struct samples *samples = &part->samples[benchmark];

	samples->items[samples->count++] = whole.samples[benchmark].items[sample];
}

static void part_end(struct part *part)
{
	for (size_t i = 0; i < requests.benchmark_count; i++)
		free(part->samples[i].items);
}

/* Tells all that is wrong; returns how much that is. */
static size_t check_part(const struct part *part, const char *what)
{
	size_t wrong_count = 0;
	struct claims claims;
	struct err err;

	assert_int_equal(claims_judge(&claims, &part->run, &err), 0);
	for (size_t i = 0; i < claims.count; i++) {
		enum claim_verdict verdict = claims.items[i].verdict;

		if ((verdict != CLAIM_TRUE && verdict != CLAIM_FALSE_HERE) ||
		    verdict == verdicts[i])
			continue;
		print_error("%s: %s: %s, not %s: %s\n", what, claim_requests[i].name,
			    claim_verdict_text(verdict), claim_verdict_text(verdicts[i]),
			    claims.items[i].figures);
		wrong_count++;
	}
	claims_free(&claims);
	return wrong_count;
}

/* ---- points ---- */

/* Whether a point is wanted, as dice fell for `salt`: each value of an axis is, or is not. */
static bool wants_value(const char *value, size_t axis, uint64_t salt, unsigned int percent)
{
	uint64_t state = salt + axis;

	for (; *value; value++) {
		struct dice dice = { .state = state ^ (unsigned char)*value };

		state = dice_roll(&dice);
	}
	return state % 100 < percent;
}

static bool wants_values(const struct samples *samples, size_t sample, uint64_t salt,
			 unsigned int percent)
{
	for (size_t i = 0; i < samples->axis_count; i++)
		if (!wants_value(samples_cell(samples, sample, samples->axis_first + i), i, salt,
				 percent))
			return false;
	return true;
}

/* As options --axis choose them, or any. */
static void choose(struct part *part, size_t benchmark, struct dice *dice)
{
	static const unsigned int percents[] = { 5, 20, 40, 60, 80 };
	const struct samples *samples = &whole.samples[benchmark];
	unsigned int percent = percents[dice_below(dice, ARRAY_COUNT(percents))];
	bool by_axis = dice_below(dice, 2);
	uint64_t salt = dice_roll(dice);

	for (size_t i = 0; i < samples->count; i++) {
		struct dice point = { .state = salt + samples->items[i].point };

		if (by_axis ? wants_values(samples, i, salt, percent)
			    : dice_below(&point, 100) < percent)
			part_add(part, benchmark, i);
	}
}

static void some_points_say_nothing_else(void **state)
{
	struct dice dice = dice_start();
	size_t wrong_count = 0;
	char what[64];

	(void)state;
	for (size_t n = 0; n < round_count; n++) {
		struct part part;

		part_start(&part);
		part.run.planned = (struct planned){ 0 };
		for (size_t i = 0; i < requests.benchmark_count; i++)
			choose(&part, i, &dice);
		snprintf(what, sizeof what, "points, round %zu", n);
		wrong_count += check_part(&part, what);
		part_end(&part);
	}
	assert_int_equal(wrong_count, 0);
}

/* Each point and nothing else, as `cuctx run BENCHMARK --axis …` takes it. */
static void single_points_say_nothing_else(void **state)
{
	size_t wrong_count = 0;
	char what[64];

	(void)state;
	for (size_t n = 0; n < round_count; n++) {
		struct part part;

		part_start(&part);
		part.run.planned = (struct planned){ 0 };
		for (size_t i = 0; i < requests.benchmark_count; i++)
			for (size_t k = 0; k < whole.samples[i].count; k++)
				if (whole.samples[i].items[k].point ==
				    n % (whole.samples[i].point_count + 1))
					part_add(&part, i, k);
		snprintf(what, sizeof what, "point %zu", n);
		wrong_count += check_part(&part, what);
		part_end(&part);
	}
	assert_int_equal(wrong_count, 0);
}

/* ---- prefixes ---- */

/* As it is after the first samples of the plan. */
static void take_prefix(struct part *part, size_t sample_count)
{
	const struct planned *planned = &part->run.planned;

	for (size_t i = 0; i < requests.benchmark_count; i++) {
		const char *name = requests.benchmarks[i].name;
		size_t k = 0;

		for (size_t row = 0; row < sample_count; row++) {
			if (strcmp(csv_table_cell(&planned->table, row, planned->benchmark), name))
				continue;
			/* Samples stand in the order of the plan. */
			if (k < whole.samples[i].count)
				part_add(part, i, k++);
		}
	}
}

static void an_interrupted_run_says_nothing_else(void **state)
{
	size_t row_count = whole.planned.table.row_count, wrong_count = 0;
	bool *is_taken = calloc(row_count + 1, sizeof *is_taken);
	char what[64];

	(void)state;
	assert_non_null(is_taken);
	for (size_t n = 0; n <= round_count; n++) {
		size_t sample_count = row_count * n / round_count;
		struct part part;

		part_start(&part);
		memset(is_taken, 0, row_count);
		memset(is_taken, 1, sample_count);
		part.run.planned.is_taken = is_taken;
		take_prefix(&part, sample_count);
		snprintf(what, sizeof what, "after %zu samples", sample_count);
		wrong_count += check_part(&part, what);
		part_end(&part);
	}
	free(is_taken);
	assert_int_equal(wrong_count, 0);
}

/* ---- the whole ---- */

static int read_whole(void **state)
{
	struct claims claims = { 0 };
	struct err err;

	(void)state;
	for (size_t i = 0; i < benches_count; i++)
		benchmarks[requests.benchmark_count++].name = benches[i]->name;
	if (run_read(&whole, directory, &requests, &err) || claims_judge(&claims, &whole, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < claims.count; i++)
		verdicts[i] = claims.items[i].verdict;
	/* Or parts of it can deny nothing. */
	assert_true(claims_count(&claims, CLAIM_TRUE) > 0);
	assert_true(claims_count(&claims, CLAIM_FALSE_HERE) > 0);
	claims_free(&claims);
	return 0;
}

static int free_whole(void **state)
{
	(void)state;
	run_free(&whole);
	return 0;
}

/* The newest of those that are kept. */
static const char *find_recorded(void)
{
	const char *source = getenv("CUCTX_SOURCE");
	char pattern[4096];

	snprintf(pattern, sizeof pattern, "%s/results/nvidia-*_*_*", source ? source : ".");
	if (glob(pattern, 0, NULL, &recorded))
		return NULL;
	return recorded.gl_pathv[recorded.gl_pathc - 1];
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(some_points_say_nothing_else),
		cmocka_unit_test(single_points_say_nothing_else),
		cmocka_unit_test(an_interrupted_run_says_nothing_else),
	};
	int r;

	directory = argc > 1 ? argv[1] : find_recorded();
	round_count = argc > 2 ? strtoul(argv[2], NULL, 10) : round_count;
	r = directory ? cmocka_run_group_tests(tests, read_whole, free_whole) : SKIPPED;
	globfree(&recorded);
	return r;
}
