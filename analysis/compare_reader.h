/* SPDX-License-Identifier: MIT */
/*
 * <benchmark>.csv row by row, for comparing: which sample a row belongs to, and its numbers.
 *
 *   compare_reader_open() -> compare_reader_choose() -> compare_reader_next() until it returns 0
 *   -> compare_reader_close()
 *
 * Columns are found by name. The axes are the columns between `device` and `repeat`, the readings
 * those between `error` and `delta_bytes`.
 */
#ifndef ANALYSIS_COMPARE_READER_H
#define ANALYSIS_COMPARE_READER_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/hash.h"
#include "base/csv_stream.h"
#include "base/err.h"
#include "base/text.h"

#define COMPARE_VALUES_MAX 16
#define COMPARE_AXES_MAX   16

/* Where the columns are that every benchmark has. */
struct compare_places {
	size_t benchmark, device, repeat, attempt, step_index, step, status, error, delta_bytes,
		total_bytes;
};

struct compare_reader {
	const char *path; /* the caller's */
	struct csv_stream *stream;
	struct compare_places places;
	size_t run; /* CSV_NO_COLUMN: there is none */
	size_t axis_first;
	size_t axis_count;
	struct hash axis_names[COMPARE_AXES_MAX];
	size_t value_columns[COMPARE_VALUES_MAX];
	size_t value_count;
	const regex_t *filter; /* the caller's; NULL: all samples */
	struct text sample_text;
	size_t identity_columns[COMPARE_AXES_MAX + 5]; /* what tells samples apart */
	size_t identity_count;
	/* the sample at hand */
	struct text identity; /* its cells of the identity's columns, each with its zero */
	int64_t step_index;
	bool is_started;
	bool is_wanted;
	struct hash point;
};

struct compare_row {
	bool begins; /* the first row of a sample, or of an attempt at one */
	const char *const *cells;
	struct hash point; /* benchmark and axes, in whatever order the columns are */
	int64_t values[COMPARE_VALUES_MAX]; /* COMPARE_NO_VALUE: the cell is empty */
	int64_t total_bytes;
};

#define COMPARE_NO_VALUE INT64_MIN

/* The errors of csv_stream_open(), or -EBADMSG for a file that has no benchmark's columns. */
int compare_reader_open(struct compare_reader *reader, const char *path, const regex_t *filter,
			struct err *reterr);
void compare_reader_close(struct compare_reader *reader);

/* Takes the numbers of another column into each row. False when there is no such column. */
bool compare_reader_choose(struct compare_reader *reader, const char *column);

/* Names of the readings, in order; NULL behind the last. */
const char *compare_reader_reading(const struct compare_reader *reader, size_t number);

/*
 * The next row of a sample that the filter lets through. Returns 1, 0 behind the last, or the
 * errors of csv_stream_next(), or -EBADMSG naming the line where a number is none of 64 bits.
 */
int compare_reader_next(struct compare_reader *reader, struct compare_row *ret_row,
			struct err *reterr);

const char *compare_reader_axis(const struct compare_reader *reader, size_t axis);

/* What tells a point apart, whoever read its cells: see struct compare_row. */
struct hash compare_point_hash(const struct compare_reader *reader, const char *const *cells);

#endif
