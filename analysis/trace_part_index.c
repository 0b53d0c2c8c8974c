/* SPDX-License-Identifier: MIT */
#include "analysis/trace_part_index.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Parts move when their array grows, so the tree has what tells them apart, and their number. */
struct place {
	struct trace_part key;
	size_t number;
};

static int by_key(const void *a, const void *b)
{
	const struct trace_part *first = a, *second = b;

	if (first->kind != second->kind)
		return first->kind < second->kind ? -1 : 1;
	if (first->process != second->process)
		return first->process < second->process ? -1 : 1;
	return strcmp(first->name, second->name);
}

/* Room for one more: the array doubles whenever it is full, which is at powers of two. */
static bool make_room(struct trace_parts *parts)
{
	struct trace_part *more;

	if (parts->count & (parts->count - 1))
		return true;
	more = realloc(parts->parts, (parts->count ? 2 * parts->count : 1) * sizeof *more);
	if (more)
		parts->parts = more;
	return more;
}

static struct trace_part *append(struct trace_part_index *index, struct trace_parts *parts,
				 const struct trace_part *wanted)
{
	struct place *place = make_room(parts) ? malloc(sizeof *place) : NULL;

	if (!place)
		return NULL;
	*place = (struct place){ { wanted->kind, wanted->process, wanted->name, 0, 0 },
				 parts->count };
	if (!tsearch(place, &index->tree, by_key)) {
		free(place);
		return NULL;
	}
	parts->parts[parts->count] = place->key;
	return &parts->parts[parts->count++];
}

struct trace_part *trace_part_of(struct trace_part_index *index, struct trace_parts *parts,
				 const struct trace_part *wanted)
{
	struct place *const *found = tfind(wanted, &index->tree, by_key);

	return found ? &parts->parts[(*found)->number] : append(index, parts, wanted);
}

void trace_part_index_free(struct trace_part_index *index)
{
	tdestroy(index->tree, free);
	index->tree = NULL;
}
