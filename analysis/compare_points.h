/* SPDX-License-Identifier: MIT */
/*
 * Points that were measured on several sources: for each, what every step of its samples says, the
 * repeats put together into ranges.
 *
 *   compare_points_init() -> per sample compare_points_begin(), compare_points_row() per row,
 *   compare_points_end() -> compare_points_side() per point and source -> compare_points_free()
 *
 * Of a sample that was taken more than once because it had been disturbed, the last attempt counts.
 */
#ifndef ANALYSIS_COMPARE_POINTS_H
#define ANALYSIS_COMPARE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/compare_reader.h"
#include "analysis/compare_verdict.h"
#include "analysis/compare_words.h"
#include "analysis/hash.h"

struct compare_extent {
	int64_t low; /* low > high: not taken */
	int64_t high;
};

struct compare_step {
	uint32_t name;   /* number of a word */
	uint32_t number; /* 0, 1 ...: how often the sample had a step of this name before */
	uint32_t status;
	uint32_t error;
	bool is_torn; /* repeats have different statuses */
};

/* What one source says about a point, its repeats put together. */
struct compare_side {
	struct compare_step *steps; /* owned, like all that is */
	/* Per step value_count of them, and at last the total. */
	struct compare_extent *extents;
	size_t step_count;
	size_t step_size;
	uint32_t repeat_count;
	uint32_t sample_count; /* with attempts that do not count */
};

/* What is kept of that: a sample of a step or two takes some bytes, and equal ones are one. */
struct compare_store {
	struct compare_record *records;
	struct compare_attempt *disturbed; /* owned */
	uint32_t disturbed_count;
	uint32_t sample_count;
};

struct compare_point {
	struct hash hash;
	uint32_t benchmark; /* number of a word */
	size_t axes;        /* where its "name=value" begin in the axes' text */
};

struct compare_points {
	size_t source_count;
	size_t value_count;
	struct compare_words words;
	struct compare_point *items;  /* owned */
	struct compare_store *stores; /* source_count per point; owned */
	size_t count;
	size_t size;
	uint32_t *slots; /* number of a point + 1; 0: free; owned */
	size_t slot_count;
	struct text axes;              /* "name=value\0name=value\0\0" per point */
	struct compare_sample *sample; /* being read; owned */
	struct compare_arena *arena;   /* of the records; owned */
};

/* Room for that many points, no more. */
int compare_points_init(struct compare_points *points, size_t source_count, size_t value_count,
			size_t point_count_max);
void compare_points_free(struct compare_points *points);

/* All return 0 or -ENOMEM. */
int compare_points_begin(struct compare_points *points, size_t source,
			 const struct compare_reader *reader, const struct compare_row *row);
int compare_points_row(struct compare_points *points, const struct compare_reader *reader,
		       const struct compare_row *row);
int compare_points_end(struct compare_points *points);

/* About what a row takes, and a sample beside its rows. */
size_t compare_points_row_size(const struct compare_row *row, size_t value_count);
size_t compare_points_sample_size(size_t source_count);

/* Replaces what the side holds, which is zeroed at first. */
int compare_points_side(const struct compare_points *points, size_t point, size_t source,
			struct compare_side *side);
void compare_side_free(struct compare_side *side);

/* The numbers of a step; `value` value_count is its total. */
struct compare_range compare_points_range(const struct compare_points *points,
					  const struct compare_side *side, size_t step,
					  size_t value);

/* Number of that step within the side; step_count where it has none. `near`: where to look first.
 */
size_t compare_points_find(const struct compare_side *side, uint32_t name, uint32_t number,
			   size_t near);

/* "name=value\0name=value\0\0" */
const char *compare_points_axes(const struct compare_points *points, size_t point);

#endif
