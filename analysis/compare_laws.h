/* SPDX-License-Identifier: MIT */
/*
 * Laws compared as laws: a slope that changed is one line, and rows that follow from it are none.
 *
 *   compare_laws_fit() -> compare_laws_learn() per line, then compare_laws_count() per line
 *   -> compare_laws_tell() -> compare_laws_explain() per line -> compare_laws_free()
 *
 * A row follows from a law that holds in BASE and in NEW with other parameters, where its point is
 * as the law says in both, up to the law's residual, and the step comes no later than the law's.
 * One thing is not for a law to explain: what a step takes more at all points alike is a constant
 * that changed at that step, and that is the simpler thing to say.
 */
#ifndef ANALYSIS_COMPARE_LAWS_H
#define ANALYSIS_COMPARE_LAWS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/compare_judge.h"
#include "analysis/compare_line.h"
#include "analysis/compare_units.h"
#include "analysis/laws.h"
#include "analysis/requests.h"
#include "base/err.h"

/* Larger files are not read whole, and their rows are told without laws. */
#define COMPARE_LAWS_FILE_MAX ((size_t)4 << 20)

struct compare_law {
	struct fitted_law fitted[COMPARE_SOURCES_MAX];
	bool has_changed[COMPARE_SOURCES_MAX]; /* against BASE */
	struct law_place *places;              /* by their points; owned */
	size_t place_count;
	struct law_shift *shifts; /* what its steps take more; owned */
	size_t shift_count;
	uint64_t follow_counts[COMPARE_SOURCES_MAX];
};

struct compare_laws {
	const char *benchmark; /* these are the caller's, as are all requests */
	const struct requests *requests;
	const struct compare_points *points; /* that the lines are of; set before the first line */
	struct compare_law *items;           /* owned */
	size_t count;
	bool is_too_large; /* a file, so that there are none */
};

/* Returns 0, also where there are no laws, or -errno of reading. */
int compare_laws_fit(struct compare_laws *laws, const struct compare_unit *unit,
		     const struct compare_sources *sources, const struct requests *requests,
		     struct err *reterr);
void compare_laws_free(struct compare_laws *laws);

/* Returns 0 or -ENOMEM. */
int compare_laws_learn(struct compare_laws *laws, const struct compare_line *line,
		       const struct compare_origin *origin);
/* Each line for the first law that it follows from: others that say the same need not be told. */
void compare_laws_count(struct compare_laws *laws, const struct compare_line *line,
			const struct compare_origin *origin);

/* Marks the sides that follow from a law. */
void compare_laws_explain(const struct compare_laws *laws, struct compare_line *line,
			  const struct compare_origin *origin);

/* The laws that some rows follow from. */
int compare_laws_tell(const struct compare_laws *laws, size_t source_count,
		      const struct compare_visitor *visitor, struct err *reterr);

#endif
