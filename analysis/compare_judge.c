/* SPDX-License-Identifier: MIT */
#include "analysis/compare_judging.h"

#include <string.h>

#define STATUS_OK "ok"

static bool is_there(const struct judging *judging, size_t source)
{
	return judging->sides[source].repeat_count > 0;
}

static struct compare_line line_of(const struct judging *judging, enum compare_line_kind kind)
{
	const struct compare_points *points = judging->question->points;
	struct compare_line line = { .kind = kind, .step = "", .column = "" };

	line.benchmark =
		compare_words_text(&points->words, points->items[judging->point].benchmark);
	line.axes = compare_points_axes(points, judging->point);
	line.source_count = points->source_count;
	for (size_t i = 0; i < line.source_count; i++) {
		line.sides[i] = (struct compare_line_side){ .word = "", .error = "" };
		line.sides[i].range = compare_range_none();
		line.sample_count += judging->sides[i].sample_count;
	}
	return line;
}

static bool differs(const struct compare_line *line)
{
	for (size_t i = 1; i < line->source_count; i++)
		if (line->sides[i].judgement.verdict != VERDICT_SAME)
			return true;
	return false;
}

bool compare_line_is_told(const struct compare_line *line)
{
	for (size_t i = 1; i < line->source_count; i++)
		if (compare_line_tells(line, i))
			return true;
	return false;
}

static int give(const struct judging *judging, struct compare_line *line,
		const struct compare_origin *origin, struct err *reterr)
{
	if (!differs(line))
		return 0;
	return judging->visitor->line(judging->visitor->context, line, origin, reterr);
}

/* ---- a point that not all have ---- */

static int judge_presence(const struct judging *judging, struct err *reterr)
{
	struct compare_line line = line_of(judging, COMPARE_POINT);
	struct compare_origin origin = { .point = judging->point, .step = SIZE_MAX };

	for (size_t i = 0; i < line.source_count; i++) {
		line.sides[i].is_there = is_there(judging, i);
		if (line.sides[i].is_there != line.sides[0].is_there &&
		    !judging->question->is_absent[i])
			line.sides[i].judgement.verdict =
				line.sides[0].is_there ? VERDICT_ONLY_IN_BASE : VERDICT_ONLY_IN_NEW;
	}
	return give(judging, &line, &origin, reterr);
}

/* ---- what became of a step ---- */

static enum verdict compare_status(const struct compare_words *words, const struct compare_step *a,
				   const struct compare_step *b)
{
	bool is_ok = !strcmp(compare_words_text(words, a->status), STATUS_OK);

	if (a->is_torn != b->is_torn)
		return VERDICT_AMBIGUOUS;
	if (a->status == b->status && (is_ok || a->error == b->error))
		return VERDICT_SAME;
	return a->is_torn ? VERDICT_AMBIGUOUS : VERDICT_CHANGED;
}

static void set_step(const struct judging *judging, const struct step_place *place,
		     struct compare_line *line)
{
	line->step = compare_words_text(&judging->question->points->words, place->name);
	line->step_number = place->number;
}

static int judge_status(struct judging *judging, const struct step_place *place, struct err *reterr)
{
	const struct compare_words *words = &judging->question->points->words;
	struct compare_line line = line_of(judging, COMPARE_STATUS);
	struct compare_origin origin = { .point = judging->point, .step = place->at[0] };

	set_step(judging, place, &line);
	line.column = "status";
	for (size_t i = 0; i < line.source_count; i++) {
		const struct compare_step *step;

		if (!has_step(judging, place, i))
			continue;
		step = &judging->sides[i].steps[place->at[i]];
		line.sides[i].is_there = true;
		line.sides[i].word = compare_words_text(words, step->status);
		line.sides[i].error = compare_words_text(words, step->error);
		line.sides[i].is_torn = step->is_torn;
		if (!i || !has_step(judging, place, 0))
			continue;
		line.sides[i].judgement.verdict =
			compare_status(words, &judging->sides[0].steps[place->at[0]], step);
		if (line.sides[i].judgement.verdict != VERDICT_SAME)
			judging->has_changed[i] = true;
	}
	return give(judging, &line, &origin, reterr);
}

/* ---- the numbers of a step ---- */

