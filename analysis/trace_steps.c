/* SPDX-License-Identifier: MIT */
#include "analysis/trace_steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/overlay.h"
#include "base/array.h"
#include "base/size.h"

#define DEVICES_MAX 32

static int64_t size_of(const struct trace_rows *rows, size_t row)
{
	int64_t bytes = trace_number_or_0(rows, row, TRACE_COLUMN_delta_bytes);

	return bytes < 0 ? -bytes : bytes;
}

size_t trace_largest_steps(const struct trace_rows *rows, const struct trace_device *device,
			   size_t count, size_t ret_rows[TRACE_STEPS_MAX])
{
	size_t found = 0;

	count = count < TRACE_STEPS_MAX ? count : TRACE_STEPS_MAX;
	for (size_t row = 0; row < rows->table.row_count && count; row++) {
		int64_t index, bytes = size_of(rows, row);
		size_t place;

		if (!bytes || !trace_number(rows, row, TRACE_COLUMN_device, &index) ||
		    index != device->index)
			continue;
		for (place = found; place && size_of(rows, ret_rows[place - 1]) < bytes; place--)
			;
		if (place == count)
			continue;
		found = found < count ? found + 1 : found;
		memmove(&ret_rows[place + 1], &ret_rows[place],
			(found - place - 1) * sizeof *ret_rows);
		ret_rows[place] = row;
	}
	return found;
}

static void add_request(const struct trace_rows *rows, size_t row, struct text *name)
{
	char size[SIZE_TEXT_MAX];
	int64_t bytes;

	if (trace_number(rows, row, TRACE_COLUMN_requested_bytes, &bytes))
		text_format(name, ", %s asked for", size_format(bytes, size, sizeof size));
}

static void add_of(const struct trace_rows *rows, size_t row, enum trace_column column,
		   struct text *name)
{
	if (*trace_text(rows, row, column))
		text_format(name, " of %s", trace_text(rows, row, column));
}

static void add_between(const struct trace_rows *rows, size_t row, struct text *name)
{
	const char *process = trace_text(rows, row, TRACE_COLUMN_process);
	const char *calls = trace_text(rows, row, TRACE_COLUMN_note);

	if (trace_is(rows, row, TRACE_COLUMN_kind, "exit")) {
		text_add(name, *process ? "end of process" : "end of processes");
		text_format(name, "%s%s", *process ? " " : "", process);
	} else {
		text_add(name, *calls ? "at once" : "between calls");
	}
	if (*calls)
		text_format(name, ": %s", calls);
}

void trace_step_name(const struct trace_rows *rows, size_t row, struct text *ret_name)
{
	const char *event = trace_text(rows, row, TRACE_COLUMN_event);

	if (!strcmp(event, "between")) {
		add_between(rows, row, ret_name);
		return;
	}
	if (!strcmp(event, "launch")) {
		text_add(ret_name, "first launch");
		add_of(rows, row, TRACE_COLUMN_kernel, ret_name);
	} else if (!strcmp(event, "load")) {
		text_add(ret_name, "code");
		add_of(rows, row, TRACE_COLUMN_kernel, ret_name);
	} else {
		text_add(ret_name, trace_text(rows, row, TRACE_COLUMN_call));
	}
	add_of(rows, row, TRACE_COLUMN_module, ret_name);
	add_request(rows, row, ret_name);
}

/* ---- the chart's table ---- */

/*
 * A step that has a number in the chart. Numbers whose points are so near that they would be drawn
 * one over the other share the place of the first of them.
 */
struct mark {
	size_t row;
	int64_t time_ns;
	int64_t lost_bytes;
	size_t shown_at; /* the mark at whose place its number stands */
};

struct chart_table {
	const struct trace_rows *rows;
	struct mark marks[DEVICES_MAX * TRACE_STEPS_MAX];
	size_t mark_count;
	int64_t time_ns;    /* the largest of all */
	int64_t lost_bytes; /* likewise */
};

/* Parts of the chart's width and height within which two numbers would touch. */
#define NEAR_X 0.035
#define NEAR_Y 0.07

static int by_number(const void *a, const void *b)
{
	size_t first = *(const size_t *)a, second = *(const size_t *)b;

	return (first > second) - (first < second);
}

static int64_t end_of(const struct trace_rows *rows, size_t row)
{
	return trace_number_or_0(rows, row, TRACE_COLUMN_time_ns) +
	       trace_number_or_0(rows, row, TRACE_COLUMN_elapsed_ns);
}

static bool is_change(const struct trace_rows *rows, size_t row, int64_t device, int64_t *ret_bytes)
{
	int64_t index;

	return trace_number(rows, row, TRACE_COLUMN_device, &index) && index == device &&
	       trace_number(rows, row, TRACE_COLUMN_delta_bytes, ret_bytes) && *ret_bytes;
}

