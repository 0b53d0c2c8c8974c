/* SPDX-License-Identifier: MIT */
/* The axis "loading": whether a module's code waits until its kernels are asked for. */
#ifndef BENCH_LOADING_H
#define BENCH_LOADING_H

#include "harness/bench.h"

static const struct bench_setting loading_settings[] = {
	{ "lazy", "CUDA_MODULE_LOADING", "LAZY" },
	{ "eager", "CUDA_MODULE_LOADING", "EAGER" },
	{ 0 },
};

#endif
