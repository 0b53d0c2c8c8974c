/* SPDX-License-Identifier: MIT */
/* environment.csv of a run directory: what was measured, with what, when. */
#ifndef ANALYSIS_ENVIRONMENT_H
#define ANALYSIS_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/csv.h"
#include "base/err.h"

struct environment {
	struct csv_table table;
	size_t key;   /* column */
	size_t value; /* column */
};

/*
 * Returns 0, the errors of csv_table_read(), or -EBADMSG for a file that is torn or does not say
 * exactly once, by yes or no, whether the run is simulated.
 */
int environment_read(struct environment *environment, const char *dir, struct err *reterr);
void environment_free(struct environment *environment);

/* The value of a key; "" when it is not there. */
const char *environment_get(const struct environment *environment, const char *key);

/* The same as a number of bytes or such; 0 when it is not there or not a number. */
int64_t environment_number(const struct environment *environment, const char *key);

/* Whether the numbers come from the simulated device. */
bool environment_is_simulated(const struct environment *environment);

/* "<dir>/<name><suffix>", to be freed; NULL for lack of memory. */
char *run_path(const char *dir, const char *name, const char *suffix);

#endif
