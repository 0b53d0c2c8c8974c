/* SPDX-License-Identifier: MIT */
/*
 * What a law of a run says for an amount, which need not have been measured.
 *
 *   estimator_open() -> estimator_at() … -> estimator_close()
 *
 * Bytes grow with amounts, so what was measured below and above bounds what a law leaves open; at
 * an amount that was measured, that is what it takes.
 */
#ifndef ANALYSIS_ESTIMATE_H
#define ANALYSIS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/laws.h"
#include "analysis/run.h"
#include "base/err.h"
#include "base/text.h"

/* Bytes, and between which they may be by what was measured. */
struct estimate {
	int64_t low_bytes;
	int64_t bytes;
	int64_t high_bytes;
};

struct estimate estimate_sum(struct estimate a, struct estimate b);
struct estimate estimate_difference(struct estimate a, struct estimate b);
/* `bytes` brought to where they may be. */
struct estimate estimate_clamped(struct estimate estimate);

struct estimator {
	const struct fitted_law *fitted; /* of the laws */
	struct law_point *points;        /* by x; owned */
	size_t count;
	const char *option;
	bool extrapolates;
};

/*
 * `option` is who asks, for messages; with `extrapolates`, amounts beyond those that were measured
 * are fine. -ENODATA for a law that this run has not, -EDOM for one that does not hold, -ENOMEM.
 */
int estimator_open(struct estimator *estimator, const struct run *run,
		   const struct fitted_law *fitted, const char *option, struct err *reterr);
void estimator_close(struct estimator *estimator);

/* -EINVAL for an amount beyond those that were measured, or beyond LAW_VALUE_MAX. */
int estimator_at(const struct estimator *estimator, int64_t x, struct estimate *ret_estimate,
		 struct err *reterr);

/* The least amount that was measured. */
int64_t estimator_lowest(const struct estimator *estimator);

/* "limit-stack, stack: 0 to 262144 granted_bytes" */
void estimator_text(const struct estimator *estimator, struct text *ret_text);

#endif
