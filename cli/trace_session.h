/* SPDX-License-Identifier: MIT */
/*
 * What is done around a program that is traced: trace_session_begin() -> the program is run with
 * trace_session_variables() -> trace_session_end(), which leaves a whole trace at `path`.
 * trace_session_free() in any case.
 */
#ifndef CLI_TRACE_SESSION_H
#define CLI_TRACE_SESSION_H

#include <stdbool.h>

#include "base/err.h"
#include "harness/outside.h"

#define TRACE_VARIABLES_MAX 8

struct trace_options {
	char *const *argv; /* of the program */
	const char *out;   /* where trace.csv goes; NULL: a folder of its own below results/ */
	bool simulates;
	bool calibrates; /* measure what the tracer itself takes */
};

struct trace_session {
	char *path;    /* of the trace */
	char *raw;     /* of the rows as processes write them */
	char *library; /* that the driver loads */
	struct outside outside;
	bool is_open;
	bool made_folder;
	bool is_simulated;
	char *variables[TRACE_VARIABLES_MAX];
};

/*
 * -ENODEV where nothing can be measured, another -errno where no file can be written. Either way
 * the program can be run, but is not traced.
 */
int trace_session_begin(struct trace_session *session, const struct trace_options *options,
			struct err *reterr);

/* "NAME=value" for the program's environment, NULL at the end. */
const char *const *trace_session_variables(const struct trace_session *session);

/* When the program has ended. What was written is kept, and the text says where, if this fails. */
int trace_session_end(struct trace_session *session, struct err *reterr);

/* What the tracer left where it did not come to its end: PATH.part becomes PATH, to be freed. */
#define TRACE_RAW_ENDING ".part"
int trace_session_recover(const char *raw, char **ret_path, struct err *reterr);

/* Where the program could not be started: leaves nothing behind. */
void trace_session_discard(struct trace_session *session);
void trace_session_free(struct trace_session *session);

#endif
