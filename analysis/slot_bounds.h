/* SPDX-License-Identifier: MIT */
/*
 * What the edges of slots_fit() allow, as inequalities between integers: of the pieces of each
 * amount of code alone, and of the slack once all pieces are given.
 */
#ifndef ANALYSIS_SLOT_BOUNDS_H
#define ANALYSIS_SLOT_BOUNDS_H

#include "analysis/fraction.h"
#include "analysis/slots.h"

/* Bytes that are possible, both ends included; none when low is above high. */
struct span {
	int128 low;
	int128 high;
};

/* One amount of code, and its edges in the order of copies. */
struct slot_size {
	int64_t text_bytes;
	const struct slot_edge *edges;
	size_t count;
	struct span piece;
};

struct slot_search {
	struct slot_size *sizes;
	size_t count;
	int64_t base_bytes; /* that the meter showed before the first copy */
	int64_t unit_bytes; /* memory is taken in multiples of it */
	bool in_chunks;
};

static inline bool span_is_empty(struct span span)
{
	return span.low > span.high;
}

static inline void span_at_least(struct span *span, int128 low)
{
	if (low > span->low)
		span->low = low;
}

static inline void span_at_most(struct span *span, int128 high)
{
	if (high < span->high)
		span->high = high;
}

static inline bool slot_edge_moved(const struct slot_edge *edge)
{
	return edge->after_bytes != edge->before_bytes;
}

static inline int64_t slot_round_up(int64_t bytes, int64_t slot)
{
	return (bytes + slot - 1) / slot * slot;
}

/* Sets the pieces of all sizes to what the edges allow in that packing. */
void slot_narrow_pieces(struct slot_search *search);

/* The slacks with which these pieces meet all edges. */
struct span slot_slack(const struct slot_search *search, int64_t slot, int64_t overhead);

#endif
