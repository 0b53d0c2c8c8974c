/* SPDX-License-Identifier: MIT */
#include "cli/runs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/components.h"
#include "base/array.h"
#include "base/csv.h"
#include "cli/analyse.h"
#include "cli/gnuplot.h"

static int read_all(struct runs *runs, struct err *reterr)
{
	for (; runs->count < runs->sources.count; runs->count++) {
		const struct compare_source *source = &runs->sources.items[runs->count];
		int r = source->is_file
				? err_set(reterr, ENOTDIR, "%s: no run directory", source->path)
				: run_read(&runs->items[runs->count], source->path,
					   analyse_requests(), reterr);

		if (r < 0)
			return r;
		runs->labels[runs->count] = source->label;
		runs->has_simulated = runs->has_simulated || source->is_simulated;
	}
	return 0;
}

enum exit_code runs_open(struct runs *runs, const struct runs_request *request)
{
	const struct compare_source *simulated, *measured;
	struct err err;
	int r;

	*runs = (struct runs){ 0 };
	r = compare_sources_open(&runs->sources, request->arguments, request->count, &err);
	if (r < 0)
		return cli_fail(r, &err);
	if (compare_sources_are_mixed(&runs->sources, &simulated, &measured) &&
	    !request->allows_simulated) {
		enum exit_code code = cli_usage(
			request->command,
			"%s is simulated and %s was measured; --allow-simulated shows them "
			"together",
			simulated->label, measured->label);

		runs_close(runs);
		return code;
	}
	r = read_all(runs, &err);
	if (r < 0) {
		runs_close(runs);
		return cli_fail(r, &err);
	}
	return EXIT_FINE;
}

void runs_close(struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		run_free(&runs->items[i]);
	compare_sources_free(&runs->sources);
	runs->count = 0;
}

/* ---- their folder ---- */

static bool has_file(const char *folder, const char *name, const char *ending)
{
	char *path = NULL;
	bool is_there =
		asprintf(&path, "%s/%s%s", folder, name, ending) >= 0 && !access(path, F_OK);

	free(path);
	return is_there;
}

static const char *const header[] = { "run", "label", "name" };

/* A runs.csv that is ours has these columns and no others. -errno or -EBADMSG where it is none. */
static int read_names(const char *folder, struct csv_table *ret_table)
{
	char *path = run_path(folder, "runs", ".csv");
	struct csv_table table;
	int r = path ? csv_table_read(&table, path, NULL) : -ENOMEM;
	bool is_ours = !r && table.column_count == ARRAY_COUNT(header);

	free(path);
	if (r < 0)
		return r;
	for (size_t i = 0; is_ours && i < ARRAY_COUNT(header); i++)
		is_ours = !strcmp(csv_table_header(&table, i), header[i]);
	if (!is_ours) {
		csv_table_free(&table);
		return -EBADMSG;
	}
	*ret_table = table;
	return 0;
}

bool runs_are_of_folder(const struct runs *runs, const char *folder)
{
	struct csv_table table;
	bool are_those;

	if (read_names(folder, &table) < 0)
		return false;
	are_those = table.row_count == runs->count;
	for (size_t i = 0; are_those && i < runs->count; i++)
		are_those = !strcmp(csv_table_cell(&table, i, csv_table_column(&table, "label")),
				    runs->labels[i]) &&
			    !strcmp(csv_table_cell(&table, i, csv_table_column(&table, "name")),
				    environment_get(&runs->items[i].environment, "run"));
	csv_table_free(&table);
	return are_those;
}

static int write_names(const struct runs *runs, const char *folder, struct err *reterr)
{
	struct csv_row rows;
	int r;

	csv_row_init(&rows);
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(&rows, header[i]);
	csv_row_end(&rows);
	for (size_t i = 0; i < runs->count; i++) {
		csv_row_uint(&rows, i + 1);
		csv_row_text(&rows, runs->labels[i]);
		csv_row_text(&rows, environment_get(&runs->items[i].environment, "run"));
		csv_row_end(&rows);
	}
	r = run_replace(folder, "runs", &rows, reterr);
	csv_row_free(&rows);
	return r;
}

static void remove_file(const char *folder, const char *below, const char *name, const char *ending)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s%s.%s", folder, below, name, ending) >= 0)
		unlink(path);
	free(path);
}

static bool remove_made(const char *folder, const char *name)
{
	remove_file(folder, "", name, "csv");
	for (size_t i = 0; i < chart_format_count; i++)
		remove_file(folder, "plots/", name, chart_formats[i].name);
	return false;
}

/* Whether there is a table or a chart of this name. */
static bool has_made(const char *folder, const char *name)
{
	char *chart = NULL;
	bool is_there = has_file(folder, name, ".csv");

	for (size_t i = 0; i < chart_format_count && !is_there; i++) {
		is_there = asprintf(&chart, "%s/plots/%s.%s", folder, name,
				    chart_formats[i].name) >= 0 &&
			   !access(chart, F_OK);
		free(chart);
		chart = NULL;
	}
	return is_there;
}

/* All that is made in such a folder beside runs.csv: `see` for each, until one says true. */
static const char *each_made(const char *folder, bool (*see)(const char *folder, const char *name))
{
	const struct requests *requests = analyse_requests();

	if (see(folder, COMPONENTS))
		return COMPONENTS;
	for (size_t i = 0; i < requests->benchmark_count; i++)
		if (see(folder, requests->benchmarks[i].name))
			return requests->benchmarks[i].name;
	return NULL;
}

enum exit_code runs_claim_folder(const struct runs *runs, const char *command, const char *folder)
{
	struct csv_table names;
	bool is_ours = !read_names(folder, &names);
	const char *foreign;
	struct err err;
	int r;

	if (is_ours)
		csv_table_free(&names);
	if (has_file(folder, "environment", ".csv"))
		return cli_usage(command, "--out: %s is a run directory", folder);
	if (!is_ours && has_file(folder, "runs", ".csv"))
		return cli_usage(command, "--out: %s has a runs.csv of its own", folder);
	foreign = is_ours ? NULL : each_made(folder, has_made);
	if (foreign)
		return cli_usage(command, "--out: %s has a table or chart %s of its own", folder,
				 foreign);
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return cli_fail(err_errno(&err, errno, "%s", folder), &err);
	if (is_ours && !runs_are_of_folder(runs, folder))
		each_made(folder, remove_made);
	r = write_names(runs, folder, &err);
	return r < 0 ? cli_fail(r, &err) : EXIT_FINE;
}
