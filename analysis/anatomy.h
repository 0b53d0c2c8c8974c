/* SPDX-License-Identifier: MIT */
/*
 * What a context is made of, and what could be saved: differences of measured totals, nothing else.
 * Where repeats or samples differ, a range; where a sample is missing, "not measured".
 */
#ifndef ANALYSIS_ANATOMY_H
#define ANALYSIS_ANATOMY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/run.h"
#include "base/err.h"
#include "base/text.h"

struct byte_range {
	bool is_measured;
	int64_t min_bytes;
	int64_t max_bytes;
};

void byte_range_widen(struct byte_range *range, int64_t bytes);

struct anatomy {
	struct byte_range *components; /* one per requests->components; owned */
	struct byte_range *savings;    /* one per requests->savings; owned */
	bool has_rest;
	struct byte_range rest; /* the whole less its parts */
};

int anatomy_measure(struct anatomy *anatomy, const struct run *run, struct err *reterr);
void anatomy_free(struct anatomy *anatomy);

/* Whether a component is a part of the whole (see struct component_request) or is it. */
bool anatomy_is_whole(const struct requests *requests, size_t component);
bool anatomy_is_part(const struct requests *requests, size_t component);

enum anatomy_kind {
	ANATOMY_WHOLE,
	ANATOMY_PART, /* of the whole; what is left of it is one, too */
	ANATOMY_MORE, /* what comes on top */
	ANATOMY_SHARED,
};

/* A line of the table of what a context is made of. */
struct anatomy_line {
	enum anatomy_kind kind;
	bool is_rest;     /* the part that is left of the whole */
	const char *name; /* without "of it", which goes with the kind */
	struct byte_range bytes;
	const char *when; /* it is paid, in words */
	const char *from; /* "limit-stack, launch-2" */
};

#define ANATOMY_NAME_MAX 256

/* "of it: " before the name of a part, "" before any other. */
const char *anatomy_prefix(const struct anatomy_line *line);

/*
 * The whole, its parts, what is left of it; what comes on top later; and what of that is shared, as
 * far as it was measured: two or more of the lines on top and all lines of what they share add up
 * to what they take together. In analysis/anatomy_lines.c.
 */
void anatomy_each_line(const struct anatomy *anatomy, const struct run *run,
		       void (*tell)(void *data, const struct anatomy_line *line), void *data);

/*
 * "unload: 2 MiB, destroy: the rest": which later steps of the component's first sample gave back
 * what it took, by the totals behind them, and what was left when the context was gone. In
 * analysis/anatomy_returns.c.
 */
void anatomy_returns(const struct run *run, size_t component, struct text *ret_text);

#endif
