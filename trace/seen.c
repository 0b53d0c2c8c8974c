/* SPDX-License-Identifier: MIT */
#include "trace/seen.h"

#include <stddef.h>

/* How far from its place a key is looked for. */
#define REACH 64

/* The finalizer of MurmurHash3 (A. Appleby, public domain): every bit of the input moves all. */
static uint64_t mix(uint64_t word)
{
	word = (word ^ word >> 33) * 0xff51afd7ed558ccdULL;
	word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53ULL;
	return word ^ word >> 33;
}

uint64_t seen_key(uint64_t first, uint64_t second)
{
	uint64_t key = mix(first + 0x9e3779b97f4a7c15ULL * mix(second + 1));

	return key ? key : 1;
}

bool seen_add(struct seen *seen, uint64_t key)
{
	for (size_t i = 0; i < REACH; i++) {
		_Atomic uint64_t *place = &seen->keys[(key + i) % SEEN_MAX];
		uint64_t there = atomic_load_explicit(place, memory_order_relaxed);

		if (!there && atomic_compare_exchange_strong(place, &there, key))
			return false;
		if (there == key)
			return true;
	}
	return true;
}

void seen_clear(struct seen *seen)
{
	for (size_t i = 0; i < SEEN_MAX; i++)
		atomic_store_explicit(&seen->keys[i], 0, memory_order_relaxed);
}
