/* SPDX-License-Identifier: MIT */
#include "analysis/trace_facts.h"

#include <string.h>

const char *trace_fact(const struct trace_rows *rows, const char *name)
{
	for (size_t row = 0; row < rows->table.row_count; row++)
		if (trace_is(rows, row, TRACE_COLUMN_event, "fact") &&
		    trace_is(rows, row, TRACE_COLUMN_object, name))
			return trace_text(rows, row, TRACE_COLUMN_note);
	return "";
}

static int64_t number_fact(const char *text)
{
	int64_t number;

	return csv_int(text, &number) ? number : TRACE_UNKNOWN;
}

static void see_fact(const struct trace_rows *rows, size_t row, struct trace_device *device)
{
	const char *value = trace_text(rows, row, TRACE_COLUMN_note);

	if (!trace_is(rows, row, TRACE_COLUMN_event, "fact"))
		return;
	if (trace_is(rows, row, TRACE_COLUMN_object, "gpu_name"))
		device->gpu_name = value;
	else if (trace_is(rows, row, TRACE_COLUMN_object, "sm_count"))
		device->sm_count = number_fact(value);
	else if (trace_is(rows, row, TRACE_COLUMN_object, "max_threads_per_sm"))
		device->max_threads_per_sm = number_fact(value);
}

size_t trace_devices(const struct trace_rows *rows, struct trace_device *ret_devices, size_t max)
{
	int64_t own_bytes = number_fact(trace_fact(rows, "tracer_context_bytes"));
	size_t count = 0, found;
	int64_t index;

	for (size_t row = 0; row < rows->table.row_count; row++) {
		if (!trace_number(rows, row, TRACE_COLUMN_device, &index))
			continue;
		for (found = 0; found < count && ret_devices[found].index != index; found++)
			;
		if (found == max)
			continue;
		if (found == count)
			ret_devices[count++] = (struct trace_device){ index, "", TRACE_UNKNOWN,
								      TRACE_UNKNOWN, own_bytes };
		see_fact(rows, row, &ret_devices[found]);
	}
	return count;
}

bool trace_delta_of(const struct trace_rows *rows, size_t row, const struct trace_device *device,
		    int64_t *ret_bytes)
{
	int64_t index;

	return trace_number(rows, row, TRACE_COLUMN_device, &index) && index == device->index &&
	       trace_number(rows, row, TRACE_COLUMN_delta_bytes, ret_bytes);
}

size_t trace_peak_row(const struct trace_rows *rows, const struct trace_device *device)
{
	int64_t bytes, lost_bytes = 0, most_bytes = 0;
	size_t peak = 0;

	for (size_t row = 0; row < rows->table.row_count; row++) {
		if (!trace_delta_of(rows, row, device, &bytes))
			continue;
		lost_bytes += bytes;
		if (lost_bytes > most_bytes) {
			most_bytes = lost_bytes;
			peak = row;
		}
	}
	return peak;
}

size_t trace_end_row(const struct trace_rows *rows, const struct trace_device *device)
{
	size_t last = 0;
	int64_t bytes;

	for (size_t row = 0; row < rows->table.row_count; row++)
		if (trace_delta_of(rows, row, device, &bytes) &&
		    !trace_is(rows, row, TRACE_COLUMN_kind, "exit"))
			last = row;
	return last;
}
