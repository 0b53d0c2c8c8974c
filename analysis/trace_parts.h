/* SPDX-License-Identifier: MIT */
/*
 * What a device's memory went to, up to a row of a trace. trace_parts_sum() -> the parts ->
 * trace_parts_free(). The parts add up to `lost_bytes`, which is what delta_bytes of these rows
 * adds up to.
 *
 * What several calls of a kind took at once is a part of process 0, as nobody can tell whose it is.
 * Contexts that end give back whatever of them is held, and so do processes. Where all that a
 * process has is given back, its parts are nothing again, and what more comes back is of those
 * parts of process 0. Where it is less, nobody can tell what it was, and it is a part of its own
 * (negative).
 *
 * Contexts are counted, whoever made them, and what each has of stack and of the tracer is set
 * apart; all else of them is what is left.
 */
#ifndef ANALYSIS_TRACE_PARTS_H
#define ANALYSIS_TRACE_PARTS_H

#include "analysis/trace_facts.h"
#include "analysis/trace_rows.h"

/* In the order in which they are shown: TRACE_PART(symbol, name; "%s" is the part's own name). */
#define TRACE_PARTS                                                      \
	TRACE_PART(STACK, "contexts: stack at the default limit")        \
	TRACE_PART(TRACER, "contexts: the tracer's own cost (CUPTI)")    \
	TRACE_PART(CONTEXT, "contexts: all else of them")                \
	TRACE_PART(CODE, "code of %s")                                   \
	TRACE_PART(USES, "first use of %s")                              \
	TRACE_PART(LOCAL, "stack for the frame of %s")                   \
	TRACE_PART(LAUNCH, "first launches, for other things")           \
	TRACE_PART(LIMIT, "limit %s, when it was set")                   \
	TRACE_PART(ASKED, "allocations: what was asked for")             \
	TRACE_PART(ROUNDING, "allocations: rounding")                    \
	TRACE_PART(POOL, "memory pools")                                 \
	TRACE_PART(STREAM, "streams")                                    \
	TRACE_PART(EVENT, "events")                                      \
	TRACE_PART(GRAPH, "executable graphs")                           \
	TRACE_PART(TEXTURE, "textures and surfaces")                     \
	TRACE_PART(HOST, "calls for host memory")                        \
	TRACE_PART(PEER, "access to other devices")                      \
	TRACE_PART(OTHER, "imported memory")                             \
	TRACE_PART(SEVERAL, "several calls at once, of different kinds") \
	TRACE_PART(UNEXPLAINED, "between calls: unexplained")            \
	TRACE_PART(RETURNED, "given back at the end of contexts, of what cannot be told")

enum trace_part_kind {
#define TRACE_PART(symbol, name) TRACE_PART_##symbol,
	TRACE_PARTS
#undef TRACE_PART
		TRACE_PART_COUNT
};

struct trace_part {
	enum trace_part_kind kind;
	int64_t process;
	const char *name; /* a cell of the trace, or "" */
	int64_t bytes;
	int64_t count; /* of what it is: contexts, live allocations, first launches … */
};

struct trace_parts {
	struct trace_part *parts; /* one for each kind, process and name; owned */
	size_t count;
	int64_t lost_bytes;
};

/* Up to and including row `last_row`. 0 or -ENOMEM. */
int trace_parts_sum(struct trace_parts *parts, const struct trace_rows *rows,
		    const struct trace_device *device, size_t last_row);
void trace_parts_free(struct trace_parts *parts);

/* Of all processes: bytes of a kind and name. NULL is any name. */
int64_t trace_parts_bytes(const struct trace_parts *parts, enum trace_part_kind kind,
			  const char *name, int64_t *ret_count);

#endif
