/* SPDX-License-Identifier: MIT */
#include "analysis/hash.h"

#include <string.h>

/* Odd, and half of their bits set: digits of the golden ratio, of e, of pi, and of sqrt(2). */
#define PRIME_A UINT64_C(0x9e3779b97f4a7c15)
#define PRIME_B UINT64_C(0xadf85458a2bb4a9b)
#define PRIME_C UINT64_C(0xc90fdaa22168c235)
#define PRIME_D UINT64_C(0xb504f333f9de6485)

typedef unsigned __int128 uint128;

/* Each bit of the product hangs on all bits of both; the halves are folded. */
static uint64_t fold(uint64_t a, uint64_t b)
{
	uint128 product = (uint128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static struct hash mix(struct hash hash, uint64_t word)
{
	return (struct hash){ fold(hash.high ^ word, PRIME_A) ^ hash.low,
			      fold(hash.low ^ (word + PRIME_B), PRIME_C) + hash.high };
}

struct hash hash_text(const char *text)
{
	size_t length = strlen(text);
	struct hash hash = { PRIME_B ^ length, PRIME_D };
	uint64_t word;

	for (; length >= sizeof word; length -= sizeof word, text += sizeof word) {
		memcpy(&word, text, sizeof word);
		hash = mix(hash, word);
	}
	word = 0;
	memcpy(&word, text, length);
	return mix(mix(hash, word), PRIME_D);
}

struct hash hash_join(struct hash first, struct hash second)
{
	return mix(mix(mix(first, second.high), second.low), PRIME_A);
}

static uint128 whole(struct hash hash)
{
	return (uint128)hash.high << 64 | hash.low;
}

static struct hash halves(uint128 value)
{
	return (struct hash){ (uint64_t)(value >> 64), (uint64_t)value };
}

struct hash hash_add(struct hash a, struct hash b)
{
	return halves(whole(a) + whole(b));
}

struct hash hash_subtract(struct hash a, struct hash b)
{
	return halves(whole(a) - whole(b));
}

struct hash hash_weigh(struct hash value, uint64_t number)
{
	struct hash factor = mix(mix((struct hash){ PRIME_C, PRIME_A }, number), number);

	return halves(whole(value) * (whole(factor) | 1));
}
