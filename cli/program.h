/* SPDX-License-Identifier: MIT */
/*
 * Somebody else's program, run as if it had been started by itself: the same files, group,
 * terminal, working directory and signals; only variables of the environment are added.
 * program_run() waits for its end; signals that are sent to us go on to it meanwhile, and those of
 * the terminal reach it anyway.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stddef.h>

#include "base/err.h"

struct program {
	char *const *argv;            /* NULL at the end */
	const char *const *variables; /* "NAME=value", NULL at the end */
};

struct program_end {
	int signal;    /* 0: it ended by itself … */
	int exit_code; /* … with this */
};

#define PROGRAM_NOT_FOUND     127 /* as shells have it */
#define PROGRAM_NOT_STARTABLE 126

/* -ENOENT or another errno where it cannot be started; the text names it. */
int program_run(const struct program *program, struct program_end *ret_end, struct err *reterr);

/* Ends this process as the program ended: with its exit code, or by the same signal. */
int program_end_like(const struct program_end *end);

#endif
