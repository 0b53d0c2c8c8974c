/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/simulate.h"

#define DEFAULT_PROFILE "h200"

bool cli_quiet;

enum exit_code cli_fail(int error, const struct err *err)
{
	fprintf(stderr, "cuctx: %s\n", err->text);
	switch (error) {
	case -EINTR:
		return EXIT_INTERRUPTED;
	case -EINVAL:
		return EXIT_USAGE;
	case -ENODEV:
		return EXIT_DEVICE;
	default:
		return EXIT_FILE;
	}
}

enum exit_code cli_usage(const char *command, const char *format, ...)
{
	va_list args;

	fputs("cuctx: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, " (see cuctx %s%s--help)\n", command ? command : "", command ? " " : "");
	return EXIT_USAGE;
}

/* Lines of ours, in which texts may come out of files: nothing in them moves a cursor. */
static void put_lines(const char *format, va_list args)
{
	char *line;

	if (vasprintf(&line, format, args) < 0)
		return;
	for (char *c = line; *c; c++)
		if (((unsigned char)*c < ' ' && *c != '\n') || *c == 0x7f)
			*c = '?';
	fprintf(stderr, "%s\n", line);
	free(line);
}

void cli_note(const char *format, ...)
{
	va_list args;

	if (cli_quiet)
		return;
	va_start(args, format);
	put_lines(format, args);
	va_end(args);
}

void cli_complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_lines(format, args);
	va_end(args);
}

static const struct cli_option *find_option(const struct cli_walk *walk, const char *name,
					    size_t length)
{
	for (const struct cli_option *option = walk->options; option->name; option++)
		if (strlen(option->name) == length && !strncmp(option->name, name, length))
			return option;
	return NULL;
}

static void complain_option(const struct cli_walk *walk, const char *name, size_t length)
{
	const char *names[32];
	const char *near;
	char wrong[64];
	size_t count = 0;

	for (const struct cli_option *option = walk->options; option->name && count < 32; option++)
		names[count++] = option->name;
	snprintf(wrong, sizeof wrong, "%.*s", (int)length, name);
	near = cli_nearest(wrong, names, count);
	cli_usage(walk->command, "unknown option '--%s'%s%s%s", wrong,
		  near ? "; did you mean '--" : "", near ? near : "", near ? "'?" : "");
}

/* "--name", "--name=value" or "--name value". */
static int match_long(struct cli_walk *walk, const char *text, struct cli_match *match)
{
	size_t length = strcspn(text, "=");
	const struct cli_option *option = find_option(walk, text, length);
	bool takes_value = option && option->argument;
	bool may_omit = takes_value && option->argument[0] == '[';

	if (!option) {
		complain_option(walk, text, length);
		return -1;
	}
	*match = (struct cli_match){ .option = option };
	if (text[length] == '=') {
		match->value = text + length + 1;
		if (takes_value)
			return 1;
		cli_usage(walk->command, "option '--%s' takes no value", option->name);
		return -1;
	}
	if (!takes_value || may_omit)
		return 1;
	if (walk->index >= walk->argc) {
		cli_usage(walk->command, "option '--%s' needs %s", option->name, option->argument);
		return -1;
	}
	match->value = walk->argv[walk->index++];
	return 1;
}

int cli_walk_next(struct cli_walk *walk, struct cli_match *ret_match)
{
	const char *text;

	if (!walk->index)
		walk->index = 1;
	if (walk->index < walk->argc && !walk->operands_only &&
	    !strcmp(walk->argv[walk->index], "--")) {
		walk->operands_only = true;
		walk->index++;
	}
	if (walk->index >= walk->argc)
		return 0;
	text = walk->argv[walk->index++];
	if (walk->operands_only || text[0] != '-' || !text[1]) {
		*ret_match = (struct cli_match){ .value = text };
		return 1;
	}
	if (text[1] != '-') {
		cli_usage(walk->command, "unknown option '%s'", text);
		return -1;
	}
	return match_long(walk, text + 2, ret_match);
}

/* The build tree and an installation have bin/, lib/cuctx/ and share/cuctx/ side by side. */
static char *path_beside(const char *folder, const char *below)
{
	char exe[4096];
	ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
	char *slash, *path;

	if (length < 0)
		return NULL;
	exe[length] = '\0';
	for (int i = 0; i < 2; i++) {
		slash = strrchr(exe, '/');
		if (slash)
			*slash = '\0';
	}
	return asprintf(&path, "%s/%s/%s", exe, folder, below) < 0 ? NULL : path;
}

char *cli_share_path(const char *below)
{
	return path_beside("share/cuctx", below);
}

char *cli_library_path(const char *below)
{
	return path_beside("lib/cuctx", below);
}

char *cli_modules_path(void)
{
	const char *chosen = getenv("CUCTX_MODULES");

	return chosen ? strdup(chosen) : cli_share_path("modules");
}

int cli_simulate(const char *profile, struct err *reterr)
{
	char *profiles = cli_share_path("profiles");
	char *libraries = cli_library_path("sim");
	int r = profiles && libraries ? simulate_device(profile ? profile : DEFAULT_PROFILE,
							profiles, libraries, reterr)
				      : err_set(reterr, ENOMEM, "out of memory");

	free(profiles);
	free(libraries);
	return r;
}

bool cli_whole(const char *text, long lowest, long highest, long *ret_value)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || text[0] < '0' || text[0] > '9' || *end || value < lowest || value > highest)
		return false;
	*ret_value = value;
	return true;
}

const char *cli_duration(unsigned long long ns, char *buffer, size_t size)
{
	unsigned long long seconds = (ns + 500000000u) / 1000000000u;

	if (ns < 99500000000u)
		snprintf(buffer, size, "%.1f s", (double)ns / 1e9);
	else
		snprintf(buffer, size, "%llu min %02llu s", seconds / 60, seconds % 60);
	return buffer;
}
