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

void trace_step_name(const struct trace_rows *rows, size_t row, struct text *ret_name)
{
	const char *event = trace_text(rows, row, TRACE_COLUMN_event);

	if (!strcmp(event, "between")) {
		bool is_exit = trace_is(rows, row, TRACE_COLUMN_kind, "exit");

		text_add(ret_name, is_exit ? "end of process" : "between calls");
		if (is_exit)
			text_format(ret_name, " %s", trace_text(rows, row, TRACE_COLUMN_process));
		else if (*trace_text(rows, row, TRACE_COLUMN_note))
			text_format(ret_name, ": %s", trace_text(rows, row, TRACE_COLUMN_note));
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

static size_t place_of(const size_t *steps, size_t count, size_t row)
{
	for (size_t i = 0; i < count; i++)
		if (steps[i] == row)
			return i + 1;
	return 0;
}

/* gnuplot takes a text for one line; what could mean something to it is left out by plots/trace.gp.
 */
static void put_step(const struct trace_rows *rows, size_t row, size_t place, int64_t lost_bytes,
		     struct csv_row *out)
{
	struct text name = { 0 };

	trace_step_name(rows, row, &name);
	csv_row_text(out, trace_text(rows, row, TRACE_COLUMN_device));
	csv_row_int(out, trace_number_or_0(rows, row, TRACE_COLUMN_time_ns) +
				 trace_number_or_0(rows, row, TRACE_COLUMN_elapsed_ns));
	csv_row_int(out, lost_bytes);
	csv_row_int(out, trace_number_or_0(rows, row, TRACE_COLUMN_delta_bytes));
	csv_row_text(out, trace_text(rows, row, TRACE_COLUMN_kind));
	if (place) {
		csv_row_uint(out, place);
		overlay_put_text(out, text_peek(&name));
	} else {
		csv_row_empty(out);
		csv_row_empty(out);
	}
	csv_row_end(out);
	out->failed = out->failed || name.failed;
	text_free(&name);
}

/* Numbers of the largest steps in the order of time, so that the chart's list is read as it goes
 * on. */
static int by_number(const void *a, const void *b)
{
	size_t first = *(const size_t *)a, second = *(const size_t *)b;

	return (first > second) - (first < second);
}

static void put_device(const struct trace_rows *rows, const struct trace_device *device,
		       size_t named_count, struct csv_row *out)
{
	size_t steps[TRACE_STEPS_MAX];
	size_t count = trace_largest_steps(rows, device, named_count, steps);
	int64_t lost_bytes = 0, index, bytes;

	qsort(steps, count, sizeof *steps, by_number);
	for (size_t row = 0; row < rows->table.row_count; row++) {
		if (!trace_number(rows, row, TRACE_COLUMN_device, &index) ||
		    index != device->index ||
		    !trace_number(rows, row, TRACE_COLUMN_delta_bytes, &bytes) || !bytes)
			continue;
		lost_bytes += bytes;
		put_step(rows, row, place_of(steps, count, row), lost_bytes, out);
	}
}

int trace_steps_put(const struct trace_rows *rows, size_t named_count, struct csv_row *out)
{
	static const char *const header[] = { "device", "time_ns", "lost_bytes", "delta_bytes",
					      "kind",   "number",  "name" };
	struct trace_device devices[DEVICES_MAX];
	size_t count = trace_devices(rows, devices, DEVICES_MAX);

	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(out, header[i]);
	csv_row_end(out);
	for (size_t i = 0; i < count; i++)
		put_device(rows, &devices[i], named_count, out);
	return out->failed ? -ENOMEM : 0;
}
