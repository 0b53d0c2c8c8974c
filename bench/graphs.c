/* SPDX-License-Identifier: MIT */
#include "bench/launch_chain.h"
#include "bench/need.h"
#include "harness/bench.h"

#define EXECUTABLES_MAX 512

/* In all executables of a sample, where there are many: a million takes seconds. */
#define NODES_MAX ((uint64_t)256 << 10)
#define MANY      64

/* More than either has been seen to take, for --max-memory. */
#define EXECUTABLE_BYTES ((uint64_t)256 << 10)
#define NODE_BYTES       ((uint64_t)4 << 10)

static CUgraphExec executables[EXECUTABLES_MAX];

static CUresult instantiate(const struct driver *cu, CUgraph graph, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = cu->graph_instantiate(&executables[i], graph, 0);
	return error;
}

static CUresult upload(const struct driver *cu, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = cu->graph_upload(executables[i], NULL);
	return error ? error : cu->ctx_synchronize();
}

static CUresult launch_all(const struct driver *cu, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = cu->graph_launch(executables[i], NULL);
	return error ? error : cu->ctx_synchronize();
}

static CUresult destroy_all(const struct driver *cu, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = cu->graph_exec_destroy(executables[i]);
	return error;
}

static void graphs_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	uint64_t count = sample_number(s, "executables");
	CUmodule module;
	CUfunction function;
	CUgraph graph;

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "load", cu->module_load_data(&module, sample_module(s, "empty")));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_TRY(s, "launch-1", sample_launch(s, function));
	CU_TRY(s, "create-graph", cu->graph_create(&graph, 0));
	CU_TRY(s, "add-nodes", launch_chain_add(cu, graph, function, sample_number(s, "nodes")));
	CU_TRY(s, "instantiate", instantiate(cu, graph, count));
	CU_TRY(s, "upload", upload(cu, count));
	CU_TRY(s, "launch-graphs", launch_all(cu, count));
	CU_TRY(s, "destroy-executables", destroy_all(cu, count));
	CU_TRY(s, "instantiate-again", instantiate(cu, graph, count));
	CU_TRY(s, "launch-again", launch_all(cu, count));
	CU_TRY(s, "destroy-again", destroy_all(cu, count));
	CU_TRY(s, "destroy-graph", cu->graph_destroy(graph));
	CU_TRY(s, "trim", cu->device_graph_mem_trim(sample_device(s)));
	CU_TRY(s, "unload", cu->module_unload(module));
	CU_TRY(s, "destroy", api->destroy(s));
}

static const char *graphs_obstacle(const struct bench *bench, const struct bench_point *point,
				   const struct device_info *device)
{
	if (!device->has_graphs)
		return "this driver has no graphs whose memory can be trimmed";
	return bench_number(bench, point, "executables") > EXECUTABLES_MAX
		       ? "this benchmark makes up to 512 executable graphs"
		       : NULL;
}

static bool graphs_wants(const struct bench *bench, const struct bench_point *point)
{
	uint64_t count = bench_number(bench, point, "executables");

	return count <= MANY || bench_number(bench, point, "nodes") <= NODES_MAX / count;
}

static uint64_t graphs_need_bytes(const struct bench *bench, const struct bench_point *point,
				  const struct device_info *device)
{
	uint64_t each_bytes = need_sum(EXECUTABLE_BYTES,
				       need_times(bench_number(bench, point, "nodes"), NODE_BYTES));

	(void)device;
	/* Twice, as what is instantiated again may be given no memory that was there before. */
	return need_sum(
		NEED_LITTLE_BYTES,
		need_times(2, need_times(bench_number(bench, point, "executables"), each_bytes)));
}

#define GRAPH_LAW(name, x, words)                                                        \
	{                                                                                \
		.component = name, .axis = x, .step = "launch-graphs", .is_total = true, \
		.where = words                                                           \
	}

const struct bench graphs = {
	.name = "graphs",
	.question = "What does an executable graph cost, by itself and per node, and what do "
		    "destroying and trimming give back?",
	.axes = { { .name = "nodes", .values = "1,16,256,1K,4K", .quick_values = "1K" },
		  { .name = "executables", .values = "1,8,64,512", .quick_values = "1,8" } },
	.laws = { GRAPH_LAW("graphs", "nodes", "executables=1"),
		  GRAPH_LAW("nodes-64-executables", "nodes", "executables=64"),
		  GRAPH_LAW("executables-1-node", "executables", "nodes=1"),
		  GRAPH_LAW("executables-1024-nodes", "executables", "nodes=1024") },
	.components = { { .name = "8 executable graphs of 1,024 launches",
			  .step = "launch-graphs",
			  .with = "nodes=1024,executables=8",
			  .since = "add-nodes",
			  .when = "instantiation" } },
	.headline_step = "instantiate",
	.wants = graphs_wants,
	.obstacle = graphs_obstacle,
	.need_bytes = graphs_need_bytes,
	.run = graphs_run,
};
