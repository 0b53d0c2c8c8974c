/* SPDX-License-Identifier: MIT */
/* What two small files differ in: each case is the rows of both, and the lines that are to come. */
#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare.h"
#include "base/array.h"
#include "tests/unit/scratch.h"

#define HEADER                                                                                 \
	"run,benchmark,device,size,repeat,attempt,step_index,step,status,error,granted_bytes," \
	"delta_bytes,total_bytes,note\n"

/*
 * Samples apart by ';', each "size repeat.attempt step=delta[/total] ...": the total is the sum of
 * the deltas unless it is told. "step!error" was refused, "step~" disturbed.
 */
static void add_sample(struct text *text, char *sample)
{
	char *rest = NULL, *size = strtok_r(sample, " ", &rest);
	char *repeat = strtok_r(NULL, " ", &rest), *attempt = repeat + strcspn(repeat, ".");
	long total = 0;
	int index = 0;

	*attempt++ = '\0';
	for (char *step = strtok_r(NULL, " ", &rest); step; step = strtok_r(NULL, " ", &rest)) {
		size_t name = strcspn(step, "=!~");
		char mark = step[name], *end = step + name + 1;
		long delta = mark == '=' ? strtol(step + name + 1, &end, 10) : 0;
		bool refused = mark == '!', disturbed = mark == '~';

		step[name] = '\0';
		total = mark == '=' && *end == '/' ? strtol(end + 1, NULL, 10) : total + delta;
		text_format(text, "r,toy,0,%s,%s,%s,%d,%s,%s,%s,,%ld,%ld,\n", size, repeat, attempt,
			    index++, step,
			    refused     ? "refused"
			    : disturbed ? "disturbed"
					: "ok",
			    refused ? step + name + 1 : "", delta, total);
	}
}

static void fill(const struct scratch *scratch, const char *samples)
{
	char *copy = strdup(samples), *rest = NULL;
	struct text text = { 0 };

	assert_non_null(copy);
	text_add(&text, HEADER);
	for (char *sample = strtok_r(copy, ";", &rest); sample; sample = strtok_r(NULL, ";", &rest))
		add_sample(&text, sample);
	assert_false(text.failed);
	scratch_fill(scratch, text_peek(&text), text.used);
	text_free(&text);
	free(copy);
}

/* ---- lines as words ---- */

static int on_begin(void *context, const char *benchmark, struct err *reterr)
{
	(void)context;
	(void)reterr;
	assert_string_equal(benchmark, "toy");
	return 0;
}

/* "size=1 take 5>7 more" */
static int on_line(void *context, const struct compare_line *line, struct err *reterr)
{
	struct text *text = context;

	(void)reterr;
	text_add(text, text->used ? "; " : "");
	compare_line_point(line, text);
	text_add(text, *line->step ? " " : "");
	compare_line_step(line, text);
	if (strcmp(line->column, "delta_bytes") != 0 && *line->column)
		text_format(text, ":%s", line->column);
	text_add(text, " ");
	compare_line_value(line, 0, text);
	text_add(text, ">");
	compare_line_value(line, 1, text);
	text_format(text, " %s", verdict_text(line->sides[1].judgement.verdict));
	return 0;
}

static int on_end(void *context, const struct compare_census *census, struct err *reterr)
{
	(void)context;
	(void)census;
	(void)reterr;
	return 0;
}

struct pair {
	struct scratch base;
	struct scratch newer;
};

static void compare(const struct pair *pair, const struct compare_options *options,
		    struct text *text, struct compare_result *result)
{
	struct compare_sink sink = { text, on_begin, on_line, on_end };
	const char *const paths[] = { pair->base.path, pair->newer.path };
	struct compare_sources sources;
	struct err err = { "" };

	assert_int_equal(compare_sources_open(&sources, paths, 2, &err), 0);
	if (compare_run(&sources, options, &sink, result, &err) < 0)
		fail_msg("%s", err.text);
	compare_sources_free(&sources);
}

static void check(const char *base, const char *newer, const struct compare_options *options,
		  const char *wanted)
{
	struct pair pair = { scratch_open(), scratch_open() };
	struct compare_result result;
	struct text text = { 0 };

	fill(&pair.base, base);
	fill(&pair.newer, newer);
	compare(&pair, options, &text, &result);
	if (strcmp(text_peek(&text), wanted) != 0)
		fail_msg("%s  against  %s:\n  %s\nnot %s", base, newer, text_peek(&text), wanted);
	text_free(&text);
	text_free(&result.notes);
	scratch_close(&pair.base);
	scratch_close(&pair.newer);
}

/* ---- the cases ---- */

static const struct benchmark_request toy = { .name = "toy", .room_steps = "fill,free" };
static const struct requests requests = { .benchmarks = &toy, .benchmark_count = 1 };

