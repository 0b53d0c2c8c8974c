/* SPDX-License-Identifier: MIT */
/*
 * What did not simply succeed, grouped: the same step, status and reason make one outcome, with the
 * points at which it happened.
 */
#ifndef ANALYSIS_OUTCOMES_H
#define ANALYSIS_OUTCOMES_H

#include <stddef.h>

#include "analysis/samples.h"
#include "base/err.h"
#include "base/text.h"

struct outcome {
	const char *step;
	const char *status;
	const char *error; /* the driver's answer; "" without one */
	const char *note;
	size_t *samples; /* owned */
	size_t sample_count;
};

struct outcomes {
	struct outcome *items; /* owned; texts are the samples' */
	size_t count;
};

int outcomes_collect(struct outcomes *outcomes, const struct samples *samples, struct err *reterr);
void outcomes_free(struct outcomes *outcomes);

/* "stack_limit_bytes 524288, 1048576; api driver": see regions_tell(). */
void outcome_points(const struct outcome *outcome, const struct samples *samples,
		    struct text *ret_text);

#endif
