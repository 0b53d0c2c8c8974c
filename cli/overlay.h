/* SPDX-License-Identifier: MIT */
/* Charts that have several runs as series, and the one of what a context is made of. */
#ifndef CLI_OVERLAY_H
#define CLI_OVERLAY_H

#include "analysis/overlay.h"
#include "cli/cli.h"
#include "cli/gnuplot.h"
#include "cli/runs.h"

struct plot_request {
	struct runs_request runs;
	const char *out; /* NULL: the default */
	const struct chart_format *formats;
	size_t format_count;
};

/* Writes components.csv into the run directory and draws it. */
enum exit_code plot_components_of_one(const struct run *run, const struct plot_request *request);

/* All of the request's runs in each chart. */
enum exit_code plot_overlays(const struct plot_request *request);

#endif
