/* SPDX-License-Identifier: MIT */
#include "base/csv_stream.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"

/* Tests build with a tiny buffer, so that growth runs. */
#ifndef CSV_STREAM_FIRST_BYTES
#define CSV_STREAM_FIRST_BYTES ((size_t)1 << 18)
#endif

#define FIELD_GROWTH_BYTES 65536

/* The cells of one row; where they point to is the owner's matter. */
struct cells {
	char **items;
	size_t count;
	size_t size;
};

struct csv_stream {
	const char *path; /* owned by whoever opened it */
	int fd;
	char *bytes; /* what was read; lines are taken from `begin` on */
	size_t size, begin, end;
	bool at_end; /* of the file */
	struct csv_parser parser;
	struct cells cells; /* of the row at hand */
	struct cells header;
	char *header_text; /* its cells */
	char *text;        /* what libcsv found: the cells of a row that has quotes */
	size_t text_used, text_size;
	size_t line;      /* of the row at hand */
	size_t lines;     /* that were taken */
	size_t zero_line; /* that has the first zero byte of the row at hand; 0: none has */
	bool is_whole;    /* libcsv has seen the end of a row */
	bool is_started;  /* and something of it */
	bool no_memory;
	bool torn;
};

static bool cells_add(struct cells *cells, char *cell)
{
	if (cells->count == cells->size) {
		size_t size = cells->size ? cells->size * 2 : 32;
		char **items = realloc(cells->items, size * sizeof *items);

		if (!items)
			return false;
		cells->items = items;
		cells->size = size;
	}
	cells->items[cells->count++] = cell;
	return true;
}

/* ---- lines ---- */

static int read_more(struct csv_stream *stream, struct err *reterr)
{
	ssize_t got;

	if (stream->begin) {
		memmove(stream->bytes, stream->bytes + stream->begin, stream->end - stream->begin);
		stream->end -= stream->begin;
		stream->begin = 0;
	}
	if (stream->end == stream->size) {
		size_t size = stream->size ? stream->size * 2 : CSV_STREAM_FIRST_BYTES;
		char *bytes = realloc(stream->bytes, size);

		if (!bytes)
			return err_errno(reterr, ENOMEM, "%s", stream->path);
		stream->bytes = bytes;
		stream->size = size;
	}
	do
		got = read(stream->fd, stream->bytes + stream->end, stream->size - stream->end);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return err_errno(reterr, errno, "%s", stream->path);
	stream->at_end = !got;
	stream->end += (size_t)got;
	return 0;
}

static int too_long(const struct csv_stream *stream, struct err *reterr)
{
	return err_set(reterr, EBADMSG,
		       "%s: line %zu: a row of more than %zu bytes; is a quote not closed?",
		       stream->path, stream->line, CSV_STREAM_ROW_MAX);
}

/* A line without its newline, which stands behind it. NULL: no whole line is left. */
struct line {
	char *bytes;
	size_t length;
};

static int next_line(struct csv_stream *stream, struct line *ret_line, struct err *reterr)
{
	size_t seen = 0;
	int r;

	for (;;) {
		char *bytes = stream->bytes + stream->begin;
		size_t there = stream->end - stream->begin;
		char *newline = there > seen ? memchr(bytes + seen, '\n', there - seen) : NULL;

		if (newline) {
			*ret_line = (struct line){ bytes, (size_t)(newline - bytes) };
			stream->begin += ret_line->length + 1;
			stream->lines++;
			return 0;
		}
		if (there > CSV_STREAM_ROW_MAX)
			return too_long(stream, reterr);
		if (stream->at_end) {
			*ret_line = (struct line){ 0 };
			return 0;
		}
		seen = there;
		r = read_more(stream, reterr);
		if (r < 0)
			return r;
	}
}

/* ---- rows without quotes: their cells are where they are ---- */

/* Cuts a line at its commas. False where only libcsv knows what it means. */
static bool split_plain(struct csv_stream *stream, const struct line *line)
{
	char *cell = line->bytes;
	size_t left = line->length;

	while (left && cell[left - 1] == '\r')
		left--;
	if (memchr(cell, '"', line->length) || memchr(cell, '\r', left))
		return false;
	if (!left)
		return true;
	cell[left] = '\0';
	while (cell) {
		char *comma = memchr(cell, ',', left);

		if (!cells_add(&stream->cells, cell)) {
			stream->no_memory = true;
			return true;
		}
		if (comma) {
			*comma++ = '\0';
			left -= (size_t)(comma - cell);
		}
		cell = comma;
	}
	return true;
}

/* ---- rows with quotes ---- */

