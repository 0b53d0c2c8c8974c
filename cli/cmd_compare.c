/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare.h"
#include "analysis/compare_document.h"
#include "analysis/compare_groups.h"
#include "analysis/compare_stream.h"
#include "base/array.h"
#include "cli/analyse.h"
#include "cli/cli.h"

static const struct cli_option options[] = {
	{ "format", "table|csv|markdown|json", "default: table" },
	{ "fail-on", "more|any|none", "what makes the exit code 1 (default: none)" },
	{ "threshold", "BYTES|PCT%", "what may differ without counting (default: nothing)" },
	{ "filter", "REGEX", "only samples whose 'benchmark axis=value ...' matches" },
	{ "column", "NAME", "compare this column (default: delta_bytes and the readings)" },
	{ "allow-simulated", NULL, "compare what was simulated with what was measured" },
	{ 0 },
};

struct request {
	const char *runs[COMPARE_SOURCES_MAX];
	size_t run_count;
	struct compare_options options;
	const char *format;
	const char *fail_on;
	bool allows_simulated;
};

/* ---- output ---- */

static int print_document(const struct compare_sources *sources, const struct request *request,
			  enum document_format format, struct compare_result *result,
			  struct err *reterr)
{
	struct compare_groups groups;
	struct compare_findings findings = { sources, &groups, result };
	struct compare_sink sink = compare_groups_sink(&groups);
	char *text;
	int r = compare_groups_init(&groups, sources->count);

	if (r < 0)
		return err_errno(reterr, -r, "comparison");
	r = compare_run(sources, &request->options, &sink, result, reterr);
	if (!r) {
		r = compare_document_render(&findings, format, &text, reterr);
		if (!r) {
			fputs(text, stdout);
			free(text);
		} else {
			text_free(&result->notes);
		}
	}
	compare_groups_free(&groups);
	return r;
}

static int print_table(const struct compare_sources *sources, const struct request *request,
		       struct compare_result *result, struct err *reterr)
{
	return print_document(sources, request, DOCUMENT_TEXT, result, reterr);
}

static int print_markdown(const struct compare_sources *sources, const struct request *request,
			  struct compare_result *result, struct err *reterr)
{
	return print_document(sources, request, DOCUMENT_MARKDOWN, result, reterr);
}

static int write_out(void *context, const char *bytes, size_t count)
{
	(void)context;
	return fwrite(bytes, 1, count, stdout) == count ? 0 : -EIO;
}

static int print_stream(const struct compare_sources *sources, const struct request *request,
			bool is_json, struct compare_result *result, struct err *reterr)
{
	struct compare_stream stream = { .sources = sources,
					 .write = write_out,
					 .is_json = is_json };
	struct compare_sink sink = compare_stream_sink(&stream);
	int r = compare_stream_begin(&stream, reterr);

	if (!r)
		r = compare_run(sources, &request->options, &sink, result, reterr);
	if (!r) {
		r = compare_stream_end(&stream, result, reterr);
		if (r < 0)
			text_free(&result->notes);
	}
	compare_stream_free(&stream);
	return r;
}

static int print_csv(const struct compare_sources *sources, const struct request *request,
		     struct compare_result *result, struct err *reterr)
{
	return print_stream(sources, request, false, result, reterr);
}

static int print_json(const struct compare_sources *sources, const struct request *request,
		      struct compare_result *result, struct err *reterr)
{
	return print_stream(sources, request, true, result, reterr);
}

static const struct {
	const char *name;
	int (*print)(const struct compare_sources *sources, const struct request *request,
		     struct compare_result *result, struct err *reterr);
} formats[] = { { "table", print_table },
		{ "csv", print_csv },
		{ "markdown", print_markdown },
		{ "json", print_json } };

/* ---- the verdict of all ---- */

static const struct {
	const char *name;
	bool verdicts[VERDICT_COUNT]; /* any of these */
} failures[] = {
	{ "none", { false } },
	{ "more", { [VERDICT_MORE] = true } },
	{ "any",
	  { [VERDICT_MORE] = true,
	    [VERDICT_LESS] = true,
	    [VERDICT_CHANGED] = true,
	    [VERDICT_ONLY_IN_BASE] = true,
	    [VERDICT_ONLY_IN_NEW] = true } },
};

static const bool *find_failure(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(failures); i++)
		if (!strcmp(failures[i].name, name))
			return failures[i].verdicts;
	return NULL;
}

