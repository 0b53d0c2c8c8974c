/* SPDX-License-Identifier: MIT */
/*
 * Streams, graphs and a memory pool, by the runtime API: 64 streams, 8 executable graphs of 256
 * nodes each, and stream-ordered allocations that are freed and trimmed.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#define STREAMS 64
#define GRAPHS  8
#define NODES   256
#define PIECES  16
#define PIECE   ((size_t)8 << 20)

static void must(cudaError_t status, const char *call)
{
	if (!status)
		return;
	fprintf(stderr, "streams: %s: %s\n", call, cudaGetErrorString(status));
	exit(EXIT_FAILURE);
}

static void run_graph(void *memory, cudaStream_t stream)
{
	struct cudaMemsetParams fill = {
		.dst = memory, .elementSize = 4, .width = 1024, .height = 1
	};
	cudaGraphNode_t node, before;
	cudaGraphExec_t executable;
	cudaGraph_t graph;

	must(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
	for (int i = 0; i < NODES; i++) {
		must(cudaGraphAddMemsetNode(&node, graph, &before, i > 0, &fill),
		     "cudaGraphAddMemsetNode");
		before = node;
	}
	must(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
	must(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
	must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

static void use_pool(cudaStream_t stream)
{
	void *pieces[PIECES];
	cudaMemPool_t pool;

	for (int i = 0; i < PIECES; i++)
		must(cudaMallocAsync(&pieces[i], PIECE, stream), "cudaMallocAsync");
	for (int i = 0; i < PIECES; i++)
		must(cudaFreeAsync(pieces[i], stream), "cudaFreeAsync");
	must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
	must(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
	must(cudaMemPoolTrimTo(pool, 0), "cudaMemPoolTrimTo");
	must(cudaMallocAsync(&pieces[0], PIECE, stream), "cudaMallocAsync");
	must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

int main(void)
{
	cudaStream_t streams[STREAMS];
	void *memory;

	must(cudaMalloc(&memory, 1 << 20), "cudaMalloc");
	for (int i = 0; i < STREAMS; i++)
		must(cudaStreamCreate(&streams[i]), "cudaStreamCreate");
	for (int i = 0; i < GRAPHS; i++)
		run_graph(memory, streams[i]);
	use_pool(streams[0]);
	return EXIT_SUCCESS;
}
