/* SPDX-License-Identifier: MIT */
#include "analysis/compare_census.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hash.h"

#define FIRST_SLOTS 16

/* Where the value is, or belongs. */
static size_t find_slot(const uint64_t *values, size_t slot_count, uint64_t value)
{
	size_t mask = slot_count - 1, slot = (size_t)value & mask;

	while (values[slot] && values[slot] != value)
		slot = (slot + 1) & mask;
	return slot;
}

static int grow(struct census_axis *axis)
{
	size_t slot_count = axis->slot_count ? axis->slot_count * 2 : FIRST_SLOTS;
	uint64_t *values = calloc(slot_count, sizeof *values);

	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < axis->slot_count; i++)
		if (axis->values[i])
			values[find_slot(values, slot_count, axis->values[i])] = axis->values[i];
	free(axis->values);
	axis->values = values;
	axis->slot_count = slot_count;
	return 0;
}

int census_axis_add(struct census_axis *axis, const char *value)
{
	uint64_t hash = hash_text(value).low | 1;
	size_t slot;

	if (axis->count == CENSUS_VALUES_MAX)
		return 0;
	if (axis->count * 2 >= axis->slot_count) {
		int r = grow(axis);

		if (r < 0)
			return r;
	}
	slot = find_slot(axis->values, axis->slot_count, hash);
	if (!axis->values[slot]) {
		axis->values[slot] = hash;
		axis->count++;
	}
	return 0;
}

static struct census_axis *find_axis(struct compare_census *census, const char *name)
{
	struct census_axis *axis;

	for (size_t i = 0; i < census->axis_count; i++)
		if (!strcmp(census->axes[i].name, name))
			return &census->axes[i];
	/* Of several files, each with axes of its own. */
	if (census->axis_count == COMPARE_AXES_MAX)
		return &census->axes[COMPARE_AXES_MAX - 1];
	axis = &census->axes[census->axis_count];
	axis->name = strdup(name);
	if (!axis->name)
		return NULL;
	census->axis_count++;
	return axis;
}

int compare_census_add(struct compare_census *census, const struct compare_reader *reader,
		       const struct compare_row *row)
{
	int r = 0;

	census->row_count++;
	census->sample_count += row->begins;
	for (size_t i = 0; row->begins && i < reader->axis_count && !r; i++) {
		struct census_axis *axis = find_axis(census, compare_reader_axis(reader, i));

		r = axis ? census_axis_add(axis, row->cells[reader->axis_first + i]) : -ENOMEM;
	}
	return r;
}

void compare_census_free(struct compare_census *census)
{
	for (size_t i = 0; i < census->axis_count; i++) {
		free(census->axes[i].name);
		free(census->axes[i].values);
	}
	*census = (struct compare_census){ 0 };
}

size_t compare_census_values(const struct compare_census *census, const char *axis,
			     size_t axis_length)
{
	for (size_t i = 0; i < census->axis_count; i++)
		if (strlen(census->axes[i].name) == axis_length &&
		    !memcmp(census->axes[i].name, axis, axis_length))
			return census->axes[i].count;
	return 0;
}
