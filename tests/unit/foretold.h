/* SPDX-License-Identifier: MIT */
/*
 * A run that is made up, for predictions. Truth, in bytes, with a meter of 1000:
 *
 *   a context   5000 + 100 for each of its room, by default 10 of it
 *   an extra    2000 + 7 for each of its size, by default 100 of it, and room of its own: 3
 *   a mate      4000; it shares 1500 with an extra
 *   a thing     300, another 150, both from one pool that is rounded down; parts of another: 10
 *   a kernel    4 for each instruction and 40, up to slots of 64, in chunks of 1000, the first 500
 *               for nothing
 */
#ifndef TESTS_UNIT_FORETOLD_H
#define TESTS_UNIT_FORETOLD_H

#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/predict.h"
#include "base/array.h"

#define GRANULE 1000
#define CONTEXT 6000

static const struct benchmark_request benchmarks[] = {
	{ .name = "room" },  { .name = "extra" }, { .name = "mate" },   { .name = "thing" },
	{ .name = "other" }, { .name = "nodes" }, { .name = "kernel" }, { .name = "copies" },
	{ .name = "both" },  { .name = "text" },  { .name = "odd" },    { .name = "absent" },
};

#define LAW(name, is_of_total)                                                     \
	{                                                                          \
		.benchmark = name, .component = name, .axis = "x", .step = "take", \
		.is_total = is_of_total                                            \
	}

static const struct law_request law_requests[] = {
	LAW("room", true),
	LAW("extra", true),
	LAW("mate", true),
	LAW("thing", false),
	LAW("other", false),
	LAW("nodes", true),
	LAW("kernel", true),
	LAW("odd", false),
	LAW("absent", true),
	LAW("text", false),
	{ .benchmark = "copies",
	  .component = "copies",
	  .axis = "x",
	  .step = "take",
	  .copies = "reading" },
};

enum { ROOM, FRAME, EXTRA, SIZE, MATE, THINGS, OTHERS, NODES, ODD, ABSENT };

static const struct term_request terms[] = {
	[ROOM] = { "room", "BYTES", "", "room", TERM_BASE, .without = "bare", .benchmark = "room",
		   .component = "room", .usual_reading = "reading" },
	[FRAME] = { "frame", "BYTES", "", .join = TERM_RAISES, .of = "room" },
	[EXTRA] = { "extra", NULL, "", "extra", TERM_ADDS, .benchmark = "extra",
		    .component = "extra", .usual_reading = "reading", .part = "e",
		    .bare_part = "bare+e" },
	[SIZE] = { "size", "BYTES", "", .join = TERM_SETS, .of = "extra" },
	[MATE] = { "mate", NULL, "", "mate", TERM_ADDS, .benchmark = "mate", .component = "mate",
		   .part = "m" },
	[THINGS] = { "things", "N", "", "things", TERM_POOLED, .benchmark = "thing",
		     .component = "thing" },
	[OTHERS] = { "others", "N", "", "others", TERM_POOLED, .benchmark = "other",
		     .component = "other" },
	[NODES] = { "nodes", "N", "", "nodes", TERM_POOLED, .benchmark = "nodes",
		    .component = "nodes", .times = "others", .free_count = 1, .law_count = 100 },
	[ODD] = { "odd", "N", "", "odd", TERM_ADDS, .benchmark = "odd", .component = "odd" },
	[ABSENT] = { "absent", "N", "", "absent", TERM_ADDS, .benchmark = "absent",
		     .component = "absent" },
};

static const struct requests requests = {
	.benchmarks = benchmarks,
	.benchmark_count = ARRAY_COUNT(benchmarks),
	.laws = law_requests,
	.law_count = ARRAY_COUNT(law_requests),
	.terms = terms,
	.term_count = ARRAY_COUNT(terms),
	.shared = { .benchmark = "both", .axis = "x", .step = "part-", .before = "create" },
	.code = { .benchmark = "kernel",
		  .component = "kernel",
		  .slot_benchmark = "copies",
		  .slot_component = "copies",
		  .text_benchmark = "text",
		  .text_component = "text" },
};

