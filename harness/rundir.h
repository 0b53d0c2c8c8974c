/* SPDX-License-Identifier: MIT */
/*
 * The run directory: OUT/<gpu>_<driver>_<UTC>/, "simulated-" before it where it is. It is made new,
 * never overwritten. While a run writes, OUT and the directory are locked, so that a second run is
 * turned away with one line instead of disturbing the first; the lock goes with the last process of
 * the run.
 */
#ifndef HARNESS_RUNDIR_H
#define HARNESS_RUNDIR_H

#include "base/err.h"
#include "harness/observer.h"

struct rundir {
	char *path; /* owned */
	char *name; /* its last part; owned */
	int out_lock;
	int lock;
};

/*
 * Makes OUT where it is missing and locks it; call it before the device is touched. -EBUSY when
 * another run is measuring into it.
 */
int rundir_lock_out(struct rundir *rundir, const char *out, struct err *reterr);

/* Makes the directory for this device; its start time becomes `ret_started`. */
#define RUNDIR_TIME_MAX 20
int rundir_make(struct rundir *rundir, const char *out, const struct observer_facts *facts,
		char ret_started[RUNDIR_TIME_MAX], struct err *reterr);

/* Opens and locks one that exists. -EBUSY when another run is writing it. */
int rundir_open(struct rundir *rundir, const char *path, struct err *reterr);
void rundir_close(struct rundir *rundir);

/* "PATH/FILE", to be freed; NULL when memory runs out, and then `reterr` says so. */
char *rundir_file(const struct rundir *rundir, const char *file, struct err *reterr);

/* Copies a file of ours into it, byte for byte. */
int rundir_copy(const struct rundir *rundir, const char *from, const char *file,
		struct err *reterr);

#endif
