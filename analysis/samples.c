/* SPDX-License-Identifier: MIT */
#include "analysis/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/where.h"
#include "base/array.h"

/* From harmless to grave; a word that is not here counts as the gravest. */
static const char *const statuses[] = { "ok",        "refused", "unsupported", "skipped",
					"disturbed", "failed",  "timeout",     "crashed" };

static const struct {
	const char *name;
	size_t offset;
} columns[] = {
	{ "device", offsetof(struct samples_columns, device) },
	{ "repeat", offsetof(struct samples_columns, repeat) },
	{ "attempt", offsetof(struct samples_columns, attempt) },
	{ "step", offsetof(struct samples_columns, step) },
	{ "status", offsetof(struct samples_columns, status) },
	{ "error", offsetof(struct samples_columns, error) },
	{ "delta_bytes", offsetof(struct samples_columns, delta_bytes) },
	{ "total_bytes", offsetof(struct samples_columns, total_bytes) },
	{ "note", offsetof(struct samples_columns, note) },
};

static int find_columns(struct samples *samples, const char *path, struct err *reterr)
{
	const struct samples_columns *c = &samples->columns;

	for (size_t i = 0; i < ARRAY_COUNT(columns); i++) {
		size_t column = csv_table_column(&samples->table, columns[i].name);

		if (column == CSV_NO_COLUMN)
			return err_set(reterr, EBADMSG,
				       "%s: no column '%s': not a benchmark's results", path,
				       columns[i].name);
		memcpy((char *)&samples->columns + columns[i].offset, &column, sizeof column);
	}
	if (c->repeat <= c->device || c->delta_bytes <= c->error)
		return err_set(reterr, EBADMSG, "%s: the columns are out of order", path);
	samples->axis_first = c->device + 1;
	samples->axis_count = c->repeat - samples->axis_first;
	samples->reading_first = c->error + 1;
	samples->reading_count = c->delta_bytes - samples->reading_first;
	return 0;
}

static bool same_cells(const struct samples *samples, size_t a, size_t b, size_t first, size_t last)
{
	for (size_t column = first; column <= last; column++)
		if (strcmp(csv_table_cell(&samples->table, a, column),
			   csv_table_cell(&samples->table, b, column)))
			return false;
	return true;
}

static bool same_point(const struct samples *samples, size_t row_a, size_t row_b)
{
	const struct samples_columns *c = &samples->columns;

	return same_cells(samples, row_a, row_b, c->device, c->repeat - 1);
}

static bool same_sample(const struct samples *samples, size_t row_a, size_t row_b)
{
	const struct samples_columns *c = &samples->columns;

	return same_cells(samples, row_a, row_b, c->device, c->repeat);
}

static bool same_attempt(const struct samples *samples, size_t row_a, size_t row_b)
{
	const struct samples_columns *c = &samples->columns;

	return same_sample(samples, row_a, row_b) &&
	       same_cells(samples, row_a, row_b, c->attempt, c->attempt);
}

static int split_rows(struct samples *samples, const char *path, struct err *reterr)
{
	size_t row_count = samples->table.row_count;

	samples->items = calloc(row_count ? row_count : 1, sizeof *samples->items);
	if (!samples->items)
		return err_errno(reterr, ENOMEM, "%s", path);
	for (size_t row = 0; row < row_count; row++) {
		if (!row || !same_attempt(samples, row - 1, row))
			samples->items[samples->count++].first_row = row;
		samples->items[samples->count - 1].row_count++;
	}
	return 0;
}

static size_t gravity(const char *status)
{
	for (size_t i = 0; i < ARRAY_COUNT(statuses); i++)
		if (!strcmp(status, statuses[i]))
			return i;
	return ARRAY_COUNT(statuses);
}

const char *samples_verdict(const struct samples *samples, size_t sample)
{
	const struct sample_rows *item = &samples->items[sample];
	const char *worst = statuses[0];

	for (size_t i = 0; i < item->row_count; i++) {
		const char *status = csv_table_cell(&samples->table, item->first_row + i,
						    samples->columns.status);

		if (gravity(status) > gravity(worst))
			worst = status;
	}
	return worst;
}

