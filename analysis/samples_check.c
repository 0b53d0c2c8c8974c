/* SPDX-License-Identifier: MIT */
#include "analysis/samples_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct check {
	const struct samples *samples;
	const char *path;
	size_t step_index; /* column */
	struct err *reterr;
};

static const char *cell(const struct check *check, size_t row, size_t column)
{
	return csv_table_cell(&check->samples->table, row, column);
}

static int complain(const struct check *check, size_t row, const char *what)
{
	return err_set(check->reterr, EBADMSG, "%s: line %zu: %s", check->path,
		       csv_table_line(&check->samples->table, row), what);
}

/* ---- whose rows they are ---- */

static int check_column(const struct check *check, const char *name, const char *wanted)
{
	size_t column = csv_table_column(&check->samples->table, name);

	if (column == CSV_NO_COLUMN)
		return err_set(check->reterr, EBADMSG, "%s: no column '%s'", check->path, name);
	for (size_t row = 0; row < check->samples->table.row_count; row++)
		if (strcmp(cell(check, row, column), wanted))
			return err_set(check->reterr, EBADMSG,
				       "%s: line %zu: it is of the %s '%s', not of '%s'",
				       check->path, csv_table_line(&check->samples->table, row),
				       name, cell(check, row, column), wanted);
	return 0;
}

/* ---- the rows of each sample ---- */

static bool is_step(const struct check *check, size_t row, const char *step)
{
	return !strcmp(cell(check, row, check->samples->columns.step), step);
}

static bool is_end(const struct check *check, size_t row)
{
	return is_step(check, row, "exit") || is_step(check, row, "none");
}

/* By device, axes, repeat and attempt. */
static int compare_attempts(const struct check *check, size_t a, size_t b)
{
	const struct samples_columns *c = &check->samples->columns;
	int order = strcmp(cell(check, a, c->attempt), cell(check, b, c->attempt));

	for (size_t column = c->device; column <= c->repeat && !order; column++)
		order = strcmp(cell(check, a, column), cell(check, b, column));
	return order;
}

/* Row `row` is number `index` of its sample. */
static int check_row(const struct check *check, size_t row, size_t index)
{
	int64_t step_index;

	if (index && compare_attempts(check, row - 1, row))
		return complain(check, row, "the sample before it has no end");
	if (!csv_table_int(&check->samples->table, row, check->step_index, &step_index) ||
	    step_index != (int64_t)index)
		return err_set(check->reterr, EBADMSG,
			       "%s: line %zu: its step_index is '%s', and %zu is next", check->path,
			       csv_table_line(&check->samples->table, row),
			       cell(check, row, check->step_index), index);
	if (index && is_step(check, row, "none"))
		return complain(check, row, "what was measured cannot be not measured");
	return 0;
}

/* Puts the first row of each sample into `firsts`. */
static int check_rows(const struct check *check, size_t *firsts, size_t *ret_count)
{
	size_t row_count = check->samples->table.row_count, index = 0, count = 0;

	for (size_t row = 0; row < row_count; row++) {
		int r = check_row(check, row, index);

		if (r < 0)
			return r;
		if (!index)
			firsts[count++] = row;
		index = is_end(check, row) ? 0 : index + 1;
	}
	if (index && !check->samples->table.torn)
		return complain(check, row_count - 1,
				"the last sample has no end (run --resume takes it again)");
	*ret_count = count;
	return 0;
}

/* ---- each attempt once ---- */

struct first_row {
	const struct check *check;
	size_t row;
};

static int compare_firsts(const void *a, const void *b)
{
	const struct first_row *x = a, *y = b;
	int order = compare_attempts(x->check, x->row, y->row);

	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int check_twice(const struct check *check, const size_t *rows, size_t count)
{
	struct first_row *firsts = calloc(count + 1, sizeof *firsts);
	int r = 0;

	if (!firsts)
		return err_errno(check->reterr, ENOMEM, "%s", check->path);
	for (size_t i = 0; i < count; i++)
		firsts[i] = (struct first_row){ check, rows[i] };
	if (count)
		qsort(firsts, count, sizeof *firsts, compare_firsts);
	for (size_t i = 1; i < count && !r; i++)
		if (!compare_attempts(check, firsts[i - 1].row, firsts[i].row))
			r = complain(check, firsts[i].row,
				     "this attempt at the sample was there before");
	free(firsts);
	return r;
}

int samples_check(const struct samples *samples, const char *path, const char *run,
		  const char *benchmark, struct err *reterr)
{
	struct check check = { .samples = samples,
			       .path = path,
			       .step_index = csv_table_column(&samples->table, "step_index"),
			       .reterr = reterr };
	size_t *firsts = calloc(samples->table.row_count + 1, sizeof *firsts);
	size_t count = 0;
	int r;

	if (!firsts)
		return err_errno(reterr, ENOMEM, "%s", path);
	r = check_column(&check, "run", run);
	if (!r)
		r = check_column(&check, "benchmark", benchmark);
	if (!r)
		r = check_rows(&check, firsts, &count);
	if (!r)
		r = check_twice(&check, firsts, count);
	free(firsts);
	return r;
}
