/* SPDX-License-Identifier: MIT */
#include "analysis/law.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/law_bands.h"
#include "base/array.h"

struct fit {
	const struct law_point *points;
	size_t count;
	int64_t y_min;
	int64_t y_max;
	int64_t granule_bytes;
	struct band *room; /* for as many bands as points */
	struct law_point *hull;
};

struct attempt {
	bool is_staircase;
	bool has_floor;
	bool has_cap;
	bool has_free;
	bool within_granule;
};

/* From simple to complex; exact ones first. */
static const struct attempt attempts[] = {
	{ .is_staircase = false },
	{ .is_staircase = true },
	{ .has_cap = true },
	{ .has_floor = true },
	{ .has_floor = true, .has_cap = true },
	{ .is_staircase = true, .has_cap = true },
	{ .is_staircase = true, .has_floor = true },
	{ .is_staircase = true, .has_floor = true, .has_cap = true },
	{ .is_staircase = true, .has_free = true },
	{ .within_granule = true },
	{ .within_granule = true, .has_cap = true },
	{ .within_granule = true, .has_floor = true },
	{ .within_granule = true, .has_floor = true, .has_cap = true },
};

/* Points that a slope between a floor and a cap needs of its own: two are on a line whatever they
 * are. */
#define LINE_POINTS_MIN      3
#define STAIRCASE_POINTS_MIN 2

/* ---- the offsets that all bands allow ---- */

/* The offsets that go with a slope, in units of 1 / denominator: low <= offset (< | <=) high. */
static void offsets(const struct bands *bands, struct fraction u, int128 *ret_low, int128 *ret_high)
{
	bool has_low = false, has_high = false;

	for (size_t i = 0; i < bands->count; i++) {
		const struct band *band = &bands->items[i];
		int128 least = u.numerator * band->x - u.denominator * band->high;
		int128 most = u.numerator * band->x - u.denominator * band->low;

		if (band->has_high && (!has_low || least > *ret_low)) {
			*ret_low = least;
			has_low = true;
		}
		if (band->has_low && (!has_high || most < *ret_high)) {
			*ret_high = most;
			has_high = true;
		}
	}
}

/* ---- the shapes ---- */

static bool is_on_floor(const struct fit *fit, const struct attempt *attempt, size_t i)
{
	return attempt->has_floor && fit->points[i].y == fit->y_min;
}

/* The points are sorted by x: those before the first one above the lowest. */
static size_t free_count(const struct fit *fit, const struct attempt *attempt)
{
	size_t count = 0;

	while (attempt->has_free && count < fit->count && fit->points[count].y == fit->y_min)
		count++;
	return count;
}

static bool is_on_cap(const struct fit *fit, const struct attempt *attempt, size_t i)
{
	return attempt->has_cap && fit->points[i].y == fit->y_max;
}

/* False when an end that the attempt is about is not there, or too little is left between them. */
static bool has_enough_slope(const struct fit *fit, const struct attempt *attempt)
{
	size_t floor_count = 0, cap_count = 0;

	if (attempt->has_free)
		return free_count(fit, attempt) &&
		       fit->count - free_count(fit, attempt) >= LINE_POINTS_MIN;
	if (!attempt->has_floor && !attempt->has_cap)
		return true;
	for (size_t i = 0; i < fit->count; i++) {
		floor_count += is_on_floor(fit, attempt, i);
		cap_count += is_on_cap(fit, attempt, i);
	}
	return (!attempt->has_floor || floor_count > 1) && (!attempt->has_cap || cap_count > 1) &&
	       fit->count - floor_count - cap_count >=
		       (attempt->is_staircase ? STAIRCASE_POINTS_MIN : LINE_POINTS_MIN);
}

/* False when a staircase has no granule, or a point that is no whole number of them above the
 * lowest. */
static bool make_bands(const struct fit *fit, const struct attempt *attempt, int64_t tolerance,
		       struct bands *ret_bands)
{
	size_t first = free_count(fit, attempt);

	if (attempt->is_staircase && !fit->granule_bytes)
		return false;
	for (size_t i = first; i < fit->count; i++) {
		struct law_point point = fit->points[i];
		struct band *band = &fit->room[i - first];

		*band = (struct band){ .x = point.x,
				       .low = point.y - tolerance,
				       .high = point.y + tolerance,
				       .has_low = !is_on_floor(fit, attempt, i),
				       .has_high = !is_on_cap(fit, attempt, i) };
		if (!attempt->is_staircase)
			continue;
		if ((point.y - fit->y_min) % fit->granule_bytes)
			return false;
		band->high = point.y - fit->y_min;
		band->low = band->high - fit->granule_bytes;
	}
	*ret_bands =
		(struct bands){ fit->room, fit->count - first, !attempt->is_staircase, fit->hull };
	return true;
}

