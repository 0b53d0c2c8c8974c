/* SPDX-License-Identifier: MIT */
/*
 * What a run that is resumed was begun with, from its environment.csv. -EBADMSG where that does not
 * say it, naming the file.
 */
#ifndef CLI_RECALL_H
#define CLI_RECALL_H

#include "harness/run.h"

#define RECALL_TIMEOUT_MAX_S 86400

/* -ENOENT or -ENOTDIR where there is no directory of that name. */
int recall_from(const char *directory, struct err *reterr);

/* The profile of a simulated run, to be freed; NULL of another. -EINVAL when it is not there. */
int recall_profile(const char *directory, char **ret_profile, struct err *reterr);
int recall_cap(const char *directory, struct memory_cap *ret_cap, struct err *reterr);
int recall_timeout(const char *directory, uint64_t *ret_timeout_ns, struct err *reterr);

#endif
