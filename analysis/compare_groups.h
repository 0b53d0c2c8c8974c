/* SPDX-License-Identifier: MIT */
/*
 * Lines that say the same of several points, put together for people to read: the same step takes
 * as many bytes more or less. What it takes is a range then.
 *
 *   compare_groups_init() -> compare_run() with compare_groups_sink() -> items ->
 * compare_groups_free()
 */
#ifndef ANALYSIS_COMPARE_GROUPS_H
#define ANALYSIS_COMPARE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/compare.h"
#include "analysis/compare_census.h"
#include "analysis/compare_line.h"
#include "analysis/hash.h"
#include "base/err.h"
#include "base/text.h"

/* Those beyond are counted, but not listed. */
#define COMPARE_GROUPS_MAX 2000
#define GROUP_WORDS_MAX    3

/* The values on one axis. */
struct group_axis {
	struct census_axis values;
	char *words[GROUP_WORDS_MAX]; /* the first ones; owned */
	bool is_number;
	int64_t low, high;
};

/* What a source says. */
struct group_side {
	char *word; /* of what is no number; owned, like the texts here */
	struct compare_range range;
	char *difference;
	double percent_low, percent_high;
	bool has_percent;
	char *verdict;
};

struct compare_group {
	struct hash key;    /* of all that it says, and its benchmark */
	struct hash saying; /* without the benchmark */
	enum compare_line_kind kind;
	size_t benchmark;
	char *step; /* owned */
	struct group_side sides[COMPARE_SOURCES_MAX];
	uint64_t follow_count;
	struct group_axis axes[COMPARE_AXES_MAX];
	size_t axis_count;
	uint64_t line_count;
	uint64_t sample_count;
	bool is_all;  /* of the benchmark's points */
	char *points; /* which points, once its benchmark is complete; owned */
};

struct group_benchmark {
	char *name; /* owned */
	uint64_t unlisted_count;
};

struct compare_groups {
	struct compare_group *items; /* owned */
	size_t count;
	size_t size;
	uint32_t *slots;                    /* number of a group + 1; owned */
	struct group_benchmark *benchmarks; /* owned */
	size_t benchmark_count;
	size_t source_count;
};

/* Returns 0 or -ENOMEM. */
int compare_groups_init(struct compare_groups *groups, size_t source_count);
void compare_groups_free(struct compare_groups *groups);

/* Puts the lines of a comparison into `groups`, which must outlive it. */
struct compare_sink compare_groups_sink(struct compare_groups *groups);

/* "2097152", "0 ... 2097152", "refused: CUDA_ERROR_INVALID_VALUE"; "" where there is nothing. */
void compare_group_value(const struct compare_group *group, size_t source, struct text *ret_text);
/* "+0.38 %", "+0.37 ... +0.38 %" */
void compare_group_percent(const struct compare_group *group, size_t source, struct text *ret_text);

/* Widens what a group takes by what another one does. */
void compare_group_join(struct compare_group *group, const struct compare_group *other);

/* How many benchmarks have a group that says the same as this one. */
size_t compare_groups_alike(const struct compare_groups *groups, size_t group);

#endif
