/* SPDX-License-Identifier: MIT */
/*
 * A number out of a benchmark's rows, as a claim asks for it: see struct figure_request.
 *
 * Repeats of a point are to agree. Where they do not, a figure is the range of what it would be
 * with either of them, and whoever asks must not pick. A point that one repeat answered and another
 * refused has no number at all. Nor is there a number of points some of which failed or were not
 * taken: any may be the one that matters.
 *
 * A FIGURE_VALUE of points, or of steps within one sample, that have different numbers is the range
 * of them all. Nothing is wrong with such rows: it depends on the point. `depends` tells that apart
 * from repeats that differ.
 */
#ifndef ANALYSIS_FIGURE_H
#define ANALYSIS_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/requests.h"
#include "analysis/run.h"
#include "base/err.h"
#include "base/text.h"

enum figure_state {
	FIGURE_MEASURED,
	FIGURE_NO_BENCHMARK, /* it was not part of the run */
	FIGURE_NO_SAMPLE,    /* none is as the figure wants it */
	FIGURE_NO_NUMBER,    /* those that are have none there; `sample` is one of them */
	FIGURE_TORN,         /* answered in one repeat and refused in another; of `sample` */
	FIGURE_INCOMPLETE,   /* `missing_count` samples of `planned_count` were not taken, or, where
			      * that is 0, `sample` did not end as it should */
	FIGURE_TOO_LARGE,
};

struct figure {
	const struct figure_request *request; /* the caller's */
	enum figure_state state;
	int64_t low; /* equal to high where repeats agree, and where points do */
	int64_t high;
	bool depends; /* no number is one of all its points, whichever repeats are right */
	size_t sample;
	size_t missing_count;
	size_t planned_count;
};

/* Of these samples of the benchmark (NULL: of all). Returns 0 or -ENOMEM. */
int figure_measure(struct figure *figure, const struct run *run,
		   const struct figure_request *request, const bool *is_paired, struct err *reterr);

bool figure_is_of_environment(const struct figure_request *request);

/* Whether a sample has a number for it, and whether that is the 1 of a refused step. */
bool figure_has_number(const struct figure_request *request, const struct samples *samples,
		       size_t sample);
bool figure_counts_refusal(const struct figure_request *request, const struct samples *samples,
			   size_t sample);

/* "first launch: 2097152 bytes (module-code, launch-1)", or why there is no number and what gives
 * one. */
void figure_text(const struct figure *figure, const struct run *run, struct text *ret_text);

/* "max of delta_bytes at launch-1 of module-code where loading=lazy" */
void figure_place(const struct figure_request *request, struct text *ret_text);

#endif
