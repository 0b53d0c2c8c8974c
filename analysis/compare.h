/* SPDX-License-Identifier: MIT */
/*
 * What changed between runs: each NEW against BASE, row by row where benchmark, axes and step meet.
 *
 *   compare_sources_open() -> compare_run(), whose lines go to a sink -> its counts
 *
 * Files are read twice, and no more is held of them than the points that differ; where these are
 * too many, they are read again for every part of them. So memory has a bound that does not grow
 * with the files.
 */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/compare_census.h"
#include "analysis/compare_line.h"
#include "analysis/compare_source.h"
#include "analysis/compare_verdict.h"
#include "analysis/requests.h"
#include "base/err.h"
#include "base/text.h"

struct compare_options {
	const struct requests *requests;
	const char *filter; /* extended regular expression on "benchmark axis=value ..."; NULL: all
			     */
	const char *column; /* NULL: delta_bytes and the readings */
	struct compare_threshold threshold;
};

struct compare_result {
	struct compare_counts counts;
	uint64_t row_counts[COMPARE_SOURCES_MAX];
	size_t benchmark_count; /* that BASE and a NEW have */
	struct text notes;      /* what was left out, one line each; to be freed */
};

/*
 * Where lines go: of each benchmark that has some, begin(), then line() per line, then end(). They
 * return 0, or an error, which ends the comparison.
 */
struct compare_sink {
	void *context;
	int (*begin)(void *context, const char *benchmark, struct err *reterr);
	/* A line where some NEW differs and it does not follow from another. */
	int (*line)(void *context, const struct compare_line *line, struct err *reterr);
	int (*end)(void *context, const struct compare_census *census, struct err *reterr);
};

/*
 * Returns 0, -EINVAL for a filter that is none or a column that no benchmark has, the error of a
 * file that cannot be read or is no table, or that of the sink.
 */
int compare_run(const struct compare_sources *sources, const struct compare_options *options,
		const struct compare_sink *sink, struct compare_result *result, struct err *reterr);

#endif
