/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/predict.h"
#include "base/array.h"
#include "base/csv.h"
#include "base/size.h"
#include "cli/analyse.h"
#include "cli/cli.h"

/* Those that say what a program has come first, in the order of the terms. */
static const struct cli_option options[] = {
#define TERM(option, argument, help, ...) { option, argument, help },
#define TOGETHER(...)
#define KERNELS(...)
#include "bench/terms.def"
#undef TERM
#undef TOGETHER
#undef KERNELS
	{ "instructions", "N[xCOPIES]", "a kernel of so many instructions; more in load order" },
	{ "processes", "N", "so many such processes (default 1)" },
	{ "beside", "BYTES", "how many fit beside an allocation of so much" },
	{ "extrapolate", NULL, "go beyond what was measured" },
	{ "format", "table|csv|markdown", "default: table" },
	{ 0 },
};

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_MARKDOWN };

static const char *const format_names[] = {
	[FORMAT_TABLE] = "table", [FORMAT_CSV] = "csv", [FORMAT_MARKDOWN] = "markdown"
};

/* More different ones nobody types. */
#define CODE_WISHES_MAX 64

struct request {
	struct wish wish;
	const char *directory;
	enum format format;
};

static int take_amount(const char *option, const char *text, int64_t *ret_amount)
{
	struct err err;
	uint64_t amount;

	if (!size_parse(text, &amount, &err) && amount <= INT64_MAX) {
		*ret_amount = (int64_t)amount;
		return 0;
	}
	cli_usage("predict", "--%s: '%s' is no amount: digits, and K, M or G", option, text);
	return -EINVAL;
}

static int take_count(const char *option, const char *text, int64_t most, int64_t *ret_count)
{
	int64_t count;
	int r = take_amount(option, text, &count);

	if (r < 0)
		return r;
	if (count < 1 || count > most) {
		cli_usage("predict", "--%s: '%s' is not from 1 to %lld", option, text,
			  (long long)most);
		return -EINVAL;
	}
	*ret_count = count;
	return 0;
}

static int take_term(struct request *request, size_t term, const struct cli_match *match)
{
	struct term_wish *wish = &request->wish.terms[term];

	wish->is_chosen = true;
	if (!match->value)
		return 0;
	wish->has_amount = true;
	return take_amount(match->option->name, match->value, &wish->amount);
}

/* "2M" or "256x1000" */
static int take_code(struct request *request, const char *text)
{
	struct code_wish code = { .copies = 1 };
	const char *times = strchr(text, 'x');
	char *instructions;
	int r;

	if (request->wish.code_count == CODE_WISHES_MAX) {
		cli_usage("predict", "--instructions: it is given more than %d times",
			  CODE_WISHES_MAX);
		return -EINVAL;
	}
	instructions = strndup(text, times ? (size_t)(times - text) : strlen(text));
	if (!instructions)
		return -ENOMEM;
	r = take_count("instructions", instructions, INT32_MAX, &code.instructions);
	free(instructions);
	if (!r && times)
		r = take_count("instructions", times + 1, INT32_MAX, &code.copies);
	return r ? r : wish_add_code(&request->wish, code, NULL);
}

static int take_format(struct request *request, const char *text)
{
	for (size_t i = 0; i < ARRAY_COUNT(format_names); i++)
		if (!strcmp(format_names[i], text)) {
			request->format = (enum format)i;
			return 0;
		}
	cli_usage("predict", "--format: '%s' is none of table, csv, markdown", text);
	return -EINVAL;
}

static int take_option(struct request *request, const struct cli_match *match)
{
	const char *name = match->option->name;
	size_t term = (size_t)(match->option - options);

	if (term < analyse_requests()->term_count)
		return take_term(request, term, match);
	if (!strcmp(name, "instructions"))
		return take_code(request, match->value);
	if (!strcmp(name, "processes"))
		return take_count(name, match->value, PROCESSES_MAX, &request->wish.process_count);
	if (!strcmp(name, "beside"))
		return take_amount(name, match->value, &request->wish.beside_bytes);
	if (!strcmp(name, "format"))
		return take_format(request, match->value);
	request->wish.extrapolates = true;
	return 0;
}

static int parse(struct request *request, int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "predict", .options = options, .argc = argc, .argv = argv
	};
	struct cli_match match;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		if (match.option) {
			r = take_option(request, &match);
			if (r < 0)
				return r;
		} else if (request->directory) {
			cli_usage("predict", "'%s' is one directory too many", match.value);
			return -EINVAL;
		} else {
			request->directory = match.value;
		}
	}
	if (!r && !request->directory) {
		cli_usage("predict", "a run directory is needed, whose laws it uses");
		return -EINVAL;
	}
	return r < 0 ? -EINVAL : 0;
}

static int print_csv(const struct prediction *prediction, struct err *reterr)
{
	struct csv_row rows;
	int r;

	csv_row_init(&rows);
	predict_csv(prediction, &rows);
	r = csv_row_write(&rows, STDOUT_FILENO, "standard output", reterr);
	csv_row_free(&rows);
	return r;
}

