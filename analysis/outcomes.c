/* SPDX-License-Identifier: MIT */
#include "analysis/outcomes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_SHOWN_MAX 6

static bool is_same(const struct outcome *a, const struct outcome *b)
{
	return !strcmp(a->step, b->step) && !strcmp(a->status, b->status) &&
	       !strcmp(a->error, b->error) && !strcmp(a->note, b->note);
}

/* The group that is the same, made when there is none; NULL for lack of memory. */
static struct outcome *group_of(struct outcomes *outcomes, const struct outcome *outcome)
{
	struct outcome *items;

	for (size_t i = 0; i < outcomes->count; i++)
		if (is_same(&outcomes->items[i], outcome))
			return &outcomes->items[i];
	items = realloc(outcomes->items, (outcomes->count + 1) * sizeof *items);
	if (!items)
		return NULL;
	outcomes->items = items;
	items[outcomes->count] = *outcome;
	return &items[outcomes->count++];
}

static int add_sample(struct outcome *group, size_t sample)
{
	size_t *samples = realloc(group->samples, (group->sample_count + 1) * sizeof *samples);

	if (!samples)
		return -ENOMEM;
	group->samples = samples;
	samples[group->sample_count++] = sample;
	return 0;
}

static int add_row(struct outcomes *outcomes, const struct samples *samples, size_t sample,
		   size_t row)
{
	const struct samples_columns *c = &samples->columns;
	struct outcome outcome = { .step = csv_table_cell(&samples->table, row, c->step),
				   .status = csv_table_cell(&samples->table, row, c->status),
				   .error = csv_table_cell(&samples->table, row, c->error),
				   .note = csv_table_cell(&samples->table, row, c->note) };
	struct outcome *group;

	if (!strcmp(outcome.status, "ok"))
		return 0;
	group = group_of(outcomes, &outcome);
	return group ? add_sample(group, sample) : -ENOMEM;
}

int outcomes_collect(struct outcomes *outcomes, const struct samples *samples, struct err *reterr)
{
	struct outcomes collected = { 0 };
	int r = 0;

	for (size_t i = 0; i < samples->count && !r; i++) {
		const struct sample_rows *item = &samples->items[i];

		for (size_t k = 0; k < item->row_count && !r; k++)
			r = add_row(&collected, samples, i, item->first_row + k);
	}
	if (r < 0) {
		outcomes_free(&collected);
		return err_errno(reterr, -r, "outcomes");
	}
	*outcomes = collected;
	return 0;
}

void outcomes_free(struct outcomes *outcomes)
{
	for (size_t i = 0; i < outcomes->count; i++)
		free(outcomes->items[i].samples);
	free(outcomes->items);
	*outcomes = (struct outcomes){ 0 };
}

/* ---- the points in words ---- */

/* Whether sample number i of a list shows a value of this column that none before it shows. */
static bool is_new(const struct samples *samples, const size_t *list, size_t i, size_t column)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(samples_cell(samples, list ? list[k] : k, column),
			    samples_cell(samples, list ? list[i] : i, column)))
			return false;
	return true;
}

static size_t count_values(const struct samples *samples, const size_t *list, size_t count,
			   size_t column)
{
	size_t value_count = 0;

	for (size_t i = 0; i < count; i++)
		value_count += is_new(samples, list, i, column);
	return value_count;
}

/* Shorter numbers first makes integers stand in order, and words are in some order, too. */
static int compare_values(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	size_t x_length = strlen(*x), y_length = strlen(*y);

	if (x_length != y_length)
		return x_length < y_length ? -1 : 1;
	return strcmp(*x, *y);
}

static void add_values(const struct outcome *outcome, const struct samples *samples, size_t column,
		       struct text *text)
{
	const char **values = calloc(outcome->sample_count + 1, sizeof *values);
	size_t count = 0;

	if (!values) {
		text->failed = true;
		return;
	}
	for (size_t i = 0; i < outcome->sample_count; i++)
		if (is_new(samples, outcome->samples, i, column))
			values[count++] = samples_cell(samples, outcome->samples[i], column);
	qsort(values, count, sizeof *values, compare_values);
	if (count > VALUES_SHOWN_MAX)
		text_format(text, " %s ... %s (%zu values)", values[0], values[count - 1], count);
	for (size_t i = 0; i < count && count <= VALUES_SHOWN_MAX; i++)
		text_format(text, "%s%s", i ? ", " : " ", values[i]);
	free(values);
}

void outcome_points(const struct outcome *outcome, const struct samples *samples,
		    struct text *ret_text)
{
	for (size_t i = 0; i < samples->axis_count; i++) {
		size_t column = samples->axis_first + i;

		if (count_values(samples, outcome->samples, outcome->sample_count, column) ==
		    count_values(samples, NULL, samples->count, column))
			continue;
		text_format(ret_text, "%s%s", ret_text->used ? "; " : "",
			    csv_table_header(&samples->table, column));
		add_values(outcome, samples, column, ret_text);
	}
	if (!ret_text->used)
		text_add(ret_text, "all points");
}
