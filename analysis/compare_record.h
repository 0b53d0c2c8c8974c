/* SPDX-License-Identifier: MIT */
/*
 * Samples in few bytes. Most numbers of a row are zero or were not taken, and its total is that of
 * the row before and its delta: a row of a million takes ten bytes instead of a hundred.
 */
#ifndef ANALYSIS_COMPARE_RECORD_H
#define ANALYSIS_COMPARE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct compare_record {
	struct compare_record *next;
	uint32_t count; /* of repeats that say this */
	uint32_t length;
	unsigned char bytes[];
};

/* Memory that is given back as a whole. A zeroed pointer is an empty arena. */
struct compare_arena;

/* Room for a record of so many bytes; NULL for lack of memory. */
struct compare_record *compare_arena_record(struct compare_arena **arena, size_t length);
void compare_arena_free(struct compare_arena *arena);

/* The empty value, which is none of those that may be written. */
#define COMPARE_RECORD_NONE INT64_MIN

void compare_record_put(struct text *bytes, int64_t value);
size_t compare_record_size(int64_t value);

/* The value at *at, which is moved on. */
int64_t compare_record_get(const unsigned char **at);

#endif
