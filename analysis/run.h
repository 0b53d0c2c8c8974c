/* SPDX-License-Identifier: MIT */
/* A run directory, read once: its environment, its plan and the samples of every benchmark asked
 * about. */
#ifndef ANALYSIS_RUN_H
#define ANALYSIS_RUN_H

#include <stddef.h>

#include "analysis/environment.h"
#include "analysis/planned.h"
#include "analysis/requests.h"
#include "analysis/samples.h"
#include "base/err.h"

struct run {
	const char *dir;                 /* the caller's */
	const struct requests *requests; /* the caller's */
	struct environment environment;
	struct planned planned;
	struct samples
		*samples; /* one per requests->benchmarks; empty where there is no file; owned */
};

/*
 * A benchmark that was not part of the run has no file, and that is fine; a file that cannot be
 * read, is no table or is not what this run wrote is an error.
 */
int run_read(struct run *run, const char *dir, const struct requests *requests, struct err *reterr);
void run_free(struct run *run);

/*
 * Replaces <dir>/<name>.csv as a whole or not at all. Returns 0 or -errno of writing it.
 */
int run_replace(const char *dir, const char *name, const struct csv_row *rows, struct err *reterr);

/* The samples of a benchmark by name; NULL when it was not part of the run. */
const struct samples *run_samples(const struct run *run, const char *benchmark);

#endif
