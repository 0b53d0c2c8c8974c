/* SPDX-License-Identifier: MIT */
#include "analysis/laws.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/law_parameters.h"
#include "analysis/slot_law.h"
#include "analysis/unit.h"
#include "base/array.h"
#include "base/csv.h"

static const char *const header[] = { "benchmark", "component", "law",    "parameter",
				      "value",     "unit",      "points", "residual_max_bytes",
				      "holds",     "tested" };

/* ---- points ---- */

/* The step's name with the value of an axis where it says {axis}. False when there is no such
 * value. */
bool law_step(const struct samples *samples, size_t sample, const struct law_request *request,
	      char name[LAW_STEP_MAX])
{
	const char *step = request->step;
	const char *open = strchr(step, '{'), *close = open ? strchr(open, '}') : NULL;
	char axis[LAW_STEP_MAX];
	int64_t value;

	if (!close) {
		snprintf(name, LAW_STEP_MAX, "%s", step);
		return true;
	}
	snprintf(axis, sizeof axis, "%.*s", (int)(close - open - 1), open + 1);
	if (!samples_value(samples, sample, axis, &value))
		return false;
	snprintf(name, LAW_STEP_MAX, "%.*s%lld%s", (int)(open - step), step, (long long)value,
		 close + 1);
	return true;
}

/* Whether `word` is one of "a,b". */
static bool is_listed(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (;; list += strcspn(list, ",") + 1) {
		if (strcspn(list, ",") == length && !memcmp(list, word, length))
			return true;
		if (!list[strcspn(list, ",")])
			return false;
	}
}

/* Whether the step ended so that the law is about it. */
static bool has_a_say(const struct samples *samples, size_t row, const struct law_request *request)
{
	const char *status = csv_table_cell(&samples->table, row, samples->columns.status);
	const char *error = csv_table_cell(&samples->table, row, samples->columns.error);

	if (!request->refused_with)
		return !strcmp(status, "ok");
	return !strcmp(status, "refused") && is_listed(request->refused_with, error);
}

/* x of a row: a reading that it has itself, else what the sample has. */
static bool x_of(const struct samples *samples, size_t sample, size_t row, const char *name,
		 int64_t *ret_x)
{
	size_t column = csv_table_column(&samples->table, name);

	return (column != CSV_NO_COLUMN && csv_table_int(&samples->table, row, column, ret_x)) ||
	       samples_value(samples, sample, name, ret_x);
}

/* y of a row: bytes of the device, or a reading. */
static bool y_of(const struct samples *samples, size_t row, const struct law_request *request,
		 int64_t *ret_y)
{
	const struct samples_columns *columns = &samples->columns;
	size_t column = request->is_total ? columns->total_bytes : columns->delta_bytes;

	if (request->reading)
		column = csv_table_column(&samples->table, request->reading);
	return column != CSV_NO_COLUMN && has_a_say(samples, row, request) &&
	       csv_table_int(&samples->table, row, column, ret_y);
}

/* At an edge, the point before the last of x counts, too. Returns how many points the row gives. */
static size_t points_of_row(const struct samples *samples, size_t sample, size_t row,
			    const struct law_request *request, struct law_point points[2])
{
	const struct samples_columns *columns = &samples->columns;
	int64_t delta_bytes;

	if (!x_of(samples, sample, row, request->axis, &points[0].x) ||
	    !y_of(samples, row, request, &points[0].y) ||
	    !csv_table_int(&samples->table, row, columns->delta_bytes, &delta_bytes))
		return 0;
	if (!request->is_edge || points[0].x <= 0)
		return 1;
	points[1].x = points[0].x - 1;
	if (__builtin_sub_overflow(points[0].y, delta_bytes, &points[1].y))
		points[1].y = INT64_MAX; /* beyond all laws as well */
	return 2;
}

static bool has_step(const struct samples *samples, size_t sample,
		     const struct law_request *request, char name[LAW_STEP_MAX])
{
	return samples_matches(samples, sample, request->where) &&
	       law_step(samples, sample, request, name);
}

static bool is_step(const struct samples *samples, size_t row, const char *name)
{
	return !strcmp(csv_table_cell(&samples->table, row, samples->columns.step), name);
}

/* A sample has a say when its step ended as it should; that an earlier one was refused shows in its
 * reading. */
size_t law_points(const struct samples *samples, size_t sample, const struct law_request *request,
		  struct law_point *points)
{
	const struct sample_rows *item = &samples->items[sample];
	char name[LAW_STEP_MAX];
	size_t count = 0;

	if (!has_step(samples, sample, request, name))
		return 0;
	for (size_t row = item->first_row; row < item->first_row + item->row_count; row++)
		if (is_step(samples, row, name))
			count += points_of_row(samples, sample, row, request, &points[count]);
	return count;
}

const char *law_unit(const struct law_request *request)
{
	const char *unit = request->reading ? unit_of_column(request->reading) : UNIT_BYTES;

	return unit ? unit : request->reading;
}

bool law_is_in_bytes(const struct law_request *request)
{
	return !strcmp(law_unit(request), UNIT_BYTES);
}

static int by_x(const void *a, const void *b)
{
	const struct law_point *left = a, *right = b;

	return (left->x > right->x) - (left->x < right->x);
}

int law_all_points(const struct samples *samples, const struct law_request *request,
		   struct law_point **ret_points, size_t *ret_count)
{
	struct law_point *points = malloc((2 * samples->table.row_count + 1) * sizeof *points);
	size_t count = 0;

