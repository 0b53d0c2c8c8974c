/* SPDX-License-Identifier: MIT */
/*
 * The machine's devices as NVML shows them from outside of any program: a child process that holds
 * the driver open, without a context, so that nobody's first call changes what a device has in use,
 * and reads on request. outside_open() -> outside_read() any number of times -> outside_close().
 */
#ifndef HARNESS_OUTSIDE_H
#define HARNESS_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "harness/process.h"

#define OUTSIDE_DEVICES_MAX 32
#define OUTSIDE_TEXT_MAX    96

struct outside_device {
	unsigned int index; /* as nvidia-smi numbers it */
	char name[OUTSIDE_TEXT_MAX];
	char uuid[OUTSIDE_TEXT_MAX];
	uint64_t used_bytes;
	uint64_t time_ns; /* of the reading, monotonic clock */
};

struct outside_reading {
	unsigned int count;
	bool is_simulated;
	bool is_settled; /* two readings in a row agreed */
	char driver_release[OUTSIDE_TEXT_MAX];
	struct outside_device devices[OUTSIDE_DEVICES_MAX];
};

struct outside {
	struct child child;
};

/* -ENODEV without a driver or NVML. */
int outside_open(struct outside *outside, struct err *reterr);

/* Reads until two readings in a row agree, which takes at least `settle_ns` and at most ten times
 * that. */
int outside_read(struct outside *outside, uint64_t settle_ns, struct outside_reading *ret_reading,
		 struct err *reterr);
void outside_close(struct outside *outside);

/*
 * What a context takes on the first device, in a child process of its own, in which the driver is
 * told of the injection library, or of none (NULL). CUCTX_TRACE_IDLE is set there.
 */
int outside_context_bytes(const char *injection_path, int64_t *ret_bytes, struct err *reterr);

#endif
