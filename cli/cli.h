/* SPDX-License-Identifier: MIT */
/*
 * The command layer: the only room that prints or exits. One file per command, cmd_<name>.c, listed
 * in cli/commands.def. Data goes to stdout, everything else to stderr.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "harness/bench.h"

enum exit_code {
	EXIT_FINE = 0,
	EXIT_SO = 1, /* the thing asked about is so: a sample failed */
	EXIT_USAGE = 2,
	EXIT_DEVICE = 3,
	EXIT_FILE = 4,
	EXIT_INTERRUPTED = 130,
};

/* Set by main() from --quiet: no progress, no remarks; errors stay. */
extern bool cli_quiet;

/* "cuctx: TEXT" to stderr, and the exit code for the error. */
enum exit_code cli_fail(int error, const struct err *err);
/* The same for a mistake in the command line, with a hint at --help. */
enum exit_code cli_usage(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A remark to stderr unless --quiet. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line to stderr, also with --quiet: one of several things went wrong, and the rest goes on. */
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One option of a command; options with a letter can be given short. */
struct cli_option {
	const char *name;
	const char *argument; /* NULL: takes none; "[=X]": may take one; else its name */
	const char *help;
};

/* An option that was met, or an operand (option NULL). */
struct cli_match {
	const struct cli_option *option;
	const char *value; /* NULL where none was given */
};

/*
 * Walks a command line by the command's table (which ends in an empty row). Returns 1 with
 * *ret_match filled, 0 at the end, or -1 after it has complained. `--help`, `--version` and
 * `--quiet` work in every command and are seen to by main(). Everything after "--" is an operand.
 */
struct cli_walk {
	const char *command;
	const struct cli_option *options;
	int argc;
	char **argv; /* argv[0] is the command's name */
	int index;
	bool operands_only;
};
int cli_walk_next(struct cli_walk *walk, struct cli_match *ret_match);

struct cli_command {
	const char *name;
	const char *summary;
	const char *usage; /* operands and the like behind the name */
	const struct cli_option *options;
	const char *details; /* below the options in the help; may be NULL */
	enum exit_code (*run)(int argc, char **argv);
};

/* The candidate nearest to `name`, NULL when none is near. */
const char *cli_nearest(const char *name, const char *const *candidates, size_t count);

/* A whole number from `lowest` to `highest`, digits alone. */
bool cli_whole(const char *text, long lowest, long highest, long *ret_value);

/* Where the data of this build or installation are; to be freed. NULL: no memory. */
char *cli_share_path(const char *below);
/* The same of libraries that are loaded by name: the simulated device's, the tracer's. */
char *cli_library_path(const char *below);
/* The modules: there, unless CUCTX_MODULES names another folder. */
char *cli_modules_path(void);

/* For --simulate[=PROFILE]: from here on, the device is a simulated one. `profile` may be NULL. */
int cli_simulate(const char *profile, struct err *reterr);

/*
 * `cuctx run` for another command: the same command line, and with `ret_directory` the run
 * directory goes there (to be freed; untouched where none was made) and not to stdout.
 */
enum exit_code cli_run(int argc, char **argv, char **ret_directory);

/* "1.4 s", "2 min 03 s" into `buffer`. */
const char *cli_duration(unsigned long long ns, char *buffer, size_t size);

#endif
