/* SPDX-License-Identifier: MIT */
/*
 * A trace in memory: trace_rows_read() -> trace_text()/trace_number() -> trace_rows_free(). The
 * columns are those of base/trace_columns.def; others in the file are ignored.
 */
#ifndef ANALYSIS_TRACE_ROWS_H
#define ANALYSIS_TRACE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/csv.h"
#include "base/err.h"

enum trace_column {
#define TRACE_COLUMN(name, about) TRACE_COLUMN_##name,
#include "base/trace_columns.def"
#undef TRACE_COLUMN
	TRACE_COLUMN_COUNT
};

extern const char *const trace_column_names[TRACE_COLUMN_COUNT];

struct trace_rows {
	struct csv_table table;
	size_t columns[TRACE_COLUMN_COUNT];
};

/*
 * -EBADMSG naming file, line and column where a number is none or cannot be, or a column without
 * which there is no trace is missing. What is added up later leaves room for that.
 */
int trace_rows_read(struct trace_rows *rows, const char *path, struct err *reterr);
void trace_rows_free(struct trace_rows *rows);

/* So many bytes, from each row, can be added up. */
int64_t trace_summed_max(const struct trace_rows *rows);

const char *trace_text(const struct trace_rows *rows, size_t row, enum trace_column column);
bool trace_is(const struct trace_rows *rows, size_t row, enum trace_column column,
	      const char *word);

/* False where the cell is empty. */
bool trace_number(const struct trace_rows *rows, size_t row, enum trace_column column,
		  int64_t *ret_number);

/* The same, 0 where it is empty. */
int64_t trace_number_or_0(const struct trace_rows *rows, size_t row, enum trace_column column);

#endif
