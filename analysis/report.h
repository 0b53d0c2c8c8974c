/* SPDX-License-Identifier: MIT */
/*
 * What a run directory says, for people: what was measured, what a context is made of, what could
 * be saved, and for each benchmark when the memory goes and by which law.
 *
 * The text format ends in what its reader came for, right above the prompt; the pages begin with
 * it.
 */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include "analysis/claims.h"
#include "analysis/document.h"
#include "analysis/requests.h"
#include "analysis/run.h"
#include "base/err.h"

/*
 * Renders <dir>. HTML takes the charts in <dir>/plots into the page, Markdown refers to them.
 * `ret_text` is to be freed. Returns 0, or the error of a file that cannot be read or is no table.
 */
int report_render(const char *dir, const struct requests *requests, enum document_format format,
		  char **ret_text, struct err *reterr);

/* All the caller's. */
struct report_runs {
	const struct run *items;
	const char *const *labels;
	size_t count;
	const char *charts_dir; /* has a folder plots with charts of all of them; NULL: none */
};

/* The same runs side by side: a column for each. */
int report_render_runs(const struct report_runs *runs, enum document_format format, char **ret_text,
		       struct err *reterr);

/* The section about claims alone, as text and without those that were not measured. */
int report_render_claims(const struct run *run, const struct claims *claims, char **ret_text,
			 struct err *reterr);

/* Of a run: what a context is made of, what one more costs, and what gives it back. */
int report_render_anatomy(const struct run *run, enum document_format format, char **ret_text,
			  struct err *reterr);

/* component,bytes_min,bytes_max,paid_at,from,simulated; empty bytes: not measured. */
int report_anatomy_csv(const struct run *run, struct csv_row *rows, struct err *reterr);

#endif
