/* SPDX-License-Identifier: MIT */
/*
 * Picking up a run that was cut off. A sample is complete when its last row is there ("exit", or
 * "none" for one that was not taken) and it need not be taken again; rows behind the last complete
 * sample of a file, torn or whole, are cut away, so that nothing appears twice.
 */
#ifndef HARNESS_RESUME_H
#define HARNESS_RESUME_H

#include <stdbool.h>

#include "harness/run.h"

/*
 * Whether a build of this commit is like any other of it. Not with changes in the tree ("-dirty"),
 * nor where nobody knows the commit.
 */
bool resume_commit_is_telling(const char *commit);

/* -EINVAL when the directory's run was of another device (or, simulated, of another
 * profile), driver, commit or build of the modules.
 */
int resume_check(const struct rundir *rundir, const struct observer_facts *facts,
		 const struct modules *modules, struct err *reterr);

/*
 * Fills run->done, run->attempts and the verdicts so far from the CSVs, and cuts the files.
 * -EBADMSG, naming the line, where rows are missing, out of their order, or there twice.
 */
int resume_scan(struct run *run, struct err *reterr);

#endif
