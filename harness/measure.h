/* SPDX-License-Identifier: MIT */
/* How run_measure() treats a sample, where others must agree with it. */
#ifndef HARNESS_MEASURE_H
#define HARNESS_MEASURE_H

/* A disturbed sample, or one during which the observer was lost, is taken at most so often. */
#define MEASURE_ATTEMPTS_MAX 3

/* The step of the single row of a sample that is not taken (unsupported, skipped). */
#define MEASURE_NO_STEP "none"

#endif
