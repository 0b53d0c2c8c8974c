/* SPDX-License-Identifier: MIT */
/*
 * Which facts about the runs differ: what one should know before one looks at the bytes.
 *
 *   compare_environment_find() -> items -> compare_environment_free()
 */
#ifndef ANALYSIS_COMPARE_ENVIRONMENT_H
#define ANALYSIS_COMPARE_ENVIRONMENT_H

#include <stddef.h>

#include "analysis/compare_source.h"
#include "base/err.h"

struct compare_facts {
	const char **keys; /* that do not have the same value everywhere; owned, the texts are the
			      sources' */
	size_t count;
};

/* Of the sources that have an environment. */
int compare_environment_find(struct compare_facts *facts, const struct compare_sources *sources,
			     struct err *reterr);
/* Whether that one is other than BASE's; not so where one of them has no environment. */
bool compare_environment_differs(const struct compare_sources *sources, const char *key,
				 size_t source);
void compare_environment_free(struct compare_facts *facts);

#endif
