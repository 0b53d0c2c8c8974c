/* SPDX-License-Identifier: MIT */
/* The benchmarks of several sources: which file each has for it. */
#ifndef ANALYSIS_COMPARE_UNITS_H
#define ANALYSIS_COMPARE_UNITS_H

#include <stddef.h>

#include "analysis/compare_source.h"
#include "analysis/requests.h"
#include "base/err.h"

struct compare_unit {
	char *benchmark;                  /* owned */
	char *paths[COMPARE_SOURCES_MAX]; /* NULL: that source has no such file; owned */
};

struct compare_units {
	struct compare_unit *items; /* in the order of the requests, others behind; owned */
	size_t count;
};

/*
 * Any CSV of a directory that has a benchmark's columns is one, and one that is called after a
 * benchmark has to be. Where a source is a single CSV, only its benchmark is compared.
 */
int compare_units_find(struct compare_units *units, const struct compare_sources *sources,
		       const struct requests *requests, struct err *reterr);
void compare_units_free(struct compare_units *units);

#endif
