/* SPDX-License-Identifier: MIT */
#include "analysis/figure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/unit.h"
#include "analysis/where.h"

/* What a point's repeats say. */
struct answer {
	bool is_measured;
	bool is_otherwise; /* refused where a number was wanted, or the other way round */
	bool depends;      /* a sample has several numbers where there is to be one */
	int64_t low;
	int64_t high;
};

/* ---- from rows to one answer per point ---- */

static void widen(struct answer *answer, int64_t low, int64_t high)
{
	if (!answer->is_measured || low < answer->low)
		answer->low = low;
	if (!answer->is_measured || high > answer->high)
		answer->high = high;
	answer->is_measured = true;
}

/* One more number into what stands for many; false where their sum is too large. */
static bool reduce(struct answer *answer, enum figure_reduction reduction, int64_t low,
		   int64_t high)
{
	struct answer more = { .is_measured = true, .low = low, .high = high };

	if (!answer->is_measured) {
		*answer = more;
		return true;
	}
	switch (reduction) {
	case FIGURE_VALUE:
		widen(answer, low, high);
		break;
	case FIGURE_MIN:
		answer->low = low < answer->low ? low : answer->low;
		answer->high = high < answer->high ? high : answer->high;
		break;
	case FIGURE_MAX:
		answer->low = low > answer->low ? low : answer->low;
		answer->high = high > answer->high ? high : answer->high;
		break;
	case FIGURE_SUM:
		return !__builtin_add_overflow(answer->low, low, &answer->low) &&
		       !__builtin_add_overflow(answer->high, high, &answer->high);
	}
	return true;
}

static bool has_status(const struct samples *samples, size_t row, const char *status)
{
	return !strcmp(csv_table_cell(&samples->table, row, samples->columns.status), status);
}

/* Whether it is one of the words "a,b,c". */
static bool is_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncmp(at, word, length) && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* Whether the row is refused as the figure means it. */
static bool is_refusal(const struct samples *samples, size_t row,
		       const struct figure_request *request)
{
	const char *error = csv_table_cell(&samples->table, row, samples->columns.error);

	return has_status(samples, row, "refused") &&
	       (!request->errors || is_word(request->errors, error));
}

/* False when the row has none. */
static bool number_of(const struct samples *samples, size_t row,
		      const struct figure_request *request, int64_t *ret_number)
{
	bool is_ok = has_status(samples, row, "ok");
	bool is_refused = is_refusal(samples, row, request);

	if (strcmp(request->column, "refused"))
		return (request->of_refused ? is_refused : is_ok) &&
		       csv_table_int(&samples->table, row,
				     csv_table_column(&samples->table, request->column),
				     ret_number);
	*ret_number = is_refused;
	return is_ok || is_refused;
}

/* Whether one of its rows has a number and, where that has to be, a refusal's. */
static bool has_row(const struct figure_request *request, const struct samples *samples,
		    size_t sample, bool of_refusal)
{
	const struct sample_rows *rows = &samples->items[sample];
	int64_t number;

	for (size_t row = rows->first_row; row < rows->first_row + rows->row_count; row++)
		if (!strcmp(csv_table_cell(&samples->table, row, samples->columns.step),
			    request->step) &&
		    number_of(samples, row, request, &number) &&
		    (!of_refusal || is_refusal(samples, row, request)))
			return true;
	return false;
}

bool figure_has_number(const struct figure_request *request, const struct samples *samples,
		       size_t sample)
{
	return has_row(request, samples, sample, false);
}

bool figure_counts_refusal(const struct figure_request *request, const struct samples *samples,
			   size_t sample)
{
	return !strcmp(request->column, "refused") && has_row(request, samples, sample, true);
}

/* A step may come several times in a sample. False where a sum is too large. */
static bool add_sample(struct answer *point, const struct samples *samples, size_t sample,
		       const struct figure_request *request)
{
	const struct sample_rows *rows = &samples->items[sample];
	struct answer answer = { 0 };
	int64_t number;

	for (size_t row = rows->first_row; row < rows->first_row + rows->row_count; row++) {
		if (strcmp(csv_table_cell(&samples->table, row, samples->columns.step),
			   request->step))
			continue;
		if (!number_of(samples, row, request, &number))
			point->is_otherwise =
				point->is_otherwise ||
				has_status(samples, row, request->of_refused ? "ok" : "refused");
		else if (!reduce(&answer, request->reduction, number, number))
			return false;
	}
	if (answer.is_measured)
		widen(point, answer.low, answer.high);
	point->depends = point->depends || answer.low != answer.high;
	return true;
}

