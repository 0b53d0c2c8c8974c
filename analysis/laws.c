/* SPDX-License-Identifier: MIT */
#include "analysis/laws.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/slot_law.h"
#include "base/array.h"
#include "base/csv.h"

#define STEP_NAME_MAX 128
#define BYTES         "bytes"
#define BYTES_SUFFIX  "_bytes"

static const char *const header[] = { "benchmark", "component", "law",    "parameter",
				      "value",     "unit",      "points", "residual_max_bytes",
				      "holds" };

/* ---- points ---- */

/* The step's name with the value of an axis where it says {axis}. False when there is no such
 * value. */
static bool expand_step(const struct samples *samples, size_t sample, const char *step,
			char name[STEP_NAME_MAX])
{
	const char *open = strchr(step, '{'), *close = open ? strchr(open, '}') : NULL;
	char axis[STEP_NAME_MAX];
	int64_t value;

	if (!close) {
		snprintf(name, STEP_NAME_MAX, "%s", step);
		return true;
	}
	snprintf(axis, sizeof axis, "%.*s", (int)(close - open - 1), open + 1);
	if (!samples_value(samples, sample, axis, &value))
		return false;
	snprintf(name, STEP_NAME_MAX, "%.*s%lld%s", (int)(open - step), step, (long long)value,
		 close + 1);
	return true;
}

static bool is_ok(const struct samples *samples, size_t row)
{
	return !strcmp(csv_table_cell(&samples->table, row, samples->columns.status), "ok");
}

/* x of a row: a reading that it has itself, else what the sample has. */
static bool x_of(const struct samples *samples, size_t sample, size_t row, const char *name,
		 int64_t *ret_x)
{
	size_t column = csv_table_column(&samples->table, name);

	return (column != CSV_NO_COLUMN && csv_table_int(&samples->table, row, column, ret_x)) ||
	       samples_value(samples, sample, name, ret_x);
}

/* y of a row: bytes of the device where the step succeeded, or a reading. */
static bool y_of(const struct samples *samples, size_t row, const struct law_request *request,
		 int64_t *ret_y)
{
	const struct samples_columns *columns = &samples->columns;
	size_t column = request->is_total ? columns->total_bytes : columns->delta_bytes;

	if (request->reading)
		column = csv_table_column(&samples->table, request->reading);
	return column != CSV_NO_COLUMN && (request->reading || is_ok(samples, row)) &&
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
	points[1] = (struct law_point){ points[0].x - 1, points[0].y - delta_bytes };
	return 2;
}

/* A sample has a say when its step succeeded; that an earlier one was refused shows in its reading.
 */
static size_t points_of(const struct samples *samples, size_t sample,
			const struct law_request *request, struct law_point *points)
{
	const struct sample_rows *item = &samples->items[sample];
	char name[STEP_NAME_MAX];
	size_t count = 0;

	if (!samples_matches(samples, sample, request->where) ||
	    !expand_step(samples, sample, request->step, name))
		return 0;
	for (size_t row = item->first_row; row < item->first_row + item->row_count; row++)
		if (!strcmp(csv_table_cell(&samples->table, row, samples->columns.step), name))
			count += points_of_row(samples, sample, row, request, &points[count]);
	return count;
}

bool law_is_in_bytes(const struct law_request *request)
{
	size_t length = request->reading ? strlen(request->reading) : 0;

	return !request->reading ||
	       (length > strlen(BYTES_SUFFIX) &&
		!strcmp(request->reading + length - strlen(BYTES_SUFFIX), BYTES_SUFFIX));
}

