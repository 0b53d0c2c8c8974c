/* SPDX-License-Identifier: MIT */
#include "analysis/claims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure.h"
#include "analysis/fraction.h"
#include "analysis/pairs.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/text.h"

/* Left less right may be … */
enum { BELOW = 1, SAME = 2, ABOVE = 4 };

static const struct {
	const char *sign;
	int may_be;
} relations[] = {
	[CHECK_EQUAL] = { "=", SAME },
	[CHECK_LESS] = { "<", BELOW },
	[CHECK_AT_MOST] = { "<=", BELOW | SAME },
	[CHECK_MORE] = { ">", ABOVE },
	[CHECK_AT_LEAST] = { ">=", ABOVE | SAME },
};

static const char *const verdicts[] = {
	[CLAIM_TRUE] = "true",
	[CLAIM_FALSE_HERE] = "false here",
	[CLAIM_NOT_MEASURED] = "not measured",
	[CLAIM_DEPENDS] = "it depends",
	[CLAIM_CONTRADICTORY] = "contradictory",
};

const char *claim_verdict_text(enum claim_verdict verdict)
{
	return verdicts[verdict];
}

size_t claims_count(const struct claims *claims, enum claim_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < claims->count; i++)
		count += claims->items[i].verdict == verdict;
	return count;
}

/* ---- one check ---- */

static const struct figure *figure_named(const struct figure *figures, size_t count,
					 const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(figures[i].request->name, name))
			return &figures[i];
	return NULL;
}

/* In hundredths, since the right side may be a percentage. */
static int possible(const struct figure *left, const struct figure *right,
		    const struct check_request *check)
{
	int128 percent = check->percent ? check->percent : 100;
	int128 times = check->times ? check->times : 1;
	int128 low = 100 * (times * left->low - check->constant);
	int128 high = 100 * (times * left->high - check->constant);

	if (right) {
		low -= percent * right->high;
		high -= percent * right->low;
	}
	return (low < 0 ? BELOW : 0) | (low <= 0 && high >= 0 ? SAME : 0) | (high > 0 ? ABOVE : 0);
}

static enum claim_verdict judge_check(const struct figure *figures, size_t count,
				      const struct check_request *check)
{
	const struct figure *left = figure_named(figures, count, check->left);
	const struct figure *right =
		check->right ? figure_named(figures, count, check->right) : NULL;
	int may_be = relations[check->relation].may_be, is;

	if (!left || (check->right && !right))
		return CLAIM_NOT_MEASURED;
	if (left->state == FIGURE_TORN || (right && right->state == FIGURE_TORN))
		return CLAIM_CONTRADICTORY;
	if (left->state != FIGURE_MEASURED || (right && right->state != FIGURE_MEASURED))
		return CLAIM_NOT_MEASURED;
	is = possible(left, right, check);
	if (!(is & ~may_be))
		return CLAIM_TRUE;
	if (!(is & may_be))
		return CLAIM_FALSE_HERE;
	return left->depends || (right && right->depends) ? CLAIM_DEPENDS : CLAIM_CONTRADICTORY;
}

static void add_condition(const struct check_request *check, const char *what, struct text *text)
{
	text_format(text, "; %s only where %s ", what, check->left);
	if (check->times)
		text_format(text, "x %lld ", (long long)check->times);
	text_format(text, "%s ", relations[check->relation].sign);
	if (check->right && check->percent)
		text_format(text, "%d %% of ", check->percent);
	if (check->right)
		text_add(text, check->right);
	if (check->right && check->constant)
		text_add(text, " + ");
	if (!check->right || check->constant)
		text_format(text, "%lld", (long long)check->constant);
}

/* ---- all checks of a claim ---- */

/* A claim's figures. */
struct evidence {
	struct figure figures[CLAIM_FIGURES_MAX];
	struct pairs pairs[CLAIM_FIGURES_MAX]; /* of the benchmarks; at the first of its figures */
	size_t count;
};

/* Of the checks that decide: one that is not so does, whatever the others are. */
static enum claim_verdict weigh(const size_t counts[CLAIM_VERDICTS])
{
	if (counts[CLAIM_FALSE_HERE])
		return CLAIM_FALSE_HERE;
	if (counts[CLAIM_NOT_MEASURED])
		return CLAIM_NOT_MEASURED;
	if (counts[CLAIM_CONTRADICTORY])
		return CLAIM_CONTRADICTORY;
	return counts[CLAIM_DEPENDS] ? CLAIM_DEPENDS : CLAIM_TRUE;
}

/* A condition decides before all. */
static enum claim_verdict judge_checks(const struct claim_request *request,
				       const struct evidence *evidence, struct text *text)
{
	size_t counts[CLAIM_VERDICTS] = { 0 };
	const struct check_request *unseen = NULL;

	for (size_t i = 0; i < CLAIM_CHECKS_MAX && request->checks[i].left; i++) {
		const struct check_request *check = &request->checks[i];
		enum claim_verdict verdict = judge_check(evidence->figures, evidence->count, check);

		if (check->is_evidence) {
			unseen = verdict == CLAIM_TRUE ? unseen : check;
			continue;
		}
		if (check->is_condition && verdict == CLAIM_FALSE_HERE) {
			add_condition(check, "can be told", text);
			return CLAIM_NOT_MEASURED;
		}
		if (check->is_condition && verdict != CLAIM_TRUE)
			return verdict;
		counts[verdict]++;
	}
	if (weigh(counts) != CLAIM_FALSE_HERE || !unseen)
		return weigh(counts);
	add_condition(unseen, "can be told to be false", text);
	return CLAIM_NOT_MEASURED;
}