/* ---- the figure ---- */

/* Whether no number lies in the ranges of all points. */
static bool points_differ(const struct answer *points, size_t count)
{
	const struct answer *first = NULL;
	int64_t low = 0, high = 0;

	for (size_t i = 0; i < count; i++) {
		if (!points[i].is_measured)
			continue;
		if (points[i].depends)
			return true;
		low = !first || points[i].low > low ? points[i].low : low;
		high = !first || points[i].high < high ? points[i].high : high;
		first = first ? first : &points[i];
	}
	return low > high;
}

static void conclude(struct figure *figure, const struct samples *samples,
		     const struct answer *points)
{
	struct answer whole = { 0 };

	for (size_t i = 0; i < samples->count; i++) {
		const struct answer *point = &points[samples->items[i].point];

		if (!point->is_measured || !point->is_otherwise)
			continue;
		figure->state = FIGURE_TORN;
		figure->sample = i;
		return;
	}
	for (size_t i = 0; i < samples->point_count; i++)
		if (points[i].is_measured &&
		    !reduce(&whole, figure->request->reduction, points[i].low, points[i].high))
			figure->state = FIGURE_TOO_LARGE;
	if (!whole.is_measured || figure->state == FIGURE_TOO_LARGE)
		return;
	figure->state = FIGURE_MEASURED;
	figure->low = whole.low;
	figure->high = whole.high;
	figure->depends = figure->request->reduction == FIGURE_VALUE &&
			  points_differ(points, samples->point_count);
}

static void look_at(struct figure *figure, const struct samples *samples, const bool *is_paired,
		    struct answer *points)
{
	figure->state = FIGURE_NO_SAMPLE;
	for (size_t i = 0; i < samples->count; i++) {
		if (!samples_matches(samples, i, figure->request->where) ||
		    (is_paired && !is_paired[i]))
			continue;
		if (figure->state == FIGURE_NO_SAMPLE) {
			figure->state = FIGURE_NO_NUMBER;
			figure->sample = i;
		}
		if (!add_sample(&points[samples->items[i].point], samples, i, figure->request)) {
			figure->state = FIGURE_TOO_LARGE;
			return;
		}
	}
	conclude(figure, samples, points);
}

/* ---- samples that would have been part of it ---- */

/* A sample that did not get to a reading may have had any. */
static bool may_match(const struct samples *samples, size_t sample, const char *where)
{
	struct where_part part;

	while (where_next(&where, &part)) {
		bool is_met = where_is_reading(&part);

		for (size_t i = 0; i < samples->axis_count && !is_met; i++) {
			size_t column = samples->axis_first + i;

			is_met = where_axis_is(&part, csv_table_header(&samples->table, column)) &&
				 where_value_is(&part, samples_cell(samples, sample, column));
		}
		if (!is_met)
			return false;
	}
	return true;
}

static bool has_ended(const struct samples *samples, size_t sample)
{
	return is_word("ok,refused,unsupported,skipped", samples_verdict(samples, sample));
}

static void miss_samples(struct figure *figure, const struct run *run,
			 const struct samples *samples)
{
	const struct figure_request *request = figure->request;

	figure->missing_count = planned_missing(&run->planned, request->benchmark, request->where,
						&figure->planned_count);
	if (figure->missing_count)
		figure->state = FIGURE_INCOMPLETE;
	if (figure->missing_count || figure->state == FIGURE_NO_NUMBER)
		return;
	for (size_t i = 0; samples && i < samples->count; i++) {
		if (has_ended(samples, i) || !may_match(samples, i, request->where))
			continue;
		figure->state = FIGURE_INCOMPLETE;
		figure->sample = i;
		return;
	}
}

/* ---- all of it ---- */

bool figure_is_of_environment(const struct figure_request *request)
{
	return !strcmp(request->benchmark, FIGURE_ENVIRONMENT);
}

static void look_into_environment(struct figure *figure, const struct run *run)
{
	if (!csv_int(environment_get(&run->environment, figure->request->column), &figure->low))
		return;
	figure->high = figure->low;
	figure->state = FIGURE_MEASURED;
}

