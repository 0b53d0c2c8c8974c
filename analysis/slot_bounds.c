/* SPDX-License-Identifier: MIT */
#include "analysis/slot_bounds.h"

#include "analysis/law.h"

/* ---- what the edges of one size say about its piece ---- */

/* A chunk was made for the last copy of `made`; so many copies later there was `edge`. */
static void narrow_by_chunk(const struct slot_search *search, struct span *piece,
			    const struct slot_edge *made, const struct slot_edge *edge)
{
	int64_t chunk_bytes = made->after_bytes - made->before_bytes;
	int64_t count = edge->copies - made->copies;

	/* It is as many units as one piece needs, not more. */
	span_at_least(piece, chunk_bytes - search->unit_bytes + 1);
	if (edge->before_bytes != made->after_bytes || count <= 0) {
		span_at_most(piece, 0);
	} else if (slot_edge_moved(edge)) {
		span_at_most(piece, chunk_bytes / count);
		span_at_least(piece, chunk_bytes / (count + 1) + 1);
	} else {
		span_at_most(piece, chunk_bytes / (count + 1));
	}
}

static void narrow_by_chunks(const struct slot_search *search, struct slot_size *size)
{
	const struct slot_edge *made = NULL;

	for (size_t i = 0; i < size->count; i++) {
		if (made)
			narrow_by_chunk(search, &size->piece, made, &size->edges[i]);
		if (slot_edge_moved(&size->edges[i]))
			made = &size->edges[i];
	}
}

/* With so many copies the pool had so many bytes on top of the slack. */
struct fill {
	int64_t copies;
	int64_t bytes;
};

static struct fill fill_before(const struct slot_search *search, const struct slot_edge *edge)
{
	return (struct fill){ edge->copies - 1, edge->before_bytes - search->base_bytes };
}

static struct fill fill_after(const struct slot_search *search, const struct slot_edge *edge)
{
	return (struct fill){ edge->copies, edge->after_bytes - search->base_bytes };
}

/* Of the slack, that of `a` is no more than, and that of `b` (which took a unit) is less than. */
static void narrow_by_fills(const struct slot_search *search, struct span *piece, struct fill a,
			    struct fill b)
{
	int128 run = a.copies - b.copies, rise = (int128)a.bytes - b.bytes + search->unit_bytes;

	if (b.bytes <= 0)
		return;
	if (run > 0)
		span_at_most(piece, ceil_divide(rise, run) - 1);
	else if (run < 0)
		span_at_least(piece, floor_divide(-rise, -run) + 1);
	else if (rise <= 0)
		span_at_most(piece, 0);
}

/* By the two fills that disagree most about the slack if this were the piece. */
static void narrow_at(const struct slot_search *search, struct slot_size *size, int128 piece)
{
	struct fill a = { 0, 0 }, b = { 0, 0 };

	for (size_t i = 0; i < 2 * size->count; i++) {
		const struct slot_edge *edge = &size->edges[i / 2];
		struct fill fill = i % 2 ? fill_after(search, edge) : fill_before(search, edge);
		int128 missing = fill.copies * piece - fill.bytes;

		if (missing > a.copies * piece - a.bytes)
			a = fill;
		if (fill.bytes > 0 && (!b.bytes || missing < b.copies * piece - b.bytes))
			b = fill;
	}
	narrow_by_fills(search, &size->piece, a, b);
}

/* All fills together allow pieces from one to another; each end is moved until it is such a one. */
static void narrow_by_pool(const struct slot_search *search, struct slot_size *size)
{
	struct span before;

	do {
		before = size->piece;
		narrow_at(search, size, before.low);
		narrow_at(search, size, before.high);
	} while (!span_is_empty(size->piece) &&
		 (size->piece.low != before.low || size->piece.high != before.high));
}

void slot_narrow_pieces(struct slot_search *search)
{
	for (size_t i = 0; i < search->count; i++) {
		search->sizes[i].piece = (struct span){ 1, LAW_VALUE_MAX };
		if (search->in_chunks)
			narrow_by_chunks(search, &search->sizes[i]);
		else
			narrow_by_pool(search, &search->sizes[i]);
	}
}

/* ---- what they say about the slack, given the piece ---- */

/* The first edge is where the slack was used up. */
static void narrow_slack_by_chunks(const struct slot_size *size, int128 piece, struct span *slack)
{
	for (size_t i = 0; i < size->count; i++) {
		const struct slot_edge *edge = &size->edges[i];

		span_at_least(slack, (edge->copies - 1) * piece);
		if (slot_edge_moved(edge)) {
			span_at_most(slack, edge->copies * piece - 1);
			return;
		}
		span_at_least(slack, edge->copies * piece);
	}
}

static void narrow_slack_by_fill(const struct slot_search *search, struct fill fill, int128 piece,
				 struct span *slack)
{
	int128 missing = fill.copies * piece - fill.bytes;

	span_at_least(slack, missing);
	if (fill.bytes > 0)
		span_at_most(slack, missing + search->unit_bytes - 1);
}

static void narrow_slack(const struct slot_search *search, const struct slot_size *size,
			 int128 piece, struct span *slack)
{
	if (search->in_chunks) {
		narrow_slack_by_chunks(size, piece, slack);
		return;
	}
	for (size_t i = 0; i < size->count && !span_is_empty(*slack); i++) {
		narrow_slack_by_fill(search, fill_before(search, &size->edges[i]), piece, slack);
		narrow_slack_by_fill(search, fill_after(search, &size->edges[i]), piece, slack);
	}
}

struct span slot_slack(const struct slot_search *search, int64_t slot, int64_t overhead)
{
	struct span slack = { 0, LAW_VALUE_MAX };

	for (size_t i = 0; i < search->count && !span_is_empty(slack); i++)
		narrow_slack(search, &search->sizes[i],
			     slot_round_up(search->sizes[i].text_bytes + overhead, slot), &slack);
	return slack;
}
