/* SPDX-License-Identifier: MIT */
/*
 * <benchmark>.csv as samples of steps.
 *
 *   samples_read() -> samples_matches(), samples_step(), samples_value() … -> samples_free()
 *
 * Columns are found by name. The axes are the columns between `device` and `repeat`, the readings
 * those between `error` and `delta_bytes`; what stands elsewhere is ignored. Only the attempt that
 * counts is kept of a sample that was taken more than once: the last undisturbed one, else the
 * last.
 */
#ifndef ANALYSIS_SAMPLES_H
#define ANALYSIS_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/text.h"

struct samples_columns {
	size_t device;
	size_t repeat;
	size_t attempt;
	size_t step;
	size_t status;
	size_t error;
	size_t delta_bytes;
	size_t total_bytes;
	size_t note;
};

/* One sample: `row_count` consecutive rows. */
struct sample_rows {
	size_t first_row;
	size_t row_count;
	size_t point; /* number of its point (device and axis values), in order of appearance */
};

struct samples {
	struct csv_table table;
	struct samples_columns columns;
	size_t axis_first; /* column */
	size_t axis_count;
	size_t reading_first; /* column */
	size_t reading_count;
	struct sample_rows *items; /* owned */
	size_t count;
	size_t point_count;
	size_t disturbed_count; /* attempts that another one replaced because of strangers … */
	size_t broken_count;    /* … and that were taken again for another reason */
};

#define SAMPLES_NO_ROW SIZE_MAX

/* Returns 0, the errors of csv_table_read(), or -EBADMSG naming a column that is missing. */
int samples_read(struct samples *samples, const char *path, struct err *reterr);
void samples_free(struct samples *samples);

/*
 * Whether a sample meets all conditions of "axis=value,axis=@reading" (NULL: any does). "@reading":
 * the axis equals that reading of the same sample. An axis that does not exist is met by no sample.
 */
bool samples_matches(const struct samples *samples, size_t sample, const char *where);

/* Row of the step of that name, SAMPLES_NO_ROW when the sample did not get there. */
size_t samples_step(const struct samples *samples, size_t sample, const char *step);

/* The number in an axis or reading; of a reading the last one that the sample took. */
bool samples_value(const struct samples *samples, size_t sample, const char *name,
		   int64_t *ret_value);

/* An axis all of whose values are integers; the others are switches. */
bool samples_axis_is_number(const struct samples *samples, size_t axis);

/* "ok", or the status of the step that ended the sample otherwise; of several, the gravest. */
const char *samples_verdict(const struct samples *samples, size_t sample);

/* The statuses from harmless to grave, one per call from 0 on; NULL behind the last. */
const char *samples_status(size_t number);

/* Text of a cell of the sample's first row. */
const char *samples_cell(const struct samples *samples, size_t sample, size_t column);

/* "call=cuInit api=driver": its values on all axes. Adds to the text. */
void samples_point_text(const struct samples *samples, size_t sample, struct text *text);

struct repeats {
	size_t point_count;     /* points that were taken more than once */
	size_t identical_count; /* of these, all repeats agree in every step's bytes, status, error
				   and readings */
};

struct repeats samples_repeats(const struct samples *samples);

#endif
