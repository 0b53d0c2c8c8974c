/* SPDX-License-Identifier: MIT */
/* The parameters of one law on several sources, and which of them changed. */
#ifndef ANALYSIS_COMPARE_LAW_LINES_H
#define ANALYSIS_COMPARE_LAW_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/compare_judge.h"
#include "analysis/laws.h"
#include "base/err.h"

/*
 * Whether both hold, with more points than they have choices, and one has a parameter that the
 * other has not, or not so.
 */
bool compare_law_changed(const struct fitted_law *base, const struct fitted_law *newer);

struct law_telling {
	const struct fitted_law *fitted; /* one per source */
	const bool *has_changed;         /* one per source, of which it is to be told */
	size_t source_count;
	const char *benchmark;
	uint64_t follow_count;
};

/*
 * A line per parameter that changed. What only follows from others (how far the points leave it
 * open, the slack, the first edge) is told where nothing else changed.
 */
int compare_law_tell(const struct law_telling *telling, const struct compare_visitor *visitor,
		     struct err *reterr);

#endif
