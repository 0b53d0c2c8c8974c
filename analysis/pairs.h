/* SPDX-License-Identifier: MIT */
/*
 * Which samples the figures of a claim are compared at. Numbers of different points say nothing
 * about one another: of a benchmark, only points count that have all of the claim's figures. Points
 * are the same where they are equal on every axis that no figure's `where` gives a value.
 */
#ifndef ANALYSIS_PAIRS_H
#define ANALYSIS_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/requests.h"
#include "analysis/run.h"
#include "base/err.h"

enum pairs_state {
	PAIRS_COMPLETE,
	PAIRS_NONE,    /* no point has all figures */
	PAIRS_LACKING, /* a point that has one of them broke off before another */
};

struct pairs {
	enum pairs_state state;
	bool *is_paired; /* per sample of the benchmark; NULL where there is none; owned */
};

/* Of the figures that are of this benchmark. Returns 0 or -ENOMEM. */
int pairs_find(struct pairs *pairs, const struct run *run, const struct claim_request *claim,
	       const char *benchmark, struct err *reterr);
void pairs_free(struct pairs *pairs);

#endif
