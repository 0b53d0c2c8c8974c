/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

struct reader {
	char **cells;
	size_t cell_count;
	size_t cell_size;
	size_t column_count; /* 0 until the header is complete */
	size_t row_cells;    /* cells of the row being read */
	size_t row_number;
	size_t bad_row; /* first row of a wrong width, 0 = none */
	bool no_memory;
};

static void on_cell(void *bytes, size_t length, void *data)
{
	struct reader *reader = data;
	char *text;

	if (reader->cell_count == reader->cell_size) {
		size_t size = reader->cell_size ? reader->cell_size * 2 : 64;
		char **cells = realloc(reader->cells, size * sizeof *cells);

		if (!cells) {
			reader->no_memory = true;
			return;
		}
		reader->cells = cells;
		reader->cell_size = size;
	}
	text = strndup(bytes ? bytes : "", bytes ? length : 0);
	if (!text) {
		reader->no_memory = true;
		return;
	}
	reader->cells[reader->cell_count++] = text;
	reader->row_cells++;
}

static void on_row(int terminator, void *data)
{
	struct reader *reader = data;

	(void)terminator;
	reader->row_number++;
	if (!reader->column_count)
		reader->column_count = reader->row_cells;
	else if (reader->row_cells != reader->column_count && !reader->bad_row)
		reader->bad_row = reader->row_number;
	reader->row_cells = 0;
}

static int is_no_space(unsigned char c)
{
	(void)c;
	return 0;
}

static void reader_free(struct reader *reader)
{
	for (size_t i = 0; i < reader->cell_count; i++)
		free(reader->cells[i]);
	free(reader->cells);
}

static int read_file(const char *path, char **ret_bytes, size_t *ret_size, struct err *reterr)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	size_t used = 0;
	ssize_t got = 0;
	char *bytes = NULL;

	if (fd < 0)
		return err_errno(reterr, errno, "%s", path);
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		bytes = malloc((size_t)status.st_size + 1);
	if (!bytes) {
		close(fd);
		return err_set(reterr, ENOMEM, "%s: not a readable file", path);
	}
	while (used < (size_t)status.st_size &&
	       (got = read(fd, bytes + used, (size_t)status.st_size - used)) > 0)
		used += (size_t)got;
	close(fd);
	if (got < 0) {
		free(bytes);
		return err_errno(reterr, errno, "%s", path);
	}
	*ret_bytes = bytes;
	*ret_size = used;
	return 0;
}

/* Where the last complete row ends: the last newline outside quotes. */
static size_t complete_length(const char *bytes, size_t size)
{
	size_t complete = 0;
	bool quoted = false;

	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '"')
			quoted = !quoted;
		else if (bytes[i] == '\n' && !quoted)
			complete = i + 1;
	}
	return complete;
}

static int parse(struct reader *reader, const char *bytes, size_t size, const char *path,
		 struct err *reterr)
{
	struct csv_parser parser;
	bool bad;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI))
		return err_set(reterr, ENOMEM, "%s: out of memory", path);
	/* Blanks belong to a field; only commas and newlines end it. */
	csv_set_space_func(&parser, is_no_space);
	bad = csv_parse(&parser, bytes, size, on_cell, on_row, reader) != size ||
	      csv_fini(&parser, on_cell, on_row, reader);
	csv_free(&parser);
	if (reader->no_memory)
		return err_set(reterr, ENOMEM, "%s: out of memory", path);
	if (bad)
		return err_set(reterr, EBADMSG, "%s: line %zu: a quote is misplaced", path,
			       reader->row_number + 1);
	if (reader->bad_row)
		return err_set(reterr, EBADMSG, "%s: line %zu has not the header's %zu columns",
			       path, reader->bad_row, reader->column_count);
	if (!reader->row_number)
		return err_set(reterr, EBADMSG, "%s: no header line", path);
	return 0;
}

int csv_table_read(struct csv_table *table, const char *path, struct err *reterr)
{
	struct reader reader = { 0 };
	char *bytes;
	size_t size, complete;
	int r = read_file(path, &bytes, &size, reterr);

	if (r < 0)
		return r;
	complete = complete_length(bytes, size);
	r = parse(&reader, bytes, complete, path, reterr);
	free(bytes);
	if (r < 0) {
		reader_free(&reader);
		return r;
	}
	*table = (struct csv_table){ .cells = reader.cells,
				     .column_count = reader.column_count,
				     .row_count = reader.row_number - 1,
				     .complete_bytes = complete,
				     .torn = complete != size };
	return 0;
}

void csv_table_free(struct csv_table *table)
{
	size_t cell_count = table->cells ? table->column_count * (table->row_count + 1) : 0;

	for (size_t i = 0; i < cell_count; i++)
		free(table->cells[i]);
	free(table->cells);
	*table = (struct csv_table){ 0 };
}

const char *csv_table_header(const struct csv_table *table, size_t column)
{
	return table->cells[column];
}

size_t csv_table_column(const struct csv_table *table, const char *name)
{
	for (size_t column = 0; column < table->column_count; column++)
		if (!strcmp(table->cells[column], name))
			return column;
	return CSV_NO_COLUMN;
}

const char *csv_table_cell(const struct csv_table *table, size_t row, size_t column)
{
	if (column == CSV_NO_COLUMN)
		return "";
	return table->cells[(row + 1) * table->column_count + column];
}

bool csv_table_int(const struct csv_table *table, size_t row, size_t column, int64_t *ret_value)
{
	const char *text = csv_table_cell(table, row, column);
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return false;
	*ret_value = value;
	return true;
}