/* Cells are offsets until the row is whole, as the text may move when it grows. */
static void on_cell(void *bytes, size_t length, void *data)
{
	struct csv_stream *stream = data;

	if (stream->no_memory)
		return;
	if (stream->text_size - stream->text_used <= length) {
		size_t size = (stream->text_size + length + 1) * 2;
		char *text = realloc(stream->text, size);

		stream->no_memory = !text;
		if (!text)
			return;
		stream->text = text;
		stream->text_size = size;
	}
	if (length)
		memcpy(stream->text + stream->text_used, bytes, length);
	stream->text[stream->text_used + length] = '\0';
	stream->text_used += length + 1;
	if (!cells_add(&stream->cells, NULL))
		stream->no_memory = true;
}

static void on_row(int terminator, void *data)
{
	struct csv_stream *stream = data;

	(void)terminator;
	stream->is_whole = true;
}

static void place_cells(struct csv_stream *stream)
{
	char *text = stream->text;

	for (size_t i = 0; i < stream->cells.count; i++) {
		stream->cells.items[i] = text;
		text += strlen(text) + 1;
	}
}

static int zero_byte(const struct csv_stream *stream, struct err *reterr)
{
	return err_set(reterr, EBADMSG, "%s: line %zu: a zero byte", stream->path,
		       stream->zero_line);
}

static int parse(struct csv_stream *stream, const char *bytes, size_t count, size_t line,
		 struct err *reterr)
{
	if (!stream->zero_line && memchr(bytes, '\0', count))
		stream->zero_line = line;
	if (csv_parse(&stream->parser, bytes, count, on_cell, on_row, stream) == count)
		return 0;
	if (csv_error(&stream->parser) != CSV_EPARSE)
		return err_errno(reterr, ENOMEM, "%s", stream->path);
	if (stream->zero_line)
		return zero_byte(stream, reterr);
	return err_set(reterr, EBADMSG, "%s: line %zu: a quote is misplaced", stream->path, line);
}

static int split_quoted(struct csv_stream *stream, const struct line *line, struct err *reterr)
{
	size_t done = 0, length = line->length + 1; /* with the newline */
	int r;

	/* By the character where a row may end within the line: libcsv would go on with the next.
	 */
	while (done < length && !stream->is_whole && !stream->no_memory) {
		const char *from = line->bytes + done, *cut = memchr(from, '\r', length - done);
		size_t count = cut ? (size_t)(cut - from) + 1 : length - done;

		r = parse(stream, from, count, stream->lines, reterr);
		if (r < 0)
			return r;
		done += count;
	}
	if (stream->no_memory || !stream->is_whole)
		return 0;
	/* What stands behind a carriage return is a line of its own. */
	if (done < length && line->bytes[done] != '\n') {
		stream->begin -= length - done;
		stream->lines--;
	}
	place_cells(stream);
	return 0;
}

/* ---- a row ---- */

static int split(struct csv_stream *stream, const struct line *line, struct err *reterr)
{
	int r = 0;

	if (!stream->is_started && !(line->length && memchr(line->bytes, '\0', line->length)) &&
	    split_plain(stream, line)) {
		stream->is_whole = stream->cells.count > 0;
	} else {
		stream->is_started = true;
		r = split_quoted(stream, line, reterr);
	}
	if (!r && stream->no_memory)
		r = err_errno(reterr, ENOMEM, "%s", stream->path);
	/* Behind the last whole row they are what a crashed machine left. */
	if (!r && stream->is_whole && stream->zero_line)
		r = zero_byte(stream, reterr);
	return r;
}

/* A misplaced quote is no torn end: whoever cuts there would lose rows. */
static int check_torn(struct csv_stream *stream, struct err *reterr)
{
	size_t length = stream->end - stream->begin;
	int r = 0;

	if (length)
		r = parse(stream, stream->bytes + stream->begin, length, stream->lines + 1, reterr);
	if (!r && stream->no_memory)
		r = err_errno(reterr, ENOMEM, "%s", stream->path);
	stream->torn = stream->torn || stream->is_started || length;
	stream->begin = stream->end; /* who asks once more gets no other answer */
	return r;
}

/* 1 with the cells of a row, 0 where no whole row is left. */
static int next_row(struct csv_stream *stream, struct err *reterr)
{
	struct line line = { 0 };
	size_t bytes = 0;
	int r;

	stream->cells.count = 0;
	stream->text_used = 0;
	stream->zero_line = 0;
	stream->is_whole = stream->is_started = false;
	while (!stream->is_whole) {
		if (!stream->is_started)
			stream->line = stream->lines + 1;
		r = next_line(stream, &line, reterr);
		if (r < 0)
			return r;
		if (!line.bytes)
			return check_torn(stream, reterr);
		bytes += line.length + 1;
		if (stream->is_started && bytes > CSV_STREAM_ROW_MAX)
			return too_long(stream, reterr);
		r = split(stream, &line, reterr);
		if (r < 0)
			return r;
	}
	return 1;
}

