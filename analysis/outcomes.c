/* SPDX-License-Identifier: MIT */
#include "analysis/outcomes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/regions.h"

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

void outcome_points(const struct outcome *outcome, const struct samples *samples,
		    struct text *ret_text)
{
	regions_tell(samples, outcome->samples, outcome->sample_count, ret_text);
}
