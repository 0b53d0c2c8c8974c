/* SPDX-License-Identifier: MIT */
/* What a step's totals say about its bytes. */
#include "analysis/compare_judging.h"

/* How far back a total is looked for: samples have fewer steps. */
#define STEPS_BACK_MAX 200

static struct compare_range total_at(const struct judging *judging, size_t source, size_t step)
{
	const struct compare_points *points = judging->question->points;

	return compare_points_range(points, &judging->sides[source], step, points->value_count);
}

static bool same_extent(struct compare_range a, struct compare_range b)
{
	return compare_range_is_taken(a) && a.low == b.low && a.high == b.high;
}

/* A step of both, and what BASE and NEW have taken after it. */
struct totals {
	struct compare_range base, newer;
	bool both_gave_back;
};

static struct totals totals_at(const struct judging *judging, const struct step_place *place,
			       size_t source)
{
	const struct compare_points *points = judging->question->points;
	struct compare_range base =
		compare_points_range(points, &judging->sides[0], place->at[0], 0);
	struct compare_range newer =
		compare_points_range(points, &judging->sides[source], place->at[source], 0);

	return (struct totals){ total_at(judging, 0, place->at[0]),
				total_at(judging, source, place->at[source]),
				base.high <= 0 && newer.high <= 0 };
}

static bool same_gap(const struct totals *a, const struct totals *b)
{
	return a->base.low == a->base.high && a->newer.low == a->newer.high &&
	       b->base.low == b->base.high && b->newer.low == b->newer.high &&
	       (int128)a->newer.low - a->base.low == (int128)b->newer.low - b->base.low;
}

/* Whether that is the state after an earlier step, or is as far from BASE's by giving back. */
static bool comes_back(const struct totals *now, const struct totals *before)
{
	return (same_extent(now->base, before->base) && same_extent(now->newer, before->newer)) ||
	       (now->both_gave_back && same_gap(now, before));
}

bool compare_step_returns(const struct judging *judging, const struct step_place *place,
			  size_t source)
{
	const struct compare_side *base = &judging->sides[0], *newer = &judging->sides[source];
	struct totals now = totals_at(judging, place, source);

	if (comes_back(&now, &(struct totals){ { 0, 0, 0 }, { 0, 0, 0 }, false }))
		return true;
	for (size_t back = 1; back <= place->at[0] && back <= STEPS_BACK_MAX; back++) {
		size_t at = place->at[0] - back;
		const struct compare_step *step = &base->steps[at];
		size_t in_new = compare_points_find(newer, step->name, step->number, at);
		struct totals before = { total_at(judging, 0, at), { 0 }, false };

		if (in_new >= place->at[source])
			continue;
		before.newer = total_at(judging, source, in_new);
		if (comes_back(&now, &before))
			return true;
	}
	return false;
}

static bool is_exact(struct compare_range range)
{
	return range.low == range.high;
}

static int128 gap_of(const struct totals *totals)
{
	return (int128)totals->newer.low - totals->base.low;
}

/* The totals before a step; those before the first are nothing. False where NEW has others. */
static bool totals_before(const struct judging *judging, const struct step_place *place,
			  size_t source, struct totals *ret_totals)
{
	const struct compare_side *base = &judging->sides[0], *newer = &judging->sides[source];
	struct totals before = { 0 };
	size_t at = place->at[0], in_new;

	if (at) {
		in_new = compare_points_find(newer, base->steps[at - 1].name,
					     base->steps[at - 1].number, at - 1);
		if (in_new + 1 != place->at[source])
			return false;
		before.base = total_at(judging, 0, at - 1);
		before.newer = total_at(judging, source, in_new);
	}
	*ret_totals = before;
	return true;
}

bool compare_total_moves_alone(const struct judging *judging, const struct step_place *place,
			       size_t source)
{
	const struct compare_points *points = judging->question->points;
	struct compare_range base =
		compare_points_range(points, &judging->sides[0], place->at[0], 0);
	struct compare_range newer =
		compare_points_range(points, &judging->sides[source], place->at[source], 0);
	struct totals now = totals_at(judging, place, source), before;

	if (!totals_before(judging, place, source, &before) || !is_exact(base) ||
	    !is_exact(newer) || !is_exact(now.base) || !is_exact(now.newer) ||
	    !is_exact(before.base) || !is_exact(before.newer))
		return false;
	return gap_of(&now) - gap_of(&before) != (int128)newer.low - base.low;
}
