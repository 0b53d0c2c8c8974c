/* SPDX-License-Identifier: MIT */
#include "analysis/slots.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/law.h"
#include "analysis/slot_bounds.h"

/* ---- the search ---- */

/* The overheads with which every piece can be a multiple of the slot; the slack has no say yet. */
static struct span overheads_of(const struct slot_search *search, int64_t slot)
{
	struct span overhead = { 0, LAW_VALUE_MAX };

	for (size_t i = 0; i < search->count && !span_is_empty(overhead); i++) {
		const struct slot_size *size = &search->sizes[i];
		int128 least = ceil_divide(size->piece.low, slot) * slot;
		int128 most = floor_divide(size->piece.high, slot) * slot;

		span_at_least(&overhead, least - slot + 1 - size->text_bytes);
		span_at_most(&overhead, least > most ? -1 : most - size->text_bytes);
	}
	return overhead;
}

/* The largest overhead with which all pieces are what they are with this one. */
static int64_t last_alike(const struct slot_search *search, int64_t slot, int64_t overhead)
{
	int64_t last = LAW_VALUE_MAX;

	for (size_t i = 0; i < search->count; i++) {
		int64_t text = search->sizes[i].text_bytes;
		int64_t room = slot_round_up(text + overhead, slot) - text;

		last = room < last ? room : last;
	}
	return last;
}

/*
 * Of the overheads, those for which there is a slack, too: from the first to the last, or of the
 * first on while all pieces are alike.
 */
static struct span with_slack(const struct slot_search *search, int64_t slot, struct span overhead,
			      bool only_first)
{
	struct span found = { LAW_VALUE_MAX, 0 };

	for (int64_t at = (int64_t)overhead.low; at <= overhead.high;) {
		int64_t last = last_alike(search, slot, at);

		last = last < overhead.high ? last : (int64_t)overhead.high;
		if (!span_is_empty(slot_slack(search, slot, at))) {
			found.low = at < found.low ? at : found.low;
			found.high = last;
			if (only_first)
				return found;
		}
		at = last + 1;
	}
	return found;
}

static bool is_possible(const struct slot_search *search, int64_t slot)
{
	struct span overhead = overheads_of(search, slot);

	return !span_is_empty(overhead) && !span_is_empty(with_slack(search, slot, overhead, true));
}

static int64_t roundest(struct span span)
{
	int128 value = span.low;

	fraction_roundest(fraction_whole(span.low - 1), fraction_whole(span.high + 1), &value);
	return (int64_t)value;
}

static struct slot_range range_of(int64_t value, struct span span)
{
	return (struct slot_range){ value, (int64_t)span.low, (int64_t)span.high };
}

/* Divisible by a larger power of two; of two alike, the larger one. */
static bool is_rounder(int64_t slot, int64_t than)
{
	return (slot & -slot) >= (than & -than);
}

/* The smallest piece is one slot at least. */
static int64_t largest_slot(const struct slot_search *search)
{
	int128 largest = LAW_VALUE_MAX;

	for (size_t i = 0; i < search->count; i++)
		if (search->sizes[i].piece.high < largest)
			largest = search->sizes[i].piece.high;
	return (int64_t)largest;
}

static void choose(const struct slot_search *search, struct slot_range slot, struct slots *slots)
{
	struct span overhead =
		with_slack(search, slot.value, overheads_of(search, slot.value), false);
	int64_t chosen = roundest(overhead);
	struct span slack = slot_slack(search, slot.value, chosen);

	if (span_is_empty(slack)) { /* not all from the first to the last are possible */
		chosen = (int64_t)overhead.low;
		slack = slot_slack(search, slot.value, chosen);
	}
	slots->slot = slot;
	slots->overhead = range_of(chosen, overhead);
	slots->slack = range_of(roundest(slack), slack);
	slots->chunk_bytes = search->in_chunks ? search->unit_bytes : 0;
}

/* False when no slot meets all edges. */
static bool search_slots(const struct slot_search *search, int64_t largest, struct slots *slots)
{
	struct slot_range slot = { 0 };

	for (int64_t at = 1; at <= largest; at++) {
		if (!is_possible(search, at))
			continue;
		slot.low = slot.value ? slot.low : at;
		slot.high = at;
		if (!slot.value || is_rounder(at, slot.value))
			slot.value = at;
	}
	if (!slot.value)
		return false;
	choose(search, slot, slots);
	return true;
}

/* 0, -ENOENT when no slot meets all edges, -ENODATA when it could be anything. */
static int search_packing(struct slot_search *search, bool in_chunks, struct slots *slots)
{
	int64_t largest;

	search->in_chunks = in_chunks;
	slot_narrow_pieces(search);
	for (size_t i = 0; i < search->count; i++)
		if (span_is_empty(search->sizes[i].piece))
			return -ENOENT;
	largest = largest_slot(search);
	if (largest > SLOT_BYTES_MAX)
		return -ENODATA;
	return search_slots(search, largest, slots) ? 0 : -ENOENT;
}

/* ---- where no slot meets all edges ---- */

/* The least and the most that a copy took beyond its code from one move of the meter to the next.
 */
