/* SPDX-License-Identifier: MIT */
/*
 * The anatomy of one run or several as bars, each of which begins where the one before it ends:
 *
 *   run,label,line,component,drawn_as,kind,start_bytes,bytes
 *
 * The kind is whole, part, more, shared or, of the last line, sum: what all the others add up to.
 * Lines count from 1 in the order in which they are met; what was not measured has none. Where
 * samples differ, bytes are the most. Of a run that lacks a line, what others share and the sum are
 * left out. `label` and `drawn_as` are texts for charts, see analysis/overlay.h.
 */
#ifndef ANALYSIS_COMPONENTS_H
#define ANALYSIS_COMPONENTS_H

#include "analysis/overlay.h"
#include "base/csv.h"
#include "base/err.h"

#define COMPONENTS "components"

/*
 * Adds the header and the rows; tells of components that some runs have and others do not.
 * `ret_has_rows`: whether any run has one.
 */
int components_put(const struct overlay_runs *runs, struct csv_row *rows, bool *ret_has_rows,
		   struct err *reterr);

#endif
