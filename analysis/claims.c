/* SPDX-License-Identifier: MIT */
#include "analysis/claims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure.h"
#include "analysis/fraction.h"
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
	int128 low = 100 * ((int128)left->low - check->constant);
	int128 high = 100 * ((int128)left->high - check->constant);

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

static void add_condition(const struct check_request *check, struct text *text)
{
	text_format(text, "; can be told only where %s %s ", check->left,
		    relations[check->relation].sign);
	if (check->right && check->percent)
		text_format(text, "%d %% of ", check->percent);
	if (check->right)
		text_add(text, check->right);
	if (check->right && check->constant)
		text_add(text, " + ");
	if (!check->right || check->constant)
		text_format(text, "%lld", (long long)check->constant);
}

/* ---- one claim ---- */

/* One that is not so decides, whatever the others are; a condition decides before all. */
static enum claim_verdict judge_checks(const struct claim_request *request,
				       const struct figure *figures, size_t figure_count,
				       struct text *text)
{
	size_t counts[CLAIM_VERDICTS] = { 0 };

	for (size_t i = 0; i < CLAIM_CHECKS_MAX && request->checks[i].left; i++) {
		const struct check_request *check = &request->checks[i];
		enum claim_verdict verdict = judge_check(figures, figure_count, check);

		if (check->is_condition && verdict == CLAIM_FALSE_HERE) {
			add_condition(check, text);
			return CLAIM_NOT_MEASURED;
		}
		if (check->is_condition && verdict != CLAIM_TRUE)
			return verdict;
		counts[verdict]++;
	}
	if (counts[CLAIM_FALSE_HERE])
		return CLAIM_FALSE_HERE;
	if (counts[CLAIM_NOT_MEASURED])
		return CLAIM_NOT_MEASURED;
	if (counts[CLAIM_CONTRADICTORY])
		return CLAIM_CONTRADICTORY;
	return counts[CLAIM_DEPENDS] ? CLAIM_DEPENDS : CLAIM_TRUE;
}

static int judge(struct judged_claim *claim, const struct run *run, struct err *reterr)
{
	struct figure figures[CLAIM_FIGURES_MAX];
	struct text text = { 0 };
	size_t count = 0;

	for (; count < CLAIM_FIGURES_MAX && claim->request->figures[count].name; count++) {
		int r = figure_measure(&figures[count], run, &claim->request->figures[count],
				       reterr);

		if (r < 0) {
			text_free(&text);
			return r;
		}
		text_add(&text, count ? "; " : "");
		figure_text(&figures[count], run, &text);
	}
	claim->verdict = judge_checks(claim->request, figures, count, &text);
	return text_take(&text, &claim->figures, reterr);
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
