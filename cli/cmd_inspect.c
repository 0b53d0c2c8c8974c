/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/laws.h"
#include "analysis/run.h"
#include "base/array.h"
#include "cli/analyse.h"
#include "cli/cli.h"
#include "harness/demangle.h"
#include "inspect/contents.h"
#include "inspect/cost.h"
#include "inspect/report.h"
#include "inspect/selection.h"

#define TOP_OF_TABLE 20 /* kernels of each file, unless --top says otherwise */

static const struct cli_option options[] = {
	{ "format", "table|csv|markdown|json", "default: table" },
	{ "arch", "ARCH", "only images for this architecture: sm_90 or 90" },
	{ "filter", "REGEX", "only kernels with such a name, mangled or not" },
	{ "top", "N", "only the N largest kernels of a file; 0: all (default of csv and json)" },
	{ "run", "DIR", "also what that will take on the device of this run, by its laws" },
	{ 0 },
};

struct request {
	const char *const *paths;
	size_t path_count;
	size_t format;
	struct selection_wish wish;
	bool has_top;
	const char *directory; /* of a run; NULL: none */
	regex_t pattern;
};

/* ---- output: begins, each file, ends ---- */

struct output {
	const struct request *request;
	const struct run *run; /* NULL: none was named */
	const struct laws *laws;
	struct demangler demangler;
	bool has_files;
	struct err *reterr;
};

static int print_document(const struct output *output, const struct inspection *inspection,
			  enum document_format format)
{
	char *text;
	int r = inspect_render(inspection, format, &text, output->reterr);

	if (r < 0)
		return r;
	printf("%s%s", output->has_files ? "\n" : "", text);
	free(text);
	return 0;
}

static int print_table(const struct output *output, const struct inspection *inspection)
{
	return print_document(output, inspection, DOCUMENT_TEXT);
}

static int print_markdown(const struct output *output, const struct inspection *inspection)
{
	return print_document(output, inspection, DOCUMENT_MARKDOWN);
}

static int print_csv(const struct output *output, const struct inspection *inspection)
{
	struct csv_row rows;
	int r;

	csv_row_init(&rows);
	if (!output->has_files)
		inspect_csv_header(&rows);
	inspect_csv(inspection, &rows);
	r = csv_row_write(&rows, STDOUT_FILENO, "standard output", output->reterr);
	csv_row_free(&rows);
	return r;
}

static int print_text(struct text *text, struct err *reterr)
{
	char *bytes;
	int r = text_take(text, &bytes, reterr);

	if (r < 0)
		return r;
	fputs(bytes, stdout);
	free(bytes);
	return 0;
}

static int print_json(const struct output *output, const struct inspection *inspection)
{
	struct text text = { 0 };

	if (!output->has_files)
		inspect_json_begin(&text);
	inspect_json(inspection, !output->has_files, &text);
	return print_text(&text, output->reterr);
}

static int end_json(const struct output *output)
{
	struct text text = { 0 };

	if (!output->has_files)
		inspect_json_begin(&text);
	inspect_json_end(&text);
	return print_text(&text, output->reterr);
}

static const struct {
	const char *name;
	size_t kernel_count_max; /* unless --top says otherwise */
	int (*print)(const struct output *output, const struct inspection *inspection);
	int (*end)(const struct output *output); /* NULL: nothing is left to say */
} formats[] = { { "table", TOP_OF_TABLE, print_table, NULL },
		{ "csv", 0, print_csv, NULL },
		{ "markdown", TOP_OF_TABLE, print_markdown, NULL },
		{ "json", 0, print_json, end_json } };

/* ---- files ---- */

static char *name_kernel(void *demangler, const char *mangled)
{
	return demangler_name(demangler, mangled);
}

static int print_selection(struct output *output, const struct selection *selection)
{
	struct inspection inspection = { .selection = selection };
	struct inspect_cost cost;
	int r = 0;

	if (output->run) {
		r = inspect_cost_make(&cost, selection->contents, output->run, output->laws,
				      output->reterr);
		if (r < 0)
			return r;
		inspection.cost = &cost;
	}
	r = formats[output->request->format].print(output, &inspection);
	output->has_files = true;
	if (inspection.cost)
		inspect_cost_free(&cost);
	return r;
}

static int print_contents(struct output *output, const struct contents *contents)
{
	struct selection selection;
	int r = selection_make(&selection, contents, &output->request->wish, output->reterr);

	if (r < 0)
		return r;
	r = print_selection(output, &selection);
	selection_free(&selection);
	return r;
}

/* One that could not be read, in part, is told of at the end: tables may be long. */
static enum exit_code tell_trouble(const struct contents *contents)
{
	struct err err;

	if (contents->trouble_count) {
		for (size_t i = 0; i < contents->count; i++)
			if (contents->images[i].trouble) {
				err_set(&err, EBADMSG,
					"%s: %zu of %zu images could not be read; image %zu: %s",
					contents->path, contents->trouble_count, contents->count,
					i + 1, contents->images[i].trouble);
				return cli_fail(-EBADMSG, &err);
			}
	}
	if (contents->count)
		return EXIT_FINE;
	err_set(&err, ENOENT, "%s: no device code in it", contents->path);
	cli_fail(-ENOENT, &err);
	return EXIT_SO;
}

static enum exit_code inspect_file(struct output *output, const char *path)
{
	const struct contents_namer namer = { name_kernel, &output->demangler };
	struct contents contents;
	enum exit_code code;
	int r = contents_read(&contents, path, &namer, output->reterr);

