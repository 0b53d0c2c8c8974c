/* SPDX-License-Identifier: MIT */
/*
 * The axis "loading" where a module's variables are the question: CUDA 12.1 has a second variable
 * for them. The words that begin with "data" differ from "lazy" in that one alone; older drivers do
 * not look at it.
 */
#ifndef BENCH_DATA_LOADING_H
#define BENCH_DATA_LOADING_H

#include "harness/bench.h"

#define DATA_LOADING_WORDS "lazy,eager,data-lazy,data-eager"

static const struct bench_setting data_loading_settings[] = {
	{ "lazy", "CUDA_MODULE_LOADING", "LAZY" },
	{ "eager", "CUDA_MODULE_LOADING", "EAGER" },
	{ "data-lazy", "CUDA_MODULE_LOADING", "LAZY" },
	{ "data-lazy", "CUDA_MODULE_DATA_LOADING", "LAZY" },
	{ "data-eager", "CUDA_MODULE_LOADING", "LAZY" },
	{ "data-eager", "CUDA_MODULE_DATA_LOADING", "EAGER" },
	{ 0 },
};

#endif