static struct fraction choose_slope(const struct range *range)
{
	if (!fraction_compare(range->low, range->high))
		return range->low;
	return fraction_simplest(range->low, range->high);
}

/*
 * The offset of a staircase: a whole number of granules (rounding up) if it can be, else just below
 * one (rounding down), else the roundest number of bytes.
 */
static int128 choose_offset(int128 low, int128 high, int128 granule, int128 denominator)
{
	int128 up = ceil_divide(low, granule) * granule, bytes;

	if (up < high)
		return up;
	if (!(high % granule))
		return high - 1;
	/* The roundest byte within [low, high) is that strictly within (low - 1, high). */
	if (fraction_roundest(fraction_make(low - 1, denominator), fraction_make(high, denominator),
			      &bytes))
		return bytes * denominator;
	return low;
}

static void place_staircase(const struct fit *fit, const struct bands *bands, struct law *law)
{
	int128 granule = law->per_unit.denominator * fit->granule_bytes, low = 0, high = 0, offset;
	int128 whole;

	offsets(bands, law->per_unit, &low, &high);
	offset = choose_offset(low, high, granule, law->per_unit.denominator);
	/* Where small amounts are free, the steps start at the lowest point whatever lies in
	 * between. */
	whole = law->has_free ? 0 : floor_divide(offset, granule);
	law->slack_bytes = fraction_make(offset - whole * granule, law->per_unit.denominator);
	law->intercept_bytes = fraction_whole(fit->y_min - whole * fit->granule_bytes);
	law->granule_bytes = fit->granule_bytes;
}

static void place_line(const struct bands *bands, struct law *law)
{
	int128 low = 0, high = 0, middle, bytes;

	offsets(bands, law->per_unit, &low, &high);
	middle = low + (high - low) / 2;
	/* A whole number of bytes where the slope leaves room for one. */
	bytes = floor_divide(middle, law->per_unit.denominator) * law->per_unit.denominator;
	law->intercept_bytes =
		fraction_make(bytes >= low ? -bytes : -middle, law->per_unit.denominator);
}

static enum law_shape shape_of(const struct attempt *attempt)
{
	if (attempt->has_floor || attempt->has_cap)
		return LAW_SATURATING;
	return attempt->is_staircase ? LAW_STAIRCASE : LAW_LINEAR;
}

/* Costs grow: a staircase or an end that needs a falling slope explains nothing. */
static bool is_determined(const struct attempt *attempt, const struct range *range)
{
	if (!range->has_low || !range->has_high)
		return false;
	return shape_of(attempt) == LAW_LINEAR || range->low.numerator > 0;
}

static bool try_attempt(const struct fit *fit, const struct attempt *attempt, int64_t tolerance,
			struct law *ret_law)
{
	struct bands bands;
	struct range range;
	struct law law = { .shape = shape_of(attempt), .is_staircase = attempt->is_staircase };

	if (!has_enough_slope(fit, attempt) || !make_bands(fit, attempt, tolerance, &bands) ||
	    !bands_slopes(&bands, &range) || !is_determined(attempt, &range))
		return false;
	law.per_unit = choose_slope(&range);
	law.per_unit_low = range.low;
	law.per_unit_high = range.high;
	law.slack_bytes = fraction_whole(0);
	law.has_floor = attempt->has_floor;
	law.has_cap = attempt->has_cap;
	law.has_free = attempt->has_free;
	if (law.has_free)
		law.free_until = fit->points[free_count(fit, attempt) - 1].x;
	law.floor_bytes = fit->y_min;
	law.cap_bytes = fit->y_max;
	if (attempt->is_staircase)
		place_staircase(fit, &bands, &law);
	else
		place_line(&bands, &law);
	*ret_law = law;
	return true;
}

static struct law constant_law(const struct fit *fit)
{
	return (struct law){ .shape = LAW_CONSTANT,
			     .intercept_bytes =
				     fraction_whole(fit->y_min + (fit->y_max - fit->y_min) / 2),
			     .per_unit = fraction_whole(0),
			     .per_unit_low = fraction_whole(0),
			     .per_unit_high = fraction_whole(0),
			     .slack_bytes = fraction_whole(0) };
}

/*
 * The line whose largest miss is smallest, found by halving the tolerance; then one that may miss a
 * sixteenth more, which leaves room for rounder numbers.
 */
static struct law nearest_line(const struct fit *fit)
{
	const struct attempt line = { 0 };
	int64_t fails = 0, works = fit->y_max - fit->y_min;
	struct law law = constant_law(fit), better;

