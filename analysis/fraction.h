/* SPDX-License-Identifier: MIT */
/*
 * Exact numbers for the laws: a verdict about bytes must not hang on a rounding error.
 *
 * A fraction is reduced and its denominator positive. Whoever builds fractions keeps numerators and
 * denominators below 2^63, so that the products here fit 128 bits.
 */
#ifndef ANALYSIS_FRACTION_H
#define ANALYSIS_FRACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef __int128 int128;

struct fraction {
	int128 numerator;
	int128 denominator;
};

struct fraction fraction_make(int128 numerator, int128 denominator);
static inline struct fraction fraction_whole(int128 value)
{
	return (struct fraction){ value, 1 };
}

/* Less than, equal to or greater than zero as a is to b. */
int fraction_compare(struct fraction a, struct fraction b);

/* Towards minus infinity; the denominator is positive. */
int128 floor_divide(int128 numerator, int128 denominator);
int128 ceil_divide(int128 numerator, int128 denominator);

/*
 * The integer strictly between low and high that is divisible by the largest power of two: sizes
 * and counts in a machine are round in binary. False when there is no integer.
 */
bool fraction_roundest(struct fraction low, struct fraction high, int128 *ret_value);

static inline struct fraction fraction_magnitude(struct fraction value)
{
	return (struct fraction){ value.numerator < 0 ? -value.numerator : value.numerator,
				  value.denominator };
}

/*
 * That integer; else, below 1, one divided by the roundest integer; else the fraction of the
 * smallest denominator strictly between low < high.
 */
struct fraction fraction_simplest(struct fraction low, struct fraction high);

/* "33", "-5/2". Returns `buffer`. */
const char *fraction_text(struct fraction value, char *buffer, size_t buffer_size);

#define FRACTION_TEXT_MAX 96

#endif