void samples_point_text(const struct samples *samples, size_t sample, struct text *text)
{
	for (size_t i = 0; i < samples->axis_count; i++) {
		size_t column = samples->axis_first + i;

		text_format(text, "%s%s=%s", i ? " " : "",
			    csv_table_header(&samples->table, column),
			    samples_cell(samples, sample, column));
	}
}

const char *samples_status(size_t number)
{
	return number < ARRAY_COUNT(statuses) ? statuses[number] : NULL;
}

static int64_t attempt_number(const struct samples *samples, size_t sample)
{
	int64_t attempt = 0;

	csv_table_int(&samples->table, samples->items[sample].first_row, samples->columns.attempt,
		      &attempt);
	return attempt;
}

/* Whether attempt `b` of the same sample counts rather than `a`. */
static bool replaces(const struct samples *samples, size_t a, size_t b)
{
	bool a_disturbed = !strcmp(samples_verdict(samples, a), "disturbed");
	bool b_disturbed = !strcmp(samples_verdict(samples, b), "disturbed");

	if (a_disturbed != b_disturbed)
		return a_disturbed;
	return attempt_number(samples, b) > attempt_number(samples, a);
}

static void count_replaced(struct samples *samples, size_t sample)
{
	if (!strcmp(samples_verdict(samples, sample), "disturbed"))
		samples->disturbed_count++;
	else
		samples->broken_count++;
}

/* Of a file that is torn, the rows before the tear may be some of a sample's. */
static void drop_torn_sample(struct samples *samples)
{
	const struct csv_table *table = &samples->table;
	const char *step;

	if (!table->torn || !table->row_count)
		return;
	step = csv_table_cell(table, table->row_count - 1, samples->columns.step);
	if (strcmp(step, "exit") && strcmp(step, "none"))
		samples->count--;
}

/* Compacts the items to those that count and numbers their points. */
static void keep_last_attempts(struct samples *samples)
{
	struct sample_rows *items = samples->items;
	size_t kept_count = 0;

	for (size_t i = 0; i < samples->count; i++) {
		size_t other = 0;

		while (other < kept_count &&
		       !same_sample(samples, items[other].first_row, items[i].first_row))
			other++;
		if (other == kept_count) {
			items[kept_count++] = items[i];
			continue;
		}
		if (replaces(samples, other, i)) {
			count_replaced(samples, other);
			items[other] = items[i];
		} else {
			count_replaced(samples, i);
		}
	}
	samples->count = kept_count;
}

static void number_points(struct samples *samples)
{
	struct sample_rows *items = samples->items;

	for (size_t i = 0; i < samples->count; i++) {
		size_t other = 0;

		while (other < i &&
		       !same_point(samples, items[other].first_row, items[i].first_row))
			other++;
		items[i].point = other < i ? items[other].point : samples->point_count++;
	}
}

int samples_read(struct samples *samples, const char *path, struct err *reterr)
{
	struct samples read = { 0 };
	int r = csv_table_read(&read.table, path, reterr);

	if (r < 0)
		return r;
	r = find_columns(&read, path, reterr);
	if (!r)
		r = split_rows(&read, path, reterr);
	if (r < 0) {
		samples_free(&read);
		return r;
	}
	drop_torn_sample(&read);
	keep_last_attempts(&read);
	number_points(&read);
	*samples = read;
	return 0;
}

void samples_free(struct samples *samples)
{
	csv_table_free(&samples->table);
	free(samples->items);
	*samples = (struct samples){ 0 };
}

const char *samples_cell(const struct samples *samples, size_t sample, size_t column)
{
	return csv_table_cell(&samples->table, samples->items[sample].first_row, column);
}

static size_t find_between(const struct samples *samples, const char *name, size_t first,
			   size_t count)
{
	for (size_t column = first; column < first + count; column++)
		if (!strcmp(csv_table_header(&samples->table, column), name))
			return column;
	return CSV_NO_COLUMN;
}

static bool last_reading(const struct samples *samples, size_t sample, size_t column,
			 int64_t *ret_value)
{
	const struct sample_rows *item = &samples->items[sample];

	for (size_t i = item->row_count; i-- > 0;)
		if (csv_table_int(&samples->table, item->first_row + i, column, ret_value))
			return true;
	return false;
}

