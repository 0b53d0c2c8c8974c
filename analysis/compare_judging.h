/* SPDX-License-Identifier: MIT */
/* A point while it is judged; see compare_judge.h. */
#ifndef ANALYSIS_COMPARE_JUDGING_H
#define ANALYSIS_COMPARE_JUDGING_H

#include "analysis/compare_judge.h"

struct judging {
	const struct compare_question *question;
	const struct compare_visitor *visitor;
	size_t point;
	struct compare_side *sides; /* one per source */
	/* Per NEW: a step has ended otherwise than in BASE. */
	bool has_changed[COMPARE_SOURCES_MAX];
};

/* A step of a point: where each side has it. */
struct step_place {
	uint32_t name;
	uint32_t number;
	size_t at[COMPARE_SOURCES_MAX]; /* the side's step_count: nowhere */
};

static inline bool has_step(const struct judging *judging, const struct step_place *place,
			    size_t source)
{
	return place->at[source] < judging->sides[source].step_count;
}

/* ---- of a step that BASE and that NEW have ---- */

/*
 * Whether its bytes say nothing new: both come back to the state after an earlier step, or they
 * give back, and are as far from each other as after an earlier step.
 */
bool compare_step_returns(const struct judging *judging, const struct step_place *place,
			  size_t source);

/*
 * Whether the totals differ by more or less than what the deltas say: never in a file that nobody
 * has written in since.
 */
bool compare_total_moves_alone(const struct judging *judging, const struct step_place *place,
			       size_t source);

#endif