/* ---- the run ---- */

struct fixture {
	char dir[64];
	struct run run;
	struct laws laws;
};

static inline FILE *open_file(const struct fixture *fixture, const char *name)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s.csv", fixture->dir, name);
	file = fopen(path, "we");
	assert_non_null(file);
	return file;
}

/* The rows of one benchmark. */
struct rows {
	FILE *file;
	const char *benchmark;
};

static inline struct rows open_rows(const struct fixture *fixture, const char *name)
{
	struct rows rows = { open_file(fixture, name), name };

	fputs("run,benchmark,device,x,repeat,attempt,step_index,step,status,error,reading,"
	      "delta_bytes,total_bytes,note\n",
	      rows.file);
	return rows;
}

struct put_step {
	int index;
	const char *name;
	long reading; /* negative: none */
	long delta_bytes;
	long total_bytes;
};

static inline void put_step(const struct rows *rows, const char *x, struct put_step step)
{
	char reading[24] = "";

	if (step.reading >= 0)
		snprintf(reading, sizeof reading, "%ld", step.reading);
	fprintf(rows->file, "made-up,%s,0,%s,1,1,%d,%s,ok,,%s,%ld,%ld,\n", rows->benchmark, x,
		step.index, step.name, reading, step.delta_bytes, step.total_bytes);
}

/* A sample of one step. */
static inline void put_sample(const struct rows *rows, long x, long reading, long bytes,
			      long before)
{
	char word[24];

	snprintf(word, sizeof word, "%ld", x);
	put_step(rows, word, (struct put_step){ 0, "take", reading, bytes, before + bytes });
	put_step(rows, word, (struct put_step){ 1, "exit", -1, -before - bytes, 0 });
}

static inline void put_numbers(const struct fixture *fixture)
{
	static const long amounts[] = { 0, 1, 2, 4, 8, 16, 100, 1000 };
	static const long odd[] = { 0, 70000, 1000, 90000, 5000, 200000, 0, 60000 };
	static const char *const names[] = { "room",  "extra", "mate", "thing",
					     "other", "nodes", "odd" };

	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct rows rows = open_rows(fixture, names[i]);

		for (size_t k = 0; k < ARRAY_COUNT(amounts); k++) {
			long x = amounts[k], more = x > 1 ? x - 1 : 0;
			const long bytes[] = { 5000 + 100 * x,
					       2000 + 7 * x,
					       4000,
					       300 * x / GRANULE * GRANULE,
					       150 * x / GRANULE * GRANULE,
					       100 * (150 + 10 * more),
					       odd[k] };
			static const long usual[] = { 10, 100, 0, 0, 0, 0, 0 };
			bool is_total = i == 1 || i == 2 || i == 5;

			put_sample(&rows, x, usual[i], bytes[i], is_total ? CONTEXT : 0);
		}
		assert_int_equal(fclose(rows.file), 0);
	}
}

static inline void put_both(const struct fixture *fixture, bool with_both)
{
	static const struct {
		const char *word;
		long parts[2];
	} samples[] = { { "e", { 2700, 0 } },         { "m", { 4000, 0 } },
			{ "m+e", { 4000, 1200 } },    { "e+other", { 2700, 1 } },
			{ "e+e", { 2700, 3 } },       { "em", { 7, 7 } },
			{ "bare+e", { -1000, 3000 } } };
	struct rows rows = open_rows(fixture, "both");

	for (size_t i = 0; i < ARRAY_COUNT(samples); i++) {
		const long *parts = samples[i].parts;

		if (!with_both && !strcmp(samples[i].word, "m+e"))
			continue;
		put_step(&rows, samples[i].word,
			 (struct put_step){ 0, "create", -1, CONTEXT, CONTEXT });
		put_step(&rows, samples[i].word,
			 (struct put_step){ 1, "part-1", -1, parts[0], CONTEXT + parts[0] });
		put_step(&rows, samples[i].word,
			 (struct put_step){ 2, "part-2", -1, parts[1],
					    CONTEXT + parts[0] + parts[1] });
		put_step(&rows, samples[i].word,
			 (struct put_step){ 3, "exit", -1, -CONTEXT - parts[0] - parts[1], 0 });
	}
	assert_int_equal(fclose(rows.file), 0);
}

