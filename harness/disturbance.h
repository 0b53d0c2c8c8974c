/* SPDX-License-Identifier: MIT */
/*
 * Whether somebody else's memory moved while a sample was taken. Two witnesses:
 *   - when the process is gone, the device's free count must be what it was before it started;
 *   - NVML's bytes (and number) of processes other than ours must not change from step to step.
 * An attempt that fails either is marked as disturbed in all its rows. What neither can see: a
 * process hidden from NVML that allocates and frees within one sample; repeats that differ show it.
 *
 * The meters are also compared with each other, which makes a note and no verdict.
 */
#ifndef HARNESS_DISTURBANCE_H
#define HARNESS_DISTURBANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/result.h"

/* Whether NVML has shown already that other processes' memory moved between the rows so far. */
bool disturbance_is_known(const struct result *result);

/* For judged results; samples that crashed, hung or failed keep that verdict. */
void disturbance_check(struct result *result, uint64_t granule_bytes);

#endif
