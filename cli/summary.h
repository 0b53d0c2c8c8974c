/* SPDX-License-Identifier: MIT */
/* What a run says at its end: how its samples went, and where the time did. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "harness/run.h"

void summary_show(const struct run_summary *summary);

#endif
