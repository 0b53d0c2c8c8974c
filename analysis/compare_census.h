/* SPDX-License-Identifier: MIT */
/*
 * How many samples there are of a benchmark, and how many values on each axis: what a line that
 * stands for several points may leave out. A zeroed struct has counted nothing.
 */
#ifndef ANALYSIS_COMPARE_CENSUS_H
#define ANALYSIS_COMPARE_CENSUS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/compare_reader.h"

/* Values beyond this are not told apart any more. */
#define CENSUS_VALUES_MAX 4096

struct census_axis {
	char *name;       /* owned */
	uint64_t *values; /* hashes, 0: free; owned */
	size_t slot_count;
	size_t count;
};

struct compare_census {
	struct census_axis axes[COMPARE_AXES_MAX];
	size_t axis_count;
	uint64_t sample_count;
	uint64_t row_count;
};

/* Counts the row, and its sample where it begins one. Returns 0 or -ENOMEM. */
int compare_census_add(struct compare_census *census, const struct compare_reader *reader,
		       const struct compare_row *row);
void compare_census_free(struct compare_census *census);

/* 0 for an axis that there is not. */
size_t compare_census_values(const struct compare_census *census, const char *axis,
			     size_t axis_length);

/* A value that is counted once; also for other sets. Returns 0 or -ENOMEM. */
int census_axis_add(struct census_axis *axis, const char *value);

#endif
