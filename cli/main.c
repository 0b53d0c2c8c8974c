/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "bench/benches.h"
#include "cli/cli.h"
#include "cuctx_config.h"
#include "harness/bench_check.h"

#define COMMAND(symbol) extern const struct cli_command cmd_##symbol;
#include "cli/commands.def"
#undef COMMAND

static const struct cli_command *const commands[] = {
#define COMMAND(symbol) &cmd_##symbol,
#include "cli/commands.def"
#undef COMMAND
};

static const struct cli_option common_options[] = {
	{ "help", NULL, "show this" },
	{ "version", NULL, "show version and commit" },
	{ "quiet", NULL, "no progress and no remarks, only errors" },
	{ 0 },
};

/* A build without the simulated device does not offer it. */
static bool is_offered(const struct cli_option *option)
{
	return CUCTX_SIMULATES || strcmp(option->name, "simulate") != 0;
}

/* "--name ARGUMENT"; returns its length. */
static int write_option(const struct cli_option *option, char *text, size_t size)
{
	const char *argument = option->argument ? option->argument : "";

	return snprintf(text, size, "--%s%s%s", option->name,
			*argument && *argument != '[' ? " " : "", argument);
}

static int widest_option(const struct cli_option *options)
{
	char text[64];
	int widest = 0;

	for (; options->name; options++) {
		int width = write_option(options, text, sizeof text);

		widest = width > widest ? width : widest;
	}
	return widest;
}

static void print_options(const struct cli_option *options, int width)
{
	char text[64];

	for (; options->name; options++) {
		if (!is_offered(options))
			continue;
		write_option(options, text, sizeof text);
		printf("  %-*s  %s\n", width, text, options->help);
	}
}

static void print_help(void)
{
	printf("cuctx measures what a CUDA context takes before a program has allocated "
	       "anything.\n\n"
	       "usage: cuctx COMMAND [OPTIONS]\n\ncommands:\n");
	for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	printf("\nin every command:\n");
	print_options(common_options, widest_option(common_options));
	printf("\nexit codes: 0 fine, 1 a sample failed or `compare` found what it was to fail "
	       "on,\n"
	       "2 usage, 3 no usable device or driver, 4 a file cannot be read or written,\n"
	       "130 interrupted (what was measured is kept)\n");
}

static void print_command_help(const struct cli_command *command)
{
	int width = widest_option(command->options);

	printf("usage: cuctx %s%s%s\n\n%s\n\n", command->name, *command->usage ? " " : "",
	       command->usage, command->summary);
	print_options(command->options, width);
	print_options(common_options, width);
	if (command->details)
		printf("\n%s", command->details);
}

static const struct cli_command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static enum exit_code complain_command(const char *name)
{
	const char *names[ARRAY_COUNT(commands)];
	const char *near;

	for (size_t i = 0; i < ARRAY_COUNT(commands); i++)
		names[i] = commands[i]->name;
	near = cli_nearest(name, names, ARRAY_COUNT(names));
	return cli_usage(NULL, "unknown command '%s'%s%s%s", name, near ? "; did you mean '" : "",
			 near ? near : "", near ? "'?" : "");
}

/* Takes --help, --version and --quiet out of the command line; true when that was all. */
static bool take_common(const struct cli_command *command, int *argc, char **argv)
{
	int kept = 0;

	for (int i = 0; i < *argc; i++) {
		if (!strcmp(argv[i], "--")) {
			while (i < *argc)
				argv[kept++] = argv[i++];
		} else if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			if (command)
				print_command_help(command);
			else
				print_help();
			return true;
		} else if (!strcmp(argv[i], "--version")) {
			printf("cuctx %s (%s)\n", CUCTX_VERSION, CUCTX_GIT_COMMIT);
			return true;
		} else if (!strcmp(argv[i], "--quiet") || !strcmp(argv[i], "-q")) {
			cli_quiet = true;
		} else {
			argv[kept++] = argv[i];
		}
	}
	*argc = kept;
	argv[kept] = NULL;
	return false;
}

/* Data that did not reach its destination (a full disk, a closed pipe) is a failure, too. */
static enum exit_code finish(enum exit_code code)
{
	struct err err;
	int error;

	if (!fflush(stdout) && !ferror(stdout))
		return code;
	error = err_set(&err, EIO, "standard output cannot be written");
	return cli_fail(error, &err);
}

/*
 * A file that is opened must not become standard output because that was closed. Opened the wrong
 * way round, so that using it fails as it would without.
 */
static void keep_standard_files(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int i = 0; i < (int)ARRAY_COUNT(modes); i++)
		if (fcntl(i, F_GETFD) < 0)
			open("/dev/null", modes[i]);
}

int main(int argc, char **argv)
{
	const struct cli_command *command = NULL;
	struct err err;
	int r = benches_check(benches, benches_count, &err);

	keep_standard_files();
	/* A file size limit shall be told like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	/* Whoever started us may have had it ignored, and then nobody learns how a child ended. */
	signal(SIGCHLD, SIG_DFL);
	if (r < 0)
		return (int)cli_fail(r, &err);
	argc--;
	argv++;
	if (argc && argv[0][0] != '-') {
		command = find_command(argv[0]);
		if (!command)
			return (int)complain_command(argv[0]);
	}
	if (take_common(command, &argc, argv))
		return (int)finish(EXIT_FINE);
	if (!command && argc)
		return (int)cli_usage(NULL, "unknown option '%s'", argv[0]);
	if (!command)
		return (int)cli_usage(NULL, "a command is needed");
	return (int)finish(command->run(argc, argv));
}