bool samples_value(const struct samples *samples, size_t sample, const char *name,
		   int64_t *ret_value)
{
	size_t axis = find_between(samples, name, samples->axis_first, samples->axis_count);
	size_t reading =
		find_between(samples, name, samples->reading_first, samples->reading_count);

	if (axis != CSV_NO_COLUMN)
		return csv_table_int(&samples->table, samples->items[sample].first_row, axis,
				     ret_value);
	return reading != CSV_NO_COLUMN && last_reading(samples, sample, reading, ret_value);
}

struct span {
	const char *bytes;
	size_t length;
};

static bool span_is(struct span span, const char *text)
{
	return strlen(text) == span.length && !memcmp(text, span.bytes, span.length);
}

static size_t axis_column(const struct samples *samples, struct span name)
{
	for (size_t i = 0; i < samples->axis_count; i++)
		if (span_is(name, csv_table_header(&samples->table, samples->axis_first + i)))
			return samples->axis_first + i;
	return CSV_NO_COLUMN;
}

static bool equals_reading(const struct samples *samples, size_t sample, size_t column,
			   struct span name)
{
	int64_t axis_value, reading;

	for (size_t i = 0; i < samples->reading_count; i++) {
		size_t reading_column = samples->reading_first + i;

		if (!span_is(name, csv_table_header(&samples->table, reading_column)))
			continue;
		return csv_table_int(&samples->table, samples->items[sample].first_row, column,
				     &axis_value) &&
		       last_reading(samples, sample, reading_column, &reading) &&
		       axis_value == reading;
	}
	return false;
}

static bool meets(const struct samples *samples, size_t sample, struct span axis, struct span value)
{
	size_t column = axis_column(samples, axis);

	if (column == CSV_NO_COLUMN)
		return false;
	if (value.length && value.bytes[0] == '@')
		return equals_reading(samples, sample, column,
				      (struct span){ value.bytes + 1, value.length - 1 });
	return span_is(value, samples_cell(samples, sample, column));
}

bool samples_matches(const struct samples *samples, size_t sample, const char *where)
{
	struct where_part part;

	while (where_next(&where, &part))
		if (!meets(samples, sample, (struct span){ part.axis, part.axis_length },
			   (struct span){ part.value, part.value_length }))
			return false;
	return true;
}

size_t samples_step(const struct samples *samples, size_t sample, const char *step)
{
	const struct sample_rows *item = &samples->items[sample];

	for (size_t i = 0; i < item->row_count; i++)
		if (!strcmp(csv_table_cell(&samples->table, item->first_row + i,
					   samples->columns.step),
			    step))
			return item->first_row + i;
	return SAMPLES_NO_ROW;
}

bool samples_axis_is_number(const struct samples *samples, size_t axis)
{
	int64_t value;

	for (size_t i = 0; i < samples->count; i++)
		if (!csv_table_int(&samples->table, samples->items[i].first_row,
				   samples->axis_first + axis, &value))
			return false;
	return true;
}

static bool same_steps(const struct samples *samples, size_t a, size_t b)
{
	const struct samples_columns *c = &samples->columns;
	const struct sample_rows *item_a = &samples->items[a], *item_b = &samples->items[b];

	if (item_a->row_count != item_b->row_count)
		return false;
	for (size_t i = 0; i < item_a->row_count; i++) {
		size_t row_a = item_a->first_row + i, row_b = item_b->first_row + i;

		/* The readings stand between these two. */
		if (!same_cells(samples, row_a, row_b, c->step, c->step) ||
		    !same_cells(samples, row_a, row_b, c->status, c->status) ||
		    !same_cells(samples, row_a, row_b, c->error, c->delta_bytes) ||
		    !same_cells(samples, row_a, row_b, c->total_bytes, c->total_bytes))
			return false;
	}
	return true;
}

struct repeats samples_repeats(const struct samples *samples)
{
	struct repeats repeats = { 0 };

	for (size_t point = 0; point < samples->point_count; point++) {
		size_t first = samples->count, repeat_count = 0;
		bool identical = true;

		for (size_t i = 0; i < samples->count; i++) {
			if (samples->items[i].point != point)
				continue;
			if (!repeat_count++)
				first = i;
			else
				identical = identical && same_steps(samples, first, i);
		}
		repeats.point_count += repeat_count > 1;
		repeats.identical_count += repeat_count > 1 && identical;
	}
	return repeats;
}
