/* SPDX-License-Identifier: MIT */
/*
 * The observer: a child process with a context of its own on the device, which reads all
 * device-wide meters on request. So memory is seen from outside the process that is measured, also
 * before that process has a context. Holding the device open also makes each sample start much
 * sooner.
 *
 * observer_start() -> observer_read() any number of times -> observer_stop().
 * A device-wide count moves when anybody allocates; the reading therefore brings along what NVML
 * says of other processes.
 */
#ifndef HARNESS_OBSERVER_H
#define HARNESS_OBSERVER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "harness/bench.h"
#include "harness/nvml_table.h"
#include "harness/process.h"

#define OBSERVER_TEXT_MAX 64

/* What the observer finds out once, before anything is measured. */
struct observer_facts {
	int device_count;
	struct device_info device;
	char driver_release[OBSERVER_TEXT_MAX];
	bool is_simulated; /* any of the libraries says that it is a stand-in */
	int driver_api_version;
	int runtime_api_version; /* 0: no runtime library; `runtime_problem` says why */
	struct err runtime_problem;
	struct err nvml_problem; /* "" when NVML works */
	char module_loading[OBSERVER_TEXT_MAX];
	char ecc[OBSERVER_TEXT_MAX];
	char mig[OBSERVER_TEXT_MAX];
	char persistence_mode[OBSERVER_TEXT_MAX];
	char compute_mode[OBSERVER_TEXT_MAX];
	bool has_context_bytes;
	uint64_t context_bytes; /* what the observer's own context takes, by NVML */
	uint64_t granule_bytes; /* the smallest step of cuMemGetInfo */
	uint64_t noise_bytes;   /* its largest movement while nothing was measured */
	uint64_t free_bytes;
	bool knows_neighbours;  /* NVML lists processes */
	uint64_t foreign_bytes; /* of processes that were there before us, by NVML */
	uint64_t foreign_count;
	uint64_t cuda_ns; /* inside library calls until now */
};

struct device_reading {
	uint64_t free_bytes; /* cuMemGetInfo */
	struct nvml_reading nvml;
	uint64_t settle_ns; /* until two reads in a row agreed */
	bool settled;       /* false: they never did; the last one is given */
	uint64_t cuda_ns;
	int error; /* of cuMemGetInfo; nothing above is valid unless 0 */
	char error_name[DRIVER_ERROR_MAX];
};

struct observer {
	struct child child;
	struct observer_facts facts;
	uint64_t timeout_ns;
};

struct observer_request {
	pid_t subject;                /* whose bytes NVML is asked for; 0: nobody's */
	uint64_t expected_free_bytes; /* wait for this … */
	uint64_t patience_ns;         /* … so long, then take what is there; 0: do not wait */
};

struct observer_task {
	int device;          /* ordinal */
	unsigned int number; /* the how manieth observer of its run this is, from 1 */
	uint64_t timeout_ns; /* of its start, and of a reading */
	const volatile sig_atomic_t *interrupted; /* may be NULL */
};

/*
 * -ENODEV when the device cannot be used; the text says what to do. -EINVAL when it is a simulated
 * one that was described wrongly; -EINTR once *interrupted is set.
 */
int observer_start(struct observer *observer, const struct observer_task *task, struct err *reterr);

/*
 * 0; -EIO when the observer has died, hangs or cannot read any more (it must be stopped and started
 * again; the text says which); -EINTR once *interrupted is set.
 */
int observer_read(struct observer *observer, const struct observer_request *request,
		  struct device_reading *ret_reading, const volatile sig_atomic_t *interrupted,
		  struct err *reterr);
void observer_stop(struct observer *observer);

#endif
