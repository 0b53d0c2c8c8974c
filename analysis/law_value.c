/* SPDX-License-Identifier: MIT */
/* What a law says, once it is there. */
#include "analysis/law.h"

const char *law_shape_text(enum law_shape shape)
{
	static const char *const texts[] = { [LAW_CONSTANT] = "constant",
					     [LAW_LINEAR] = "linear",
					     [LAW_STAIRCASE] = "staircase",
					     [LAW_SATURATING] = "saturating",
					     [LAW_SLOTS] = "slots" };

	return texts[shape];
}

static struct fraction clamp(const struct law *law, struct fraction value)
{
	if (law->has_floor && fraction_compare(value, fraction_whole(law->floor_bytes)) < 0)
		return fraction_whole(law->floor_bytes);
	if (law->has_cap && fraction_compare(value, fraction_whole(law->cap_bytes)) > 0)
		return fraction_whole(law->cap_bytes);
	return value;
}

struct fraction law_value(const struct law *law, int64_t x)
{
	struct fraction u = law->per_unit,
			rest = law->is_staircase ? law->slack_bytes : law->intercept_bytes;
	int128 granules;

	if (law->shape == LAW_SLOTS)
		return fraction_whole(slots_piece(&law->slots, x));
	if (law->has_free && x <= law->free_until)
		return law->intercept_bytes;
	/* Of one fit, it divides; with another slope of those that are possible it may not. */
	if (u.denominator % rest.denominator) {
		u.numerator *= rest.denominator;
		u.denominator *= rest.denominator;
	}
	rest.numerator *= u.denominator / rest.denominator;
	if (!law->is_staircase)
		return clamp(law, fraction_make(u.numerator * x + rest.numerator, u.denominator));
	granules =
		ceil_divide(u.numerator * x - rest.numerator, u.denominator * law->granule_bytes);
	return clamp(law, fraction_whole(law->intercept_bytes.numerator +
					 granules * law->granule_bytes));
}

int64_t law_first_edge(const struct law *law)
{
	struct fraction u = law->per_unit, slack = law->slack_bytes;
	int128 scale = u.denominator / slack.denominator;

	return (int64_t)floor_divide(slack.numerator * scale, u.numerator) + 1;
}

size_t law_freedom(const struct law *law)
{
	size_t freedom = law->shape == LAW_CONSTANT ? 1 : law->is_staircase ? 3 : 2;

	/* The packing, the slot, the overhead and the slack. */
	if (law->shape == LAW_SLOTS)
		return 4;
	/* An end has a height, and the choice of the points that are on it. */
	return freedom + 2 * (size_t)law->has_floor + 2 * (size_t)law->has_cap +
	       (size_t)law->has_free;
}

bool law_is_tested(const struct law *law)
{
	return law->point_count > law_freedom(law);
}