int figure_measure(struct figure *figure, const struct run *run,
		   const struct figure_request *request, const bool *is_paired, struct err *reterr)
{
	const struct samples *samples = run_samples(run, request->benchmark);
	struct figure measured = { .request = request, .state = FIGURE_NO_BENCHMARK };

	if (samples) {
		struct answer *points = calloc(samples->point_count, sizeof *points);

		if (!points)
			return err_errno(reterr, ENOMEM, "%s", run->dir);
		look_at(&measured, samples, is_paired, points);
		free(points);
	}
	if (figure_is_of_environment(request))
		look_into_environment(&measured, run);
	else
		miss_samples(&measured, run, samples);
	*figure = measured;
	return 0;
}

/* ---- in words ---- */

static void add_number(const struct figure *figure, struct text *text)
{
	const char *unit = unit_of_column(figure->request->column);

	text_format(text, "%lld", (long long)figure->low);
	if (figure->low != figure->high)
		text_format(text, " or %lld", (long long)figure->high);
	if (unit)
		text_format(text, " %s", unit);
	if (figure->depends)
		text_add(text, ", depending on the point");
}

/* Values that stand in other cells ("@default_bytes") cannot be told to an option. */
static void add_command(const struct figure_request *request, struct text *text)
{
	const char *where = request->where;

	text_format(text, "(cuctx run %s", request->benchmark);
	while (where && *where) {
		size_t length = strcspn(where, ",");

		if (!memchr(where, '@', length)) {
			text_add(text, " --axis ");
			text_add_bytes(text, where, length);
		}
		where += length;
		where += *where == ',';
	}
	text_add(text, ")");
}

/* The row that says why: the gravest of the sample. */
static void add_reason(const struct figure *figure, const struct samples *samples,
		       struct text *text)
{
	const struct sample_rows *rows = &samples->items[figure->sample];
	const char *verdict = samples_verdict(samples, figure->sample);

	for (size_t row = rows->first_row; row < rows->first_row + rows->row_count; row++) {
		const struct samples_columns *c = &samples->columns;
		const char *error = csv_table_cell(&samples->table, row, c->error);

		if (!has_status(samples, row, verdict) || !strcmp(verdict, "ok"))
			continue;
		text_format(text, ": %s %s", verdict,
			    *error ? error : csv_table_cell(&samples->table, row, c->note));
		return;
	}
}

static void add_gap(const struct figure *figure, const struct samples *samples, struct text *text)
{
	text_add(text, "not measured");
	if (figure->missing_count)
		text_format(text, ": %zu of %zu samples are missing", figure->missing_count,
			    figure->planned_count);
	else
		add_reason(figure, samples, text);
}

void figure_place(const struct figure_request *request, struct text *ret_text)
{
	static const char *const reductions[] = { [FIGURE_VALUE] = "",
						  [FIGURE_MIN] = "min of ",
						  [FIGURE_MAX] = "max of ",
						  [FIGURE_SUM] = "sum of " };

	if (figure_is_of_environment(request)) {
		text_format(ret_text, "%s of environment.csv", request->column);
		return;
	}
	text_format(ret_text, "%s%s at %s%s of %s", reductions[request->reduction], request->column,
		    request->of_refused ? "refused " : "", request->step, request->benchmark);
	if (request->where)
		text_format(ret_text, " where %s", request->where);
}

void figure_text(const struct figure *figure, const struct run *run, struct text *ret_text)
{
	const struct figure_request *request = figure->request;
	const struct samples *samples = run_samples(run, request->benchmark);

	text_format(ret_text, "%s: ", request->name);
	switch (figure->state) {
	case FIGURE_MEASURED:
		add_number(figure, ret_text);
		break;
	case FIGURE_NO_BENCHMARK:
	case FIGURE_NO_SAMPLE:
		text_add(ret_text, "not measured");
		if (figure_is_of_environment(request))
			break;
		text_add(ret_text, " ");
		add_command(request, ret_text);
		return;
	case FIGURE_NO_NUMBER:
		text_add(ret_text, "not measured");
		add_reason(figure, samples, ret_text);
		break;
	case FIGURE_INCOMPLETE:
		add_gap(figure, samples, ret_text);
		break;
	case FIGURE_TORN:
		text_add(ret_text, "answered in one repeat, refused in another");
		break;
	case FIGURE_TOO_LARGE:
		text_add(ret_text, "too large to add up");
		break;
	}
	if (figure_is_of_environment(request))
		text_add(ret_text, " (environment.csv)");
	else
		text_format(ret_text, " (%s, %s)", request->benchmark, request->step);
}
