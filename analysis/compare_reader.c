/* SPDX-License-Identifier: MIT */
#include "analysis/compare_reader.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/csv.h"

static const struct {
	const char *name;
	size_t offset;
} columns[] = {
	{ "benchmark", offsetof(struct compare_places, benchmark) },
	{ "device", offsetof(struct compare_places, device) },
	{ "repeat", offsetof(struct compare_places, repeat) },
	{ "attempt", offsetof(struct compare_places, attempt) },
	{ "step_index", offsetof(struct compare_places, step_index) },
	{ "step", offsetof(struct compare_places, step) },
	{ "status", offsetof(struct compare_places, status) },
	{ "error", offsetof(struct compare_places, error) },
	{ "delta_bytes", offsetof(struct compare_places, delta_bytes) },
	{ "total_bytes", offsetof(struct compare_places, total_bytes) },
};

/* ---- opening ---- */

static int find_columns(struct compare_reader *reader, struct err *reterr)
{
	for (size_t i = 0; i < ARRAY_COUNT(columns); i++) {
		size_t column = csv_stream_column(reader->stream, columns[i].name);

		if (column == CSV_NO_COLUMN)
			return err_set(reterr, EBADMSG,
				       "%s: line 1: no column '%s': not a benchmark's results",
				       reader->path, columns[i].name);
		memcpy((char *)&reader->places + columns[i].offset, &column, sizeof column);
	}
	return 0;
}

static void list_identity(struct compare_reader *reader)
{
	size_t *places = reader->identity_columns, count = 0;

	for (size_t i = reader->places.device; i <= reader->places.repeat; i++)
		places[count++] = i;
	places[count++] = reader->places.attempt;
	places[count++] = reader->places.benchmark;
	if (reader->run != CSV_NO_COLUMN)
		places[count++] = reader->run;
	reader->identity_count = count;
}

static int find_axes(struct compare_reader *reader, struct err *reterr)
{
	const struct compare_places *places = &reader->places;

	if (places->repeat <= places->device || places->delta_bytes <= places->error)
		return err_set(reterr, EBADMSG, "%s: line 1: the columns are out of order",
			       reader->path);
	reader->run = csv_stream_column(reader->stream, "run");
	reader->axis_first = places->device + 1;
	reader->axis_count = places->repeat - reader->axis_first;
	if (reader->axis_count > COMPARE_AXES_MAX)
		return err_set(reterr, EBADMSG, "%s: line 1: more than %d axes", reader->path,
			       COMPARE_AXES_MAX);
	for (size_t i = 0; i < reader->axis_count; i++)
		reader->axis_names[i] = hash_text(compare_reader_axis(reader, i));
	list_identity(reader);
	return 0;
}

int compare_reader_open(struct compare_reader *reader, const char *path, const regex_t *filter,
			struct err *reterr)
{
	int r;

	*reader = (struct compare_reader){ .path = path, .filter = filter };
	r = csv_stream_open(&reader->stream, path, reterr);
	if (!r)
		r = find_columns(reader, reterr);
	if (!r)
		r = find_axes(reader, reterr);
	if (r < 0)
		compare_reader_close(reader);
	return r;
}

void compare_reader_close(struct compare_reader *reader)
{
	csv_stream_close(reader->stream);
	reader->stream = NULL;
	text_free(&reader->sample_text);
	text_free(&reader->identity);
}

bool compare_reader_choose(struct compare_reader *reader, const char *column)
{
	size_t place = csv_stream_column(reader->stream, column);

	if (place == CSV_NO_COLUMN || reader->value_count == COMPARE_VALUES_MAX)
		return false;
	reader->value_columns[reader->value_count++] = place;
	return true;
}

const char *compare_reader_reading(const struct compare_reader *reader, size_t number)
{
	size_t column = reader->places.error + 1 + number;

	return column < reader->places.delta_bytes ? csv_stream_header(reader->stream, column)
						   : NULL;
}

const char *compare_reader_axis(const struct compare_reader *reader, size_t axis)
{
	return csv_stream_header(reader->stream, reader->axis_first + axis);
}

