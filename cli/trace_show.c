/* SPDX-License-Identifier: MIT */
#include "cli/trace_show.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/document.h"
#include "analysis/trace_parts.h"
#include "analysis/trace_rows.h"
#include "analysis/trace_steps.h"
#include "analysis/trace_summary.h"
#include "base/array.h"
#include "cli/gnuplot.h"

/* So many steps have a number in the chart and a line in its list. */
#define NAMED_STEPS 12

static enum exit_code print_summary(const struct trace_rows *rows, size_t top, FILE *out)
{
	struct document document = { 0 };
	struct err err;
	char *text;
	int r = trace_summary(&document, rows, top, &err);

	if (!r)
		r = document_render(&document, DOCUMENT_TEXT, &text, &err);
	document_free(&document);
	if (r)
		return cli_fail(r, &err);
	fputs(text, out);
	free(text);
	return EXIT_FINE;
}

/* "x/trace.csv" gives "x/" and "trace"; both to be freed. */
static bool split(const char *path, char **ret_folder, char **ret_name)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t length = strlen(base);

	if (length > 4 && !strcmp(base + length - 4, ".csv"))
		length -= 4;
	*ret_folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
	*ret_name = strndup(base, length);
	return *ret_folder && *ret_name;
}

static enum exit_code write_steps(const struct trace_rows *rows, const char *path)
{
	struct csv_row steps;
	struct err err;
	int r;

	csv_row_init(&steps);
	r = trace_steps_put(rows, NAMED_STEPS, &steps);
	r = r < 0 ? err_set(&err, ENOMEM, "out of memory") : csv_row_replace(&steps, path, &err);
	csv_row_free(&steps);
	return r < 0 ? cli_fail(r, &err) : EXIT_FINE;
}

static enum exit_code draw_table(const struct trace_rows *rows, struct chart *chart)
{
	struct trace_device first = { .gpu_name = "" };
	const char *texts[] = { NULL, trace_fact(rows, "driver_release"),
				trace_fact(rows, "command"), trace_fact(rows, "simulated") };
	char *shown[ARRAY_COUNT(texts)] = { 0 };
	enum exit_code code = EXIT_FINE;
	bool has_gnuplot = true, has_memory = true;

	trace_devices(rows, &first, 1);
	texts[0] = first.gpu_name;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
		shown[i] = chart_text(texts[i]);
		chart->arguments[1 + i] = shown[i];
		has_memory = has_memory && shown[i];
	}
	if (!has_memory)
		code = cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	for (size_t i = 0; i < CHART_FORMATS_BY_DEFAULT && code == EXIT_FINE && has_gnuplot; i++)
		code = chart_draw(chart, &chart_formats[i], &has_gnuplot);
	for (size_t i = 0; i < ARRAY_COUNT(shown); i++)
		free(shown[i]);
	return code;
}

static enum exit_code draw(const struct trace_rows *rows, const char *folder, const char *name,
			   const char *again)
{
	char *script = cli_share_path("plots/trace.gp"), *table = NULL;
	struct chart chart = {
		.folder = folder, .name = name, .script = script, .is_silent = true, .again = again
	};
	enum exit_code code = chart_make_folder(folder);

	if (code == EXIT_FINE && (!script || asprintf(&table, "%s/plots/%s.csv", folder, name) < 0))
		code = cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	if (code == EXIT_FINE)
		code = write_steps(rows, table);
	chart.arguments[0] = table;
	if (code == EXIT_FINE)
		code = draw_table(rows, &chart);
	free(table);
	free(script);
	return code;
}

/* A trace in which nothing moved has no chart. */
static bool has_steps(const struct trace_rows *rows)
{
	for (size_t row = 0; row < rows->table.row_count; row++)
		if (trace_number_or_0(rows, row, TRACE_COLUMN_delta_bytes))
			return true;
	return false;
}

enum exit_code trace_show(const char *path, size_t top, FILE *out, bool draws)
{
	char *folder = NULL, *name = NULL, *again = NULL;
	struct trace_rows rows;
	struct err err;
	enum exit_code code = EXIT_FINE;
	int r = trace_rows_read(&rows, path, &err);

	if (r < 0)
		return cli_fail(r, &err);
	if (out)
		code = print_summary(&rows, top, out);
	else if (trace_problem(&rows, &err))
		cli_complain("cuctx: %s", err.text);
	if (draws && code == EXIT_FINE && has_steps(&rows)) {
		if (split(path, &folder, &name) &&
		    asprintf(&again, "cuctx trace --from %s", path) >= 0)
			code = draw(&rows, folder, name, again);
		free(folder);
		free(name);
		free(again);
	}
	trace_rows_free(&rows);
	return code;
}
