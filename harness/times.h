/* SPDX-License-Identifier: MIT */
/*
 * timing.csv: where the time of a run went, one row per benchmark and one for the observer,
 * appended when a run ends (once more when it is resumed):
 * benchmark,samples,elapsed_ns,cuda_ns,exit_ns.
 */
#ifndef HARNESS_TIMES_H
#define HARNESS_TIMES_H

#include "harness/run.h"

int times_write(const struct run *run, struct err *reterr);

#endif
