/* SPDX-License-Identifier: MIT */
/*
 * Some of a benchmark's points in words that are true of these and of no others.
 *
 * "streams 1, 64; priority high" means every point that there is with one of the first and one of
 * the second. Points that are no such product are told as several: "... or ...".
 */
#ifndef ANALYSIS_REGIONS_H
#define ANALYSIS_REGIONS_H

#include <stddef.h>

#include "analysis/samples.h"
#include "base/text.h"

/*
 * The points of these samples (their numbers). An axis on which nothing depends is left out, and
 * where that are all: "all points". What would take too many words is counted: "7 of 40 points".
 */
void regions_tell(const struct samples *samples, const size_t *chosen, size_t count,
		  struct text *ret_text);

#endif
