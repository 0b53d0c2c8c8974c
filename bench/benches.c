/* SPDX-License-Identifier: MIT */
#include "bench/benches.h"

#include "base/array.h"

#define BENCH(symbol) extern const struct bench symbol;
#include "bench/benches.def"
#undef BENCH

const struct bench *const benches[] = {
#define BENCH(symbol) &symbol,
#include "bench/benches.def"
#undef BENCH
};
const size_t benches_count = ARRAY_COUNT(benches);
