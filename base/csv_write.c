/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Tests build with a tiny first buffer, so that growth runs. */
#ifndef CSV_ROW_FIRST_BYTES
#define CSV_ROW_FIRST_BYTES 4096
#endif

void csv_row_init(struct csv_row *row)
{
	*row = (struct csv_row){ 0 };
}

void csv_row_clear(struct csv_row *row)
{
	row->used = 0;
	row->row_started = false;
	row->failed = false;
}

void csv_row_free(struct csv_row *row)
{
	free(row->bytes);
	csv_row_init(row);
}

static bool reserve(struct csv_row *row, size_t more)
{
	size_t size = row->size ? row->size : CSV_ROW_FIRST_BYTES;
	char *bytes;

	while (size - row->used < more)
		size *= 2;
	if (size == row->size)
		return true;
	bytes = realloc(row->bytes, size);
	if (!bytes) {
		row->failed = true;
		return false;
	}
	row->bytes = bytes;
	row->size = size;
	return true;
}

static void append(struct csv_row *row, const char *bytes, size_t count)
{
	if (!reserve(row, count))
		return;
	memcpy(row->bytes + row->used, bytes, count);
	row->used += count;
}

static void separate(struct csv_row *row)
{
	if (row->row_started)
		append(row, ",", 1);
	row->row_started = true;
}

/*
 * Quotes only what needs them: numbers and names stay readable and grep-able. A reader would take
 * a mark at the beginning of a file away.
 */
static bool needs_quotes(const char *text)
{
	return strpbrk(text, ",\"\r\n") || text[0] == ' ' ||
	       (text[0] && text[strlen(text) - 1] == ' ') ||
	       !strncmp(text, CSV_BYTE_ORDER_MARK, sizeof CSV_BYTE_ORDER_MARK - 1);
}

void csv_row_text(struct csv_row *row, const char *text)
{
	size_t length = strlen(text), need;

	separate(row);
	if (!needs_quotes(text)) {
		append(row, text, length);
		return;
	}
	need = csv_write(NULL, 0, text, length);
	if (!reserve(row, need))
		return;
	row->used += csv_write(row->bytes + row->used, need, text, length);
}

void csv_row_int(struct csv_row *row, int64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRId64, value);
	csv_row_text(row, text);
}

void csv_row_uint(struct csv_row *row, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, value);
	csv_row_text(row, text);
}

void csv_row_empty(struct csv_row *row)
{
	separate(row);
}

void csv_row_end(struct csv_row *row)
{
	/* A row of one empty field would be an empty line, which readers skip. */
	if (row->row_started && (!row->used || row->bytes[row->used - 1] == '\n'))
		append(row, "\"\"", 2);
	append(row, "\n", 1);
	row->row_started = false;
}

static int write_all(int fd, const char *bytes, size_t count, size_t *written_bytes)
{
	*written_bytes = 0;
	while (*written_bytes < count) {
		ssize_t written = write(fd, bytes + *written_bytes, count - *written_bytes);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? -errno : -EIO;
		*written_bytes += (size_t)written;
	}
	return 0;
}

int csv_row_write(const struct csv_row *row, int fd, const char *path, struct err *reterr)
{
	off_t before = lseek(fd, 0, SEEK_END);
	size_t written_bytes;
	int r;

	if (row->failed)
		return err_errno(reterr, ENOMEM, "%s", path);
	r = write_all(fd, row->bytes, row->used, &written_bytes);
	if (!r)
		return 0;
	if (written_bytes && (before < 0 || ftruncate(fd, before) < 0))
		return err_errno(reterr, -r, "%s: its last row is cut short", path);
	return err_errno(reterr, -r, "%s", path);
}

/* The bytes into `file`, with `path` for the messages. */
static int put_into(const struct csv_row *row, const char *file, int how, const char *path,
		    struct err *reterr)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | how, 0666);
	int r;

	if (fd < 0)
		return err_errno(reterr, errno, "%s", path);
	r = csv_row_write(row, fd, path, reterr);
	if (close(fd) < 0 && !r)
		r = err_errno(reterr, errno, "%s", path);
	return r;
}

int csv_row_replace(const struct csv_row *row, const char *path, struct err *reterr)
{
	char *new_path;
	int r;

	if (asprintf(&new_path, "%s.new", path) < 0)
		return err_errno(reterr, ENOMEM, "%s", path);
	r = put_into(row, new_path, O_TRUNC, path, reterr);
	if (!r && rename(new_path, path) < 0)
		r = err_errno(reterr, errno, "%s", path);
	if (r < 0)
		unlink(new_path);
	free(new_path);
	return r;
}

int csv_row_save(const struct csv_row *row, const char *path, int how, struct err *reterr)
{
	if (!(how & O_TRUNC) && access(path, F_OK) < 0 && errno == ENOENT)
		return csv_row_replace(row, path, reterr);
	return put_into(row, path, how, path, reterr);
}
