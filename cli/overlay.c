/* SPDX-License-Identifier: MIT */
#include "cli/overlay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/components.h"
#include "base/csv.h"
#include "base/text.h"
#include "cli/analyse.h"
#include "cli/runs.h"

#define OUT_BY_DEFAULT "overlay"

/* Some runs, and where what is drawn of them goes. */
struct overlaying {
	const struct plot_request *request;
	struct overlay_runs runs;
	const char *folder;
	const char *simulated; /* "yes" or "no" */
	const char *subtitle;
	bool has_gap;
	bool has_gnuplot;
};

/* ---- what is missing ---- */

/* What a device does not have is a remark; what a run lacks is an error, and the rest is drawn. */
static void tell_gap(void *data, const struct overlay_gap *gap)
{
	struct overlaying *overlaying = data;

	if (gap->is_unsupported) {
		cli_note("%s: %s, %s: not drawn, its rows say that it is unsupported there",
			 gap->label, gap->benchmark, gap->series);
		return;
	}
	overlaying->has_gap = true;
	cli_complain("cuctx: %s: %s%s%s: the run has no such %s, others have", gap->label,
		     gap->benchmark, gap->series ? ", " : "", gap->series ? gap->series : "",
		     gap->series ? "series" : "benchmark");
}

/* ---- charts ---- */

static enum exit_code draw(struct overlaying *overlaying, const char *script, const char *name)
{
	struct chart chart = { .name = name,
			       .folder = overlaying->folder,
			       .again = "the same command" };
	enum exit_code worst = EXIT_FINE;
	char *path = cli_share_path(script), *data = NULL;

	if (!path || asprintf(&data, "%s/%s.csv", overlaying->folder, name) < 0) {
		free(path);
		return cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	}
	chart.script = path;
	chart.arguments[0] = data;
	chart.arguments[1] = overlaying->simulated;
	chart.arguments[2] = overlaying->subtitle;
	for (size_t i = 0; i < overlaying->request->format_count && overlaying->has_gnuplot; i++) {
		enum exit_code code = chart_draw(&chart, &overlaying->request->formats[i],
						 &overlaying->has_gnuplot);

		worst = code == EXIT_FINE ? worst : code;
	}
	free(path);
	free(data);
	return worst;
}

static enum exit_code plot_benchmark(struct overlaying *overlaying,
				     const struct benchmark_request *benchmark)
{
	struct csv_row rows;
	size_t panel_count;
	struct err err;
	int r;

	csv_row_init(&rows);
	r = overlay_benchmark(&overlaying->runs, benchmark, &rows, &panel_count, &err);
	if (!r && panel_count)
		r = run_replace(overlaying->folder, benchmark->name, &rows, &err);
	csv_row_free(&rows);
	if (r < 0)
		return cli_fail(r, &err);
	return panel_count ? draw(overlaying, "plots/overlay.gp", benchmark->name) : EXIT_FINE;
}

static void listen(struct overlaying *overlaying)
{
	overlaying->runs.tell_gap = tell_gap;
	overlaying->runs.data = overlaying;
}

static enum exit_code plot_components(struct overlaying *overlaying)
{
	struct csv_row rows;
	bool has_rows;
	struct err err;
	int r;

	csv_row_init(&rows);
	r = components_put(&overlaying->runs, &rows, &has_rows, &err);
	if (!r && has_rows)
		r = run_replace(overlaying->folder, COMPONENTS, &rows, &err);
	csv_row_free(&rows);
	if (r < 0)
		return cli_fail(r, &err);
	return has_rows ? draw(overlaying, "plots/components.gp", COMPONENTS) : EXIT_FINE;
}

static enum exit_code plot_all(struct overlaying *overlaying)
{
	const struct requests *requests = analyse_requests();
	enum exit_code worst = plot_components(overlaying);

	for (size_t i = 0; i < requests->benchmark_count; i++) {
		enum exit_code code = plot_benchmark(overlaying, &requests->benchmarks[i]);

		worst = code == EXIT_FINE ? worst : code;
	}
	return worst == EXIT_FINE && overlaying->has_gap ? EXIT_FILE : worst;
}

/* "NVIDIA H200, driver 580.159.04" */
static void add_run_words(const struct environment *environment, struct text *text)
{
	const char *gpu = environment_get(environment, "gpu_name");
	const char *driver = environment_get(environment, "driver_release");

	text_format(text, "%s, driver %s", *gpu ? gpu : "unknown GPU",
		    *driver ? driver : "unknown");
}

enum exit_code plot_components_of_one(const struct run *run, const struct plot_request *request)
{
	const char *simulated = environment_get(&run->environment, "simulated");
	const char *label = environment_get(&run->environment, "run");
	struct overlaying overlaying = { .request = request,
					 .runs = { .items = run, .labels = &label, .count = 1 },
					 .folder = run->dir,
					 .simulated = simulated,
					 .has_gnuplot = true };
	struct text text = { 0 };
	enum exit_code code;
	char *subtitle;

	add_run_words(&run->environment, &text);
	subtitle = chart_text(text_peek(&text));
	text_free(&text);
	if (!subtitle)
		return cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	overlaying.subtitle = subtitle;
	listen(&overlaying);
	code = plot_components(&overlaying);
	free(subtitle);
	return code;
}

/* ---- several runs ---- */

/* "before: NVIDIA H200, driver 580.159.04", or the label alone where it says both. To be freed. */
static int make_label(const struct compare_source *source, char **ret_label, struct err *reterr)
{
	const char *gpu = environment_get(&source->environment, "gpu_name");
	const char *driver = environment_get(&source->environment, "driver_release");
	struct text text = { 0 };

	text_add(&text, source->label);
	if (!strstr(source->label, gpu) || !strstr(source->label, driver)) {
		text_add(&text, ": ");
		add_run_words(&source->environment, &text);
	}
	return text_take(&text, ret_label, reterr);
}

static enum exit_code plot_labelled(const struct plot_request *request, const struct runs *runs,
				    char **labels)
{
	const char *shown[RUNS_MAX];
	struct overlaying overlaying = {
		.request = request,
		.runs = { .items = runs->items, .labels = shown, .count = runs->count },
		.folder = request->out ? request->out : OUT_BY_DEFAULT,
		.simulated = runs->has_simulated ? "yes" : "no",
		.subtitle = "a colour for each run",
		.has_gnuplot = true
	};
	enum exit_code code = runs_claim_folder(runs, "plot", overlaying.folder);

	if (code == EXIT_FINE)
		code = chart_make_folder(overlaying.folder);
	listen(&overlaying);
	for (size_t i = 0; i < runs->count; i++)
		shown[i] = labels[i];
	return code == EXIT_FINE ? plot_all(&overlaying) : code;
}

enum exit_code plot_overlays(const struct plot_request *request)
{
	char *labels[RUNS_MAX] = { 0 };
	struct runs runs;
	enum exit_code code = runs_open(&runs, &request->runs);
	struct err err;
	int r = 0;

	if (code != EXIT_FINE)
		return code;
	for (size_t i = 0; i < runs.count && !r; i++)
		r = make_label(&runs.sources.items[i], &labels[i], &err);
	code = r < 0 ? cli_fail(r, &err) : plot_labelled(request, &runs, labels);
	for (size_t i = 0; i < runs.count; i++)
		free(labels[i]);
	runs_close(&runs);
	return code;
}
