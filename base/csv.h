/* SPDX-License-Identifier: MIT */
/*
 * Every CSV of the project is read and written here, through libcsv (RFC 4180, one header line).
 *
 * Reading:  csv_table_read() -> csv_table_column() once per column -> csv_table_cell() per row ->
 *           csv_table_free(). Columns are found by name; unknown ones are ignored by not asking.
 * Writing:  csv_row_init() -> csv_row_text()/csv_row_int()/csv_row_empty() per field ->
 *           csv_row_end() after each row -> csv_row_save() or csv_row_write() -> csv_row_free().
 *
 * Writing fails only for lack of memory, which is kept in `failed` and reported once by
 * csv_row_write() and csv_row_save().
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct csv_table {
	char **cells; /* row-major, header first; owned */
	size_t column_count;
	size_t row_count;      /* without the header */
	size_t complete_bytes; /* where the last complete row ends in the file */
	bool torn;             /* the file ends in the middle of a row (no final newline) */
};

#define CSV_NO_COLUMN SIZE_MAX

/* What spreadsheets put before UTF-8. */
#define CSV_BYTE_ORDER_MARK "\xef\xbb\xbf"

/*
 * Reads a file whole. A last row without newline is left out and sets `torn` (a run that was killed
 * while writing): whoever goes on with the file cuts it at `complete_bytes` first. Empty lines are
 * no rows. Returns 0, -errno of open/read, or -EBADMSG naming the line where the file is not a
 * table: a row of another width than the header, a misplaced quote, a zero byte, no header.
 */
int csv_table_read(struct csv_table *table, const char *path, struct err *reterr);
void csv_table_free(struct csv_table *table);

/* Column number by header name, CSV_NO_COLUMN when there is none. */
size_t csv_table_column(const struct csv_table *table, const char *name);

/* The cell's text; "" for CSV_NO_COLUMN. Owned by the table. */
const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column);
const char *csv_table_header(const struct csv_table *table, size_t column);

/* The line of the file at which a row begins, for messages; empty lines before it are not seen. */
size_t csv_table_line(const struct csv_table *table, size_t row);

/* A cell as integer. False unless it is digits, perhaps behind a minus, that fit 64 bits. */
bool csv_int(const char *cell, int64_t *ret_value);
bool csv_table_int(const struct csv_table *table, size_t row, size_t column, int64_t *ret_value);

struct csv_row {
	char *bytes;
	size_t used;
	size_t size;
	bool row_started;
	bool failed;
};

void csv_row_init(struct csv_row *row);
void csv_row_clear(struct csv_row *row); /* keeps the memory */
void csv_row_free(struct csv_row *row);
void csv_row_text(struct csv_row *row, const char *text);
void csv_row_int(struct csv_row *row, int64_t value);
void csv_row_uint(struct csv_row *row, uint64_t value);
void csv_row_empty(struct csv_row *row);
void csv_row_end(struct csv_row *row);

/*
 * Appends the bytes to `fd` (opened O_APPEND) or nothing at all: a short write (full disk) is cut
 * off again. Returns 0 or -errno; `path` is for the message only. Where a file size limit may be in
 * force, the caller ignores SIGXFSZ, or the signal ends the process before this can tell.
 */
int csv_row_write(const struct csv_row *row, int fd, const char *path, struct err *reterr);

/*
 * The file of that name as a whole or not at all, whenever the process ends: the bytes go to
 * <path>.new, which is then renamed.
 */
int csv_row_replace(const struct csv_row *row, const char *path, struct err *reterr);

/*
 * The same into the file of that name; where there is none, it appears as csv_row_replace() makes
 * it. `how`: 0 goes behind what is there, O_TRUNC overwrites it in place, O_EXCL wants a new file.
 * Returns also what closing says: a network's file system may find out only then that a disk is
 * full.
 */
int csv_row_save(const struct csv_row *row, const char *path, int how, struct err *reterr);

#endif
