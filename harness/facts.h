/* SPDX-License-Identifier: MIT */
/*
 * What the observer finds out before anything is measured: loads the libraries, makes its context,
 * and asks driver, NVML and runtime what they are. Then it reads the idle baseline: how small a
 * change the meter can show (granule), how much it moves by itself (noise), and who else is there.
 */
#ifndef HARNESS_FACTS_H
#define HARNESS_FACTS_H

#include "harness/driver.h"
#include "harness/observer.h"

struct facts_source {
	int ordinal;
	struct driver cu;
	struct nvml nvml;
	bool has_nvml;
	CUdevice device;
	CUcontext context;
	bool knows_pids; /* NVML calls this process by its own number */
};

/* Fills all but `ordinal` of the source. 0, -ENODEV, or -EINVAL for what a simulated one says. */
int facts_gather(struct facts_source *source, struct observer_facts *ret_facts, struct err *reterr);

#endif