/* ---- one claim ---- */

/* Where figures have no number, they say so themselves. */
static bool is_judgeable(const struct evidence *evidence, struct text *text)
{
	bool is_lacking = false, is_whole = true, is_paired = true;

	for (size_t i = 0; i < evidence->count; i++) {
		const struct pairs *pairs = &evidence->pairs[i];

		is_whole = is_whole && evidence->figures[i].state == FIGURE_MEASURED;
		is_paired = is_paired && (!pairs->is_paired || pairs->state == PAIRS_COMPLETE);
		is_lacking = is_lacking || (pairs->is_paired && pairs->state == PAIRS_LACKING);
		if (evidence->figures[i].state == FIGURE_INCOMPLETE)
			return false;
	}
	if (is_lacking)
		text_add(text, "; a point that has one of them lacks another");
	else if (!is_paired && is_whole)
		text_add(text, "; no point has all of them");
	return is_paired;
}

static size_t first_of_benchmark(const struct claim_request *request, size_t figure)
{
	size_t first = 0;

	while (strcmp(request->figures[first].benchmark, request->figures[figure].benchmark))
		first++;
	return first;
}

/* Points that are no pair are left out, unless there is no pair. */
static int gather(struct evidence *evidence, const struct run *run,
		  const struct claim_request *claim, struct err *reterr)
{
	int r = 0;

	for (; evidence->count < CLAIM_FIGURES_MAX && claim->figures[evidence->count].name && !r;
	     evidence->count++) {
		size_t i = evidence->count, first = first_of_benchmark(claim, i);
		const struct figure_request *request = &claim->figures[i];
		const struct pairs *pairs = &evidence->pairs[first];

		if (first == i && run_samples(run, request->benchmark))
			r = pairs_find(&evidence->pairs[i], run, claim, request->benchmark, reterr);
		if (!r)
			r = figure_measure(&evidence->figures[i], run, request,
					   pairs->state == PAIRS_COMPLETE ? pairs->is_paired : NULL,
					   reterr);
	}
	return r;
}

static int judge(struct judged_claim *claim, const struct run *run, struct err *reterr)
{
	struct evidence evidence = { 0 };
	struct text text = { 0 };
	int r = gather(&evidence, run, claim->request, reterr);

	for (size_t i = 0; i < evidence.count && !r; i++) {
		text_add(&text, i ? "; " : "");
		figure_text(&evidence.figures[i], run, &text);
	}
	if (!r) {
		claim->verdict = is_judgeable(&evidence, &text)
					 ? judge_checks(claim->request, &evidence, &text)
					 : CLAIM_NOT_MEASURED;
		r = text_take(&text, &claim->figures, reterr);
	}
	text_free(&text);
	for (size_t i = 0; i < evidence.count; i++)
		pairs_free(&evidence.pairs[i]);
	return r;
}

int claims_judge(struct claims *claims, const struct run *run, struct err *reterr)
{
	const struct requests *requests = run->requests;
	struct claims judged = { .items = calloc(requests->claim_count + 1, sizeof *judged.items) };
	int r = 0;

	if (!judged.items)
		return err_errno(reterr, ENOMEM, "%s", run->dir);
	for (; judged.count < requests->claim_count && !r; judged.count++) {
		judged.items[judged.count].request = &requests->claims[judged.count];
		r = judge(&judged.items[judged.count], run, reterr);
	}
	if (r < 0) {
		claims_free(&judged);
		return r;
	}
	*claims = judged;
	return 0;
}

void claims_free(struct claims *claims)
{
	for (size_t i = 0; i < claims->count; i++)
		free(claims->items[i].figures);
	free(claims->items);
	*claims = (struct claims){ 0 };
}

/* ---- claims.csv ---- */

static void add_places(struct csv_row *row, const struct claim_request *request)
{
	struct text text = { 0 };

	for (size_t i = 0; i < CLAIM_FIGURES_MAX && request->figures[i].name; i++) {
		text_add(&text, i ? "; " : "");
		figure_place(&request->figures[i], &text);
	}
	csv_row_text(row, text_peek(&text));
	row->failed = row->failed || text.failed;
	text_free(&text);
}

int claims_write(const struct claims *claims, const char *dir, struct err *reterr)
{
	static const char *const header[] = { "claim", "sentence", "verdict", "figures", "from" };
	struct csv_row row;
	int r;

	csv_row_init(&row);
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(&row, header[i]);
	csv_row_end(&row);
	for (size_t i = 0; i < claims->count; i++) {
		csv_row_text(&row, claims->items[i].request->name);
		csv_row_text(&row, claims->items[i].request->sentence);
		csv_row_text(&row, verdicts[claims->items[i].verdict]);
		csv_row_text(&row, claims->items[i].figures);
		add_places(&row, claims->items[i].request);
		csv_row_end(&row);
	}
	r = run_replace(dir, "claims", &row, reterr);
	csv_row_free(&row);
	return r;
}
