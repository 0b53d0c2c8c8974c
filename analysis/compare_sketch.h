/* SPDX-License-Identifier: MIT */
/*
 * Which points differ, without remembering any.
 *
 * Points fall into buckets. Each sample of BASE adds a digest of all that it says to its point's
 * bucket, each sample of NEW takes its digest away. What is left over is zero where both have the
 * same samples, in whatever order; only the points of other buckets need a second look. (Digests
 * have 128 bits, and each NEW has a weight of its own, so that nothing cancels by chance.)
 */
#ifndef ANALYSIS_COMPARE_SKETCH_H
#define ANALYSIS_COMPARE_SKETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/hash.h"

struct compare_bucket {
	struct hash rest;
	uint32_t sample_count;
	uint32_t byte_count;
};

struct compare_sketch {
	struct compare_bucket *buckets; /* owned */
	size_t bucket_count;            /* a power of two */
	size_t source_count;
};

/* Returns 0 or -ENOMEM. `row_count` is about how many rows there will be. */
int compare_sketch_init(struct compare_sketch *sketch, size_t source_count, size_t row_count);
void compare_sketch_free(struct compare_sketch *sketch);

/* `byte_count`: what the second look would have to hold of the sample. */
void compare_sketch_add(struct compare_sketch *sketch, size_t source, struct hash point,
			struct hash digest, size_t byte_count);

/* The second look may be taken in several rounds, each at a part of the buckets. */
struct compare_round {
	size_t number;
	size_t count;
};

/* Whether the point has to be looked at, in that round. */
bool compare_sketch_differs(const struct compare_sketch *sketch, struct hash point,
			    struct compare_round round);

/* What there is to look at in that round. */
struct compare_load {
	uint64_t sample_count;
	uint64_t byte_count;
};
struct compare_load compare_sketch_load(const struct compare_sketch *sketch,
					struct compare_round round);

#endif