	if (r < 0)
		return cli_fail(r == -ENODEV ? -EBADMSG : r, output->reterr);
	if (contents.count)
		r = print_contents(output, &contents);
	if (r < 0) {
		code = cli_fail(r, output->reterr);
		/* Bytes follow no law there, and that is what was asked about. */
		code = r == -EDOM ? EXIT_SO : code;
	} else {
		code = tell_trouble(&contents);
	}
	contents_free(&contents);
	return code;
}

static enum exit_code inspect_files(struct output *output)
{
	const struct request *request = output->request;
	enum exit_code code = EXIT_FINE, of_file;
	int r = 0;

	demangler_init(&output->demangler);
	for (size_t i = 0; i < request->path_count; i++) {
		of_file = inspect_file(output, request->paths[i]);
		if (of_file > code)
			code = of_file;
	}
	if (formats[request->format].end)
		r = formats[request->format].end(output);
	demangler_free(&output->demangler);
	return r < 0 ? cli_fail(r, output->reterr) : code;
}

static enum exit_code inspect_by_run(struct output *output)
{
	struct laws laws;
	struct run run;
	enum exit_code code;
	int r = run_read(&run, output->request->directory, analyse_requests(), output->reterr);

	if (r < 0)
		return cli_fail(r, output->reterr);
	r = laws_fit(&laws, &run, output->reterr);
	if (r < 0) {
		code = cli_fail(r, output->reterr);
	} else {
		output->run = &run;
		output->laws = &laws;
		code = inspect_files(output);
		laws_free(&laws);
	}
	run_free(&run);
	return code;
}

static enum exit_code answer(const struct request *request)
{
	struct err err;
	struct output output = { .request = request, .reterr = &err };

	return request->directory ? inspect_by_run(&output) : inspect_files(&output);
}

/* ---- the command line ---- */

static int take_format(struct request *request, const char *text)
{
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
		if (!strcmp(formats[i].name, text)) {
			request->format = i;
			return 0;
		}
	cli_usage("inspect", "--format: '%s' is none of table, csv, markdown, json", text);
	return -EINVAL;
}

static int take_architecture(struct request *request, const char *text)
{
	static const char prefix[] = "sm_";
	const char *digits = strncmp(text, prefix, strlen(prefix)) ? text : text + strlen(prefix);
	long architecture;

	if (!cli_whole(digits, 1, INT_MAX, &architecture)) {
		cli_usage("inspect", "--arch: '%s' is no architecture, such as sm_90", text);
		return -EINVAL;
	}
	request->wish.architecture = (unsigned int)architecture;
	return 0;
}

static int take_pattern(struct request *request, const char *text)
{
	if (request->wish.pattern)
		regfree(&request->pattern);
	request->wish.pattern = NULL;
	if (regcomp(&request->pattern, text, REG_EXTENDED | REG_NOSUB)) {
		cli_usage("inspect", "--filter: '%s' is no regular expression", text);
		return -EINVAL;
	}
	request->wish.pattern = &request->pattern;
	return 0;
}

static int take_top(struct request *request, const char *text)
{
	long count;

	if (!cli_whole(text, 0, INT_MAX, &count)) {
		cli_usage("inspect", "--top: '%s' is no whole number", text);
		return -EINVAL;
	}
	request->wish.kernel_count_max = (size_t)count;
	request->has_top = true;
	return 0;
}

static int take_run(struct request *request, const char *text)
{
	request->directory = text;
	return 0;
}

static const struct {
	const char *name;
	int (*take)(struct request *request, const char *text);
} takers[] = { { "format", take_format },
	       { "arch", take_architecture },
	       { "filter", take_pattern },
	       { "top", take_top },
	       { "run", take_run } };

static int take_option(struct request *request, const struct cli_match *match)
{
	for (size_t i = 0; i < ARRAY_COUNT(takers); i++)
		if (!strcmp(takers[i].name, match->option->name))
			return takers[i].take(request, match->value);
	return 0;
}

/* Operands go to `paths`. */
static int parse(struct request *request, int argc, char **argv, const char **paths)
{
	struct cli_walk walk = {
		.command = "inspect", .options = options, .argc = argc, .argv = argv
	};
	struct cli_match match;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		if (!match.option)
			paths[request->path_count++] = match.value;
		else if (take_option(request, &match) < 0)
			return -EINVAL;
	}
	if (!r && !request->path_count) {
		cli_usage("inspect", "a file is needed: a cubin, fat binary, object, program or "
				     "library");
		return -EINVAL;
	}
	if (!request->has_top)
		request->wish.kernel_count_max = formats[request->format].kernel_count_max;
	return r < 0 ? -EINVAL : 0;
}

static enum exit_code inspect_run(int argc, char **argv)
{
	const char **paths = calloc((size_t)argc + 1, sizeof *paths);
	struct request request = { .paths = paths };
	enum exit_code code = EXIT_USAGE;
	struct err err;

	if (!paths)
		return cli_fail(err_set(&err, ENOMEM, "out of memory"), &err);
	if (!parse(&request, argc, argv, paths))
		code = answer(&request);
	if (request.wish.pattern)
		regfree(&request.pattern);
	free(paths);
	return code;
}

const struct cli_command cmd_inspect = {
	.name = "inspect",
	.summary = "how large the kernels are in a cubin, fat binary, object, program or library",
	.usage = "FILE... [OPTIONS]",
	.options = options,
	.details =
		"Needs no GPU. Exit code 1 where a file has no device code, 4 where it or an image "
		"in it\ncannot be read.\n",
	.run = inspect_run,
};
