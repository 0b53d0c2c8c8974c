/* SPDX-License-Identifier: MIT */
/*
 * Device memory as NVML counts it, for the devices that the traced program numbers:
 * trace_meter_open() once, then trace_meter_read() from any thread. A reading costs some
 * microseconds and takes neither a context nor device memory; it moves by the bytes by which
 * cuMemGetInfo() moves.
 */
#ifndef TRACE_METER_H
#define TRACE_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "harness/driver.h"

#define TRACE_NO_DEVICE (-1)

struct trace_reading {
	bool is_taken;
	uint64_t used_bytes; /* of the whole device */
	uint64_t host_bytes; /* resident, of this process; 0: not taken */
	uint64_t time_ns;    /* monotonic clock, when all was read */
};

/* -ENODEV without NVML. The driver need not be initialised yet. */
int trace_meter_open(const struct driver *driver, struct err *reterr);

/* `device` is the driver's ordinal. */
struct trace_reading trace_meter_read(int device);

/* As nvidia-smi numbers it; TRACE_NO_DEVICE where it is not known. */
int trace_meter_index(int device);

/* From now on nothing is read: NVML may be taken down. Waits a moment for those that read. */
void trace_meter_close(void);

#endif
