/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report.h"
#include "base/array.h"
#include "cli/analyse.h"
#include "cli/cli.h"
#include "cli/runs.h"

static const struct cli_option options[] = {
	{ "format", "text|markdown|html", "default: text" },
	{ "write", NULL,
	  "also write laws.csv, claims.csv, report.md and report.html into the directory; with "
	  "--quiet, only that" },
	{ "out", "DIR",
	  "of several runs: also write report.md and report.html there, with the charts that "
	  "`cuctx "
	  "plot --out DIR` has drawn of them" },
	{ "allow-simulated", NULL, "show what was simulated beside what was measured" },
	{ 0 },
};

static const struct {
	const char *name;
	enum document_format format;
} formats[] = { { "text", DOCUMENT_TEXT },
		{ "markdown", DOCUMENT_MARKDOWN },
		{ "html", DOCUMENT_HTML } };

/* What --write writes. */
static const struct {
	const char *file;
	enum document_format format;
} files[] = { { "report.md", DOCUMENT_MARKDOWN }, { "report.html", DOCUMENT_HTML } };

struct request {
	struct runs_request runs;
	enum document_format format;
	const char *out; /* NULL: none */
	bool writes;
};

static enum exit_code print_report(const char *directory, enum document_format format)
{
	struct err err;
	char *text;
	int r = report_render(directory, analyse_requests(), format, &text, &err);

	if (r < 0)
		return cli_fail(r, &err);
	fputs(text, stdout);
	free(text);
	return EXIT_FINE;
}

static int write_file(const char *path, const char *text, struct err *reterr)
{
	FILE *file = fopen(path, "we");
	int r = 0;

	if (!file)
		return err_errno(reterr, errno, "%s", path);
	if (fputs(text, file) == EOF)
		r = err_errno(reterr, errno, "%s", path);
	if (fclose(file) == EOF && !r)
		r = err_errno(reterr, errno, "%s", path);
	return r;
}

static enum exit_code write_reports(const char *directory)
{
	struct err err;
	int r = analyse_write(directory, &err);

	for (size_t i = 0; i < ARRAY_COUNT(files) && !r; i++) {
		char *path = NULL, *text = NULL;

		if (asprintf(&path, "%s/%s", directory, files[i].file) < 0)
			return cli_fail(-ENOMEM, &(struct err){ "out of memory" });
		r = report_render(directory, analyse_requests(), files[i].format, &text, &err);
		if (!r)
			r = write_file(path, text, &err);
		free(text);
		free(path);
	}
	return r < 0 ? cli_fail(r, &err) : EXIT_FINE;
}

static enum exit_code report_one(const struct request *request)
{
	const char *directory = request->runs.arguments[0];
	enum exit_code code = request->writes ? write_reports(directory) : EXIT_FINE;

	if (code == EXIT_FINE && !(request->writes && cli_quiet))
		code = print_report(directory, request->format);
	return code;
}

/* ---- several ---- */

static int write_side_by_side(const struct report_runs *runs, struct err *reterr)
{
	int r = 0;

	for (size_t i = 0; i < ARRAY_COUNT(files) && !r; i++) {
		char *path = NULL, *text = NULL;

		if (asprintf(&path, "%s/%s", runs->charts_dir, files[i].file) < 0)
			return err_errno(reterr, ENOMEM, "%s", runs->charts_dir);
		r = report_render_runs(runs, files[i].format, &text, reterr);
		if (!r)
			r = write_file(path, text, reterr);
		free(text);
		free(path);
	}
	return r;
}

static int print_side_by_side(const struct report_runs *runs, enum document_format format,
			      struct err *reterr)
{
	char *text;
	int r = report_render_runs(runs, format, &text, reterr);

	if (r < 0)
		return r;
	fputs(text, stdout);
	free(text);
	return 0;
}

static enum exit_code report_several(const struct request *request)
{
	struct runs runs;
	enum exit_code code = runs_open(&runs, &request->runs);
	struct report_runs side = { .items = runs.items, .labels = runs.labels };
	struct err err;
	int r = 0;

	if (code != EXIT_FINE)
		return code;
	side.count = runs.count;
	side.charts_dir = request->out;
	if (request->out)
		code = runs_claim_folder(&runs, "report", request->out);
	if (code == EXIT_FINE && request->out)
		r = write_side_by_side(&side, &err);
	if (code == EXIT_FINE && !r && !(request->out && cli_quiet))
		r = print_side_by_side(&side, request->format, &err);
	runs_close(&runs);
	return r < 0 ? cli_fail(r, &err) : code;
}

/* ---- the command ---- */

static int take_format(struct request *request, const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
		if (!strcmp(formats[i].name, name)) {
			request->format = formats[i].format;
			return 0;
		}
	cli_usage("report", "--format: '%s' is none of text, markdown, html", name);
	return -EINVAL;
}

static int take(struct request *request, const struct cli_match *match)
{
	const char *name = match->option ? match->option->name : NULL;

	if (!name) {
		if (request->runs.count == RUNS_MAX) {
			cli_usage("report", "more than %d directories", RUNS_MAX);
			return -EINVAL;
		}
		request->runs.arguments[request->runs.count++] = match->value;
	} else if (!strcmp(name, "format")) {
		return take_format(request, match->value);
	} else if (!strcmp(name, "out")) {
		request->out = match->value;
	} else if (!strcmp(name, "write")) {
		request->writes = true;
	} else {
		request->runs.allows_simulated = true;
	}
	return 0;
}

static enum exit_code report_run(int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "report", .options = options, .argc = argc, .argv = argv
	};
	struct request request = { .runs.command = "report", .format = DOCUMENT_TEXT };
	struct cli_match match;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0)
		if (take(&request, &match) < 0)
			return EXIT_USAGE;
	if (r < 0)
		return EXIT_USAGE;
	if (!request.runs.count)
		return cli_usage("report", "a run directory is needed");
	if (request.runs.count == 1 && request.out)
		return cli_usage("report", "--out is for several runs; --write is for one");
	if (request.runs.count > 1 && request.writes)
		return cli_usage("report", "--write is for one run; --out is for several");
	return request.runs.count == 1 ? report_one(&request) : report_several(&request);
}

const struct cli_command cmd_report = {
	.name = "report",
	.summary = "what a run found: tables, laws, and what could be saved",
	.usage = "[LABEL=]DIR... [OPTIONS]",
	.options = options,
	.details = "Of several runs, there is a column for each.\nHTML holds the charts that "
		   "`cuctx plot` has drawn before.\n",
	.run = report_run,
};
