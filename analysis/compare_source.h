/* SPDX-License-Identifier: MIT */
/*
 * What is compared: a run directory, or one benchmark's CSV alone.
 *
 *   compare_sources_open() -> the sources, BASE first -> compare_sources_free()
 */
#ifndef ANALYSIS_COMPARE_SOURCE_H
#define ANALYSIS_COMPARE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/environment.h"
#include "base/err.h"

#define COMPARE_SOURCES_MAX 16

struct compare_source {
	char *label; /* no two sources have the same; owned */
	char *path;  /* owned */
	bool is_file;
	bool has_environment; /* a single CSV may lie beside none */
	struct environment environment;
	bool is_simulated;
	int64_t granule_bytes; /* 0: not known */
};

struct compare_sources {
	struct compare_source items[COMPARE_SOURCES_MAX];
	size_t count;
};

/*
 * `arguments` are paths, or LABEL=PATH where there is no such path. A run is called after its GPU
 * and driver; where that does not tell two apart, after its directory. Returns 0, the error of a
 * file that cannot be read, or -EINVAL for a label that is given twice and for too many.
 */
int compare_sources_open(struct compare_sources *sources, const char *const *arguments,
			 size_t count, struct err *reterr);
void compare_sources_free(struct compare_sources *sources);

/* Where some are simulated and others are not, one of each. */
bool compare_sources_are_mixed(const struct compare_sources *sources,
			       const struct compare_source **ret_simulated,
			       const struct compare_source **ret_measured);

/* The value of an environment key; "" where it is not there. */
const char *compare_source_fact(const struct compare_source *source, const char *key);

#endif
