/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/components.h"
#include "analysis/environment.h"
#include "analysis/run.h"
#include "base/array.h"
#include "bench/benches.h"
#include "cli/analyse.h"
#include "cli/cli.h"
#include "cli/overlay.h"

static const struct cli_option options[] = {
	{ "format", "svg|png|pdf", "default: svg and png" },
	{ "out", "DIR", "of several runs: where the charts go (default: overlay)" },
	{ "allow-simulated", NULL, "draw what was simulated beside what was measured" },
	{ 0 },
};

/* Of environment.csv, what charts show, in the order of the arguments of plots/common.gp. */
static const char *const shown_keys[] = { "gpu_name", "driver_release", "started_utc",
					  "granule_bytes", "simulated" };

static bool exists(const char *directory, const char *name, const char *ending)
{
	char *path = NULL;
	bool is_there =
		asprintf(&path, "%s/%s%s", directory, name, ending) >= 0 && !access(path, R_OK);

	free(path);
	return is_there;
}

/* One that cannot be drawn keeps no other from it, unless none can. */
static enum exit_code draw_benchmarks(struct chart *chart, const struct plot_request *request)
{
	enum exit_code worst = EXIT_FINE;
	bool has_gnuplot = true;

	for (size_t i = 0; i < benches_count && has_gnuplot; i++) {
		chart->name = benches[i]->name;
		if (!exists(chart->folder, chart->name, ".csv"))
			continue;
		for (size_t j = 0; j < request->format_count && has_gnuplot; j++) {
			enum exit_code code = chart_draw(chart, &request->formats[j], &has_gnuplot);

			worst = code == EXIT_FINE ? worst : code;
		}
	}
	return worst;
}

static enum exit_code draw_run(const struct run *run, const struct plot_request *request)
{
	struct chart chart = { .folder = run->dir, .arguments = { run->dir } };
	char *shown[ARRAY_COUNT(shown_keys)] = { 0 };
	char *script = cli_share_path("plots/common.gp");
	bool has_memory = script;
	enum exit_code code;

	for (size_t i = 0; i < ARRAY_COUNT(shown_keys); i++) {
		shown[i] = chart_text(environment_get(&run->environment, shown_keys[i]));
		has_memory = has_memory && shown[i];
		chart.arguments[1 + i] = shown[i];
	}
	chart.script = script;
	code = has_memory ? draw_benchmarks(&chart, request)
			  : cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	for (size_t i = 0; i < ARRAY_COUNT(shown_keys); i++)
		free(shown[i]);
	free(script);
	return code;
}

/* The charts draw the laws; and what is no table is told in our words, not in gnuplot's. */
static enum exit_code plot_one(const struct plot_request *request)
{
	const char *directory = request->runs.arguments[0];
	enum exit_code code, components;
	struct err err;
	struct run run;
	int r;

	if (!exists(directory, "environment", ".csv")) {
		r = err_set(&err, ENOENT, "%s: no run directory (it has no environment.csv)",
			    directory);
		return cli_fail(r, &err);
	}
	code = chart_make_folder(directory);
	if (code != EXIT_FINE)
		return code;
	r = analyse_laws(directory, &err);
	if (!r)
		r = run_read(&run, directory, analyse_requests(), &err);
	if (r < 0)
		return cli_fail(r, &err);
	code = draw_run(&run, request);
	components = plot_components_of_one(&run, request);
	run_free(&run);
	return code == EXIT_FINE ? components : code;
}

static int take(struct plot_request *request, const struct cli_match *match)
{
	const char *name = match->option ? match->option->name : NULL;

	if (!name) {
		if (request->runs.count == RUNS_MAX) {
			cli_usage("plot", "more than %d directories", RUNS_MAX);
			return -EINVAL;
		}
		request->runs.arguments[request->runs.count++] = match->value;
	} else if (!strcmp(name, "out")) {
		request->out = match->value;
	} else if (!strcmp(name, "allow-simulated")) {
		request->runs.allows_simulated = true;
	} else {
		request->formats = chart_format_find(match->value);
		request->format_count = 1;
		if (!request->formats) {
			cli_usage("plot", "--format: '%s' is none of svg, png, pdf", match->value);
			return -EINVAL;
		}
	}
	return 0;
}

static enum exit_code plot_run(int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "plot", .options = options, .argc = argc, .argv = argv
	};
	struct plot_request request = { .runs.command = "plot",
					.formats = chart_formats,
					.format_count = CHART_FORMATS_BY_DEFAULT };
	struct cli_match match;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0)
		if (take(&request, &match) < 0)
			return EXIT_USAGE;
	if (r < 0)
		return EXIT_USAGE;
	if (!request.runs.count)
		return cli_usage("plot", "a run directory is needed");
	if (request.runs.count == 1 && request.out)
		return cli_usage("plot", "--out is for several runs; the charts of one go into its "
					 "folder plots");
	/* gnuplot reads its scripts in the locale's encoding, and ours are UTF-8. */
	setenv("LC_ALL", "C.UTF-8", 1);
	return request.runs.count == 1 ? plot_one(&request) : plot_overlays(&request);
}

const struct cli_command cmd_plot = {
	.name = "plot",
	.summary = "draw the charts of a run, or of several as series of the same charts, by "
		   "gnuplot",
	.usage = "[LABEL=]DIR... [OPTIONS]",
	.options = options,
	.details = "The charts of one run go into its folder plots, those of several into that of "
		   "--out, beside\n"
		   "the tables that they are drawn from.\n",
	.run = plot_run,
};
