/* SPDX-License-Identifier: MIT */
/*
 * What is said of the memory of a context, judged by a run's rows. claims_write() makes claims.csv:
 *
 *   claim,sentence,verdict,figures,from
 *
 * `from` says where each figure stands: "max of delta_bytes at launch-2 of module-code where …".
 */
#ifndef ANALYSIS_CLAIMS_H
#define ANALYSIS_CLAIMS_H

#include <stddef.h>

#include "analysis/requests.h"
#include "analysis/run.h"
#include "base/err.h"

enum claim_verdict {
	CLAIM_TRUE,
	CLAIM_FALSE_HERE,
	CLAIM_NOT_MEASURED,  /* a figure is missing, or a condition is not met */
	CLAIM_DEPENDS,       /* points differ, and it hangs on which of them is meant */
	CLAIM_CONTRADICTORY, /* repeats differ, and it hangs on which of them is right */
	CLAIM_VERDICTS
};

struct judged_claim {
	const struct claim_request *request; /* the caller's */
	enum claim_verdict verdict;
	char *figures; /* those that decided it, in words; owned */
};

struct claims {
	struct judged_claim *items; /* one per request; owned */
	size_t count;
};

/* Returns 0 or -ENOMEM. */
int claims_judge(struct claims *claims, const struct run *run, struct err *reterr);
void claims_free(struct claims *claims);

/* "true", "false here", "not measured", "it depends", "contradictory" */
const char *claim_verdict_text(enum claim_verdict verdict);
size_t claims_count(const struct claims *claims, enum claim_verdict verdict);

/* Replaces <dir>/claims.csv as a whole or not at all. */
int claims_write(const struct claims *claims, const char *dir, struct err *reterr);

#endif