static const struct {
	const char *base, *newer, *lines;
} cases[] = {
	{ "1 1.1 take=5 exit=-5", "1 1.1 take=5 exit=-5", "" },
	/* What is taken more is given back by a step that comes back to nothing. */
	{ "1 1.1 take=5 exit=-5", "1 1.1 take=7 exit=-7", "size=1 take 5>7 more" },
	{ "1 1.1 take=5 exit=-5", "1 1.1 take=3 exit=-3", "size=1 take 5>3 less" },
	/* It is not given back: that is one more difference. */
	{ "1 1.1 take=5 free-it=-5 exit=0", "1 1.1 take=5 free-it=-2 exit=-3",
	  "size=1 free-it -5>-2 more" },
	/* From one step to another: both are told, as somebody may call only one. */
	{ "1 1.1 make=5 load=2 exit=-7", "1 1.1 make=7 load=0 exit=-7",
	  "size=1 make 5>7 more; size=1 load 2>0 less" },
	/* Down and up again to where it was. */
	{ "1 1.1 make=5 set=-3 restore=3 exit=-5", "1 1.1 make=6 set=-4 restore=4 exit=-6",
	  "size=1 make 5>6 more" },
	{ "1 1.1 make=5 set=-3 restore=3 exit=-5", "1 1.1 make=5 set=-4 restore=4 exit=-5",
	  "size=1 set -3>-4 less" },
	/* Something outlives what gives the rest back. */
	{ "1 1.1 make=5 more=9 destroy=-5 exit=-9", "1 1.1 make=6 more=9 destroy=-6 exit=-9",
	  "size=1 make 5>6 more" },
	/* Files that somebody has written in. */
	{ "1 1.1 take=5 exit=-5", "1 1.1 take=6/5 exit=-5", "size=1 take 5>6 more" },
	{ "1 1.1 take=5 exit=-5", "1 1.1 take=5/6 exit=-5/0", "size=1 take:total_bytes 5>6 more" },
	/* Steps that come again have numbers. */
	{ "1 1.1 take=5 take=5 exit=-10", "1 1.1 take=5 take=6 exit=-11",
	  "size=1 take #2 5>6 more" },
	/* Steps and points that are not there. */
	{ "1 1.1 take=5 exit=-5", "1 1.1 take=5 look=0 exit=-5", "size=1 look >0 only-in-new" },
	{ "1 1.1 take=5;2 1.1 take=5", "1 1.1 take=5;3 1.1 take=5",
	  "size=2 measured> only-in-base; size=3 >measured only-in-new" },
	/* A refusal, and what does not happen behind it. */
	{ "1 1.1 set=1 look=0 exit=-1", "1 1.1 set!NO exit=0",
	  "size=1 set:status ok>refused: NO changed" },
	{ "1 1.1 set!NO exit=0", "1 1.1 set!NEVER exit=0",
	  "size=1 set:status refused: NO>refused: NEVER changed" },
	/* The order of samples, and of repeats, is nothing. */
	{ "1 1.1 take=5;2 1.1 take=6", "2 1.1 take=6;1 1.1 take=5", "" },
	{ "1 1.1 take=0;1 2.1 take=900", "1 1.1 take=900;1 2.1 take=0", "" },
	{ "1 1.1 take=5", "1 1.1 take=5;1 2.1 take=5;1 3.1 take=5", "" },
	/* Repeats differ. */
	{ "1 1.1 take=0;1 2.1 take=9", "1 1.1 take=20;1 2.1 take=21",
	  "size=1 take 0 to 9>20 to 21 more" },
	{ "1 1.1 take=0;1 2.1 take=9", "1 1.1 take=5;1 2.1 take=21",
	  "size=1 take 0 to 9>5 to 21 ambiguous" },
	{ "1 1.1 take=5;1 2.1 take=5", "1 1.1 take=5;1 2.1 take!NO",
	  "size=1 take:status ok>repeats differ, one is refused: NO ambiguous" },
	/* Of attempts, one that was not disturbed counts, or else the last. */
	{ "1 1.1 take=5", "1 1.1 take~;1 1.2 take=5", "" },
	{ "1 1.1 take=5", "1 1.1 take=9 look~;1 1.2 take=5", "" },
	{ "1 1.1 take=5", "1 1.1 take~;1 1.2 take=6", "size=1 take 5>6 more" },
	{ "1 1.1 take=5", "1 1.1 take~;1 1.2 take~", "size=1 take:status ok>disturbed changed" },
	/* What fills the device takes what is left. */
	{ "1 1.1 make=5 fill=95 free=-95 exit=-5", "1 1.1 make=4 fill=96 free=-96 exit=-4",
	  "size=1 make 5>4 less" },
};

static void test_lines(void **state)
{
	static const struct compare_options options = { .requests = &requests };

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
		check(cases[i].base, cases[i].newer, &options, cases[i].lines);
}

static void test_options(void **state)
{
	static const char base[] = "1 1.1 take=5 exit=-5;2 1.1 take=50 exit=-50";
	static const char newer[] = "1 1.1 take=6 exit=-6;2 1.1 take=60 exit=-60";
	struct compare_options options = { .requests = &requests };

	(void)state;
	check(base, newer, &options, "size=1 take 5>6 more; size=2 take 50>60 more");
	options.threshold.bytes = 1;
	check(base, newer, &options, "size=2 take 50>60 more");
	options.threshold.bytes = 10;
	check(base, newer, &options, "");
	options.threshold.bytes = 0;
	options.filter = "^toy size=[^2]$";
	check(base, newer, &options, "size=1 take 5>6 more");
	options.column = "total_bytes";
	check(base, newer, &options, "size=1 take:total_bytes 5>6 more");
}

static void test_a_line_that_is_cut_off_is_told(void **state)
{
	static const struct compare_options options = { .requests = &requests };
	struct pair pair = { scratch_open(), scratch_open() };
	struct compare_result result;
	struct text text = { 0 };

	(void)state;
	fill(&pair.base, "1 1.1 take=5 exit=-5");
	fill(&pair.newer, "1 1.1 take=5 exit=-5");
	assert_int_equal(ftruncate(pair.newer.fd, (off_t)scratch_size(&pair.newer) - 3), 0);
	compare(&pair, &options, &text, &result);
	assert_string_equal(text_peek(&text), "size=1 exit -5> only-in-base");
	assert_non_null(strstr(text_peek(&result.notes), "line 3: the last line is cut off"));
	assert_int_equal(result.row_counts[0], 2);
	assert_int_equal(result.row_counts[1], 1);
	text_free(&text);
	text_free(&result.notes);
	scratch_close(&pair.base);
	scratch_close(&pair.newer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_a_line_that_is_cut_off_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