/* ---- rows ---- */

struct hash compare_point_hash(const struct compare_reader *reader, const char *const *cells)
{
	struct hash axes = { 0 };

	for (size_t i = 0; i < reader->axis_count; i++)
		axes = hash_add(axes, hash_join(reader->axis_names[i],
						hash_text(cells[reader->axis_first + i])));
	return hash_join(hash_text(cells[reader->places.benchmark]), axes);
}

/* All that makes a sample, and an attempt at it, another one. */
static bool is_same_sample(const struct compare_reader *reader, const char *const *cells)
{
	const char *before = text_peek(&reader->identity);

	for (size_t i = 0; i < reader->identity_count; i++) {
		if (strcmp(before, cells[reader->identity_columns[i]]))
			return false;
		before += strlen(before) + 1;
	}
	return true;
}

static void keep_identity(struct compare_reader *reader, const char *const *cells)
{
	reader->identity.used = 0;
	for (size_t i = 0; i < reader->identity_count; i++) {
		const char *cell = cells[reader->identity_columns[i]];

		text_add_bytes(&reader->identity, cell, strlen(cell) + 1);
	}
}

/* "benchmark axis=value axis=value", as in a run's --filter. */
static bool is_wanted(struct compare_reader *reader, const char *const *cells)
{
	struct text *text = &reader->sample_text;

	if (!reader->filter)
		return true;
	text->used = 0;
	text_add(text, cells[reader->places.benchmark]);
	for (size_t i = 0; i < reader->axis_count; i++)
		text_format(text, " %s=%s", compare_reader_axis(reader, i),
			    cells[reader->axis_first + i]);
	return !regexec(reader->filter, text_peek(text), 0, NULL, 0);
}

static int read_number(const struct compare_reader *reader, const char *const *cells, size_t column,
		       int64_t *ret_value, struct err *reterr)
{
	const char *cell = cells[column];

	if (!*cell) {
		*ret_value = COMPARE_NO_VALUE;
		return 0;
	}
	if (csv_int(cell, ret_value) && *ret_value != COMPARE_NO_VALUE)
		return 0;
	return err_set(reterr, EBADMSG, "%s: line %zu: %s: '%.40s' is no whole number of 64 bits",
		       reader->path, csv_stream_line(reader->stream),
		       csv_stream_header(reader->stream, column), cell);
}

static int read_numbers(const struct compare_reader *reader, struct compare_row *row,
			struct err *reterr)
{
	int r = read_number(reader, row->cells, reader->places.total_bytes, &row->total_bytes,
			    reterr);

	for (size_t i = 0; i < reader->value_count && !r; i++)
		r = read_number(reader, row->cells, reader->value_columns[i], &row->values[i],
				reterr);
	return r;
}

/* Which sample the row belongs to; one that is there twice begins again. */
static int find_sample(struct compare_reader *reader, struct compare_row *row, struct err *reterr)
{
	int64_t step_index;
	int r = read_number(reader, row->cells, reader->places.step_index, &step_index, reterr);

	if (r < 0)
		return r;
	row->begins = !reader->is_started || step_index <= reader->step_index ||
		      !is_same_sample(reader, row->cells);
	reader->is_started = true;
	reader->step_index = step_index;
	if (row->begins) {
		keep_identity(reader, row->cells);
		reader->point = compare_point_hash(reader, row->cells);
		reader->is_wanted = is_wanted(reader, row->cells);
		if (reader->sample_text.failed || reader->identity.failed)
			return err_errno(reterr, ENOMEM, "%s", reader->path);
	}
	row->point = reader->point;
	return 0;
}

int compare_reader_next(struct compare_reader *reader, struct compare_row *ret_row,
			struct err *reterr)
{
	int r;

	do {
		r = csv_stream_next(reader->stream, &ret_row->cells, reterr);
		if (r <= 0)
			return r;
		r = find_sample(reader, ret_row, reterr);
		if (!r)
			r = read_numbers(reader, ret_row, reterr);
		if (r < 0)
			return r;
	} while (!reader->is_wanted);
	return 1;
}
