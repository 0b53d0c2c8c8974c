/* SPDX-License-Identifier: MIT */
/* Charts that have several runs as series, and the one of what a context is made of. */
#ifndef CLI_OVERLAY_H
#define CLI_OVERLAY_H

#include "analysis/overlay.h"
#include "cli/cli.h"
#include "cli/gnuplot.h"

struct plot_request {
	const char *runs[OVERLAY_RUNS_MAX]; /* "DIR" or "LABEL=DIR" */
	size_t run_count;
	const char *out; /* NULL: the default */
	const struct chart_format *formats;
	size_t format_count;
	bool allows_simulated;
};

/* Writes components.csv into the run directory and draws it. */
enum exit_code plot_components_of_one(const struct run *run, const struct plot_request *request);

/* All of the request's runs in each chart. */
enum exit_code plot_overlays(const struct plot_request *request);

#endif
