/* SPDX-License-Identifier: MIT */
/*
 * What several terms share: what they take one by one, less what they take in one context. Of
 * samples in which these and nothing else were used, in any order, and alone.
 */
#ifndef ANALYSIS_SHARED_H
#define ANALYSIS_SHARED_H

#include "analysis/anatomy.h"
#include "analysis/run.h"
#include "base/text.h"

/* Of requests->terms, by number; only those that have a part. */
struct term_set {
	const size_t *terms;
	size_t count;
};

#define SHARED_TERMS_MAX 8

/* Not measured where the rows have not all of it. */
struct byte_range shared_measure(const struct run *run, const struct term_set *set);

/* The base that a term has by itself; 0 where the rows do not say. */
int64_t shared_base_bytes(const struct run *run, size_t term);

/* "shared by printf, malloc and launch" */
void shared_name(const struct requests *requests, const struct term_set *set,
		 struct text *ret_text);

#endif
