/* SPDX-License-Identifier: MIT */
#include "analysis/trace_write.h"

#include <stddef.h>

#include "analysis/trace_rows.h"

void trace_write_header(struct csv_row *out)
{
	for (size_t i = 0; i < TRACE_COLUMN_COUNT; i++)
		csv_row_text(out, trace_column_names[i]);
	csv_row_end(out);
}

/* What such rows have; NULL and TRACE_NO_NUMBER stand for empty cells. */
struct cells {
	int64_t time_ns;
	int64_t device;
	const char *event;
	const char *object;
	int64_t used_bytes;
	const char *note;
};

static void put_text(struct csv_row *out, const char *text)
{
	if (text && *text)
		csv_row_text(out, text);
	else
		csv_row_empty(out);
}

static void put_number(struct csv_row *out, int64_t number)
{
	if (number != TRACE_NO_NUMBER)
		csv_row_int(out, number);
	else
		csv_row_empty(out);
}

static void put_cells(struct csv_row *out, const struct cells *cells)
{
	for (enum trace_column column = 0; column < TRACE_COLUMN_COUNT; column++) {
		if (column == TRACE_COLUMN_time_ns)
			csv_row_int(out, cells->time_ns);
		else if (column == TRACE_COLUMN_device)
			put_number(out, cells->device);
		else if (column == TRACE_COLUMN_event)
			csv_row_text(out, cells->event);
		else if (column == TRACE_COLUMN_object)
			put_text(out, cells->object);
		else if (column == TRACE_COLUMN_used_bytes)
			put_number(out, cells->used_bytes);
		else if (column == TRACE_COLUMN_note)
			put_text(out, cells->note);
		else
			csv_row_empty(out);
	}
	csv_row_end(out);
}

void trace_write_fact(struct csv_row *out, int64_t time_ns, int64_t device, const char *name,
		      const char *value)
{
	put_cells(out, &(struct cells){ time_ns, device, "fact", name, TRACE_NO_NUMBER, value });
}

void trace_write_reading(struct csv_row *out, int64_t time_ns, int64_t device, const char *event,
			 int64_t used_bytes)
{
	put_cells(out, &(struct cells){ time_ns, device, event, NULL, used_bytes, NULL });
}
