/* SPDX-License-Identifier: MIT */
/*
 * The multi-process service: where it runs, the kernels of all its clients share one context on the
 * device, and one that faults ends them all.
 */
#ifndef HARNESS_MPS_H
#define HARNESS_MPS_H

#include <stdbool.h>

/* Whether a control pipe is where this process's clients would look for it. */
bool mps_is_on(void);

#endif
