/* SPDX-License-Identifier: MIT */
/* Checks descriptors once at the start, so that a bad one cannot run. */
#ifndef HARNESS_BENCH_CHECK_H
#define HARNESS_BENCH_CHECK_H

#include "base/err.h"
#include "harness/bench.h"

/* 0, or -EINVAL naming the benchmark and what is wrong with it. */
int benches_check(const struct bench *const *benches, size_t count, struct err *reterr);

#endif
