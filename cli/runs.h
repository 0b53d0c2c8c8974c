/* SPDX-License-Identifier: MIT */
/*
 * Several run directories, as operands name them: "DIR" or "LABEL=DIR".
 *
 *   runs_open() -> runs and labels -> runs_close()
 */
#ifndef CLI_RUNS_H
#define CLI_RUNS_H

#include "analysis/compare_source.h"
#include "analysis/run.h"
#include "cli/cli.h"

#define RUNS_MAX COMPARE_SOURCES_MAX

struct runs {
	struct compare_sources sources;
	struct run items[RUNS_MAX];
	const char *labels[RUNS_MAX]; /* the sources' */
	size_t count;
	bool has_simulated;
};

struct runs_request {
	const char *command; /* for complaints */
	const char *arguments[RUNS_MAX];
	size_t count;
	bool allows_simulated; /* beside what was measured */
};

/* Complains of what it does not take, and has nothing open then. */
enum exit_code runs_open(struct runs *runs, const struct runs_request *request);
void runs_close(struct runs *runs);

/*
 * What is made of several runs lies in a folder of its own, whose runs.csv (run,label,name) says of
 * which. runs_claim_folder() makes it, and takes away what was made there of others; it refuses a
 * run directory, and one that has tables of its own.
 */
enum exit_code runs_claim_folder(const struct runs *runs, const char *command, const char *folder);
/* Whether what lies there was made of these runs. */
bool runs_are_of_folder(const struct runs *runs, const char *folder);

#endif
