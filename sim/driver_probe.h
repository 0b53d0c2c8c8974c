/* SPDX-License-Identifier: MIT */
/*
 * What each exported call goes through, in the file that the build writes from driver_exports.def:
 * driver_enter() -> the call itself, inner_<symbol>() -> driver_leave().
 */
#ifndef SIM_DRIVER_PROBE_H
#define SIM_DRIVER_PROBE_H

#include "sim/driver.h"
#include "sim/probe.h"

struct driver_frame {
	bool is_told;
	struct probe_call call;
	uint64_t data;
};

void driver_enter(struct driver_frame *frame, enum driver_number number, const void *parameters);
CUresult driver_leave(struct driver_frame *frame, CUresult result);

#endif
