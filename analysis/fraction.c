/* SPDX-License-Identifier: MIT */
#include "analysis/fraction.h"

#include <stdio.h>

static int128 magnitude(int128 value)
{
	return value < 0 ? -value : value;
}

static int128 common_divisor(int128 a, int128 b)
{
	while (b) {
		int128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

struct fraction fraction_make(int128 numerator, int128 denominator)
{
	int128 divisor = common_divisor(magnitude(numerator), magnitude(denominator));

	if (denominator < 0)
		divisor = -divisor;
	return (struct fraction){ numerator / divisor, denominator / divisor };
}

int fraction_compare(struct fraction a, struct fraction b)
{
	int128 left = a.numerator * b.denominator, right = b.numerator * a.denominator;

	return (left > right) - (left < right);
}

int128 floor_divide(int128 numerator, int128 denominator)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): denominators are positive */
	return numerator / denominator - (numerator % denominator < 0);
}

int128 ceil_divide(int128 numerator, int128 denominator)
{
	return numerator / denominator + (numerator % denominator > 0);
}

bool fraction_roundest(struct fraction low, struct fraction high, int128 *ret_value)
{
	int128 above = floor_divide(low.numerator, low.denominator) + 1;
	int128 below = ceil_divide(high.numerator, high.denominator) - 1;
	int128 power = 1;

	if (above > below)
		return false;
	/* Once only one multiple of a power is inside, no multiple of the next one can be better.
	 */
	while (ceil_divide(above, power * 2) * (power * 2) <= below && power < (int128)1 << 62)
		power *= 2;
	*ret_value = ceil_divide(above, power) * power;
	return true;
}

static struct fraction reciprocal(struct fraction value)
{
	return fraction_make(value.denominator, value.numerator);
}

static struct fraction plus_whole(struct fraction value, int128 whole)
{
	return (struct fraction){ value.numerator + whole * value.denominator, value.denominator };
}

/* The continued fractions of both ends agree as long as no integer lies between them. */
static struct fraction smallest_denominator(struct fraction low, struct fraction high)
{
	int128 whole = floor_divide(low.numerator, low.denominator);
	struct fraction rest;

	if (fraction_compare(fraction_whole(whole + 1), high) < 0)
		return fraction_whole(whole + 1);
	low = plus_whole(low, -whole);
	high = plus_whole(high, -whole);
	if (!low.numerator) /* every large enough reciprocal will do */
		rest = fraction_whole(floor_divide(high.denominator, high.numerator) + 1);
	else
		rest = smallest_denominator(reciprocal(high), reciprocal(low));
	return plus_whole(reciprocal(rest), whole);
}

struct fraction fraction_simplest(struct fraction low, struct fraction high)
{
	int128 whole;

	if (fraction_roundest(low, high, &whole))
		return fraction_whole(whole);
	if (low.numerator > 0 &&
	    fraction_roundest(fraction_make(high.denominator, high.numerator),
			      fraction_make(low.denominator, low.numerator), &whole))
		return fraction_make(1, whole);
	return smallest_denominator(low, high);
}

static char *digits_before(char *end, int128 value)
{
	do {
		*--end = (char)('0' + (int)(value % 10));
		value /= 10;
	} while (value);
	return end;
}

const char *fraction_text(struct fraction value, char *buffer, size_t buffer_size)
{
	char top[48] = "", bottom[48] = "";
	const char *numerator = digits_before(top + sizeof top - 1, magnitude(value.numerator));
	const char *denominator = digits_before(bottom + sizeof bottom - 1, value.denominator);

	snprintf(buffer, buffer_size, "%s%s%s%s", value.numerator < 0 ? "-" : "", numerator,
		 value.denominator == 1 ? "" : "/", value.denominator == 1 ? "" : denominator);
	return buffer;
}
