/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)

static const struct {
	const char *text;
	uint64_t bytes;
} good_sizes[] = {
	{ "0", 0 },
	{ "00012", 12 },
	{ "1024", 1024 },
	{ "512B", 512 },
	{ "512b", 512 },
	{ "64K", 64 * KIB },
	{ "64k", 64 * KIB },
	{ "64KB", 64 * KIB },
	{ "64KiB", 64 * KIB },
	{ "64kIb", 64 * KIB },
	{ "3M", 3 * MIB },
	{ "2G", 2 * GIB },
	{ "7TiB", 7 * TIB },
	{ "1.5M", 3 * MIB / 2 },
	{ "0.5K", 512 },
	{ "2.0", 2 },
	{ "2.000", 2 },
	{ "0.0009765625K", 1 },
	{ "1.5000000000000000K", 1536 },
	{ "1.500000000T", 3 * TIB / 2 },
	{ "0.017578125T", 9 * TIB / 512 },
	{ "0.9990234375K", 1023 },
	{ "18446744073709551615", UINT64_MAX },
	{ "000000000000000000000000000001", 1 },
};

static const char *const bad_sizes[] = {
	"",    " ",    "K",    "-1",    "+1",     " 1",  "1 ",    "1 K",   "1KK",
	"1X",  "1Ki",  "1BK",  "0x10",  "1e3",    ".5K", "1.",    "1.K",   "1..5K",
	"1.5", "1.5B", "0.1K", "1,5K",  "1.5.5K", "1P",  "ten",   "1K\n",  "1.0009765624K",
	"nan", "inf",  "١",    "1MiBs", "0.3G",   "1iB", "1.-5K", "1.+5K",
};

static const char *const large_sizes[] = {
	"18446744073709551616", "99999999999999999999999", "16777216T",
	"17179869184G",         "18014398509481984K",      "18446744073709551615K",
};

static void sizes_people_write_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(good_sizes); i++) {
		struct err err = { "" };
		uint64_t bytes = 12345;

		if (size_parse(good_sizes[i].text, &bytes, &err) < 0)
			fail_msg("%s: %s", good_sizes[i].text, err.text);
		if (bytes != good_sizes[i].bytes)
			fail_msg("%s: read as %" PRIu64, good_sizes[i].text, bytes);
	}
}

static void assert_refused(const char *text)
{
	struct err err = { "" };
	uint64_t bytes = 12345;

	if (size_parse(text, &bytes, &err) != -EINVAL)
		fail_msg("'%s' was read as %" PRIu64, text, bytes);
	assert_int_equal(bytes, 12345);
	if (!strstr(err.text, "'"))
		fail_msg("'%s': the message does not quote it: %s", text, err.text);
	assert_int_equal(size_parse(text, &bytes, NULL), -EINVAL);
}

static void other_words_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(bad_sizes); i++)
		assert_refused(bad_sizes[i]);
}

static void overflow_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(large_sizes); i++)
		assert_refused(large_sizes[i]);
}

static void every_number_with_every_suffix(void **state)
{
	static const char *const suffixes[] = { "", "K", "M", "G", "T" };
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		unsigned int power = (unsigned int)dice_below(&dice, ARRAY_COUNT(suffixes));
		uint64_t count = dice_any(&dice), bytes;
		bool fits = count <= UINT64_MAX >> 10 * power;
		char text[64];
		int r;

		snprintf(text, sizeof text, "%" PRIu64 "%s", count, suffixes[power]);
		r = size_parse(text, &bytes, NULL);
		if (r != (fits ? 0 : -EINVAL) || (fits && bytes != count << 10 * power))
			fail_msg("%s: %d, %" PRIu64, text, r, bytes);
	}
}

/* Writes numerator / 2^bits (below 1) exactly: each decimal digit is one multiplication by ten. */
static void write_binary_fraction(char *text, uint64_t numerator, unsigned int bits)
{
	uint64_t mask = ((uint64_t)1 << bits) - 1;

	*text++ = '0';
	*text++ = '.';
	do {
		numerator *= 10;
		*text++ = (char)('0' + (numerator >> bits));
		numerator &= mask;
	} while (numerator);
	*text++ = 'T';
	*text = '\0';
}

static void every_whole_fraction_is_exact(void **state)
{
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		unsigned int bits = 1 + (unsigned int)dice_below(&dice, 18);
		uint64_t numerator = dice_below(&dice, (uint64_t)1 << bits), bytes;
		char text[64];

		write_binary_fraction(text, numerator, bits);
		if (size_parse(text, &bytes, NULL) < 0)
			fail_msg("%s was refused", text);
		if (bytes != numerator << (40 - bits))
			fail_msg("%s: read as %" PRIu64, text, bytes);
	}
}

static const struct {
	int64_t bytes;
	const char *text;
} written_sizes[] = {
	{ 0, "0 B" },
	{ 1, "1 B" },
	{ -1, "-1 B" },
	{ 10, "10 B" },
	{ 1000, "1000 B" },
	{ 1023, "1023 B" },
	{ 1024, "1 KiB" },
	{ 1025, "1 KiB" },
	{ 1536, "1.5 KiB" },
	{ 10240, "10 KiB" },
	{ -2097152, "-2 MiB" },
	{ 548995072, "523.56 MiB" },
	{ 1048575, "1 MiB" },
	{ 1073741823, "1 GiB" },
	{ 1048570, "1023.99 KiB" },
	{ INT64_MAX, "8388608 TiB" },
	{ INT64_MIN, "-8388608 TiB" },
};

static void sizes_are_written_for_people(void **state)
{
	char text[SIZE_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(written_sizes); i++) {
		assert_ptr_equal(size_format(written_sizes[i].bytes, text, sizeof text), text);
		assert_string_equal(text, written_sizes[i].text);
	}
}

/* What is written can be read again, and is at most half of the last digit away from the truth. */
static void written_sizes_are_near(void **state)
{
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t bytes = (int64_t)(dice_any(&dice) >> 1);
		char text[SIZE_TEXT_MAX];
		char *unit;
		double value, scale = 1;

		size_format(bytes, text, sizeof text);
		value = strtod(text, &unit);
		if (strcmp(unit, " B"))
			for (const char *u = "KMGT"; *u; u++) {
				scale *= 1024;
				if (unit[1] == *u)
					break;
			}
		if (value >= 1024 && scale < (double)TIB)
			fail_msg("%" PRId64 ": %s has a shorter form", bytes, text);
		if (value * scale - (double)bytes > 0.00501 * scale ||
		    (double)bytes - value * scale > 0.00501 * scale)
			fail_msg("%" PRId64 " was written as %s", bytes, text);
	}
}

static void a_small_buffer_is_not_overrun(void **state)
{
	char text[8] = "1234567";

	(void)state;
	size_format(548995072, text, 4);
	assert_memory_equal(text, "523\000567", 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_people_write_are_read),
		cmocka_unit_test(other_words_are_refused),
		cmocka_unit_test(overflow_is_refused),
		cmocka_unit_test(every_number_with_every_suffix),
		cmocka_unit_test(every_whole_fraction_is_exact),
		cmocka_unit_test(sizes_are_written_for_people),
		cmocka_unit_test(written_sizes_are_near),
		cmocka_unit_test(a_small_buffer_is_not_overrun),
	};

	return cmocka_run_group_tests_name("base/size", tests, NULL, NULL);
}