int csv_stream_next(struct csv_stream *stream, const char *const **ret_cells, struct err *reterr)
{
	int r = next_row(stream, reterr);

	if (r <= 0)
		return r;
	if (stream->cells.count != stream->header.count)
		return err_set(reterr, EBADMSG,
			       "%s: line %zu does not have the header's %zu columns", stream->path,
			       stream->line, stream->header.count);
	*ret_cells = (const char *const *)stream->cells.items;
	return 1;
}

/* ---- opening ---- */

/* The cells of the row at hand would not stay. */
static int keep_header(struct csv_stream *stream, struct err *reterr)
{
	size_t size = 1;
	char *at;

	for (size_t i = 0; i < stream->cells.count; i++)
		size += strlen(stream->cells.items[i]) + 1;
	stream->header_text = at = malloc(size);
	if (!at)
		return err_errno(reterr, ENOMEM, "%s", stream->path);
	for (size_t i = 0; i < stream->cells.count; i++) {
		size_t length = strlen(stream->cells.items[i]) + 1;

		memcpy(at, stream->cells.items[i], length);
		if (!cells_add(&stream->header, at))
			return err_errno(reterr, ENOMEM, "%s", stream->path);
		at += length;
	}
	return 0;
}

static void skip_mark(struct csv_stream *stream)
{
	size_t mark = sizeof CSV_BYTE_ORDER_MARK - 1;

	if (stream->end >= mark && !memcmp(stream->bytes, CSV_BYTE_ORDER_MARK, mark))
		stream->begin = mark;
}

static int read_header(struct csv_stream *stream, struct err *reterr)
{
	int r;

	do
		r = read_more(stream, reterr);
	while (!r && !stream->at_end && stream->end < sizeof CSV_BYTE_ORDER_MARK);
	if (r < 0)
		return r;
	skip_mark(stream);
	r = next_row(stream, reterr);
	if (!r && stream->zero_line)
		return zero_byte(stream, reterr);
	if (!r)
		return err_set(reterr, EBADMSG, "%s: no header line", stream->path);
	return r < 0 ? r : keep_header(stream, reterr);
}

static int open_regular(const char *path, int *ret_fd, struct err *reterr)
{
	/* O_NONBLOCK: opening a named pipe must not wait for somebody to write. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	int r = 0;

	if (fd < 0)
		return err_errno(reterr, errno, "%s", path);
	if (fstat(fd, &status) < 0)
		r = err_errno(reterr, errno, "%s", path);
	else if (!S_ISREG(status.st_mode))
		r = err_set(reterr, EBADMSG, "%s: not a regular file", path);
	if (r < 0)
		close(fd);
	else
		*ret_fd = fd;
	return r;
}

static int is_no_space(unsigned char c)
{
	(void)c;
	return 0;
}

int csv_stream_open(struct csv_stream **ret_stream, const char *path, struct err *reterr)
{
	struct csv_stream *stream = calloc(1, sizeof *stream);
	int r;

	if (!stream || csv_init(&stream->parser, CSV_STRICT)) {
		free(stream);
		return err_errno(reterr, ENOMEM, "%s", path);
	}
	/* Blanks belong to a field; only commas and newlines end it. */
	csv_set_space_func(&stream->parser, is_no_space);
	/* By so much does the buffer of a field grow; a huge one shall not be copied all the time.
	 */
	csv_set_blk_size(&stream->parser, FIELD_GROWTH_BYTES);
	stream->path = path;
	stream->fd = -1;
	r = open_regular(path, &stream->fd, reterr);
	if (!r)
		r = read_header(stream, reterr);
	if (r < 0) {
		csv_stream_close(stream);
		return r;
	}
	*ret_stream = stream;
	return 0;
}

void csv_stream_close(struct csv_stream *stream)
{
	if (!stream)
		return;
	if (stream->fd >= 0)
		close(stream->fd);
	csv_free(&stream->parser);
	free(stream->header_text);
	free(stream->header.items);
	free(stream->cells.items);
	free(stream->text);
	free(stream->bytes);
	free(stream);
}

size_t csv_stream_column_count(const struct csv_stream *stream)
{
	return stream->header.count;
}

const char *csv_stream_header(const struct csv_stream *stream, size_t column)
{
	return stream->header.items[column];
}

size_t csv_stream_column(const struct csv_stream *stream, const char *name)
{
	for (size_t column = 0; column < stream->header.count; column++)
		if (!strcmp(stream->header.items[column], name))
			return column;
	return CSV_NO_COLUMN;
}

size_t csv_stream_line(const struct csv_stream *stream)
{
	return stream->line;
}

bool csv_stream_is_torn(const struct csv_stream *stream)
{
	return stream->torn;
}
