/* SPDX-License-Identifier: MIT */
/*
 * 128 bits that stand for some text: of a million different texts, no two get the same by chance.
 * Not meant to withstand somebody who looks for two that do.
 */
#ifndef ANALYSIS_HASH_H
#define ANALYSIS_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash {
	uint64_t high;
	uint64_t low;
};

struct hash hash_text(const char *text);

/* Depends on the order of the two. */
struct hash hash_join(struct hash first, struct hash second);

/* Of several, in whatever order they are added; carries from half to half. */
struct hash hash_add(struct hash a, struct hash b);
struct hash hash_subtract(struct hash a, struct hash b);

/* `value` times an odd number that belongs to `number`. */
struct hash hash_weigh(struct hash value, uint64_t number);

static inline bool hash_equal(struct hash a, struct hash b)
{
	return a.high == b.high && a.low == b.low;
}

static inline bool hash_is_zero(struct hash a)
{
	return !a.high && !a.low;
}

#endif
