/* SPDX-License-Identifier: MIT */
/* From the benchmarks' descriptors to what analysis is asked. */
#ifndef CLI_ANALYSE_H
#define CLI_ANALYSE_H

#include "analysis/requests.h"
#include "base/err.h"

/* All benchmarks' requests; valid until the process ends. */
const struct requests *analyse_requests(void);

/* Writes laws.csv of a run directory. 0 or -errno. */
int analyse_laws(const char *directory, struct err *reterr);

/* The same, and claims.csv. */
int analyse_write(const char *directory, struct err *reterr);

/* The same, and tells on stderr what the rows say about the claims. */
int analyse_write_and_tell(const char *directory, struct err *reterr);

#endif