struct nearest {
	struct fraction low;
	struct fraction high;
	bool is_known;
};

static void widen(struct nearest *nearest, struct fraction bytes)
{
	if (!nearest->is_known || fraction_compare(bytes, nearest->low) < 0)
		nearest->low = bytes;
	if (!nearest->is_known || fraction_compare(bytes, nearest->high) > 0)
		nearest->high = bytes;
	nearest->is_known = true;
}

static void widen_by_size(struct nearest *nearest, const struct slot_size *size)
{
	const struct slot_edge *last = NULL;

	for (size_t i = 0; i < size->count; i++) {
		const struct slot_edge *edge = &size->edges[i];
		int128 copies = last ? edge->copies - last->copies : 0;

		if (!slot_edge_moved(edge))
			continue;
		if (copies > 0)
			widen(nearest,
			      fraction_make((int128)last->after_bytes - last->before_bytes -
						    copies * size->text_bytes,
					    copies));
		last = edge;
	}
}

/* The overhead that misses least, and by how much. */
static int nearest_overhead(const struct slot_search *search, struct slots *slots)
{
	struct nearest nearest = { 0 };
	int128 low, span;

	for (size_t i = 0; i < search->count; i++)
		widen_by_size(&nearest, &search->sizes[i]);
	if (!nearest.is_known)
		return -ENODATA;
	low = floor_divide(nearest.low.numerator, nearest.low.denominator);
	span = ceil_divide(nearest.high.numerator, nearest.high.denominator) - low;
	slots->overhead.value = (int64_t)(low + span / 2);
	slots->residual_max_bytes = (int64_t)(span - span / 2);
	return 0;
}

/* ---- edges ---- */

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_edges(const void *a, const void *b)
{
	const struct slot_edge *p = a, *q = b;
	int order = compare_numbers(p->text_bytes, q->text_bytes);

	order = order ? order : compare_numbers(p->copies, q->copies);
	order = order ? order : compare_numbers(p->before_bytes, q->before_bytes);
	return order ? order : compare_numbers(p->after_bytes, q->after_bytes);
}

/* Repeats say the same again. */
static size_t unique(struct slot_edge *edges, size_t count)
{
	size_t kept = 0;

	qsort(edges, count, sizeof *edges, compare_edges);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_edges(&edges[kept - 1], &edges[i]))
			edges[kept++] = edges[i];
	return kept;
}

bool slots_take(const struct slot_edge *edge)
{
	return edge->text_bytes >= 0 && edge->text_bytes < LAW_VALUE_MAX && edge->copies > 0 &&
	       edge->copies < LAW_VALUE_MAX && edge->before_bytes > -LAW_VALUE_MAX &&
	       edge->before_bytes < LAW_VALUE_MAX && edge->after_bytes > -LAW_VALUE_MAX &&
	       edge->after_bytes < LAW_VALUE_MAX;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

static void add_size(struct slot_search *search, const struct slot_edge *edges, size_t count)
{
	search->sizes[search->count++] = (struct slot_size){ .text_bytes = edges->text_bytes,
							     .edges = edges,
							     .count = count };
}

static void add_edges(struct slot_search *search, const struct slot_edge *edges, size_t count)
{
	size_t first = 0;

	search->base_bytes = edges->before_bytes;
	for (size_t i = 0; i < count; i++) {
		if (edges[i].before_bytes < search->base_bytes)
			search->base_bytes = edges[i].before_bytes;
		search->unit_bytes = common_divisor(search->unit_bytes,
						    edges[i].after_bytes - edges[i].before_bytes);
		if (i + 1 < count && edges[i + 1].text_bytes == edges[i].text_bytes)
			continue;
		add_size(search, &edges[first], i + 1 - first);
		first = i + 1;
	}
}

/* Chunks first: where the meter moved after equal numbers of copies, both may fit, and these leave
 * more open. */
static int fit(struct slot_search *search, struct slots *slots)
{
	int r;

	if (!search->unit_bytes)
		return -ENODATA;
	r = search_packing(search, true, slots);
	if (r == -ENOENT)
		r = search_packing(search, false, slots);
	slots->holds = !r;
	return r == -ENOENT ? nearest_overhead(search, slots) : r;
}

int slots_fit(struct slot_edge *edges, size_t count, struct slots *ret_slots)
{
	struct slots slots = { 0 };
	struct slot_search search = { 0 };
	int r;

	for (size_t i = 0; i < count; i++)
		if (!slots_take(&edges[i]))
			return -ERANGE;
	if (!count)
		return -ENODATA;
	count = unique(edges, count);
	slots.edge_count = count;
	search.sizes = calloc(count, sizeof *search.sizes);
	if (!search.sizes)
		return -ENOMEM;
	add_edges(&search, edges, count);
	r = fit(&search, &slots);
	free(search.sizes);
	if (!r)
		*ret_slots = slots;
	return r;
}

int64_t slots_piece(const struct slots *slots, int64_t text_bytes)
{
	int64_t bytes = text_bytes + slots->overhead.value;

	return slots->holds ? slot_round_up(bytes, slots->slot.value) : bytes;
}
