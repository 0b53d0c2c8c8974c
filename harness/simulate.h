/* SPDX-License-Identifier: MIT */
/*
 * Turns this process and its children to the simulated device, by naming its libraries outright in
 * the variables that name other libraries (CUCTX_LIBCUDA …), never by the search path of the
 * loader.
 */
#ifndef HARNESS_SIMULATE_H
#define HARNESS_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * `profile`: a name in `profile_folder`, or a path (with a slash, or ending in .csv). The device's
 * state lives in memory that is passed on to children and vanishes with the last of them. -EINVAL
 * naming the profiles there are.
 */
int simulate_device(const char *profile, const char *profile_folder, const char *library_folder,
		    struct err *reterr);

/*
 * Why the simulated device refused to start, in its own words: the last line of the file that
 * CUCTX_SIM_LOG names. False when it has said nothing.
 */
bool simulate_complaint(char *buffer, size_t buffer_size);

#endif
