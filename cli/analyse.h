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

#endif
