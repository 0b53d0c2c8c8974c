/* SPDX-License-Identifier: MIT */
/* The slopes that many inequalities leave, against every pair of them looked at by itself. */
#include "tests/unit/check.h"

#include <stdint.h>
#include <stdlib.h>

#include "analysis/law_bands.h"
#include "base/array.h"

#define BANDS_MAX 12
#define MANY      20000

/* The same numbers in every run of the test. */
static uint32_t seed = 1;

static int64_t random_below(int64_t limit)
{
	seed = seed * 1664525u + 1013904223u;
	return (int64_t)(seed >> 8) % limit;
}

static bool pair_slopes(const struct band *a, const struct band *b, bool is_closed,
			struct range *range)
{
	int128 rise = (int128)a->low - b->high, run = (int128)a->x - b->x;
	struct fraction slope;

	if (!a->has_low || !b->has_high)
		return true;
	if (!run)
		return is_closed ? rise <= 0 : rise < 0;
	slope = fraction_make(rise, run);
	if (run > 0 && (!range->has_low || fraction_compare(slope, range->low) > 0)) {
		range->low = slope;
		range->has_low = true;
	}
	if (run < 0 && (!range->has_high || fraction_compare(slope, range->high) < 0)) {
		range->high = slope;
		range->has_high = true;
	}
	return true;
}

static bool all_pairs(const struct bands *bands, struct range *ret_range)
{
	struct range range = { 0 };

	for (size_t i = 0; i < bands->count; i++)
		for (size_t j = 0; j < bands->count; j++)
			if (!pair_slopes(&bands->items[i], &bands->items[j], bands->is_closed,
					 &range))
				return false;
	*ret_range = range;
	if (!range.has_low || !range.has_high)
		return true;
	return fraction_compare(range.low, range.high) < (bands->is_closed ? 1 : 0);
}

static struct bands random_bands(struct band *items, struct law_point *hull)
{
	struct bands bands = { .items = items,
			       .count = (size_t)random_below(BANDS_MAX) + 1,
			       .is_closed = random_below(2),
			       .hull = hull };
	int64_t x = 0, slope = random_below(5) - 2, width = random_below(6) + 1;

	for (size_t i = 0; i < bands.count; i++) {
		int64_t low = slope * x + random_below(4);

		items[i] = (struct band){ .x = x,
					  .low = low,
					  .high = low + width,
					  .has_low = random_below(8) != 0,
					  .has_high = random_below(8) != 0 };
		x += random_below(3); /* the same x again and again, too */
	}
	return bands;
}

static void assert_end(bool has, struct fraction end, bool wanted_has, struct fraction wanted)
{
	assert_int_equal(has, wanted_has);
	if (has)
		assert_int_equal(fraction_compare(end, wanted), 0);
}

static void no_pair_is_overlooked(void **state)
{
	size_t met_count = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct band items[BANDS_MAX];
		struct law_point hull[BANDS_MAX];
		struct bands bands = random_bands(items, hull);
		struct range wanted, range;
		bool can_be = all_pairs(&bands, &wanted);

		assert_int_equal(bands_slopes(&bands, &range), can_be);
		if (!can_be)
			continue;
		met_count++;
		assert_end(range.has_low, range.low, wanted.has_low, wanted.low);
		assert_end(range.has_high, range.high, wanted.has_high, wanted.high);
	}
	/* Both answers are put to the test. */
	assert_in_range(met_count, 2000, 18000);
}

/* Looked at in pairs, these points would take hours. */
static void many_points_take_no_longer_than_their_file(void **state)
{
	struct law_point *points = calloc(MANY, sizeof *points);
	struct law law;

	(void)state;
	assert_non_null(points);
	for (int64_t i = 0; i < MANY; i++)
		points[i] = (struct law_point){ i, 7 * i + random_below(1000) * 4096 };
	assert_int_equal(law_fit(points, MANY, 4096, &law), 0);
	assert_int_equal(law.point_count, MANY);
	assert_false(law.holds);
	for (int64_t i = 0; i < MANY; i++)
		points[i] = (struct law_point){ i, (7 * i + 4095) / 4096 * 4096 };
	assert_int_equal(law_fit(points, MANY, 4096, &law), 0);
	assert_int_equal(law.shape, LAW_STAIRCASE);
	assert_int_equal(law.per_unit.numerator, 7);
	assert_int_equal(law.per_unit.denominator, 1);
	free(points);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pair_is_overlooked),
		cmocka_unit_test(many_points_take_no_longer_than_their_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