/* The device's largest steps, in the order of time, so that the list below is read as it went on.
 */
static void mark_device(struct chart_table *table, const struct trace_device *device,
			size_t named_count)
{
	const struct trace_rows *rows = table->rows;
	size_t steps[TRACE_STEPS_MAX], next = 0;
	size_t count = trace_largest_steps(rows, device, named_count, steps);
	int64_t lost_bytes = 0, bytes;

	qsort(steps, count, sizeof *steps, by_number);
	for (size_t row = 0; row < rows->table.row_count; row++) {
		if (!is_change(rows, row, device->index, &bytes))
			continue;
		lost_bytes += bytes;
		if (lost_bytes > table->lost_bytes)
			table->lost_bytes = lost_bytes;
		if (end_of(rows, row) > table->time_ns)
			table->time_ns = end_of(rows, row);
		if (next == count || steps[next] != row)
			continue;
		next++;
		table->marks[table->mark_count] =
			(struct mark){ row, end_of(rows, row), lost_bytes, table->mark_count };
		table->mark_count++;
	}
}

static bool are_near(const struct chart_table *table, const struct mark *a, const struct mark *b)
{
	double x = (double)(a->time_ns - b->time_ns) / (double)(table->time_ns + 1);
	double y = (double)(a->lost_bytes - b->lost_bytes) / (double)(table->lost_bytes + 1);

	return x < NEAR_X && x > -NEAR_X && y < NEAR_Y && y > -NEAR_Y;
}

static void share_places(struct chart_table *table)
{
	for (size_t i = 0; i < table->mark_count; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct mark *other = &table->marks[k];

			if (other->shown_at != k || !are_near(table, &table->marks[i], other))
				continue;
			table->marks[i].shown_at = k;
			break;
		}
	}
}

/* "4", "4–7", "4, 9": all whose numbers stand at this place. */
static void add_numbers(const struct chart_table *table, size_t place, struct text *text)
{
	size_t last = 0, run = 0;

	for (size_t i = place; i <= table->mark_count; i++) {
		bool is_here = i < table->mark_count && table->marks[i].shown_at == place;

		if (is_here && last && last == i) {
			last = i + 1;
			run++;
			continue;
		}
		if (run)
			text_format(text, "\u2013%zu", last);
		run = 0;
		if (is_here) {
			text_format(text, "%s%zu", last ? "\u201a " : "", i + 1);
			last = i + 1;
		}
	}
}

static const struct mark *mark_of(const struct chart_table *table, size_t row)
{
	for (size_t i = 0; i < table->mark_count; i++)
		if (table->marks[i].row == row)
			return &table->marks[i];
	return NULL;
}

static void put_mark(const struct chart_table *table, const struct mark *mark, struct csv_row *out)
{
	struct text name = { 0 }, numbers = { 0 };
	size_t number = mark ? (size_t)(mark - table->marks) : 0;

	if (!mark) {
		csv_row_empty(out);
		csv_row_empty(out);
		csv_row_empty(out);
		return;
	}
	trace_step_name(table->rows, mark->row, &name);
	if (mark->shown_at == number)
		add_numbers(table, number, &numbers);
	csv_row_uint(out, number + 1);
	csv_row_text(out, text_peek(&numbers));
	overlay_put_text(out, text_peek(&name));
	out->failed = out->failed || name.failed || numbers.failed;
	text_free(&name);
	text_free(&numbers);
}

static void put_device(const struct chart_table *table, const struct trace_device *device,
		       struct csv_row *out)
{
	const struct trace_rows *rows = table->rows;
	int64_t lost_bytes = 0, bytes;

	for (size_t row = 0; row < rows->table.row_count; row++) {
		if (!is_change(rows, row, device->index, &bytes))
			continue;
		lost_bytes += bytes;
		csv_row_int(out, device->index);
		csv_row_int(out, end_of(rows, row));
		csv_row_int(out, lost_bytes);
		csv_row_int(out, bytes);
		put_mark(table, mark_of(table, row), out);
		csv_row_end(out);
	}
}

int trace_steps_put(const struct trace_rows *rows, size_t named_count, struct csv_row *out)
{
	static const char *const header[] = { "device", "time_ns", "lost_bytes", "delta_bytes",
					      "number", "numbers", "name" };
	struct trace_device devices[DEVICES_MAX];
	size_t count = trace_devices(rows, devices, DEVICES_MAX);
	struct chart_table *table = calloc(1, sizeof *table);

	if (!table)
		return -ENOMEM;
	table->rows = rows;
	for (size_t i = 0; i < count; i++)
		mark_device(table, &devices[i], named_count);
	share_places(table);
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(out, header[i]);
	csv_row_end(out);
	for (size_t i = 0; i < count; i++)
		put_device(table, &devices[i], out);
	free(table);
	return out->failed ? -ENOMEM : 0;
}
