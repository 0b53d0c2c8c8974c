/* SPDX-License-Identifier: MIT */
#include "analysis/trace_rows.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/trace_limits.h"

const char *const trace_column_names[TRACE_COLUMN_COUNT] = {
#define TRACE_COLUMN(name, about) #name,
#include "base/trace_columns.def"
#undef TRACE_COLUMN
};

static const enum trace_column needed[] = { TRACE_COLUMN_time_ns, TRACE_COLUMN_device,
					    TRACE_COLUMN_event, TRACE_COLUMN_used_bytes };

enum range {
	ANY,     /* below nothing, too */
	NATURAL, /* nothing or more */
	SUMMED,  /* any, and rows are added up */
	HELD,    /* nothing or more, and differences of rows are added up */
};

/* All others are texts. */
static const struct {
	enum trace_column column;
	enum range range;
} numbers[] = {
	{ TRACE_COLUMN_time_ns, ANY },         { TRACE_COLUMN_process, NATURAL },
	{ TRACE_COLUMN_parent, NATURAL },      { TRACE_COLUMN_thread, NATURAL },
	{ TRACE_COLUMN_device, NATURAL },      { TRACE_COLUMN_requested_bytes, NATURAL },
	{ TRACE_COLUMN_delta_bytes, SUMMED },  { TRACE_COLUMN_used_before_bytes, HELD },
	{ TRACE_COLUMN_used_bytes, HELD },     { TRACE_COLUMN_host_before_bytes, HELD },
	{ TRACE_COLUMN_host_rss_bytes, HELD }, { TRACE_COLUMN_elapsed_ns, NATURAL },
	{ TRACE_COLUMN_local_bytes, NATURAL }, { TRACE_COLUMN_stack_limit_bytes, NATURAL },
	{ TRACE_COLUMN_cubin_bytes, NATURAL }, { TRACE_COLUMN_at_once, NATURAL },
};

static int check_columns(struct trace_rows *rows, const char *path, struct err *reterr)
{
	for (size_t i = 0; i < TRACE_COLUMN_COUNT; i++)
		rows->columns[i] = csv_table_column(&rows->table, trace_column_names[i]);
	for (size_t i = 0; i < ARRAY_COUNT(needed); i++)
		if (rows->columns[needed[i]] == CSV_NO_COLUMN)
			return err_set(reterr, EBADMSG, "%s: no column %s; is this a trace?", path,
				       trace_column_names[needed[i]]);
	return 0;
}

int64_t trace_summed_max(const struct trace_rows *rows)
{
	/* Two readings a row, and what is between them. */
	return TRACE_NUMBER_MAX / ((int64_t)rows->table.row_count + 1);
}

static bool is_within(const struct trace_rows *rows, int64_t number, enum range range)
{
	bool is_added = range == SUMMED || range == HELD;
	int64_t max = is_added ? trace_summed_max(rows) : TRACE_NUMBER_MAX;
	int64_t min = range == ANY || range == SUMMED ? -max : 0;

	return number >= min && number <= max;
}

static int check_numbers(const struct trace_rows *rows, size_t row, const char *path,
			 struct err *reterr)
{
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
		size_t column = rows->columns[numbers[i].column];
		const char *name = trace_column_names[numbers[i].column];
		const char *cell = csv_table_cell(&rows->table, row, column);
		int64_t number;

		if (!*cell)
			continue;
		if (!csv_int(cell, &number))
			return err_set(reterr, EBADMSG, "%s, line %zu: %s is no number: '%s'", path,
				       csv_table_line(&rows->table, row), name, cell);
		if (!is_within(rows, number, numbers[i].range))
			return err_set(reterr, EBADMSG, "%s, line %zu: %s cannot be %s", path,
				       csv_table_line(&rows->table, row), name, cell);
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
