/* SPDX-License-Identifier: MIT */
#include "analysis/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/values.h"

#define REGIONS_MAX 32
#define TOLD_MAX    6

/* Every point there is as numbers of its values on each axis. */
struct grid {
	const struct samples *samples;
	struct values *values; /* per axis, in order */
	size_t *numbers;       /* per point and axis */
	bool **marks;          /* per axis and value: whether the region in question has it */
	size_t point_count;
	size_t axis_count;
};

struct region {
	size_t *points; /* owned */
	size_t count;
};

struct regions {
	struct region items[REGIONS_MAX];
	size_t count;
	bool too_many;
};

/* ---- the grid ---- */

static size_t *number_of(const struct grid *grid, size_t point, size_t axis)
{
	return &grid->numbers[point * grid->axis_count + axis];
}

static const char *text_of(const struct grid *grid, size_t sample, size_t axis)
{
	return samples_cell(grid->samples, sample, grid->samples->axis_first + axis);
}

/* Of values in order, each once. */
static void keep_different(struct values *values)
{
	size_t kept = 0;

	for (size_t i = 0; i < values->count; i++)
		if (!kept || strcmp(values->items[kept - 1], values->items[i]))
			values->items[kept++] = values->items[i];
	values->count = kept;
}

static int number_axis(struct grid *grid, size_t axis)
{
	const struct samples *samples = grid->samples;
	struct values *values = &grid->values[axis];

	values->items = calloc(samples->count + 1, sizeof *values->items);
	if (!values->items)
		return -ENOMEM;
	for (size_t i = 0; i < samples->count; i++)
		values->items[values->count++] = text_of(grid, i, axis);
	values_sort(values);
	keep_different(values);
	grid->marks[axis] = calloc(values->count + 1, sizeof *grid->marks[axis]);
	if (!grid->marks[axis])
		return -ENOMEM;
	for (size_t i = 0; i < samples->count; i++) {
		const char *text = text_of(grid, i, axis);
		const char **found = bsearch(&text, values->items, values->count,
					     sizeof *values->items, values_compare);

		*number_of(grid, samples->items[i].point, axis) = (size_t)(found - values->items);
	}
	return 0;
}

static void grid_free(struct grid *grid)
{
	for (size_t i = 0; i < grid->axis_count; i++) {
		if (grid->values)
			values_free(&grid->values[i]);
		if (grid->marks)
			free(grid->marks[i]);
	}
	free(grid->values);
	free(grid->marks);
	free(grid->numbers);
}

static int grid_make(struct grid *grid, const struct samples *samples)
{
	struct grid made = { .samples = samples,
			     .point_count = samples->point_count,
			     .axis_count = samples->axis_count };
	int r = 0;

	made.values = calloc(made.axis_count + 1, sizeof *made.values);
	made.marks = calloc(made.axis_count + 1, sizeof *made.marks);
	made.numbers = calloc(made.axis_count * made.point_count + 1, sizeof *made.numbers);
	if (!made.values || !made.marks || !made.numbers)
		r = -ENOMEM;
	for (size_t axis = 0; axis < made.axis_count && !r; axis++)
		r = number_axis(&made, axis);
	if (r < 0) {
		grid_free(&made);
		return r;
	}
	*grid = made;
	return 0;
}

/* ---- regions ---- */

static void mark(const struct grid *grid, const struct region *region)
{
	for (size_t i = 0; i < region->count; i++)
		for (size_t axis = 0; axis < grid->axis_count; axis++)
			grid->marks[axis][*number_of(grid, region->points[i], axis)] = true;
}

static void unmark(const struct grid *grid)
{
	for (size_t axis = 0; axis < grid->axis_count; axis++)
		memset(grid->marks[axis], 0, grid->values[axis].count * sizeof **grid->marks);
}

static bool has_marks(const struct grid *grid, size_t point)
{
	for (size_t axis = 0; axis < grid->axis_count; axis++)
		if (!grid->marks[axis][*number_of(grid, point, axis)])
			return false;
	return true;
}

/* Whether the points of both are all there are with their values; `b` may be NULL. */
static bool is_product(const struct grid *grid, const struct region *a, const struct region *b)
{
	size_t count = 0;

	unmark(grid);
	mark(grid, a);
	if (b)
		mark(grid, b);
	for (size_t point = 0; point < grid->point_count; point++)
		count += has_marks(grid, point);
	return count == a->count + (b ? b->count : 0);
}

static int add_region(struct regions *regions, const struct region *region)
{
	size_t *points;

	if (regions->count == REGIONS_MAX) {
		regions->too_many = true;
		return 0;
	}
	points = calloc(region->count + 1, sizeof *points);
	if (!points)
		return -ENOMEM;
	memcpy(points, region->points, region->count * sizeof *points);
	regions->items[regions->count++] = (struct region){ points, region->count };
	return 0;
}

static void regions_free(struct regions *regions)
{
	for (size_t i = 0; i < regions->count; i++)
		free(regions->items[i].points);
}

/* Words first: they tell more than numbers do. */
static size_t axis_at(const struct grid *grid, size_t place)
{
	for (int numbers = 0; numbers < 2; numbers++)
		for (size_t axis = 0; axis < grid->axis_count; axis++)
			if (samples_axis_is_number(grid->samples, axis) == numbers && !place--)
				return axis;
	return 0;
}

