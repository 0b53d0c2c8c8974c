/* SPDX-License-Identifier: MIT */
/*
 * Turns this process and its children to the simulated device, by naming its libraries outright in
 * the variables that name other libraries (CUCTX_LIBCUDA …), never by the search path of the
 * loader.
 */
#ifndef HARNESS_SIMULATE_H
#define HARNESS_SIMULATE_H

#include "base/err.h"

/*
 * `profile`: a name in `profile_folder`, or a path (with a slash). The device's state lives in
 * memory that is passed on to children and vanishes with the last of them. -ENOENT naming the
 * profiles there are.
 */
int simulate_device(const char *profile, const char *profile_folder, const char *library_folder,
		    struct err *reterr);

#endif