	if (!points)
		return -ENOMEM;
	for (size_t i = 0; i < samples->count; i++)
		count += law_points(samples, i, request, &points[count]);
	qsort(points, count, sizeof *points, by_x);
	*ret_points = points;
	*ret_count = count;
	return 0;
}

static int fit_points(const struct samples *samples, const struct law_request *request,
		      int64_t granule_bytes, struct law *ret_law)
{
	struct law_point *points;
	size_t count;
	int r = law_all_points(samples, request, &points, &count);

	if (r < 0)
		return r;
	r = law_fit(points, count, law_is_in_bytes(request) ? granule_bytes : 1, ret_law);
	free(points);
	return r;
}

static bool is_beyond(const struct samples *samples, size_t sample, size_t row,
		      const struct law_request *request)
{
	struct law_point points[2];
	size_t count = points_of_row(samples, sample, row, request, points);

	for (size_t i = 0; i < count; i++)
		if (!law_takes(points[i]))
			return true;
	return false;
}

/* The first row whose number no law takes. */
static size_t find_beyond(const struct samples *samples, const struct law_request *request)
{
	for (size_t i = 0; i < samples->count; i++) {
		const struct sample_rows *item = &samples->items[i];
		char name[LAW_STEP_MAX];

		if (!has_step(samples, i, request, name))
			continue;
		for (size_t row = item->first_row; row < item->first_row + item->row_count; row++)
			if (is_step(samples, row, name) && is_beyond(samples, i, row, request))
				return row;
	}
	return SAMPLES_NO_ROW;
}

static void note_beyond(struct fitted_law *fitted, const struct samples *samples)
{
	const struct law_request *request = fitted->request;
	size_t row = request->copies ? slot_law_find_beyond(samples, request)
				     : find_beyond(samples, request);

	fitted->is_beyond = true;
	if (row != SAMPLES_NO_ROW)
		fitted->beyond_line = csv_table_line(&samples->table, row);
}

int laws_fit_one(const struct samples *samples, const struct law_request *request,
		 int64_t granule_bytes, struct fitted_law *ret_fitted, struct err *reterr)
{
	struct fitted_law fitted = { .request = request };
	int r = request->copies ? slot_law_fit(samples, request, &fitted.law)
				: fit_points(samples, request, granule_bytes, &fitted.law);

	if (r == -ENOMEM)
		return err_errno(reterr, ENOMEM, "%s", request->component);
	fitted.is_measured = !r;
	if (r == -ERANGE)
		note_beyond(&fitted, samples);
	*ret_fitted = fitted;
	return 0;
}

/* ---- a run ---- */

int laws_fit(struct laws *laws, const struct run *run, struct err *reterr)
{
	const struct requests *requests = run->requests;
	int64_t granule_bytes = environment_number(&run->environment, "granule_bytes");
	struct laws fitted = { .items = calloc(requests->law_count + 1, sizeof *fitted.items) };
	int r = 0;

	if (!fitted.items)
		return err_errno(reterr, ENOMEM, "%s", run->dir);
	for (; fitted.count < requests->law_count && !r; fitted.count++) {
		const struct law_request *request = &requests->laws[fitted.count];
		const struct samples *samples = run_samples(run, request->benchmark);

		fitted.items[fitted.count].request = request;
		if (samples)
			r = laws_fit_one(samples, request, granule_bytes,
					 &fitted.items[fitted.count], reterr);
	}
	if (r < 0) {
		laws_free(&fitted);
		return r;
	}
	*laws = fitted;
	return 0;
}

const struct fitted_law *laws_find(const struct laws *laws, const char *benchmark,
				   const char *component)
{
	for (size_t i = 0; i < laws->count; i++)
		if (!strcmp(laws->items[i].request->benchmark, benchmark) &&
		    !strcmp(laws->items[i].request->component, component))
			return &laws->items[i];
	return NULL;
}

void laws_free(struct laws *laws)
{
	free(laws->items);
	*laws = (struct laws){ 0 };
}

/* ---- laws.csv ---- */

static void add_row(struct csv_row *row, const struct fitted_law *fitted,
		    const struct law_parameter *parameter)
{
	char value[FRACTION_TEXT_MAX];

	csv_row_text(row, fitted->request->benchmark);
	csv_row_text(row, fitted->request->component);
	csv_row_text(row, law_shape_text(fitted->law.shape));
	csv_row_text(row, parameter->name);
	csv_row_text(row, fraction_text(parameter->value, value, sizeof value));
	csv_row_text(row, parameter->unit);
	csv_row_uint(row, fitted->law.point_count);
	if (law_is_in_bytes(fitted->request))
		csv_row_int(row, fitted->law.residual_max_bytes);
	else
		csv_row_empty(row);
	csv_row_text(row, fitted->law.holds ? "yes" : "no");
	csv_row_text(row, law_is_tested(&fitted->law) ? "yes" : "no");
	csv_row_end(row);
}

static void add_law(struct csv_row *row, const struct fitted_law *fitted)
{
	struct law_parameters parameters;

	law_parameters_list(&parameters, fitted);
	for (size_t i = 0; i < parameters.count; i++)
		add_row(row, fitted, &parameters.items[i]);
}

static void add_rows(struct csv_row *row, const struct laws *laws)
{
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(row, header[i]);
	csv_row_end(row);
	for (size_t i = 0; i < laws->count; i++)
		if (laws->items[i].is_measured)
			add_law(row, &laws->items[i]);
}

int laws_write(const struct laws *laws, const char *dir, struct err *reterr)
{
	struct csv_row row;
	int r;

	csv_row_init(&row);
	add_rows(&row, laws);
	r = run_replace(dir, "laws", &row, reterr);
	csv_row_free(&row);
	return r;
}
