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
	const char *path;
	char **cells;
	size_t cell_count;
	size_t cell_size;
	size_t column_count; /* 0 until the header is complete */
	size_t row_cells;    /* cells of the row being read */
	size_t row_count;    /* with the header */
	size_t line_number;
	size_t bad_line; /* end of the first row of a wrong width, 0 = none */
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
	reader->row_count++;
	if (!reader->column_count)
		reader->column_count = reader->row_cells;
	else if (reader->row_cells != reader->column_count && !reader->bad_line)
		reader->bad_line = reader->line_number;
	reader->row_cells = 0;
}

static int is_no_space(unsigned char c)
{
	(void)c;
	return 0;
}

/* Frees the cells from `keep` on. */
static void reader_drop(struct reader *reader, size_t keep)
{
	while (reader->cell_count > keep)
		free(reader->cells[--reader->cell_count]);
}

static void reader_free(struct reader *reader)
{
	reader_drop(reader, 0);
	free(reader->cells);
}

static int read_whole(int fd, const char *path, char **ret_bytes, size_t *ret_size,
		      struct err *reterr)
{
	struct stat status;
	size_t used = 0, size;
	ssize_t got = 0;
	char *bytes;

	if (fstat(fd, &status) < 0)
		return err_errno(reterr, errno, "%s", path);
	if (!S_ISREG(status.st_mode))
		return err_set(reterr, EBADMSG, "%s: not a regular file", path);
	size = (size_t)status.st_size;
	bytes = malloc(size + 1);
	if (!bytes)
		return err_errno(reterr, ENOMEM, "%s", path);
	while (used < size && (got = read(fd, bytes + used, size - used)) > 0)
		used += (size_t)got;
	if (got < 0) {
		free(bytes);
		return err_errno(reterr, errno, "%s", path);
	}
	*ret_bytes = bytes;
	*ret_size = used;
	return 0;
}

static int read_file(const char *path, char **ret_bytes, size_t *ret_size, struct err *reterr)
{
	/* O_NONBLOCK: opening a named pipe must not wait for somebody to write. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int r;

	if (fd < 0)
		return err_errno(reterr, errno, "%s", path);
	r = read_whole(fd, path, ret_bytes, ret_size, reterr);
	close(fd);
	return r;
}

/*
 * Where the last complete row ends: the last end of a line outside quotes. Where the file stops at
 * a carriage return, the newline behind it may be what is missing. Counting quotes is right only
 * where none is misplaced; parse() therefore reads what comes behind, too.
 */
static size_t complete_length(const char *bytes, size_t size)
{
	size_t complete = 0, end = size;
	bool quoted = false;

	while (end && bytes[end - 1] != '\n')
		end--;
	for (size_t i = 0; i < end; i++) {
		if (bytes[i] == '"')
			quoted = !quoted;
		else if ((bytes[i] == '\n' || bytes[i] == '\r') && !quoted)
			complete = i + 1;
	}
	return complete;
}

/* Line by line, so that messages can name the line. */
static int feed(struct reader *reader, struct csv_parser *parser, const char *bytes, size_t size,
		struct err *reterr)
{
	const char *end = bytes + size;

	while (bytes < end && !reader->no_memory) {
		const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
		size_t length = (size_t)((newline ? newline + 1 : end) - bytes);

		reader->line_number++;
		if (csv_parse(parser, bytes, length, on_cell, on_row, reader) != length) {
			if (csv_error(parser) != CSV_EPARSE)
				reader->no_memory = true;
			else
				return err_set(reterr, EBADMSG,
					       "%s: line %zu: a quote is misplaced", reader->path,
					       reader->line_number);
		}
		bytes += length;
	}
	if (reader->no_memory)
		return err_errno(reterr, ENOMEM, "%s", reader->path);
	return 0;
}

/* Leaves in `reader` the rows of the first `complete` bytes. */
static int parse(struct reader *reader, const char *bytes, size_t size, size_t complete,
		 struct err *reterr)
{
	size_t mark = sizeof CSV_BYTE_ORDER_MARK - 1;
	struct csv_parser parser;
	struct reader whole;
	int r;

	if (complete < mark || memcmp(bytes, CSV_BYTE_ORDER_MARK, mark))
		mark = 0;
	if (csv_init(&parser, CSV_STRICT))
		return err_errno(reterr, ENOMEM, "%s", reader->path);
	/* Blanks belong to a field; only commas and newlines end it. */
	csv_set_space_func(&parser, is_no_space);
	r = feed(reader, &parser, bytes + mark, complete - mark, reterr);
	if (!r && reader->bad_line)
		r = err_set(reterr, EBADMSG, "%s: line %zu does not have the header's %zu columns",
			    reader->path, reader->bad_line, reader->column_count);
	if (!r) {
		/* A misplaced quote is no torn end: whoever cuts there would lose rows. */
		whole = *reader;
		r = feed(&whole, &parser, bytes + complete, size - complete, reterr);
		reader_drop(&whole, reader->cell_count);
		reader->cells = whole.cells;
		reader->cell_size = whole.cell_size;
	}
	csv_free(&parser);
	if (!r && !reader->row_count)
		r = err_set(reterr, EBADMSG, "%s: no header line", reader->path);
	return r;
}

/* A zero byte would end a cell early. A crashed machine leaves many at the end of a file. */
static int check_zeros(const char *bytes, size_t size, const char *path, struct err *reterr)
{
	size_t line_number = 1;

	for (size_t i = 0; i < size; i++) {
		if (!bytes[i])
			return err_set(reterr, EBADMSG, "%s: line %zu: a zero byte", path,
				       line_number);
		line_number += bytes[i] == '\n';
	}
	return 0;
}

int csv_table_read(struct csv_table *table, const char *path, struct err *reterr)
{
	struct reader reader = { .path = path };
	char *bytes = NULL;
	size_t size = 0, complete;
	int r = read_file(path, &bytes, &size, reterr);

	if (r < 0)
		return r;
	complete = complete_length(bytes, size);
	r = check_zeros(bytes, complete, path, reterr);
	if (!r)
		r = parse(&reader, bytes, size, complete, reterr);
	free(bytes);
	if (r < 0) {
		reader_free(&reader);
		return r;
	}
	*table = (struct csv_table){ .cells = reader.cells,
				     .column_count = reader.column_count,
				     .row_count = reader.row_count - 1,
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

size_t csv_table_line(const struct csv_table *table, size_t row)
{
	size_t line = row + 2;

	for (size_t i = 0; i < (row + 1) * table->column_count; i++)
		for (const char *c = table->cells[i]; (c = strchr(c, '\n')); c++)
			line++;
	return line;
}

bool csv_int(const char *cell, int64_t *ret_value)
{
	char *end;
	long long value;

	/* strtoll() would skip blanks and take a plus. */
	if (cell[cell[0] == '-'] < '0' || cell[cell[0] == '-'] > '9')
		return false;
	errno = 0;
	value = strtoll(cell, &end, 10);
	if (errno || *end)
		return false;
	*ret_value = value;
	return true;
}

bool csv_table_int(const struct csv_table *table, size_t row, size_t column, int64_t *ret_value)
{
	return csv_int(csv_table_cell(table, row, column), ret_value);
}
