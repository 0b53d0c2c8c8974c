/* SPDX-License-Identifier: MIT */
/* Finds a part among many. A zeroed struct is empty; trace_part_index_free() at the end. */
#ifndef ANALYSIS_TRACE_PART_INDEX_H
#define ANALYSIS_TRACE_PART_INDEX_H

#include "analysis/trace_parts.h"

struct trace_part_index {
	void *tree; /* of numbers of parts, as tsearch() has it */
};

/*
 * The part of this kind, process and name, which is added as nothing where it is not there yet. It
 * stays where it is until the next is added. NULL for lack of memory.
 */
struct trace_part *trace_part_of(struct trace_part_index *index, struct trace_parts *parts,
				 const struct trace_part *wanted);
void trace_part_index_free(struct trace_part_index *index);

#endif
