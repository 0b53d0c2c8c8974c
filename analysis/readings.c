/* SPDX-License-Identifier: MIT */
#include "analysis/readings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_place(const struct reading *a, const struct reading *b)
{
	return a->column == b->column && !strcmp(a->step, b->step);
}

/* The reading of this place and these words, made when there is none; NULL for lack of memory. */
static struct reading *reading_of(struct readings *readings, const struct reading *wanted)
{
	struct reading *items;

	for (size_t i = 0; i < readings->count; i++)
		if (is_same_place(&readings->items[i], wanted) &&
		    !memcmp(readings->items[i].words, wanted->words, sizeof wanted->words))
			return &readings->items[i];
	items = realloc(readings->items, (readings->count + 1) * sizeof *items);
	if (!items)
		return NULL;
	readings->items = items;
	items[readings->count] = *wanted;
	return &items[readings->count++];
}

static int add_row(struct readings *readings, const struct samples *samples, size_t row,
		   struct reading *wanted)
{
	for (size_t i = 0; i < samples->reading_count; i++) {
		const char *value;
		struct reading *reading;

		wanted->column = samples->reading_first + i;
		wanted->step = csv_table_cell(&samples->table, row, samples->columns.step);
		value = csv_table_cell(&samples->table, row, wanted->column);
		if (!*value)
			continue;
		reading = reading_of(readings, wanted);
		if (!reading || values_add(&reading->values, value) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int compare_readings(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return strcmp(x->step, y->step) ? strcmp(x->step, y->step)
					: step_words_compare(x->words, y->words);
}

static void merge(struct readings *readings, size_t a, size_t b)
{
	step_words_merge(readings->items[a].words, readings->items[b].words);
	values_free(&readings->items[b].values);
	memmove(&readings->items[b], &readings->items[b + 1],
		(readings->count - b - 1) * sizeof *readings->items);
	readings->count--;
}

static bool merge_one(struct readings *readings, const struct step_table *table)
{
	for (size_t a = 0; a < readings->count; a++)
		for (size_t b = a + 1; b < readings->count; b++) {
			const struct reading *x = &readings->items[a], *y = &readings->items[b];

			if (is_same_place(x, y) &&
			    step_words_differ_in_one(table, x->words, y->words) &&
			    values_equal(&x->values, &y->values)) {
				merge(readings, a, b);
				return true;
			}
		}
	return false;
}

static void put_in_order(struct readings *readings, const struct step_table *table)
{
	for (size_t i = 0; i < readings->count; i++)
		values_sort(&readings->items[i].values);
	if (readings->count)
		qsort(readings->items, readings->count, sizeof *readings->items, compare_readings);
	while (merge_one(readings, table))
		;
}

int readings_collect(struct readings *readings, const struct step_table *table,
		     const struct samples *samples, struct err *reterr)
{
	struct readings collected = { 0 };
	int r = 0;

	for (size_t i = 0; i < samples->count && !r; i++) {
		const struct sample_rows *item = &samples->items[i];
		struct reading wanted = { 0 };

		step_words_of(table, samples, i, wanted.words);
		for (size_t k = 0; k < item->row_count && !r; k++)
			r = add_row(&collected, samples, item->first_row + k, &wanted);
	}
	if (r < 0) {
		readings_free(&collected);
		return err_errno(reterr, -r, "readings");
	}
	put_in_order(&collected, table);
	*readings = collected;
	return 0;
}

void readings_free(struct readings *readings)
{
	for (size_t i = 0; i < readings->count; i++)
		values_free(&readings->items[i].values);
	free(readings->items);
	*readings = (struct readings){ 0 };
}
