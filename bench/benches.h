/* SPDX-License-Identifier: MIT */
/* All benchmarks, in the order of bench/benches.def. */
#ifndef BENCH_BENCHES_H
#define BENCH_BENCHES_H

#include <stddef.h>

#include "harness/bench.h"

extern const struct bench *const benches[];
extern const size_t benches_count;

#endif
