/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/trace_summary.h"
#include "cli/cli.h"
#include "cli/program.h"
#include "cli/program_check.h"
#include "cli/trace_session.h"
#include "cli/trace_show.h"

static const struct cli_option options[] = {
	{ "out", "FILE", "the trace (default: results/trace-PROGRAM_TIME/trace.csv)" },
	{ "top", "N", "lines of what could be a long list (default: 10)" },
	{ "from", "FILE", "summary (to stdout) and chart of a trace that is there" },
	{ "strict", NULL, "do not run a program that cannot be traced" },
	{ "no-calibration", NULL, "do not measure what the tracer itself takes (half a second)" },
	{ "simulate", "[=PROFILE]", "run it on the simulated device (default profile h200)" },
	{ 0 },
};

struct request {
	struct trace_options options;
	const char *from;
	const char *profile;
	long top;
	bool is_strict;
};

/* Runs it as it is. What it ended with is ours. */
static enum exit_code run_program(char *const *argv, const char *const *variables,
				  struct program_end *ret_end)
{
	const struct program program = { argv, variables };
	struct err err;
	int r = program_run(&program, ret_end, &err);

	if (!r)
		return EXIT_FINE;
	cli_fail(r, &err);
	*ret_end = (struct program_end){ .exit_code = r == -ENOENT ? PROGRAM_NOT_FOUND
								   : PROGRAM_NOT_STARTABLE };
	return EXIT_FILE;
}

/* One line says why; the program is run all the same, unless that is not wanted. */
static int run_untraced(const struct request *request, int error, const struct err *why)
{
	static const char *const no_variables[] = { NULL };
	struct program_end end;

	if (request->is_strict)
		return (int)cli_fail(error, why);
	fprintf(stderr, "cuctx: %s; the program runs without being traced\n", why->text);
	run_program(request->options.argv, no_variables, &end);
	return program_end_like(&end);
}

static void finish(struct trace_session *session, const struct request *request)
{
	struct err err;
	int r = trace_session_end(session, &err);

	if (r < 0) {
		cli_fail(r, &err);
		return;
	}
	if (!cli_quiet)
		fprintf(stderr, "\n");
	trace_show(session->path, (size_t)request->top, cli_quiet ? NULL : stderr, true);
	cli_note("the trace: %s", session->path);
}

/* What the program printed has to be out before it is followed by the summary, so it runs to its
 * end first. */
static int trace_program(const struct request *request)
{
	struct trace_session session;
	struct program_end end;
	struct err err;
	int r;

	if (!program_can_be_traced(request->options.argv[0], &err))
		return run_untraced(request, -ENODEV, &err);
	r = trace_session_begin(&session, &request->options, &err);
	if (r < 0) {
		trace_session_free(&session);
		return run_untraced(request, r, &err);
	}
	if (run_program(request->options.argv, trace_session_variables(&session), &end) ==
	    EXIT_FINE)
		finish(&session, request);
	else
		trace_session_discard(&session);
	trace_session_free(&session);
	return program_end_like(&end);
}

static enum exit_code show(const struct request *request)
{
	size_t length = strlen(request->from), ending = strlen(TRACE_RAW_ENDING);
	enum exit_code code;
	struct err err;
	char *path;
	int r;

	if (length <= ending || strcmp(request->from + length - ending, TRACE_RAW_ENDING) != 0)
		return trace_show(request->from, (size_t)request->top, stdout, true);
	r = trace_session_recover(request->from, &path, &err);
	if (r < 0)
		return cli_fail(r, &err);
	code = trace_show(path, (size_t)request->top, stdout, true);
	free(path);
	return code;
}

static int take(struct request *request, const struct cli_match *match)
{
	const char *name = match->option->name;

	if (!strcmp(name, "out")) {
		request->options.out = match->value;
	} else if (!strcmp(name, "from")) {
		request->from = match->value;
	} else if (!strcmp(name, "strict")) {
		request->is_strict = true;
	} else if (!strcmp(name, "no-calibration")) {
		request->options.calibrates = false;
	} else if (!strcmp(name, "simulate")) {
		request->options.simulates = true;
		request->profile = match->value;
	} else if (!cli_whole(match->value, 1, 1000, &request->top)) {
		cli_usage("trace", "--top: '%s' is no number from 1 to 1000", match->value);
		return -EINVAL;
	}
	return 0;
}

/* Everything from the first operand on is the program's. */
static int read_request(struct request *request, int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "trace", .options = options, .argc = argc, .argv = argv
	};
	struct cli_match match;
	int more;

	while ((more = cli_walk_next(&walk, &match)) > 0) {
		if (!match.option) {
			request->options.argv = &argv[walk.index - 1];
			break;
		}
		if (take(request, &match) < 0)
			return -EINVAL;
	}
	if (more < 0)
		return -EINVAL;
	if (!request->options.argv == !request->from) {
		cli_usage("trace", "a program to trace is needed, or --from FILE");
		return -EINVAL;
	}
	return 0;
}

static enum exit_code trace_run(int argc, char **argv)
{
	struct request request = { .options.calibrates = true, .top = TRACE_TOP_DEFAULT };
	struct err err;
	int r;

	if (read_request(&request, argc, argv) < 0)
		return EXIT_USAGE;
	if (request.from)
		return show(&request);
	r = request.options.simulates ? cli_simulate(request.profile, &err) : 0;
	if (r < 0)
		return cli_fail(r, &err);
	return (enum exit_code)trace_program(&request);
}

const struct cli_command cmd_trace = {
	.name = "trace",
	.summary = "tell which calls of a program took which memory",
	.usage = "[OPTIONS] -- PROGRAM [ARGUMENT...]",
	.options = options,
	.details =
		"Runs PROGRAM, and everything that it starts, with a library that the CUDA driver "
		"loads\ninto it. Its output, its exit code and signals are its own. Behind its "
		"end, "
		"the summary\ngoes to stderr; the trace and a chart of it are kept.\n",
	.run = trace_run,
};