static int fit_points(const struct samples *samples, const struct law_request *request,
		      int64_t granule_bytes, struct law *ret_law)
{
	struct law_point *points = malloc((2 * samples->table.row_count + 1) * sizeof *points);
	size_t count = 0;
	int r;

	if (!points)
		return -ENOMEM;
	for (size_t i = 0; i < samples->count; i++)
		count += points_of(samples, i, request, &points[count]);
	r = law_fit(points, count, law_is_in_bytes(request) ? granule_bytes : 1, ret_law);
	free(points);
	return r;
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

void laws_free(struct laws *laws)
{
	free(laws->items);
	*laws = (struct laws){ 0 };
}

/* ---- laws.csv ---- */

struct law_parameter {
	const char *name;
	struct fraction value;
	char unit[128];
};
#define LAW_PARAMETERS_MAX 10

static const char *unit_of(const struct fitted_law *fitted)
{
	return law_is_in_bytes(fitted->request) ? BYTES : fitted->request->reading;
}

static void add(struct law_parameter *parameters, size_t *count, const char *name,
		struct fraction value)
{
	struct law_parameter *parameter = &parameters[(*count)++];

	parameter->name = name;
	parameter->value = value;
	snprintf(parameter->unit, sizeof parameter->unit, BYTES);
}

static void add_slope(struct law_parameter *parameters, size_t *count,
		      const struct fitted_law *fitted, const char *name, struct fraction value)
{
	add(parameters, count, name, value);
	snprintf(parameters[*count - 1].unit, sizeof parameters[0].unit, "%s per %s",
		 unit_of(fitted), fitted->request->axis);
}

static void add_slopes(struct law_parameter *parameters, size_t *count,
		       const struct fitted_law *fitted)
{
	const struct law *law = &fitted->law;

	add_slope(parameters, count, fitted, "bytes_per_unit", law->per_unit);
	if (!fraction_compare(law->per_unit_low, law->per_unit_high))
		return;
	add_slope(parameters, count, fitted, "bytes_per_unit_low", law->per_unit_low);
	add_slope(parameters, count, fitted, "bytes_per_unit_high", law->per_unit_high);
}

static void add_stairs(struct law_parameter *parameters, size_t *count,
		       const struct fitted_law *fitted)
{
	const struct law *law = &fitted->law;

	add(parameters, count, "granule_bytes", fraction_whole(law->granule_bytes));
	add(parameters, count, "slack_bytes", law->slack_bytes);
	if (law->has_free) {
		add(parameters, count, "free_until", fraction_whole(law->free_until));
		snprintf(parameters[*count - 1].unit, sizeof parameters[0].unit, "%s",
			 fitted->request->axis);
		return;
	}
	add(parameters, count, "first_edge", fraction_whole(law_first_edge(law)));
	snprintf(parameters[*count - 1].unit, sizeof parameters[0].unit, "%s",
		 fitted->request->axis);
}

static void add_range(struct law_parameter *parameters, size_t *count, const char *const names[3],
		      struct slot_range range)
{
	add(parameters, count, names[0], fraction_whole(range.value));
	if (range.low == range.high)
		return;
	add(parameters, count, names[1], fraction_whole(range.low));
	add(parameters, count, names[2], fraction_whole(range.high));
}

/* Where no slot meets the edges there is none to name. */
static void add_slots(struct law_parameter *parameters, size_t *count, const struct slots *slots)
{
	static const char *const slot[] = { "slot_bytes", "slot_bytes_low", "slot_bytes_high" };
	static const char *const overhead[] = { "overhead_bytes", "overhead_bytes_low",
						"overhead_bytes_high" };
	static const char *const slack[] = { "slack_bytes", "slack_bytes_low", "slack_bytes_high" };

	if (!slots->holds) {
		add(parameters, count, overhead[0], fraction_whole(slots->overhead.value));
		return;
	}
	add_range(parameters, count, slot, slots->slot);
	add_range(parameters, count, overhead, slots->overhead);
	add_range(parameters, count, slack, slots->slack);
	if (slots->chunk_bytes)
		add(parameters, count, "chunk_bytes", fraction_whole(slots->chunk_bytes));
}

/* Returns their number. */
static size_t add_all(const struct fitted_law *fitted,
		      struct law_parameter parameters[LAW_PARAMETERS_MAX])
{
	const struct law *law = &fitted->law;
	size_t count = 0;

	if (law->shape == LAW_CONSTANT) {
		add(parameters, &count, "bytes", law->intercept_bytes);
		return count;
	}
	if (law->shape == LAW_SLOTS) {
		add_slots(parameters, &count, &law->slots);
		return count;
	}
	add_slopes(parameters, &count, fitted);
	add(parameters, &count, "intercept_bytes", law->intercept_bytes);
	if (law->is_staircase)
		add_stairs(parameters, &count, fitted);
	if (law->has_floor)
		add(parameters, &count, "floor_bytes", fraction_whole(law->floor_bytes));
	if (law->has_cap)
		add(parameters, &count, "cap_bytes", fraction_whole(law->cap_bytes));
	return count;
}

/* Where y is no matter of bytes, what is counted in them so far is counted in that. */
static size_t parameters_of(const struct fitted_law *fitted,
			    struct law_parameter parameters[LAW_PARAMETERS_MAX])
{
	size_t count = add_all(fitted, parameters);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(parameters[i].unit, BYTES))
			snprintf(parameters[i].unit, sizeof parameters[i].unit, "%s",
				 unit_of(fitted));
	return count;
}

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
	csv_row_int(row, fitted->law.residual_max_bytes);
	csv_row_text(row, fitted->law.holds ? "yes" : "no");
	csv_row_end(row);
}

static void add_rows(struct csv_row *row, const struct laws *laws)
{
	struct law_parameter parameters[LAW_PARAMETERS_MAX];

	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(row, header[i]);
	csv_row_end(row);
	for (size_t i = 0; i < laws->count; i++) {
		size_t count = 0;

		if (laws->items[i].is_measured)
			count = parameters_of(&laws->items[i], parameters);
		for (size_t k = 0; k < count; k++)
			add_row(row, &laws->items[i], &parameters[k]);
	}
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
