/* SPDX-License-Identifier: MIT */
/* A graph of kernels, each after the one before. */
#ifndef BENCH_LAUNCH_CHAIN_H
#define BENCH_LAUNCH_CHAIN_H

#include "harness/bench.h"

/* `count` launches of one kernel with one null argument. */
static inline CUresult launch_chain_add(const struct driver *cu, CUgraph graph, CUfunction function,
					uint64_t count)
{
	void *nothing = NULL;
	void *arguments[] = { &nothing };
	CUDA_KERNEL_NODE_PARAMS_v1 launch = { .func = function,
					      .gridDimX = 1,
					      .gridDimY = 1,
					      .gridDimZ = 1,
					      .blockDimX = 1,
					      .blockDimY = 1,
					      .blockDimZ = 1,
					      .kernelParams = arguments };
	CUgraphNode node, before;
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++) {
		error = cu->graph_add_kernel_node(&node, graph, i ? &before : NULL, i ? 1 : 0,
						  &launch);
		before = node;
	}
	return error;
}

#endif
