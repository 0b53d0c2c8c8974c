/* SPDX-License-Identifier: MIT */
#include "analysis/law_bands.h"

#include <stddef.h>

static void raise_low(struct range *range, struct fraction low)
{
	if (!range->has_low || fraction_compare(low, range->low) > 0)
		range->low = low;
	range->has_low = true;
}

static void lower_high(struct range *range, struct fraction high)
{
	if (!range->has_high || fraction_compare(high, range->high) < 0)
		range->high = high;
	range->has_high = true;
}

/*
 * A lower end must be above an upper end of a smaller x by no more than the slope gives, so the
 * slope is at least that of the steepest line from any upper end to any lower end behind it; and,
 * with both turned upside down, at most that of the least steep one from a lower end to an upper
 * end. From a point behind them all, the steepest line touches the lower hull of the others.
 */
struct hull {
	struct law_point *points; /* from left to right, turning left; the caller's */
	size_t count;
};

/* Positive when `c` is above the line from `a` to `b`. */
static int128 turn(struct law_point a, struct law_point b, struct law_point c)
{
	return ((int128)b.x - a.x) * ((int128)c.y - a.y) -
	       ((int128)b.y - a.y) * ((int128)c.x - a.x);
}

/* `point` is behind all others. */
static void hull_add(struct hull *hull, struct law_point point)
{
	while (hull->count > 1 &&
	       turn(hull->points[hull->count - 2], hull->points[hull->count - 1], point) <= 0)
		hull->count--;
	hull->points[hull->count++] = point;
}

static struct fraction steepest(const struct hull *hull, struct law_point point)
{
	size_t low = 0, high = hull->count - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (turn(hull->points[middle], hull->points[middle + 1], point) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return fraction_make((int128)point.y - hull->points[low].y,
			     (int128)point.x - hull->points[low].x);
}

static void narrow_low(const struct bands *bands, struct range *range)
{
	struct hull hull = { .points = bands->hull };

	for (size_t i = 0; i < bands->count; i++) {
		const struct band *band = &bands->items[i];

		if (band->has_low && hull.count)
			raise_low(range, steepest(&hull, (struct law_point){ band->x, band->low }));
		if (band->has_high)
			hull_add(&hull, (struct law_point){ band->x, band->high });
	}
}

static void narrow_high(const struct bands *bands, struct range *range)
{
	struct hull hull = { .points = bands->hull };

	for (size_t i = 0; i < bands->count; i++) {
		const struct band *band = &bands->items[i];
		struct fraction slope;

		if (band->has_high && hull.count) {
			slope = steepest(&hull, (struct law_point){ band->x, -band->high });
			slope.numerator = -slope.numerator;
			lower_high(range, slope);
		}
		if (band->has_low)
			hull_add(&hull, (struct law_point){ band->x, -band->low });
	}
}

/* Those of one x are one. False where they contradict each other. */
static bool merge_bands(struct bands *bands)
{
	size_t kept = 0;

	for (size_t i = 0; i < bands->count; i++) {
		struct band band = bands->items[i], *last = &bands->items[kept ? kept - 1 : 0];

		if (!kept || last->x != band.x) {
			bands->items[kept++] = band;
			continue;
		}
		if (band.has_low && (!last->has_low || band.low > last->low))
			last->low = band.low;
		if (band.has_high && (!last->has_high || band.high < last->high))
			last->high = band.high;
		last->has_low |= band.has_low;
		last->has_high |= band.has_high;
		if (last->has_low && last->has_high &&
		    (last->low > last->high || (!bands->is_closed && last->low == last->high)))
			return false;
	}
	bands->count = kept;
	return true;
}

bool bands_slopes(struct bands *bands, struct range *ret_range)
{
	struct range range = { 0 };
	int order;

	if (!merge_bands(bands))
		return false;
	narrow_low(bands, &range);
	narrow_high(bands, &range);
	if (range.has_low && range.has_high) {
		order = fraction_compare(range.low, range.high);
		if (order > 0 || (!order && !bands->is_closed))
			return false;
	}
	*ret_range = range;
	return true;
}
