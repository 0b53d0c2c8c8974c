/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/text.h"
#include "bench/benches.h"
#include "cli/analyse.h"
#include "cli/cli.h"
#include "harness/plan.h"

#define PASSED_MAX 16

static const struct cli_option options[] = {
	{ "device", "N", "without DIR: ordinal of the device (default 0)" },
	{ "out", "DIR", "without DIR: where the run directory is made (default results)" },
	{ "simulate", "[=PROFILE]", "without DIR: measure the simulated device" },
	{ "quick", NULL, "without DIR: what it does in any case" },
	{ "format", "text|markdown|csv", "default: text" },
	{ 0 },
};

enum format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_CSV };

static const char *const format_names[] = {
	[FORMAT_TEXT] = "text", [FORMAT_MARKDOWN] = "markdown", [FORMAT_CSV] = "csv"
};

struct request {
	const char *directory;
	enum format format;
	const char *measuring;    /* an option that only measuring can heed */
	char *passed[PASSED_MAX]; /* "--device=1"; owned */
	size_t passed_count;
};

static int take_format(struct request *request, const char *text)
{
	for (size_t i = 0; i < ARRAY_COUNT(format_names); i++)
		if (!strcmp(format_names[i], text)) {
			request->format = (enum format)i;
			return 0;
		}
	cli_usage("anatomy", "--format: '%s' is none of text, markdown, csv", text);
	return -EINVAL;
}

static int pass(struct request *request, const struct cli_match *match)
{
	char **argument = &request->passed[request->passed_count];

	request->measuring = match->option->name;
	if (!strcmp(match->option->name, "quick"))
		return 0;
	if (request->passed_count == ARRAY_COUNT(request->passed)) {
		cli_usage("anatomy", "--%s: it is given too often", match->option->name);
		return -EINVAL;
	}
	if (asprintf(argument, "--%s%s%s", match->option->name, match->value ? "=" : "",
		     match->value ? match->value : "") < 0)
		return -ENOMEM;
	request->passed_count++;
	return 0;
}

static int take(struct request *request, const struct cli_match *match)
{
	if (match->option && !strcmp(match->option->name, "format"))
		return take_format(request, match->value);
	if (match->option)
		return pass(request, match);
	if (request->directory) {
		cli_usage("anatomy", "'%s' is one directory too many", match->value);
		return -EINVAL;
	}
	request->directory = match->value;
	return 0;
}

static int parse(struct request *request, int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "anatomy", .options = options, .argc = argc, .argv = argv
	};
	struct cli_match match;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		r = take(request, &match);
		if (r < 0)
			return r;
	}
	if (!r && request->directory && request->measuring) {
		cli_usage("anatomy", "--%s is for measuring; leave it or '%s' out",
			  request->measuring, request->directory);
		return -EINVAL;
	}
	return r < 0 ? -EINVAL : 0;
}

/* ---- which samples it takes ---- */

static void add_literal(struct text *regex, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (isalnum((unsigned char)bytes[i]) || strchr("-_ =", bytes[i]))
			text_add_bytes(regex, &bytes[i], 1);
		else
			text_format(regex, "[%c]", bytes[i]);
}

/* The value that a condition "axis=value,axis=value" asks of the axis; NULL: any. */
static const char *wanted_value(const char *where, const char *axis, size_t *ret_length)
{
	size_t length = strlen(axis);

	while (where && *where) {
		if (!strncmp(where, axis, length) && where[length] == '=') {
			*ret_length = strcspn(where + length + 1, ",");
			return where[length + 1] == '@' ? NULL : where + length + 1;
		}
		where += strcspn(where, ",");
		where += *where == ',';
	}
	return NULL;
}

/* One more of the alternatives: samples of the benchmark that meet the condition. */
static void add_samples(struct text *regex, const struct bench *bench, const char *where)
{
	text_add(regex, *text_peek(regex) ? "|" : "");
	text_format(regex, "^%s", bench->name);
	for (size_t i = 0; i < bench_axis_count(bench); i++) {
		size_t length;
		const char *value = wanted_value(where, bench->axes[i].name, &length);

		text_format(regex, " %s=", bench->axes[i].name);
		if (value)
			add_literal(regex, value, length);
		else
			text_add(regex, "[^ ]*");
	}
	text_add(regex, "$");
}

static void add_bench(struct text *regex, const struct bench *bench)
{
	for (size_t i = 0; i < BENCH_COMPONENTS_MAX && bench->components[i].name; i++) {
		add_samples(regex, bench, bench->components[i].with);
		if (bench->components[i].minus)
			add_samples(regex, bench, bench->components[i].minus);
	}
	for (size_t i = 0; i < BENCH_SAVINGS_MAX && bench->savings[i].advice; i++) {
		add_samples(regex, bench, bench->savings[i].with);
		if (bench->savings[i].minus)
			add_samples(regex, bench, bench->savings[i].minus);
	}
}