static inline long piece_of(long text)
{
	return (text + 40 + 63) / 64 * 64;
}

/* Each copy at which the meter moves, and the last. */
static inline void put_copies(const struct fixture *fixture)
{
	static const long texts[] = { 8, 56, 120, 200, 260, 300, 400, 440 };
	struct rows rows = open_rows(fixture, "copies");

	for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
		long piece = piece_of(texts[i]), slack = 500, left = 0, total = CONTEXT;
		char word[24];
		int step = 0;

		snprintf(word, sizeof word, "%ld", texts[i]);
		for (long copies = 1; copies <= 400; copies++) {
			long before = total;

			if (piece <= slack) {
				slack -= piece;
			} else if (piece <= left) {
				left -= piece;
			} else {
				total += GRANULE;
				left = GRANULE - piece;
			}
			if (total != before || copies == 400)
				put_step(&rows, word,
					 (struct put_step){ step++, "take", copies, total - before,
							    total });
		}
		put_step(&rows, word, (struct put_step){ step, "exit", -1, -total, 0 });
	}
	assert_int_equal(fclose(rows.file), 0);
}

static inline void put_kernels(const struct fixture *fixture)
{
	struct rows rows = open_rows(fixture, "kernel");

	for (long x = 1; x <= 4096; x *= 2) {
		long piece = piece_of(4 * x);

		put_sample(&rows, x, 0, piece <= 500 ? 0 : (piece + 999) / 1000 * 1000, CONTEXT);
	}
	assert_int_equal(fclose(rows.file), 0);
	rows = open_rows(fixture, "text");
	for (long x = 1; x <= 16; x *= 2)
		put_sample(&rows, x, 0, 4 * x, 0);
	assert_int_equal(fclose(rows.file), 0);
}

static inline void put_environment(const struct fixture *fixture)
{
	FILE *file = open_file(fixture, "environment");

	fputs("key,value\nrun,made-up\ngranule_bytes,1000\nbaseline_free_bytes,90000\n"
	      "observer_context_bytes,10000\nsimulated,yes\ngpu_name,<b>made "
	      "up</b>\ncompute_capability,8.6\n",
	      file);
	assert_int_equal(fclose(file), 0);
}

static inline int make_run(void **state, bool with_both)
{
	struct fixture *fixture = calloc(1, sizeof *fixture);
	struct err err;

	assert_non_null(fixture);
	snprintf(fixture->dir, sizeof fixture->dir, "/tmp/cuctx-predict-XXXXXX");
	assert_non_null(mkdtemp(fixture->dir));
	put_environment(fixture);
	put_numbers(fixture);
	put_both(fixture, with_both);
	put_copies(fixture);
	put_kernels(fixture);
	assert_int_equal(run_read(&fixture->run, fixture->dir, &requests, &err), 0);
	assert_int_equal(laws_fit(&fixture->laws, &fixture->run, &err), 0);
	*state = fixture;
	return 0;
}

static inline int make_whole(void **state)
{
	return make_run(state, true);
}

static inline int make_without_both(void **state)
{
	return make_run(state, false);
}

static inline int unmake(void **state)
{
	struct fixture *fixture = *state;
	char path[128];

	laws_free(&fixture->laws);
	run_free(&fixture->run);
	for (size_t i = 0; i < ARRAY_COUNT(benchmarks); i++) {
		snprintf(path, sizeof path, "%s/%s.csv", fixture->dir, benchmarks[i].name);
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/environment.csv", fixture->dir);
	unlink(path);
	assert_int_equal(rmdir(fixture->dir), 0);
	free(fixture);
	return 0;
}

#endif
