/* SPDX-License-Identifier: MIT */
/* What points say of the slope of a line: inequalities, of which all have to be met. */
#ifndef ANALYSIS_LAW_BANDS_H
#define ANALYSIS_LAW_BANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/fraction.h"
#include "analysis/law.h"

/*
 * What one point demands of the unknown per_unit and offset: low < per_unit * x - offset <= high,
 * or with both ends included when the bands are closed. A point on the floor has no lower end, one
 * on the cap no upper end.
 */
struct band {
	int64_t x;
	int64_t low;
	int64_t high;
	bool has_low;
	bool has_high;
};

struct bands {
	struct band *items;
	size_t count;
	bool is_closed;
	struct law_point *hull; /* room for as many */
};

struct range {
	struct fraction low;
	struct fraction high;
	bool has_low;
	bool has_high;
};

/*
 * The slopes that meet all bands, which are in the order of x; those of the same x become one.
 * False when there is no such slope. Takes time in proportion to their number, but for a logarithm.
 */
bool bands_slopes(struct bands *bands, struct range *ret_range);

#endif