/* Into products, by one axis after the other. */
static int split(const struct grid *grid, const struct region *region, size_t place,
		 struct regions *regions)
{
	size_t axis = axis_at(grid, place);
	struct region part = { 0 };
	int r = 0;

	if (place == grid->axis_count || is_product(grid, region, NULL))
		return add_region(regions, region);
	part.points = calloc(region->count + 1, sizeof *part.points);
	if (!part.points)
		return -ENOMEM;
	for (size_t value = 0; value < grid->values[axis].count && !r && !regions->too_many;
	     value++) {
		part.count = 0;
		for (size_t i = 0; i < region->count; i++)
			if (*number_of(grid, region->points[i], axis) == value)
				part.points[part.count++] = region->points[i];
		if (part.count)
			r = split(grid, &part, place + 1, regions);
	}
	free(part.points);
	return r;
}

static int join(struct regions *regions, size_t a, size_t b)
{
	struct region *into = &regions->items[a], *from = &regions->items[b];
	size_t *points = realloc(into->points, (into->count + from->count) * sizeof *points);

	if (!points)
		return -ENOMEM;
	memcpy(&points[into->count], from->points, from->count * sizeof *points);
	into->points = points;
	into->count += from->count;
	free(from->points);
	regions->count--;
	for (size_t i = b; i < regions->count; i++)
		regions->items[i] = regions->items[i + 1];
	return 0;
}

/* Two that are a product together: 1 when there were such, 0, or -ENOMEM. */
static int join_two(const struct grid *grid, struct regions *regions)
{
	for (size_t a = 0; a < regions->count; a++)
		for (size_t b = a + 1; b < regions->count; b++)
			if (is_product(grid, &regions->items[a], &regions->items[b]))
				return join(regions, a, b) < 0 ? -ENOMEM : 1;
	return 0;
}

/* ---- words ---- */

static void add_values(const struct grid *grid, size_t axis, struct text *text)
{
	const struct values *all = &grid->values[axis];
	struct values some = { .items = calloc(all->count + 1, sizeof *some.items) };
	size_t first = 0, last = 0;

	if (!some.items) {
		text->failed = true;
		return;
	}
	for (size_t i = 0; i < all->count; i++) {
		if (!grid->marks[axis][i])
			continue;
		first = some.count ? first : i;
		last = i;
		some.items[some.count++] = all->items[i];
	}
	/* Values that are not shown must not be taken for all in between. */
	if (some.count > VALUES_SHOWN_MAX && some.count <= last - first)
		text_format(text, "%s ... %s (%zu of these %zu values)", all->items[first],
			    all->items[last], some.count, last - first + 1);
	else
		values_list(&some, text);
	values_free(&some);
}

static bool has_all(const struct grid *grid, size_t axis)
{
	for (size_t i = 0; i < grid->values[axis].count; i++)
		if (!grid->marks[axis][i])
			return false;
	return true;
}

static void tell(const struct grid *grid, const struct region *region, struct text *text)
{
	const char *separator = "";

	unmark(grid);
	mark(grid, region);
	for (size_t axis = 0; axis < grid->axis_count; axis++) {
		if (has_all(grid, axis))
			continue;
		text_format(
			text, "%s%s ", separator,
			csv_table_header(&grid->samples->table, grid->samples->axis_first + axis));
		add_values(grid, axis, text);
		separator = "; ";
	}
	if (!*separator)
		text_add(text, "all points");
}

static int tell_all(const struct grid *grid, const struct region *all, struct text *text)
{
	struct regions regions = { 0 };
	int r = split(grid, all, 0, &regions);

	while (!r && !regions.too_many && (r = join_two(grid, &regions)) > 0)
		r = 0;
	if (!r && (regions.too_many || regions.count > TOLD_MAX))
		text_format(text, "%zu of %zu points", all->count, grid->point_count);
	else
		for (size_t i = 0; i < regions.count && !r; i++) {
			text_add(text, i ? " or " : "");
			tell(grid, &regions.items[i], text);
		}
	regions_free(&regions);
	return r;
}

/* Each point once. */
static int collect(const struct samples *samples, const size_t *chosen, size_t count,
		   struct region *ret_region)
{
	bool *is_chosen = calloc(samples->point_count + 1, sizeof *is_chosen);
	struct region region = { .points = calloc(count + 1, sizeof *region.points) };

	if (!is_chosen || !region.points) {
		free(is_chosen);
		free(region.points);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		size_t point = samples->items[chosen[i]].point;

		if (!is_chosen[point])
			region.points[region.count++] = point;
		is_chosen[point] = true;
	}
	free(is_chosen);
	*ret_region = region;
	return 0;
}

void regions_tell(const struct samples *samples, const size_t *chosen, size_t count,
		  struct text *ret_text)
{
	struct region region = { 0 };
	struct grid grid = { 0 };
	int r = collect(samples, chosen, count, &region);

	if (!r)
		r = grid_make(&grid, samples);
	if (!r)
		r = tell_all(&grid, &region, ret_text);
	if (r < 0)
		ret_text->failed = true;
	grid_free(&grid);
	free(region.points);
}
