/* SPDX-License-Identifier: MIT */
/*
 * The points of several runs side by side: what a chart that overlays them is drawn from.
 *
 * Of each law of a benchmark there is a panel; of a benchmark without laws there are two, the bytes
 * of its headline step and the most that a sample took. One row per point:
 *
 *   panel,series,axis,unit,run,label,x,line,point,y
 *
 * Where points are numbers, `x` is the one on `axis`. Where they are words, `point` has them, and
 * `line` is the place of that point among those of all runs, from 1. Runs and panels count from 1.
 *
 * gnuplot ends a text at a comma or a quotation mark, whatever stands around it, and reads what
 * follows a backslash. So `label` and `point` have U+201A, U+201D and U+2216 instead, which look
 * like them.
 */
#ifndef ANALYSIS_OVERLAY_H
#define ANALYSIS_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/run.h"
#include "base/csv.h"
#include "base/err.h"

#define OVERLAY_MOST "most that was taken"

#define OVERLAY_RUNS_MAX 16

/* A series, or a point that is a word, that one of the runs lacks, though another one has it. */
struct overlay_gap {
	const char *label;
	const char *benchmark;
	const char *series;  /* NULL: the whole benchmark is missing */
	bool is_unsupported; /* its rows, or the driver's answers in them, say that there cannot be
				one */
};

/* What is drawn together, and who is told of gaps; all of it the caller's. */
struct overlay_runs {
	const struct run *items;
	const char *const *labels;
	size_t count; /* up to OVERLAY_RUNS_MAX */
	void (*tell_gap)(void *data, const struct overlay_gap *gap);
	void *data; /* for it */
};

/* A cell of a text that a chart shows. */
void overlay_put_text(struct csv_row *rows, const char *text);

/* Adds the header and the rows. `ret_panel_count`: 0 where no run has anything to draw. */
int overlay_benchmark(const struct overlay_runs *runs, const struct benchmark_request *benchmark,
		      struct csv_row *rows, size_t *ret_panel_count, struct err *reterr);

#endif
