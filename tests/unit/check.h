/* SPDX-License-Identifier: MIT */
/*
 * What every unit test includes: cmocka with the headers that it wants before it, a generator for
 * property tests, and a scratch directory.
 *
 * The generator always starts from the same seed, so a failure happens again; CUCTX_TEST_SEED=N
 * tries other cases.
 */
#ifndef TESTS_UNIT_CHECK_H
#define TESTS_UNIT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

struct dice {
	uint64_t state;
};

static inline struct dice dice_start(void)
{
	const char *seed = getenv("CUCTX_TEST_SEED");

	return (struct dice){ seed ? strtoull(seed, NULL, 10) : 20260131 };
}

/* splitmix64: every seed is a good one, zero included. */
static inline uint64_t dice_roll(struct dice *dice)
{
	uint64_t z = dice->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* 0 … count - 1 */
static inline uint64_t dice_below(struct dice *dice, uint64_t count)
{
	return dice_roll(dice) % count;
}

/* Numbers of all magnitudes are equally likely, small ones and ones near 2^64 included. */
static inline uint64_t dice_any(struct dice *dice)
{
	uint64_t value = dice_roll(dice) >> dice_below(dice, 64);

	return dice_below(dice, 8) ? value : ~value;
}

#endif
