/* SPDX-License-Identifier: MIT */
#include "analysis/laws.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/slot_law.h"
#include "analysis/unit.h"
#include "base/array.h"
#include "base/csv.h"

#define STEP_NAME_MAX 128

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

const char *law_unit(const struct law_request *request)
{
	const char *unit = request->reading ? unit_of_column(request->reading) : UNIT_BYTES;

	return unit ? unit : request->reading;
}

bool law_is_in_bytes(const struct law_request *request)
{
	return !strcmp(law_unit(request), UNIT_BYTES);
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

#define LAW_PARAMETERS_MAX 11
#define PARAMETER_MAX      128

struct law_parameter {
	char name[PARAMETER_MAX];
	struct fraction value;
	char unit[PARAMETER_MAX];
};

/* They grow by a parameter at a time; see add(). */
struct law_parameters {
	const struct fitted_law *fitted;
	struct law_parameter items[LAW_PARAMETERS_MAX];
	size_t count;
};

static struct law_parameter *add(struct law_parameters *parameters, const char *name,
				 struct fraction value)
{
	struct law_parameter *parameter = &parameters->items[parameters->count++];

	parameter->value = value;
	snprintf(parameter->name, sizeof parameter->name, "%s", name);
	return parameter;
}

/* Something that y is counted in: "slack" is slack_bytes where that are bytes. */
static void add_y(struct law_parameters *parameters, const char *name, struct fraction value)
{
	const struct law_request *request = parameters->fitted->request;
	struct law_parameter *parameter = add(parameters, name, value);

	if (law_is_in_bytes(request))
		snprintf(parameter->name, sizeof parameter->name, "%s_bytes", name);
	snprintf(parameter->unit, sizeof parameter->unit, "%s", law_unit(request));
}

static void add_x(struct law_parameters *parameters, const char *name, int64_t x)
{
	struct law_parameter *parameter = add(parameters, name, fraction_whole(x));

	snprintf(parameter->unit, sizeof parameter->unit, "%s", parameters->fitted->request->axis);
}

static void add_slope(struct law_parameters *parameters, const char *end, struct fraction value)
{
	const struct law_request *request = parameters->fitted->request;
	struct law_parameter *parameter = add(parameters, "", value);

	snprintf(parameter->name, sizeof parameter->name, "%sper_unit%s",
		 law_is_in_bytes(request) ? "bytes_" : "", end);
	snprintf(parameter->unit, sizeof parameter->unit, "%s per %s", law_unit(request),
		 request->axis);
}

static void add_slopes(struct law_parameters *parameters, const struct law *law)
{
	add_slope(parameters, "", law->per_unit);
	if (!fraction_compare(law->per_unit_low, law->per_unit_high))
		return;
	add_slope(parameters, "_low", law->per_unit_low);
	add_slope(parameters, "_high", law->per_unit_high);
}

static void add_stairs(struct law_parameters *parameters, const struct law *law)
{
	add_y(parameters, "granule", fraction_whole(law->granule_bytes));
	add_y(parameters, "slack", law->slack_bytes);
	if (law->has_free)
		add_x(parameters, "free_until", law->free_until);
	else
		add_x(parameters, "first_edge", law_first_edge(law));
}

/* Slots are of bytes, always. */
static void add_slot_bytes(struct law_parameters *parameters, const char *name, int64_t bytes)
{
	struct law_parameter *parameter = add(parameters, name, fraction_whole(bytes));

	snprintf(parameter->unit, sizeof parameter->unit, UNIT_BYTES);
}

static void add_range(struct law_parameters *parameters, const char *const names[3],
		      struct slot_range range)
{
	add_slot_bytes(parameters, names[0], range.value);
	if (range.low == range.high)
		return;
	add_slot_bytes(parameters, names[1], range.low);
	add_slot_bytes(parameters, names[2], range.high);
}

/* Where no slot meets the edges there is none to name. */
static void add_slots(struct law_parameters *parameters, const struct slots *slots)
{
	static const char *const slot[] = { "slot_bytes", "slot_bytes_low", "slot_bytes_high" };
	static const char *const overhead[] = { "overhead_bytes", "overhead_bytes_low",
						"overhead_bytes_high" };
	static const char *const slack[] = { "slack_bytes", "slack_bytes_low", "slack_bytes_high" };

	if (!slots->holds) {
		add_slot_bytes(parameters, overhead[0], slots->overhead.value);
		return;
	}
	add_range(parameters, slot, slots->slot);
	add_range(parameters, overhead, slots->overhead);
	add_range(parameters, slack, slots->slack);
	if (slots->chunk_bytes)
		add_slot_bytes(parameters, "chunk_bytes", slots->chunk_bytes);
}

static void add_constant(struct law_parameters *parameters, const struct law *law)
{
	const struct law_request *request = parameters->fitted->request;
	struct law_parameter *parameter =
		add(parameters, law_is_in_bytes(request) ? "bytes" : "value", law->intercept_bytes);

	snprintf(parameter->unit, sizeof parameter->unit, "%s", law_unit(request));
}

static void add_shape(struct law_parameters *parameters, const struct law *law)
{
	if (law->shape == LAW_CONSTANT) {
		add_constant(parameters, law);
		return;
	}
	if (law->shape == LAW_SLOTS) {
		add_slots(parameters, &law->slots);
		return;
	}
	add_slopes(parameters, law);
	add_y(parameters, "intercept", law->intercept_bytes);
	if (law->is_staircase)
		add_stairs(parameters, law);
	if (law->has_floor)
		add_y(parameters, "floor", fraction_whole(law->floor_bytes));
	if (law->has_cap)
		add_y(parameters, "cap", fraction_whole(law->cap_bytes));
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
	if (law_is_in_bytes(fitted->request))
		csv_row_int(row, fitted->law.residual_max_bytes);
	else
		csv_row_empty(row);
	csv_row_text(row, fitted->law.holds ? "yes" : "no");
	csv_row_end(row);
}

static void add_law(struct csv_row *row, const struct fitted_law *fitted)
{
	struct law_parameters parameters = { .fitted = fitted };

	add_shape(&parameters, &fitted->law);
	if (!law_is_in_bytes(fitted->request))
		add_y(&parameters, "residual_max", fraction_whole(fitted->law.residual_max_bytes));
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
