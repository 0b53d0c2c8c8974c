/* SPDX-License-Identifier: MIT */
/*
 * The plan of a run: which samples are taken, in which order. A benchmark's axes span its points;
 * every point is one sample per repeat. All samples of the first repeat come before those of the
 * second, and within a repeat the order is shuffled over all benchmarks and points (by a fixed
 * seed, so that it is the same every time): what drifts while the run goes on then looks like
 * noise, not like an effect of an axis.
 *
 * The plan is written into the run directory, and a run that is resumed reads it back instead of
 * making a new one.
 */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include "base/err.h"
#include "harness/bench.h"
#include "harness/modules.h"

struct plan_sample {
	const struct bench *bench;
	struct bench_point point;
	unsigned int repeat; /* from 1 */
};

struct plan {
	struct plan_sample *samples; /* in the order of the run; owned */
	size_t count;
	char **words; /* that the points refer to; owned */
	size_t word_count;
};

/* --axis NAME=VALUES: applies to every chosen benchmark that has the axis. */
struct axis_override {
	const char *axis;
	const char *values;
};

struct plan_request {
	const struct bench *const *benches;
	size_t bench_count;
	const struct axis_override *overrides;
	size_t override_count;
	bool quick;
	unsigned int repeats;
	const char *filter; /* extended regular expression on "benchmark axis=value …"; NULL: all */
};

/* More than anybody waits for; a slip in a range would otherwise fill the memory. */
#define PLAN_SAMPLES_MAX 1000000

/*
 * -EINVAL for a value that an axis does not take, an axis that no chosen benchmark has, a bad
 * filter, too many samples, or when nothing is left. `modules` may be NULL when no axis takes its
 * values from them.
 */
int plan_make(struct plan *plan, const struct plan_request *request, const struct modules *modules,
	      struct err *reterr);

/*
 * The plan as plan.csv, and back. Of the request, only the benches are used: those that plan.csv
 * may name. -EBADMSG, naming the line, for what plan_make() would not have put there: a word or a
 * size that the axis does not have, a sample that is there twice, a line in another's place.
 */
int plan_write(const struct plan *plan, const char *path, struct err *reterr);
int plan_read(struct plan *plan, const char *path, const struct plan_request *request,
	      const struct modules *modules, struct err *reterr);
void plan_free(struct plan *plan);

/* "limit-stack stack_limit_bytes=1024 api=driver" into `buffer`, which is returned. */
#define PLAN_TEXT_MAX 256
const char *plan_sample_text(const struct plan_sample *sample, char *buffer, size_t buffer_size);

/* Number of axes that a benchmark has. */
size_t bench_axis_count(const struct bench *bench);
/* The value as it stands in a CSV cell, into `buffer` where it is a number. */
const char *bench_value_text(const struct bench *bench, const struct bench_point *point,
			     size_t axis, char buffer[24]);

#endif
