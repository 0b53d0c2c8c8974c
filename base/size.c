/* SPDX-License-Identifier: MIT */
#include "base/size.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"

#define FRACTION_DIGITS_MAX 19

static const struct {
	char letter;
	unsigned int shift;
} scales[] = { { 'k', 10 }, { 'm', 20 }, { 'g', 30 }, { 't', 40 } };

static bool parse_suffix(const char *text, unsigned int *ret_shift)
{
	*ret_shift = 0;
	for (size_t i = 0; i < ARRAY_COUNT(scales) && *text; i++) {
		if ((*text | 0x20) != scales[i].letter)
			continue;
		*ret_shift = scales[i].shift;
		text++;
		return !*text || !strcasecmp(text, "ib") || !strcasecmp(text, "b");
	}
	return !*text || !strcasecmp(text, "b");
}

static const char *parse_digits(const char *text, uint64_t *ret_value, unsigned int *ret_digits)
{
	uint64_t value = 0;
	unsigned int digits = 0;

	for (; *text >= '0' && *text <= '9'; text++, digits++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
			return NULL;
	}
	*ret_value = value;
	*ret_digits = digits;
	return digits ? text : NULL;
}

/*
 * fraction / 10^digits of 2^shift bytes. That is fraction / 5^digits * 2^(shift - digits), and
 * since 5 divides no power of two, both quotients must come out even. Nothing overflows:
 * parse_digits() has seen to fraction < 2^64, the result is below 2^shift.
 */
static bool fraction_bytes(uint64_t fraction, unsigned int digits, unsigned int shift,
			   uint64_t *ret_bytes)
{
	for (unsigned int i = 0; i < digits; i++) {
		if (fraction % 5)
			return false;
		fraction /= 5;
	}
	if (digits > shift && fraction & (((uint64_t)1 << (digits - shift)) - 1))
		return false;
	*ret_bytes = digits > shift ? fraction >> (digits - shift) : fraction << (shift - digits);
	return true;
}

int size_parse(const char *text, uint64_t *ret_value, struct err *reterr)
{
	uint64_t whole, fraction = 0;
	unsigned int digits, fraction_digits = 0, shift;
	const char *rest = text + strspn(text, "0123456789");

	if (rest != text && *rest == '.')
		rest = parse_digits(rest + 1, &fraction, &fraction_digits);
	if (rest == text || !rest || fraction_digits > FRACTION_DIGITS_MAX ||
	    !parse_suffix(rest, &shift))
		return err_set(reterr, EINVAL, "'%s' is not a size (examples: 512, 64K, 1.5M, 2G)",
			       text);
	if (!parse_digits(text, &whole, &digits) || whole > UINT64_MAX >> shift)
		return err_set(reterr, EINVAL, "'%s' is larger than 64 bits hold", text);
	if (!fraction_bytes(fraction, fraction_digits, shift, &fraction))
		return err_set(reterr, EINVAL, "'%s' is not a whole number of bytes", text);
	*ret_value = (whole << shift) + fraction;
	return 0;
}

static void trim_zeros(char *number)
{
	char *end = number + strlen(number);

	while (end > number && end[-1] == '0')
		*--end = '\0';
	if (end > number && end[-1] == '.')
		end[-1] = '\0';
}

const char *size_format(int64_t bytes, char *buffer, size_t buffer_size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	uint64_t magnitude = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
	double value = (double)magnitude;
	size_t unit = 0;
	char number[SIZE_TEXT_MAX];

	/* What two decimals would round up to 1024 is one of the next unit. */
	for (; unit + 1 < ARRAY_COUNT(units) && value >= 1023.995; unit++)
		value /= 1024;
	snprintf(number, sizeof number, "%.2f", value);
	trim_zeros(number);
	snprintf(buffer, buffer_size, "%s%s %s", bytes < 0 ? "-" : "", number, units[unit]);
	return buffer;
}
