/* SPDX-License-Identifier: MIT */
#include "analysis/trace_finish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace_intervals.h"
#include "analysis/trace_write.h"

/* A row of the trace: of a process, or one that the accounting adds. */
struct line {
	int64_t time_ns;
	size_t order;                /* of those of the same time */
	size_t row;                  /* of the file … */
	const struct trace_gap *gap; /* … or NULL */
};

static int by_time(const void *a, const void *b)
{
	const struct line *first = a, *second = b;

	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	return (first->order > second->order) - (first->order < second->order);
}

/* Of the readings before the program was started, else of the first row. */
static int64_t start_of(const struct trace_rows *rows)
{
	int64_t start_ns = INT64_MAX, first_ns = INT64_MAX;

	for (size_t row = 0; row < rows->table.row_count; row++) {
		int64_t time_ns = trace_number_or_0(rows, row, TRACE_COLUMN_time_ns);

		if (time_ns < first_ns)
			first_ns = time_ns;
		if (trace_is(rows, row, TRACE_COLUMN_event, "start") && time_ns < start_ns)
			start_ns = time_ns;
	}
	return start_ns < INT64_MAX ? start_ns : first_ns;
}

static void put_name(struct csv_row *out, const char *name, const struct trace_names *names)
{
	char *plain = *name ? names->demangle(names->data, name) : NULL;

	if (plain)
		csv_row_text(out, plain);
	else if (*name)
		out->failed = true;
	else
		csv_row_empty(out);
	free(plain);
}

struct finisher {
	const struct trace_rows *rows;
	const struct trace_names *names;
	struct trace_intervals intervals;
	int64_t start_ns;
	struct csv_row *out;
};

static void put_row(const struct finisher *finisher, size_t row)
{
	const struct trace_delta *delta = &finisher->intervals.deltas[row];
	const struct trace_rows *rows = finisher->rows;
	struct csv_row *out = finisher->out;

	for (enum trace_column column = 0; column < TRACE_COLUMN_COUNT; column++) {
		const char *text = trace_text(rows, row, column);

		if (column == TRACE_COLUMN_time_ns)
			csv_row_int(out, trace_number_or_0(rows, row, column) - finisher->start_ns);
		else if (column == TRACE_COLUMN_kernel)
			put_name(out, text, finisher->names);
		else if (column == TRACE_COLUMN_delta_bytes && delta->is_measured)
			csv_row_int(out, delta->bytes);
		else if (*text)
			csv_row_text(out, text);
		else
			csv_row_empty(out);
	}
	csv_row_end(out);
}

static void put_number(struct csv_row *out, bool is_there, int64_t number)
{
	if (is_there)
		csv_row_int(out, number);
	else
		csv_row_empty(out);
}

static void put_gap(struct csv_row *out, const struct trace_gap *gap, int64_t start_ns)
{
	for (enum trace_column column = 0; column < TRACE_COLUMN_COUNT; column++) {
		if (column == TRACE_COLUMN_time_ns)
			csv_row_int(out, gap->time_ns - start_ns);
		else if (column == TRACE_COLUMN_process)
			put_number(out, gap->process != 0, gap->process);
		else if (column == TRACE_COLUMN_device)
			csv_row_int(out, gap->device);
		else if (column == TRACE_COLUMN_event)
			csv_row_text(out, "between");
		else if (column == TRACE_COLUMN_kind && *gap->kind)
			csv_row_text(out, gap->kind);
		else if (column == TRACE_COLUMN_delta_bytes)
			csv_row_int(out, gap->used_bytes - gap->before_bytes);
		else if (column == TRACE_COLUMN_used_before_bytes)
			csv_row_int(out, gap->before_bytes);
		else if (column == TRACE_COLUMN_used_bytes)
			csv_row_int(out, gap->used_bytes);
		else if (column == TRACE_COLUMN_at_once)
			put_number(out, gap->call_count > 1, (int64_t)gap->call_count);
		else if (column == TRACE_COLUMN_note && gap->note)
			csv_row_text(out, gap->note);
		else
			csv_row_empty(out);
	}
	csv_row_end(out);
}

static struct line *order_lines(const struct trace_rows *rows,
				const struct trace_intervals *intervals)
{
	size_t count = rows->table.row_count + intervals->gap_count;
	struct line *lines = calloc(count + 1, sizeof *lines);

	if (!lines)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		bool is_gap = i >= rows->table.row_count;

		lines[i].order = i;
		lines[i].row = i;
		lines[i].gap = is_gap ? &intervals->gaps[i - rows->table.row_count] : NULL;
		lines[i].time_ns = is_gap ? lines[i].gap->time_ns
					  : trace_number_or_0(rows, i, TRACE_COLUMN_time_ns);
	}
	qsort(lines, count, sizeof *lines, by_time);
	return lines;
}

int trace_finish(const struct trace_rows *rows, const struct trace_names *names,
		 struct csv_row *out, struct err *reterr)
{
	struct finisher finisher = {
		.rows = rows, .names = names, .start_ns = start_of(rows), .out = out
	};
	struct line *lines;
	int r = trace_intervals_find(&finisher.intervals, rows);

	lines = r ? NULL : order_lines(rows, &finisher.intervals);
	if (!lines) {
		trace_intervals_free(&finisher.intervals);
		return err_set(reterr, ENOMEM, "out of memory");
	}
	trace_write_header(out);
	for (size_t i = 0; i < rows->table.row_count + finisher.intervals.gap_count; i++) {
		if (lines[i].gap)
			put_gap(out, lines[i].gap, finisher.start_ns);
		else
			put_row(&finisher, lines[i].row);
	}
	free(lines);
	trace_intervals_free(&finisher.intervals);
	return 0;
}