/* Those of the law that says what code takes. */
static void add_code(struct text *regex)
{
	const struct code_request *code = &analyse_requests()->code;

	for (size_t i = 0; i < benches_count; i++)
		for (size_t k = 0; k < BENCH_LAWS_MAX && benches[i]->laws[k].component; k++)
			if (!strcmp(benches[i]->name, code->benchmark) &&
			    !strcmp(benches[i]->laws[k].component, code->component))
				add_samples(regex, benches[i], benches[i]->laws[k].where);
}

/* All sets of parts that may share something. */
static void add_shared(struct text *regex)
{
	const struct requests *requests = analyse_requests();
	struct text parts = { 0 };

	for (size_t i = 0; i < requests->term_count; i++)
		if (requests->terms[i].part)
			text_format(&parts, "%s%s", *text_peek(&parts) ? "|" : "",
				    requests->terms[i].part);
	text_format(regex, "|^%s %s=(%s)([+](%s))*$", requests->shared.benchmark,
		    requests->shared.axis, text_peek(&parts), text_peek(&parts));
	text_free(&parts);
}

static enum exit_code measure_chosen(const struct request *request, const char *filter,
				     char **ret_directory)
{
	char words[][16] = { "run", "--quick", "--no-claims", "--filter" };
	char *arguments[ARRAY_COUNT(words) + PASSED_MAX + 2];
	char *regex = strdup(filter);
	size_t count = 0;
	enum exit_code code;

	if (!regex)
		return cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		arguments[count++] = words[i];
	arguments[count++] = regex;
	for (size_t i = 0; i < request->passed_count; i++)
		arguments[count++] = request->passed[i];
	arguments[count] = NULL;
	code = cli_run((int)count, arguments, ret_directory);
	free(regex);
	return code;
}

static enum exit_code measure(const struct request *request, char **ret_directory)
{
	struct text regex = { 0 };
	enum exit_code code;

	for (size_t i = 0; i < benches_count; i++)
		add_bench(&regex, benches[i]);
	add_code(&regex);
	add_shared(&regex);
	code = regex.failed ? cli_fail(-ENOMEM, &(struct err){ "out of memory" })
			    : measure_chosen(request, text_peek(&regex), ret_directory);
	text_free(&regex);
	return code;
}

/* ---- what it says ---- */

static int print(const struct run *run, enum format format, struct err *reterr)
{
	struct csv_row rows;
	char *text;
	int r;

	if (format != FORMAT_CSV) {
		r = report_render_anatomy(run,
					  format == FORMAT_TEXT ? DOCUMENT_TEXT : DOCUMENT_MARKDOWN,
					  &text, reterr);
		if (!r) {
			fputs(text, stdout);
			free(text);
		}
		return r;
	}
	csv_row_init(&rows);
	r = report_anatomy_csv(run, &rows, reterr);
	if (!r)
		r = csv_row_write(&rows, STDOUT_FILENO, "standard output", reterr);
	csv_row_free(&rows);
	return r;
}

static enum exit_code tell(const char *directory, enum format format)
{
	struct err err;
	struct run run;
	int r = run_read(&run, directory, analyse_requests(), &err);

	if (r < 0)
		return cli_fail(r, &err);
	r = print(&run, format, &err);
	run_free(&run);
	return r < 0 ? cli_fail(r, &err) : EXIT_FINE;
}

/* Samples that failed are lines that were not measured. */
static enum exit_code measure_and_tell(const struct request *request)
{
	char *directory = NULL;
	enum exit_code code = measure(request, &directory), told;

	if (directory && (code == EXIT_FINE || code == EXIT_SO)) {
		cli_note("its rows are in %s", directory);
		told = tell(directory, request->format);
		code = told == EXIT_FINE ? code : told;
	}
	free(directory);
	return code;
}

static enum exit_code anatomy_run(int argc, char **argv)
{
	struct request request = { 0 };
	enum exit_code code = EXIT_USAGE;

	if (!parse(&request, argc, argv))
		code = request.directory ? tell(request.directory, request.format)
					 : measure_and_tell(&request);
	for (size_t i = 0; i < request.passed_count; i++)
		free(request.passed[i]);
	return code;
}

const struct cli_command cmd_anatomy = {
	.name = "anatomy",
	.summary = "what a context is made of, who returns it, and what could be saved",
	.usage = "[DIR] [OPTIONS]",
	.options = options,
	.details = "Without DIR, it takes the few samples that this needs (seconds), into a run "
		   "directory of "
		   "its own.\n",
	.run = anatomy_run,
};
