/* SPDX-License-Identifier: MIT */
/*
 * Takes one sample: starts the subject, reads the observer at every step, ends the subject when it
 * hangs, and judges what came out. The parent's side of subject.h and observer.h.
 */
#ifndef HARNESS_SAMPLER_H
#define HARNESS_SAMPLER_H

#include <signal.h>

#include "harness/modules.h"
#include "harness/observer.h"
#include "harness/plan.h"
#include "harness/result.h"

/* The `error` of a row whose device-wide meters could not be read. */
#define SAMPLER_ERROR_OBSERVER "observer"

struct sampler {
	struct observer observer;
	bool has_observer;
	const struct modules *modules;
	int device;                               /* ordinal */
	uint64_t timeout_ns;                      /* of one step */
	const volatile sig_atomic_t *interrupted; /* may be NULL */
	struct in_flight *in_flight;              /* shared with the subject; owned */
	uint64_t observer_cuda_ns;                /* of observers that have been started */
	unsigned int observer_count;              /* that it was tried to start */
};

/* 0, what observer_start() returns, or -ENOMEM. */
int sampler_start(struct sampler *sampler, struct err *reterr);
void sampler_stop(struct sampler *sampler);

/*
 * One attempt at one sample; the rows are valid whatever is returned. Returns 0; -EINTR when
 * interrupted (the attempt is void); -EIO when the observer was lost meanwhile: sampler_recover(),
 * then try again.
 */
int sampler_take(struct sampler *sampler, const struct plan_sample *sample, unsigned long order,
		 struct result *result);

/* A new observer in place of the lost one. */
int sampler_recover(struct sampler *sampler, struct err *reterr);

#endif
