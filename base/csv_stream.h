/* SPDX-License-Identifier: MIT */
/*
 * A CSV row by row, for files that may be larger than memory:
 *
 *   csv_stream_open() -> csv_stream_next() until it returns 0 -> csv_stream_close()
 *
 * The same tables as csv_table_read() takes, and the same rows: RFC 4180, one header line, empty
 * lines are no rows, a byte order mark and carriage returns are no text.
 */
#ifndef BASE_CSV_STREAM_H
#define BASE_CSV_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct csv_stream;

/* A row of more bytes than this is an error: a quote that is never closed must not take it all. */
#define CSV_STREAM_ROW_MAX ((size_t)1 << 20)

/*
 * Opens a regular file and reads its header. Returns 0, -errno, or -EBADMSG naming the line where
 * the file is not a table.
 */
int csv_stream_open(struct csv_stream **ret_stream, const char *path, struct err *reterr);
void csv_stream_close(struct csv_stream *stream); /* NULL is fine */

size_t csv_stream_column_count(const struct csv_stream *stream);
const char *csv_stream_header(const struct csv_stream *stream, size_t column);
/* CSV_NO_COLUMN when there is none. */
size_t csv_stream_column(const struct csv_stream *stream, const char *name);

/*
 * The next row's cells, as many as the header has, valid until the next call. Returns 1, 0 behind
 * the last row, or -EBADMSG or -errno, naming the line.
 */
int csv_stream_next(struct csv_stream *stream, const char *const **ret_cells, struct err *reterr);

/* Line at which the last row begins; 1 is the header. */
size_t csv_stream_line(const struct csv_stream *stream);

/* Behind the last row: whether the file ends in the middle of one, which was left out. */
bool csv_stream_is_torn(const struct csv_stream *stream);

#endif
