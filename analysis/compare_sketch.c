/* SPDX-License-Identifier: MIT */
#include "analysis/compare_sketch.h"

#include <errno.h>
#include <stdlib.h>

#define BUCKETS_MIN ((size_t)1 << 8)
#define BUCKETS_MAX ((size_t)1 << 19)
/* A sample has some more rows than this. */
#define ROWS_PER_BUCKET 4

int compare_sketch_init(struct compare_sketch *sketch, size_t source_count, size_t row_count)
{
	size_t bucket_count = BUCKETS_MIN;

	while (bucket_count < BUCKETS_MAX && bucket_count * ROWS_PER_BUCKET < row_count)
		bucket_count *= 2;
	*sketch = (struct compare_sketch){
		.buckets = calloc(bucket_count, sizeof *sketch->buckets),
		.bucket_count = bucket_count,
		.source_count = source_count,
	};
	return sketch->buckets ? 0 : -ENOMEM;
}

void compare_sketch_free(struct compare_sketch *sketch)
{
	free(sketch->buckets);
	*sketch = (struct compare_sketch){ 0 };
}

static size_t bucket_number(const struct compare_sketch *sketch, struct hash point)
{
	return (size_t)point.low & (sketch->bucket_count - 1);
}

void compare_sketch_add(struct compare_sketch *sketch, size_t source, struct hash point,
			struct hash digest, size_t byte_count)
{
	struct compare_bucket *bucket = &sketch->buckets[bucket_number(sketch, point)];

	digest = hash_join(point, digest);
	if (source) {
		bucket->rest = hash_subtract(bucket->rest, hash_weigh(digest, source));
	} else {
		for (size_t i = 1; i < sketch->source_count; i++)
			bucket->rest = hash_add(bucket->rest, hash_weigh(digest, i));
	}
	bucket->sample_count++;
	if (byte_count > UINT32_MAX - bucket->byte_count)
		bucket->byte_count = UINT32_MAX;
	else
		bucket->byte_count += (uint32_t)byte_count;
}

bool compare_sketch_differs(const struct compare_sketch *sketch, struct hash point,
			    struct compare_round round)
{
	size_t number = bucket_number(sketch, point);

	return !hash_is_zero(sketch->buckets[number].rest) && number % round.count == round.number;
}

struct compare_load compare_sketch_load(const struct compare_sketch *sketch,
					struct compare_round round)
{
	struct compare_load load = { 0 };

	for (size_t i = round.number; i < sketch->bucket_count; i += round.count) {
		if (hash_is_zero(sketch->buckets[i].rest))
			continue;
		load.sample_count += sketch->buckets[i].sample_count;
		load.byte_count += sketch->buckets[i].byte_count;
	}
	return load;
}
