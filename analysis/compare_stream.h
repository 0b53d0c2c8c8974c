/* SPDX-License-Identifier: MIT */
/*
 * A comparison for programs: every difference by itself, written as it is found, so that there may
 * be any number of them.
 *
 *   compare_stream_begin() -> compare_run() with compare_stream_sink() -> compare_stream_end()
 *   -> compare_stream_free()
 *
 * CSV, one row per difference and NEW:
 *
 *   kind,label,benchmark,axes,step,column,base,base_max,new,new_max,difference,difference_max,
 *   percent,verdict,settle_repeats,rows
 *
 * kind: environment, benchmark, point, law, status or number. `label` is that of the NEW. Where
 * repeats differ, base and base_max (and so on) are their ends; base_max is empty for a text.
 * `rows`: how many rows of the files a law's line stands for.
 *
 * JSON, one object: schema_version, runs (BASE first), environment, differences, sum. What is not
 * there is null, and numbers have all their digits.
 */
#ifndef ANALYSIS_COMPARE_STREAM_H
#define ANALYSIS_COMPARE_STREAM_H

#include "analysis/compare.h"
#include "analysis/compare_environment.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/text.h"

struct compare_stream {
	const struct compare_sources *sources;
	/* Where the bytes go; 0 or a negative errno. */
	int (*write)(void *context, const char *bytes, size_t count);
	void *context;
	bool is_json;
	bool has_lines;
	struct csv_row row;
	struct text text;
};

/* Set `sources`, `write`, `context` and `is_json` before, and the rest to zero. */
int compare_stream_begin(struct compare_stream *stream, struct err *reterr);
struct compare_sink compare_stream_sink(struct compare_stream *stream);
int compare_stream_end(struct compare_stream *stream, const struct compare_result *result,
		       struct err *reterr);
void compare_stream_free(struct compare_stream *stream);

/* ---- the two formats ---- */

struct compare_writer {
	void (*begin)(struct compare_stream *stream, const struct compare_facts *facts);
	void (*line)(struct compare_stream *stream, const struct compare_line *line);
	void (*end)(struct compare_stream *stream, const struct compare_result *result);
};

extern const struct compare_writer compare_csv;
extern const struct compare_writer compare_json;

const char *compare_kind_text(enum compare_line_kind kind);

#endif
