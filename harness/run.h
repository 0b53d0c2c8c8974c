/* SPDX-License-Identifier: MIT */
/*
 * A run: a device, a plan, a run directory. Everything that `cuctx run` does but read its options
 * and talk to the user.
 *
 * run_open() or run_resume() -> run_measure() -> run_close(). Before that, simulate_device() where
 * the device is to be simulated. The calling process never loads a CUDA library.
 */
#ifndef HARNESS_RUN_H
#define HARNESS_RUN_H

#include <signal.h>

#include "harness/modules.h"
#include "harness/plan.h"
#include "harness/rundir.h"
#include "harness/sampler.h"

enum memory_cap_kind {
	MEMORY_CAP_POLITE, /* a quarter of the free memory while others use the device, else none */
	MEMORY_CAP_BYTES,
	MEMORY_CAP_PERCENT, /* of the free memory */
};

struct memory_cap {
	enum memory_cap_kind kind;
	uint64_t amount;
};

/*
 * "1G", "25%" or "polite", and back: what --max-memory takes and environment.csv keeps. -EINVAL
 * with a text that needs the option's name before it.
 */
#define MEMORY_CAP_TEXT_MAX 24
int memory_cap_parse(const char *text, struct memory_cap *ret_cap, struct err *reterr);
const char *memory_cap_text(const struct memory_cap *cap, char buffer[MEMORY_CAP_TEXT_MAX]);

struct run_progress {
	size_t index; /* from 1, of `count` samples in the plan */
	size_t count;
	const struct plan_sample *sample;
	enum status verdict;
	const char *note; /* why it has this verdict; "": no row says so */
	unsigned int attempt;
	uint64_t elapsed_ns; /* of the run so far */
	size_t taken_count;  /* samples that this run has taken (after a resume, not all are) */
};

struct run_options {
	struct plan_request plan;
	int device;
	const char *out;           /* parent of the run directory */
	const char *module_folder; /* share/cuctx/modules */
	const char *command;       /* for environment.csv */
	uint64_t timeout_ns;
	struct memory_cap memory_cap;
	const volatile sig_atomic_t *interrupted;
	/* Called after each attempt; may be NULL. */
	void (*progress)(void *data, const struct run_progress *progress);
	void *progress_data;
};

struct bench_time {
	const struct bench *bench;
	size_t sample_count;
	uint64_t elapsed_ns;
	uint64_t cuda_ns; /* inside CUDA and NVML calls */
	uint64_t exit_ns; /* processes being taken apart by system and driver */
};

struct run_summary {
	size_t verdicts[STATUS_COUNT]; /* of the samples' last attempts, before a resume too */
	size_t taken_count;            /* samples that were taken now */
	size_t retried_count;
	struct bench_time *times; /* one per benchmark of the plan; owned by the run */
	size_t time_count;
	uint64_t elapsed_ns; /* all of it, from run_open() on */
	uint64_t cuda_ns;    /* inside CUDA and NVML calls, the observer's start included */
	uint64_t exit_ns;
	bool was_interrupted;
};

struct run {
	struct run_options options;
	struct rundir rundir;
	struct modules modules;
	struct plan plan;
	struct sampler sampler;
	struct run_summary summary;
	bool *done;             /* by plan index: finished before (resume); owned */
	unsigned int *attempts; /* by plan index: attempts on file; owned */
	uint64_t start_ns;
};

/*
 * Starts the observer, checks the modules, makes the plan and the run directory with
 * environment.csv, plan.csv and kernels.csv. -EINVAL, -ENODEV, or a file's -errno. run_close() in
 * any case.
 */
int run_open(struct run *run, const struct run_options *options, struct err *reterr);

/*
 * The same for a directory of a run that was cut off: its plan is read back, a torn last sample is
 * cut away, and what is complete is not measured again. It must be the same device, driver and
 * modules. Of the options' plan request, only the benches are used.
 */
int run_resume(struct run *run, const struct run_options *options, const char *directory,
	       struct err *reterr);

/* Measures what is not done. 0 also when samples failed or it was interrupted: see the summary. */
int run_measure(struct run *run, struct err *reterr);
void run_close(struct run *run);

/* Samples of the plan that have no verdict, after run_measure(). */
size_t run_missing_count(const struct run *run);

/* Those that were still to be taken when the run was opened. */
size_t run_pending_count(const struct run *run);

#endif
