/* SPDX-License-Identifier: MIT */
/*
 * A set of numbers that any thread asks and adds to at once without a lock, as it is asked at every
 * launch. Numbers are hashes; two that are equal by chance among a million are one in thirty
 * million programs. A set that is full says of what it does not have that it is there: what it is
 * asked for is whether to measure, and a program must not slow down where that cannot be
 * remembered.
 */
#ifndef TRACE_SEEN_H
#define TRACE_SEEN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define SEEN_MAX 65536

struct seen {
	_Atomic uint64_t keys[SEEN_MAX]; /* 0: free */
};

/* Never 0. */
uint64_t seen_key(uint64_t first, uint64_t second);

/* Whether it was there already, or finds no place. */
bool seen_add(struct seen *seen, uint64_t key);

void seen_clear(struct seen *seen);

#endif
