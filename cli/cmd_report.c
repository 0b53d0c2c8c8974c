/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report.h"
#include "base/array.h"
#include "cli/analyse.h"
#include "cli/cli.h"

#define DIRECTORIES_MAX 32

static const struct cli_option options[] = {
	{ "format", "text|markdown|html", "default: text" },
	{ "write", NULL,
	  "also write laws.csv, claims.csv, report.md and report.html into the directory; with "
	  "--quiet, only that" },
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

static enum exit_code report_one(const char *directory, const char *format)
{
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
		if (!strcmp(formats[i].name, format))
			return print_report(directory, formats[i].format);
	return cli_usage("report", "--format: '%s' is none of text, markdown, html", format);
}

static enum exit_code report_run(int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "report", .options = options, .argc = argc, .argv = argv
	};
	const char *directories[DIRECTORIES_MAX];
	const char *format = "text";
	bool write = false;
	struct cli_match match;
	enum exit_code code = EXIT_FINE;
	size_t count = 0;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		if (match.option && match.value)
			format = match.value;
		else if (match.option)
			write = true;
		else if (count < DIRECTORIES_MAX)
			directories[count++] = match.value;
		else
			return cli_usage("report", "more than %d directories", DIRECTORIES_MAX);
	}
	if (r < 0)
		return EXIT_USAGE;
	if (!count)
		return cli_usage("report", "a run directory is needed");
	for (size_t i = 0; i < count && code == EXIT_FINE; i++) {
		code = write ? write_reports(directories[i]) : EXIT_FINE;
		if (code == EXIT_FINE && !(write && cli_quiet))
			code = report_one(directories[i], format);
	}
	return code;
}

const struct cli_command cmd_report = {
	.name = "report",
	.summary = "what a run found: tables, laws, and what could be saved",
	.usage = "DIR... [OPTIONS]",
	.options = options,
	.details = "HTML holds the charts that `cuctx plot` has drawn before.\n",
	.run = report_run,
};
