/* SPDX-License-Identifier: MIT */
/*
 * The shape of bytes over one axis. In exact arithmetic:
 *
 *   constant    y = intercept
 *   linear      y = intercept + per_unit * x
 *   staircase   y = intercept + granule * ceil((per_unit * x - slack) / granule), 0 <= slack <
 * granule saturating  one of the last two, but never below `floor` and never above `cap`
 *
 * The staircase is what a meter that moves in granules shows of a cost of `per_unit` bytes when
 * `slack` bytes were lying about already; slack 0 rounds up, slack granule - 1 rounds down.
 *
 * A staircase may be free at first: y = intercept for x <= free_until, the largest such x among the
 * points. Then slack may be negative, an extra that each amount beyond comes with: room that was
 * paid for before takes what fits into it whole, and the rest gets granules of its own.
 *
 *   slots       y = slot * ceil((x + overhead) / slot)
 *
 * is what a copy takes of which x bytes are code; slots_fit() finds it from other points than
 * these.
 *
 * law_fit() takes the simplest shape that meets every point exactly; else the simplest that no
 * point misses by more than one granule; else a staircase whose steps are a multiple of the meter's
 * granule, where that meets every point; else the line that misses least, which then does not hold.
 */
#ifndef ANALYSIS_LAW_H
#define ANALYSIS_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/fraction.h"
#include "analysis/slots.h"

enum law_shape { LAW_CONSTANT, LAW_LINEAR, LAW_STAIRCASE, LAW_SATURATING, LAW_SLOTS };

struct law_point {
	int64_t x;
	int64_t y;
};

/* y may be something else than bytes, which are then what the fields in bytes are of. */
struct law {
	enum law_shape shape;
	bool is_staircase; /* else a line */
	bool has_floor;
	bool has_cap;
	bool has_free;
	struct fraction intercept_bytes;
	struct fraction per_unit;
	struct fraction per_unit_low; /* what the points allow; equal to per_unit when they leave */
	struct fraction per_unit_high; /* no choice */
	int64_t granule_bytes;
	struct fraction slack_bytes;
	int64_t floor_bytes;
	int64_t cap_bytes;
	int64_t free_until; /* x */
	size_t point_count; /* different points that were there to be explained */
	int64_t residual_max_bytes;
	int64_t worst_x; /* where it is missed by that; not of slots */
	/* residual_max_bytes <= the granule of the meter; of slots, no edge is missed. */
	bool holds;
	/* Of LAW_SLOTS, with the three numbers before this; the others are 0 then. */
	struct slots slots;
};

/* Points beyond this (16 TiB) are not taken, so that all products fit. */
#define LAW_VALUE_MAX ((int64_t)1 << 44)

bool law_takes(struct law_point point);

/*
 * `granule_bytes` is the smallest change that the meter shows; 0 when unknown: no staircases then,
 * and only exact laws hold. Returns 0, -ENODATA for no points, -ERANGE for one beyond
 * LAW_VALUE_MAX, -ENOMEM.
 */
int law_fit(const struct law_point *points, size_t count, int64_t granule_bytes,
	    struct law *ret_law);

const char *law_shape_text(enum law_shape shape);

/* What the law says for x. */
struct fraction law_value(const struct law *law, int64_t x);

/* The smallest x > 0 at which a staircase is one granule above x = 0. */
int64_t law_first_edge(const struct law *law);

/* Free choices that the fit had; a law with no more points than these was not put to a test. */
size_t law_freedom(const struct law *law);
bool law_is_tested(const struct law *law);

#endif
