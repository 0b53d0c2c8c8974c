/* SPDX-License-Identifier: MIT */
/*
 * What the driver answered: the different values of each reading at each step, apart for the words
 * of switches as far as they make a difference.
 */
#ifndef ANALYSIS_READINGS_H
#define ANALYSIS_READINGS_H

#include "analysis/steps.h"
#include "analysis/values.h"

struct reading {
	size_t column;
	const char *step;
	uint32_t words[STEP_SWITCHES_MAX]; /* as those of a step_group */
	struct values values;
};

struct readings {
	struct reading *items; /* owned; texts are the samples' */
	size_t count;
};

/* The table is one of the same samples, and tells which switches there are. */
int readings_collect(struct readings *readings, const struct step_table *table,
		     const struct samples *samples, struct err *reterr);
void readings_free(struct readings *readings);

#endif