static bool is_so(const struct compare_result *result, const bool *verdicts)
{
	for (size_t i = 1; i < COMPARE_SOURCES_MAX; i++)
		for (size_t k = 0; k < VERDICT_COUNT; k++)
			if (verdicts[k] && result->counts.verdicts[i][k])
				return true;
	return false;
}

/* ---- the command ---- */

/* A table says so itself, and JSON has a field for it. */
static bool has_simulated(const struct compare_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		if (sources->items[i].is_simulated)
			return true;
	return false;
}

static enum exit_code compare_sources(const struct compare_sources *sources,
				      const struct request *request, size_t format)
{
	const struct compare_source *simulated, *measured;
	struct compare_result result;
	struct err err;
	bool failed;
	int r;

	if (compare_sources_are_mixed(sources, &simulated, &measured) && !request->allows_simulated)
		return cli_usage("compare",
				 "%s is simulated and %s was measured: what differs would say "
				 "nothing of drivers or GPUs; --allow-simulated compares them",
				 simulated->label, measured->label);
	r = formats[format].print(sources, request, &result, &err);
	if (r < 0)
		return cli_fail(r, &err);
	if (!strcmp(formats[format].name, "csv") && has_simulated(sources))
		cli_note("SIMULATED: numbers of a simulated device are among these");
	if (result.notes.used) {
		result.notes.bytes[--result.notes.used] = '\0';
		cli_note("%s", text_peek(&result.notes));
	}
	failed = is_so(&result, find_failure(request->fail_on));
	text_free(&result.notes);
	return failed ? EXIT_SO : EXIT_FINE;
}

static int take_option(struct request *request, const struct cli_match *match)
{
	const char *name = match->option->name;
	struct err err;

	if (!strcmp(name, "format")) {
		request->format = match->value;
	} else if (!strcmp(name, "fail-on")) {
		request->fail_on = match->value;
	} else if (!strcmp(name, "filter")) {
		request->options.filter = match->value;
	} else if (!strcmp(name, "column")) {
		request->options.column = match->value;
	} else if (!strcmp(name, "threshold")) {
		if (compare_threshold_parse(match->value, &request->options.threshold, &err) < 0) {
			cli_usage("compare", "--threshold: %s", err.text);
			return -EINVAL;
		}
	} else {
		request->allows_simulated = true;
	}
	return 0;
}

static int take(struct request *request, const struct cli_match *match)
{
	if (match->option)
		return take_option(request, match);
	if (request->run_count == COMPARE_SOURCES_MAX) {
		cli_usage("compare", "more than %d runs", COMPARE_SOURCES_MAX);
		return -EINVAL;
	}
	request->runs[request->run_count++] = match->value;
	return 0;
}

static enum exit_code compare_request(const struct request *request)
{
	struct compare_sources sources;
	enum exit_code code;
	struct err err;
	size_t format = 0;
	int r;

	while (format < ARRAY_COUNT(formats) && strcmp(formats[format].name, request->format))
		format++;
	if (format == ARRAY_COUNT(formats))
		return cli_usage("compare", "--format: '%s' is none of table, csv, markdown, json",
				 request->format);
	if (!find_failure(request->fail_on))
		return cli_usage("compare", "--fail-on: '%s' is none of more, any, none",
				 request->fail_on);
	if (request->run_count < 2)
		return cli_usage("compare", "two run directories or CSV files are needed, BASE "
					    "and NEW");
	r = compare_sources_open(&sources, request->runs, request->run_count, &err);
	if (r < 0)
		return cli_fail(r, &err);
	code = compare_sources(&sources, request, format);
	compare_sources_free(&sources);
	return code;
}

static enum exit_code compare_run_command(int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "compare", .options = options, .argc = argc, .argv = argv
	};
	struct request request = { .format = "table", .fail_on = "none" };
	enum exit_code code = EXIT_USAGE;
	struct cli_match match;
	int r, taken = 0;

	request.options.requests = analyse_requests();
	while (!taken && (r = cli_walk_next(&walk, &match)) > 0)
		taken = take(&request, &match);
	if (!taken && !r)
		code = compare_request(&request);
	return code;
}

const struct cli_command cmd_compare = {
	.name = "compare",
	.summary = "what changed between drivers, GPUs or toolkits",
	.usage = "[LABEL=]BASE [LABEL=]NEW... [OPTIONS]",
	.options = options,
	.details = "BASE and NEW are run directories, or CSV files of one benchmark.\n",
	.run = compare_run_command,
};