	while (works - fails > 1) {
		int64_t middle = fails + (works - fails) / 2;

		if (try_attempt(fit, &line, middle, &better)) {
			works = middle;
			law = better;
		} else {
			fails = middle;
		}
	}
	if (try_attempt(fit, &line, works + works / 16, &better))
		law = better;
	return law;
}

/* And at which x; the first of several. */
static int64_t largest_residual(const struct fit *fit, const struct law *law, int64_t *ret_x)
{
	int128 largest = 0;

	*ret_x = fit->points[0].x;
	for (size_t i = 0; i < fit->count; i++) {
		struct fraction value = law_value(law, fit->points[i].x);
		int128 miss = value.numerator - fit->points[i].y * value.denominator;

		miss = ceil_divide(miss < 0 ? -miss : miss, value.denominator);
		if (miss > largest) {
			largest = miss;
			*ret_x = fit->points[i].x;
		}
	}
	return (int64_t)largest;
}

/* The largest number of which all steps of the points are multiples. */
static int64_t common_step(const struct fit *fit)
{
	int64_t step = 0;

	for (size_t i = 0; i < fit->count; i++) {
		int64_t a = fit->points[i].y - fit->y_min;

		while (step) {
			int64_t rest = a % step;

			a = step;
			step = rest;
		}
		step = a;
	}
	return step;
}

/* Memory may be taken in larger pieces than the meter shows. */
static bool try_coarser(const struct fit *fit, struct law *ret_law)
{
	static const struct attempt staircase = { .is_staircase = true };
	struct fit coarser = *fit;

	coarser.granule_bytes = common_step(fit);
	if (fit->granule_bytes <= 0 || coarser.granule_bytes <= fit->granule_bytes)
		return false;
	return try_attempt(&coarser, &staircase, 0, ret_law);
}

static struct law choose(const struct fit *fit)
{
	struct law law = constant_law(fit);
	bool constant_is_near = fit->y_max - law.intercept_bytes.numerator <= fit->granule_bytes;

	if (fit->y_min == fit->y_max)
		return law;
	for (size_t i = 0; i < ARRAY_COUNT(attempts); i++) {
		const struct attempt *attempt = &attempts[i];

		if (attempt->within_granule && constant_is_near)
			return constant_law(fit);
		if (try_attempt(fit, attempt, attempt->within_granule ? fit->granule_bytes : 0,
				&law))
			return law;
	}
	return try_coarser(fit, &law) ? law : nearest_line(fit);
}

/* ---- points ---- */

static int compare_points(const void *a, const void *b)
{
	const struct law_point *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->y > q->y) - (p->y < q->y);
}

static size_t unique(struct law_point *points, size_t count)
{
	size_t kept = 0;

	qsort(points, count, sizeof *points, compare_points);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_points(&points[kept - 1], &points[i]))
			points[kept++] = points[i];
	return kept;
}

bool law_takes(struct law_point point)
{
	return point.x > -LAW_VALUE_MAX && point.x < LAW_VALUE_MAX && point.y > -LAW_VALUE_MAX &&
	       point.y < LAW_VALUE_MAX;
}

static void fit_sorted(struct fit *fit, struct law *ret_law)
{
	struct law law;

	fit->y_min = fit->y_max = fit->points[0].y;
	for (size_t i = 1; i < fit->count; i++) {
		if (fit->points[i].y < fit->y_min)
			fit->y_min = fit->points[i].y;
		if (fit->points[i].y > fit->y_max)
			fit->y_max = fit->points[i].y;
	}
	law = choose(fit);
	law.point_count = fit->count;
	law.residual_max_bytes = largest_residual(fit, &law, &law.worst_x);
	law.holds = law.residual_max_bytes <= fit->granule_bytes;
	*ret_law = law;
}

int law_fit(const struct law_point *points, size_t count, int64_t granule_bytes,
	    struct law *ret_law)
{
	struct law_point *sorted;
	struct fit fit = { .granule_bytes = granule_bytes };

	if (!count)
		return -ENODATA;
	for (size_t i = 0; i < count; i++)
		if (!law_takes(points[i]))
			return -ERANGE;
	if (granule_bytes < 0 || granule_bytes >= LAW_VALUE_MAX)
		return -ERANGE;
	sorted = malloc(count * sizeof *sorted);
	fit.room = malloc(count * sizeof *fit.room);
	fit.hull = malloc(count * sizeof *fit.hull);
	if (!sorted || !fit.room || !fit.hull) {
		free(sorted);
		free(fit.room);
		free(fit.hull);
		return -ENOMEM;
	}
	memcpy(sorted, points, count * sizeof *sorted);
	fit.points = sorted;
	fit.count = unique(sorted, count);
	fit_sorted(&fit, ret_law);
	free(sorted);
	free(fit.room);
	free(fit.hull);
	return 0;
}
