/* SPDX-License-Identifier: MIT */
/* One benchmark of several sources; see compare.h. */
#ifndef ANALYSIS_COMPARE_UNIT_H
#define ANALYSIS_COMPARE_UNIT_H

#include <regex.h>
#include <stdbool.h>

#include "analysis/compare.h"
#include "analysis/compare_units.h"

struct comparing {
	const struct compare_sources *sources;
	const struct compare_options *options;
	const struct compare_sink *sink;
	struct compare_result *result;
	const regex_t *filter; /* NULL: all samples */
	bool has_column;       /* some benchmark has the one that is asked for */
};

int compare_unit(struct comparing *comparing, const struct compare_unit *unit, struct err *reterr);

#endif
