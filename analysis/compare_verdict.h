/* SPDX-License-Identifier: MIT */
/*
 * One number of BASE against the same of NEW, each with what its repeats say.
 *
 * Where all repeats agree, any byte counts. Where they do not, the ranges must move at both ends
 * and must not overlap by more than the meter's granule; else nobody can tell, and `settle_count`
 * says how many repeats of each would: as many as make it 99 % sure that two ranges of the same
 * thing reach equally far, if values are spread evenly over both. 0: no number of them would, as
 * that many have been taken.
 */
#ifndef ANALYSIS_COMPARE_VERDICT_H
#define ANALYSIS_COMPARE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/fraction.h"
#include "base/err.h"

enum verdict {
	VERDICT_SAME,
	VERDICT_MORE,
	VERDICT_LESS,
	VERDICT_AMBIGUOUS,
	VERDICT_CHANGED, /* it is no cost: a status, a word, a reading */
	VERDICT_ONLY_IN_BASE,
	VERDICT_ONLY_IN_NEW,
	VERDICT_COUNT,
};

const char *verdict_text(enum verdict verdict);

struct compare_range {
	int64_t low; /* low > high: not taken */
	int64_t high;
	uint64_t count; /* of repeats that took it */
};

static inline struct compare_range compare_range_none(void)
{
	return (struct compare_range){ INT64_MAX, INT64_MIN, 0 };
}

static inline bool compare_range_is_taken(struct compare_range range)
{
	return range.low <= range.high;
}

void compare_range_add(struct compare_range *range, int64_t value);

/* What may differ without counting: by bytes, by a share of BASE, or (zeroed) nothing. */
struct compare_threshold {
	int64_t bytes;
	struct fraction percent;
};

/* "2M", "1%", "0.5%". Returns 0 or -EINVAL. */
int compare_threshold_parse(const char *text, struct compare_threshold *ret_threshold,
			    struct err *reterr);

struct compare_rule {
	int64_t granule; /* of the meter; 0 for what has none */
	struct compare_threshold threshold;
};

struct judgement {
	enum verdict verdict;
	uint64_t settle_count; /* of VERDICT_AMBIGUOUS */
};

struct judgement compare_ranges(struct compare_range base, struct compare_range newer,
				const struct compare_rule *rule);

#endif
