/* SPDX-License-Identifier: MIT */
#include "analysis/planned.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/environment.h"
#include "analysis/where.h"

static int find_columns(struct planned *planned, const char *path, struct err *reterr)
{
	planned->benchmark = csv_table_column(&planned->table, "benchmark");
	planned->repeat = csv_table_column(&planned->table, "repeat");
	planned->first_axis = csv_table_column(&planned->table, "axis_1");
	if (planned->benchmark == CSV_NO_COLUMN || planned->repeat == CSV_NO_COLUMN)
		return err_set(reterr, EBADMSG, "%s: no column '%s': not a plan", path,
			       planned->repeat == CSV_NO_COLUMN ? "repeat" : "benchmark");
	planned->is_taken = calloc(planned->table.row_count + 1, sizeof *planned->is_taken);
	return planned->is_taken ? 0 : err_errno(reterr, ENOMEM, "%s", path);
}

int planned_read(struct planned *planned, const char *dir, struct err *reterr)
{
	struct planned read = { 0 };
	char *path = run_path(dir, "plan", ".csv");
	int r;

	if (!path)
		return err_errno(reterr, ENOMEM, "%s", dir);
	r = csv_table_read(&read.table, path, reterr);
	if (!r)
		r = find_columns(&read, path, reterr);
	free(path);
	if (r < 0)
		planned_free(&read);
	if (r < 0 && r != -ENOENT)
		return r;
	*planned = read;
	return 0;
}

void planned_free(struct planned *planned)
{
	csv_table_free(&planned->table);
	free(planned->is_taken);
	*planned = (struct planned){ 0 };
}

static bool is_of(const struct planned *planned, size_t row, const char *benchmark)
{
	return !strcmp(csv_table_cell(&planned->table, row, planned->benchmark), benchmark);
}

/* The value that a planned sample has on an axis; NULL where there is no such axis. */
static const char *value_of(const struct planned *planned, size_t row,
			    const struct where_part *part)
{
	for (size_t column = planned->first_axis; column < planned->table.column_count - 1;
	     column += 2)
		if (where_axis_is(part, csv_table_cell(&planned->table, row, column)))
			return csv_table_cell(&planned->table, row, column + 1);
	return NULL;
}

static bool may_meet(const struct planned *planned, size_t row, const char *where)
{
	struct where_part part;

	while (where_next(&where, &part)) {
		const char *value = value_of(planned, row, &part);

		if (!value || (!where_is_reading(&part) && !where_value_is(&part, value)))
			return false;
	}
	return true;
}

static bool is_sample(const struct planned *planned, size_t row, const struct samples *samples,
		      size_t sample)
{
	if (strcmp(csv_table_cell(&planned->table, row, planned->repeat),
		   samples_cell(samples, sample, samples->columns.repeat)))
		return false;
	for (size_t i = 0; i < samples->axis_count; i++) {
		const char *name = csv_table_header(&samples->table, samples->axis_first + i);
		const struct where_part axis = { .axis = name, .axis_length = strlen(name) };
		const char *value = value_of(planned, row, &axis);

		if (!value || strcmp(value, samples_cell(samples, sample, samples->axis_first + i)))
			return false;
	}
	return true;
}

/* Samples are taken in the order of the plan: the next one is mostly the one that is looked for. */
static bool is_taken(const struct planned *planned, size_t row, const struct samples *samples,
		     size_t *next)
{
	for (size_t i = 0; i < samples->count; i++) {
		size_t sample = (*next + i) % samples->count;

		if (!is_sample(planned, row, samples, sample))
			continue;
		*next = sample + 1;
		return true;
	}
	return false;
}

void planned_find_samples(struct planned *planned, const char *benchmark,
			  const struct samples *samples)
{
	size_t next = 0, taken_count = 0;

	for (size_t row = 0; row < planned->table.row_count; row++) {
		if (!is_of(planned, row, benchmark) || taken_count == samples->count)
			continue;
		planned->is_taken[row] = is_taken(planned, row, samples, &next);
		taken_count += planned->is_taken[row];
	}
}

size_t planned_missing(const struct planned *planned, const char *benchmark, const char *where,
		       size_t *ret_count)
{
	size_t missing_count = 0, count = 0;

	for (size_t row = 0; row < planned->table.row_count; row++) {
		if (!is_of(planned, row, benchmark) || !may_meet(planned, row, where))
			continue;
		count++;
		missing_count += !planned->is_taken[row];
	}
	*ret_count = count;
	return missing_count;
}
