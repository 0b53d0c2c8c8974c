/* SPDX-License-Identifier: MIT */
/*
 * Whether <benchmark>.csv is what a run writes: files are put together by hand, or cut, and what is
 * then read from them has never been measured.
 */
#ifndef ANALYSIS_SAMPLES_CHECK_H
#define ANALYSIS_SAMPLES_CHECK_H

#include "analysis/samples.h"
#include "base/err.h"

/*
 * Every row is of this run and benchmark; a sample's rows are numbered from 0 without a gap, and
 * the last one is the process's exit or the only row of what was not measured; no attempt is there
 * twice. Returns 0, -EBADMSG naming the line, or -ENOMEM. Of a file that is torn the last rows may
 * be missing: that is where a run was killed.
 */
int samples_check(const struct samples *samples, const char *path, const char *run,
		  const char *benchmark, struct err *reterr);

#endif
