/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <string.h>

#include "base/array.h"
#include "kernels/lz4.h"

#define PLAIN_MAX 4096

struct packing {
	const unsigned char *packed;
	size_t packed_bytes;
	const char *plain;
};

#define PACKING(bytes, text)                                                                 \
	{                                                                                    \
		.packed = (const unsigned char *)(bytes), .packed_bytes = sizeof(bytes) - 1, \
		.plain = (text)                                                              \
	}

/* By hand, from the description of the format. */
static const struct packing packings[] = {
	PACKING("\x50hello", "hello"),
	/* Six of the last two, then the literals at the end. */
	PACKING("\x22xy\x02\x00\x10z", "xyxyxyxyz"),
	/* A match that overlaps itself: one byte, 15 + 3 + 4 times. */
	PACKING("\x1f"
		"a"
		"\x01\x00\x03\x10"
		"b",
		"aaaaaaaaaaaaaaaaaaaaaaab"),
	/* 15 literals and none more. */
	PACKING("\xf0\x00"
		"0123456789abcde",
		"0123456789abcde"),
	PACKING("\xf0\x01"
		"0123456789abcdef",
		"0123456789abcdef"),
};

/* Both on the heap and of exactly this size, so that a sanitizer sees any step outside. */
static bool uncompress(const void *packed, size_t packed_bytes, void *plain, size_t plain_bytes)
{
	void *from = malloc(packed_bytes ? packed_bytes : 1);
	void *to = malloc(plain_bytes ? plain_bytes : 1);
	bool good;

	assert_non_null(from);
	assert_non_null(to);
	memcpy(from, packed, packed_bytes);
	good = lz4_uncompress(from, packed_bytes, to, plain_bytes);
	if (good)
		memcpy(plain, to, plain_bytes);
	free(from);
	free(to);
	return good;
}

static void blocks_by_hand_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(packings); i++) {
		const struct packing *p = &packings[i];
		size_t plain_bytes = strlen(p->plain);
		char plain[PLAIN_MAX];

		assert_true(uncompress(p->packed, p->packed_bytes, plain, plain_bytes));
		assert_memory_equal(plain, p->plain, plain_bytes);
	}
}

static void a_length_beyond_255_adds_up(void **state)
{
	/* 1 literal, a match of 15 + 255 + 255 + 10 + 4, 1 literal. */
	static const unsigned char packed[] = { 0x1f, 'a', 1, 0, 255, 255, 10, 0x10, 'b' };
	char plain[1 + 539 + 1] = "";

	(void)state;
	assert_true(uncompress(packed, sizeof packed, plain, sizeof plain));
	for (size_t i = 0; i < sizeof plain - 1; i++)
		assert_int_equal(plain[i], 'a');
	assert_int_equal(plain[sizeof plain - 1], 'b');
}

static void another_size_than_told_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(packings); i++) {
		const struct packing *p = &packings[i];
		size_t plain_bytes = strlen(p->plain);
		char plain[PLAIN_MAX];

		assert_false(uncompress(p->packed, p->packed_bytes, plain, plain_bytes - 1));
		assert_false(uncompress(p->packed, p->packed_bytes, plain, plain_bytes + 1));
	}
}

static void a_block_that_is_cut_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(packings); i++) {
		const struct packing *p = &packings[i];
		char plain[PLAIN_MAX];

		for (size_t cut = 0; cut < p->packed_bytes; cut++)
			assert_false(uncompress(p->packed, cut, plain, strlen(p->plain)));
	}
}

static void a_match_before_the_beginning_is_refused(void **state)
{
	static const unsigned char far[] = { 0x10, 'a', 2, 0, 0x10, 'b' };
	static const unsigned char none[] = { 0x10, 'a', 0, 0, 0x10, 'b' };
	char plain[6];

	(void)state;
	assert_false(uncompress(far, sizeof far, plain, sizeof plain));
	assert_false(uncompress(none, sizeof none, plain, sizeof plain));
}

static void rubbish_stays_within_its_bounds(void **state)
{
	struct dice dice = dice_start();
	unsigned char packed[64], plain[512];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t packed_bytes = dice_below(&dice, sizeof packed);

		for (size_t j = 0; j < packed_bytes; j++)
			packed[j] = (unsigned char)dice_below(&dice, 256);
		uncompress(packed, packed_bytes, plain, dice_below(&dice, sizeof plain));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_by_hand_are_read),
		cmocka_unit_test(a_length_beyond_255_adds_up),
		cmocka_unit_test(another_size_than_told_is_refused),
		cmocka_unit_test(a_block_that_is_cut_is_refused),
		cmocka_unit_test(a_match_before_the_beginning_is_refused),
		cmocka_unit_test(rubbish_stays_within_its_bounds),
	};

	return cmocka_run_group_tests_name("kernels/lz4", tests, NULL, NULL);
}