/* Whether the step's name is in "fill,free-filling". */
static bool is_listed(const char *name, const char *list)
{
	size_t length = strlen(name);

	while (list && *list) {
		if (strcspn(list, ",") == length && !strncmp(list, name, length))
			return true;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return false;
}

/* More of a reading is no cost. */
static void call_changed(enum verdict *verdict)
{
	if (*verdict == VERDICT_MORE || *verdict == VERDICT_LESS)
		*verdict = VERDICT_CHANGED;
}

static void judge_side(const struct judging *judging, const struct step_place *place, size_t column,
		       struct compare_line *line, size_t source)
{
	const struct compare_question *question = judging->question;
	const struct compare_line_side *base = &line->sides[0];
	struct compare_line_side *newer = &line->sides[source];

	if (!is_there(judging, 0) || !is_there(judging, source))
		return;
	if (base->is_there && newer->is_there) {
		newer->judgement =
			compare_ranges(base->range, newer->range, &question->rules[column]);
		if (column)
			call_changed(&newer->judgement.verdict);
		else if (newer->judgement.verdict != VERDICT_SAME)
			newer->follows = is_listed(line->step, question->room_steps) ||
					 (question->first_is_delta &&
					  !compare_total_moves_alone(judging, place, source) &&
					  compare_step_returns(judging, place, source));
		return;
	}
	/* That a step is missing is told once, and not behind one that explains it. */
	if (!column && base->is_there != newer->is_there)
		newer->judgement.verdict =
			base->is_there ? VERDICT_ONLY_IN_BASE : VERDICT_ONLY_IN_NEW;
	newer->follows = judging->has_changed[source];
}

static bool status_differs(const struct judging *judging, const struct step_place *place,
			   size_t source)
{
	return has_step(judging, place, 0) && has_step(judging, place, source) &&
	       compare_status(&judging->question->points->words,
			      &judging->sides[0].steps[place->at[0]],
			      &judging->sides[source].steps[place->at[source]]) != VERDICT_SAME;
}

static int judge_number(const struct judging *judging, const struct step_place *place,
			size_t column, struct err *reterr)
{
	const struct compare_points *points = judging->question->points;
	struct compare_line line = line_of(judging, COMPARE_NUMBER);
	struct compare_origin origin = { judging->point, place->at[0], column };

	set_step(judging, place, &line);
	line.column = judging->question->columns[column];
	for (size_t i = 0; i < line.source_count; i++) {
		line.sides[i].is_there = has_step(judging, place, i);
		if (line.sides[i].is_there)
			line.sides[i].range = compare_points_range(points, &judging->sides[i],
								   place->at[i], column);
		if (i && !status_differs(judging, place, i))
			judge_side(judging, place, column, &line, i);
	}
	return give(judging, &line, &origin, reterr);
}

/* A total that differs, though no delta says so. */
static int judge_total(const struct judging *judging, const struct step_place *place,
		       struct err *reterr)
{
	const struct compare_question *question = judging->question;
	size_t column = question->points->value_count;
	struct compare_line line = line_of(judging, COMPARE_NUMBER);
	struct compare_origin origin = { judging->point, place->at[0], column };

	set_step(judging, place, &line);
	line.column = "total_bytes";
	for (size_t i = 0; i < line.source_count; i++) {
		struct compare_line_side *side = &line.sides[i];

		side->is_there = has_step(judging, place, i);
		if (side->is_there)
			side->range = compare_points_range(question->points, &judging->sides[i],
							   place->at[i], column);
		if (i && side->is_there && line.sides[0].is_there &&
		    compare_total_moves_alone(judging, place, i))
			side->judgement = compare_ranges(line.sides[0].range, side->range,
							 &question->rules[0]);
	}
	return give(judging, &line, &origin, reterr);
}

static int judge_step(struct judging *judging, const struct step_place *place, struct err *reterr)
{
	int r = judge_status(judging, place, reterr);

	for (size_t i = 0; i < judging->question->points->value_count && !r; i++)
		r = judge_number(judging, place, i, reterr);
	if (!r && judging->question->first_is_delta)
		r = judge_total(judging, place, reterr);
	return r;
}

/* ---- a point ---- */

static struct step_place place_step(const struct judging *judging, size_t source, size_t step)
{
	const struct compare_step *found = &judging->sides[source].steps[step];
	struct step_place place = { .name = found->name, .number = found->number };

	for (size_t i = 0; i < judging->question->points->source_count; i++)
		place.at[i] =
			compare_points_find(&judging->sides[i], place.name, place.number, step);
	return place;
}

/* Whether this source is the first that has the step. */
static bool is_first(const struct judging *judging, const struct step_place *place, size_t source)
{
	for (size_t i = 0; i < source; i++)
		if (has_step(judging, place, i))
			return false;
	return true;
}

static int judge_point(struct judging *judging, struct err *reterr)
{
	int r = judge_presence(judging, reterr);

	for (size_t i = 0; i < judging->question->points->source_count && !r; i++) {
		for (size_t step = 0; step < judging->sides[i].step_count && !r; step++) {
			struct step_place place = place_step(judging, i, step);

			if (is_first(judging, &place, i))
				r = judge_step(judging, &place, reterr);
		}
	}
	return r;
}

static int judge_all(const struct compare_question *question, const struct compare_visitor *visitor,
		     struct compare_side *sides, struct err *reterr)
{
	const struct compare_points *points = question->points;
	int r = 0;

	for (size_t i = 0; i < points->count && !r; i++) {
		struct judging judging = {
			.question = question, .visitor = visitor, .point = i, .sides = sides
		};

		for (size_t k = 0; k < points->source_count && !r; k++)
			r = compare_points_side(points, i, k, &sides[k]);
		r = r < 0 ? err_errno(reterr, -r, "comparison") : judge_point(&judging, reterr);
	}
	return r;
}

int compare_judge(const struct compare_question *question, const struct compare_visitor *visitor,
		  struct err *reterr)
{
	struct compare_side sides[COMPARE_SOURCES_MAX] = { { 0 } };
	int r = judge_all(question, visitor, sides, reterr);

	for (size_t i = 0; i < COMPARE_SOURCES_MAX; i++)
		compare_side_free(&sides[i]);
	return r;
}
