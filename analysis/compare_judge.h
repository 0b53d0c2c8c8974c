/* SPDX-License-Identifier: MIT */
/*
 * What differs between the sides of points: one line per status and number.
 *
 * Not everything that differs is told. What a step takes more, another gives back later: where
 * BASE and NEW both come back to the same earlier step's total, that says nothing new. And steps
 * that are missing after one that ended otherwise follow from it.
 */
#ifndef ANALYSIS_COMPARE_JUDGE_H
#define ANALYSIS_COMPARE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/compare_line.h"
#include "analysis/compare_points.h"

struct compare_question {
	const struct compare_points *points;
	const char *const *columns; /* of the points' values */
	bool first_is_delta;        /* the first column is what the total is a sum of */
	struct compare_rule rules[COMPARE_VALUES_MAX]; /* one per column */
	const char *room_steps;                        /* see struct benchmark_request */
	bool is_absent[COMPARE_SOURCES_MAX]; /* that source has none of these points, as is known */
};

/* Where a line comes from. */
struct compare_origin {
	size_t point;
	size_t step;   /* within BASE's side; its step_count or more: BASE has none */
	size_t column; /* of COMPARE_NUMBER */
};

/* Returns 0, or an error, which ends it all. Lines that follow are given, too. */
struct compare_visitor {
	void *context;
	int (*line)(void *context, struct compare_line *line, const struct compare_origin *origin,
		    struct err *reterr);
};

int compare_judge(const struct compare_question *question, const struct compare_visitor *visitor,
		  struct err *reterr);

/* Whether some NEW differs in this line, and it does not follow from another one. */
bool compare_line_is_told(const struct compare_line *line);

#endif
