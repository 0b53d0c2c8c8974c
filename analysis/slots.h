/* SPDX-License-Identifier: MIT */
/*
 * What a copy of a module takes, to the byte, from a meter that moves in large granules: copies of
 * modules with several amounts of code were loaded one by one, and at some of them the meter moved.
 *
 *   piece = slot * ceil((text + overhead) / slot)
 *
 * is what one takes. The first pieces lie in `slack` bytes that were there before. The others lie
 * either in chunks, none of which a piece crosses, so that the meter moves for the first of every
 * floor(chunk / piece); or one behind the other in a pool, whose size is rounded up.
 *
 * Everything that the edges say is an inequality between integers, so slots_fit() asks of every
 * slot which overheads and slacks meet all of them. There may be more than one. In chunks a meter
 * cannot tell slots of which equally many fit into one and that never led to another number of
 * them: of 32 slots in 2 MiB each has 63,551 to 65,536 bytes. `low` and `high` say what is
 * possible, and `value` is the roundest of it in binary.
 */
#ifndef ANALYSIS_SLOTS_H
#define ANALYSIS_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One reading of the meter. With one copy less it showed before_bytes. */
struct slot_edge {
	int64_t text_bytes; /* of the code of one copy */
	int64_t copies;
	int64_t before_bytes;
	int64_t after_bytes; /* equal to before_bytes: the meter has not moved */
};

struct slot_range {
	int64_t value;
	int64_t low;
	int64_t high;
};

struct slots {
	/* Else only overhead.value and the residual mean something: the overhead without a slot
	 * that is nearest to what copies took from move to move, and by how much it misses. */
	bool holds;
	int64_t residual_max_bytes;
	size_t edge_count;
	int64_t chunk_bytes; /* 0: pieces lie one behind the other */
	struct slot_range slot;
	struct slot_range overhead; /* with that slot */
	struct slot_range slack;    /* with that slot and overhead */
};

/* Where the smallest piece may be larger, the meter itself tells what a copy takes. */
#define SLOT_BYTES_MAX ((int64_t)512 << 10)

/*
 * Sorts the edges. Returns 0; -ENODATA when the meter moved too seldom to say anything, or for
 * pieces that may all have more than SLOT_BYTES_MAX; -ERANGE for a number beyond LAW_VALUE_MAX of
 * analysis/law.h; -ENOMEM.
 */
int slots_fit(struct slot_edge *edges, size_t count, struct slots *ret_slots);

/* Whether no number of the edge is beyond that. */
bool slots_take(const struct slot_edge *edge);

/* What a copy with this much code takes by the law. */
int64_t slots_piece(const struct slots *slots, int64_t text_bytes);

#endif