static int print(const struct prediction *prediction, enum format format, struct err *reterr)
{
	char *text;
	int r;

	if (format == FORMAT_CSV)
		return print_csv(prediction, reterr);
	r = predict_render(prediction, format == FORMAT_TABLE ? DOCUMENT_TEXT : DOCUMENT_MARKDOWN,
			   &text, reterr);
	if (r < 0)
		return r;
	fputs(text, stdout);
	free(text);
	return 0;
}

static int predict_and_print(const struct request *request, const struct run *run,
			     struct err *reterr)
{
	struct prediction prediction;
	struct laws laws;
	int r = laws_fit(&laws, run, reterr);

	if (r < 0)
		return r;
	r = predict(&prediction, run, &laws, &request->wish, reterr);
	if (!r) {
		r = print(&prediction, request->format, reterr);
		prediction_free(&prediction);
	}
	laws_free(&laws);
	return r;
}

/* ---- of all that analysis can be asked, what this wish needs ---- */

struct narrowed {
	struct requests requests;
	struct benchmark_request *benchmarks; /* owned */
	struct law_request *laws;             /* owned */
};

static bool needs_term(const struct wish *wish, const struct requests *all, size_t term)
{
	bool needs = wish->terms[term].is_chosen || all->terms[term].join == TERM_BASE;

	for (size_t i = 0; i < all->term_count && !needs; i++)
		needs = wish->terms[i].is_chosen && all->terms[i].of &&
			!strcmp(all->terms[i].of, all->terms[term].option);
	return needs;
}

static bool is_law(const struct law_request *law, const char *benchmark, const char *component)
{
	return benchmark && !strcmp(law->benchmark, benchmark) &&
	       !strcmp(law->component, component);
}

static bool needs_law(const struct wish *wish, const struct requests *all,
		      const struct law_request *law)
{
	const struct code_request *code = &all->code;

	for (size_t i = 0; i < all->term_count; i++)
		if (is_law(law, all->terms[i].benchmark, all->terms[i].component) &&
		    needs_term(wish, all, i))
			return true;
	return wish->code_count && (is_law(law, code->benchmark, code->component) ||
				    is_law(law, code->slot_benchmark, code->slot_component) ||
				    is_law(law, code->text_benchmark, code->text_component));
}

static bool needs_benchmark(const struct narrowed *narrowed, const char *name)
{
	for (size_t i = 0; i < narrowed->requests.law_count; i++)
		if (!strcmp(narrowed->laws[i].benchmark, name))
			return true;
	return !strcmp(narrowed->requests.shared.benchmark, name);
}

static int narrow(struct narrowed *narrowed, const struct wish *wish, struct err *reterr)
{
	const struct requests *all = analyse_requests();

	*narrowed = (struct narrowed){
		.requests = *all,
		.benchmarks = calloc(all->benchmark_count, sizeof *narrowed->benchmarks),
		.laws = calloc(all->law_count, sizeof *narrowed->laws),
	};
	if (!narrowed->benchmarks || !narrowed->laws)
		return err_set(reterr, ENOMEM, "out of memory");
	narrowed->requests.law_count = 0;
	for (size_t i = 0; i < all->law_count; i++)
		if (needs_law(wish, all, &all->laws[i]))
			narrowed->laws[narrowed->requests.law_count++] = all->laws[i];
	narrowed->requests.benchmark_count = 0;
	for (size_t i = 0; i < all->benchmark_count; i++)
		if (needs_benchmark(narrowed, all->benchmarks[i].name))
			narrowed->benchmarks[narrowed->requests.benchmark_count++] =
				all->benchmarks[i];
	narrowed->requests.laws = narrowed->laws;
	narrowed->requests.benchmarks = narrowed->benchmarks;
	return 0;
}

static int read_and_predict(const struct request *request, const struct requests *requests,
			    struct err *reterr)
{
	struct run run;
	int r = run_read(&run, request->directory, requests, reterr);

	if (r < 0)
		return r;
	r = predict_and_print(request, &run, reterr);
	run_free(&run);
	return r;
}

static enum exit_code answer(const struct request *request)
{
	struct narrowed narrowed;
	enum exit_code code;
	struct err err;
	int r = narrow(&narrowed, &request->wish, &err);

	if (!r)
		r = read_and_predict(request, &narrowed.requests, &err);
	free(narrowed.laws);
	free(narrowed.benchmarks);
	if (!r)
		return EXIT_FINE;
	code = cli_fail(r, &err);
	/* Bytes follow no law there, and that is what was asked about. */
	return r == -EDOM ? EXIT_SO : code;
}

static enum exit_code predict_run(int argc, char **argv)
{
	struct request request = { 0 };
	enum exit_code code = EXIT_USAGE;
	struct err err;
	int r = wish_init(&request.wish, analyse_requests(), &err);

	if (r < 0)
		return cli_fail(r, &err);
	if (!parse(&request, argc, argv))
		code = answer(&request);
	wish_free(&request.wish);
	return code;
}

const struct cli_command cmd_predict = {
	.name = "predict",
	.summary = "what a process with certain settings will take, and how many of them fit",
	.usage = "DIR [OPTIONS]",
	.options = options,
	.details = "It follows from the laws of the run in DIR, and says which. Amounts may have "
		   "K, M or "
		   "G.\nExit codes: 1 where a law does not hold there, 2 for an amount beyond what "
		   "was "
		   "measured.\n",
	.run = predict_run,
};
