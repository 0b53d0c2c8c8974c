/* SPDX-License-Identifier: MIT */
/*
 * plan.csv of a run directory: the samples that were to be taken, so that those that were not are
 * missed.
 *
 *   planned_read() -> planned_find_samples() once per benchmark -> planned_missing() …
 */
#ifndef ANALYSIS_PLANNED_H
#define ANALYSIS_PLANNED_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/samples.h"
#include "base/csv.h"
#include "base/err.h"

struct planned {
	struct csv_table table;
	size_t benchmark;  /* column */
	size_t repeat;     /* column */
	size_t first_axis; /* column; axis_1, value_1, axis_2 … follow one another */
	bool *is_taken;    /* per row; owned */
};

/* A directory without the file has planned nothing. */
int planned_read(struct planned *planned, const char *dir, struct err *reterr);
void planned_free(struct planned *planned);

/* Ticks off those that the samples of the benchmark are. */
void planned_find_samples(struct planned *planned, const char *benchmark,
			  const struct samples *samples);

/*
 * How many samples that may meet `where` (see samples_matches(); a reading may be any) were not
 * taken, of `*ret_count` that were to be.
 */
size_t planned_missing(const struct planned *planned, const char *benchmark, const char *where,
		       size_t *ret_count);

#endif
