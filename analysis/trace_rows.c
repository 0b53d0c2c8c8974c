/* SPDX-License-Identifier: MIT */
#include "analysis/trace_rows.h"

#include <errno.h>
#include <string.h>

const char *const trace_column_names[TRACE_COLUMN_COUNT] = {
#define TRACE_COLUMN(name, about) #name,
#include "base/trace_columns.def"
#undef TRACE_COLUMN
};

static const enum trace_column needed[] = { TRACE_COLUMN_time_ns, TRACE_COLUMN_device,
					    TRACE_COLUMN_event, TRACE_COLUMN_used_bytes };

/* All others are texts. */
static const enum trace_column numbers[] = {
	TRACE_COLUMN_time_ns,        TRACE_COLUMN_process,
	TRACE_COLUMN_parent,         TRACE_COLUMN_thread,
	TRACE_COLUMN_device,         TRACE_COLUMN_requested_bytes,
	TRACE_COLUMN_delta_bytes,    TRACE_COLUMN_used_before_bytes,
	TRACE_COLUMN_used_bytes,     TRACE_COLUMN_host_before_bytes,
	TRACE_COLUMN_host_rss_bytes, TRACE_COLUMN_elapsed_ns,
	TRACE_COLUMN_local_bytes,    TRACE_COLUMN_stack_limit_bytes,
	TRACE_COLUMN_cubin_bytes,    TRACE_COLUMN_at_once,
};

static int check_columns(struct trace_rows *rows, const char *path, struct err *reterr)
{
	for (size_t i = 0; i < TRACE_COLUMN_COUNT; i++)
		rows->columns[i] = csv_table_column(&rows->table, trace_column_names[i]);
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (rows->columns[needed[i]] == CSV_NO_COLUMN)
			return err_set(reterr, EBADMSG, "%s: no column %s; is this a trace?", path,
				       trace_column_names[needed[i]]);
	return 0;
}

/* What NVML and clocks can say at most leaves room to add and subtract. */
static bool is_sane(int64_t number)
{
	return number <= INT64_MAX / 4 && number >= -(INT64_MAX / 4);
}

static int check_numbers(const struct trace_rows *rows, size_t row, const char *path,
			 struct err *reterr)
{
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		size_t column = rows->columns[numbers[i]];
		int64_t number;

		if (!*csv_table_cell(&rows->table, row, column))
			continue;
		if (!csv_table_int(&rows->table, row, column, &number) || !is_sane(number))
			return err_set(reterr, EBADMSG, "%s, line %zu: %s is no number: '%s'", path,
				       csv_table_line(&rows->table, row),
				       trace_column_names[numbers[i]],
				       csv_table_cell(&rows->table, row, column));
	}
	return 0;
}

int trace_rows_read(struct trace_rows *rows, const char *path, struct err *reterr)
{
	struct trace_rows read;
	int r = csv_table_read(&read.table, path, reterr);

	if (r < 0)
		return r;
	r = check_columns(&read, path, reterr);
	for (size_t row = 0; row < read.table.row_count && !r; row++)
		r = check_numbers(&read, row, path, reterr);
	if (r < 0) {
		csv_table_free(&read.table);
		return r;
	}
	*rows = read;
	return 0;
}

void trace_rows_free(struct trace_rows *rows)
{
	csv_table_free(&rows->table);
}

const char *trace_text(const struct trace_rows *rows, size_t row, enum trace_column column)
{
	return csv_table_cell(&rows->table, row, rows->columns[column]);
}

bool trace_is(const struct trace_rows *rows, size_t row, enum trace_column column, const char *word)
{
	return !strcmp(trace_text(rows, row, column), word);
}

bool trace_number(const struct trace_rows *rows, size_t row, enum trace_column column,
		  int64_t *ret_number)
{
	return csv_table_int(&rows->table, row, rows->columns[column], ret_number);
}

int64_t trace_number_or_0(const struct trace_rows *rows, size_t row, enum trace_column column)
{
	int64_t number;

	return trace_number(rows, row, column, &number) ? number : 0;
}
