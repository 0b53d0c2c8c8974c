/* SPDX-License-Identifier: MIT */
/* Graphs of kernels, and what is instantiated of them. */
#include "sim/driver.h"

#include <stdlib.h>
#include <string.h>

/* A graph, or an executable one: then it is a copy, with a piece of its context. */
struct graph {
	uint64_t node_count;
	CUfunction *functions; /* those of the nodes, each one once */
	size_t function_count;
	struct model_piece piece;
};

void graph_free(struct graph *graph)
{
	free(graph->functions);
	free(graph);
}

static struct graph *graph_copy(const struct graph *graph)
{
	struct graph *copy = malloc(sizeof *copy);

	if (!copy)
		return NULL;
	*copy = *graph;
	/* One more than there are: a graph without nodes is no failure. */
	copy->functions = calloc(graph->function_count + 1, sizeof(CUfunction));
	if (!copy->functions) {
		free(copy);
		return NULL;
	}
	for (size_t i = 0; i < graph->function_count; i++)
		copy->functions[i] = graph->functions[i];
	return copy;
}

static int add_function(struct graph *graph, CUfunction function)
{
	size_t count = graph->function_count;
	CUfunction *functions;

	for (size_t i = 0; i < count; i++)
		if (graph->functions[i] == function)
			return 0;
	functions = reallocarray(graph->functions, count + 1, sizeof(CUfunction));
	if (!functions)
		return -1;
	functions[count] = function;
	graph->functions = functions;
	graph->function_count++;
	return 0;
}

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct graph *made;
	void *handle;

	if (r)
		return r;
	if (!graph || flags)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	made = malloc(sizeof *made);
	handle = made ? handle_add(HANDLE_GRAPH, NULL, made) : NULL;
	if (!handle) {
		free(made);
		return call_end(CUDA_ERROR_OUT_OF_MEMORY);
	}
	*made = (struct graph){ 0 };
	*graph = handle;
	return call_end(CUDA_SUCCESS);
}

static bool are_nodes_of(const struct graph *graph, const CUgraphNode *nodes, size_t count)
{
	struct graph *owner;

	if (count && !nodes)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!handle_find(HANDLE_NODE, nodes[i], NULL, &owner) || owner != graph)
			return false;
	return true;
}

static CUresult add_kernel_node(struct graph *graph, CUfunction function, CUgraphNode *node)
{
	struct CUctx_st *context;
	struct CUmod_st *module;
	void *handle;

	if (!function_find(function, &context, &module))
		return CUDA_ERROR_INVALID_HANDLE;
	if (add_function(graph, function) < 0)
		return CUDA_ERROR_OUT_OF_MEMORY;
	handle = handle_add(HANDLE_NODE, NULL, graph);
	if (!handle)
		return CUDA_ERROR_OUT_OF_MEMORY;
	graph->node_count++;
	*node = handle;
	return CUDA_SUCCESS;
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
			      size_t before_count, const CUDA_KERNEL_NODE_PARAMS_v1 *launch)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct graph *found;

	if (r)
		return r;
	if (!handle_find(HANDLE_GRAPH, graph, NULL, &found))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	if (!node || !launch || !are_nodes_of(found, before, before_count))
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(add_kernel_node(found, launch->func, node));
}

static CUresult instantiate(struct CUctx_st *context, const struct graph *graph,
			    CUgraphExec *executable)
{
	struct model_context model = context->model;
	struct graph *copy = graph_copy(graph);
	void *handle = copy ? handle_add(HANDLE_EXECUTABLE, context, copy) : NULL;
	CUresult r = CUDA_ERROR_OUT_OF_MEMORY;

	if (handle) {
		copy->piece.bytes =
			model_graph_piece_bytes(&driver.simulation.profile, copy->node_count);
		model_instantiate(&model, &copy->piece);
		r = context_become(context, &model);
	}
	if (r) {
		handle_remove(HANDLE_EXECUTABLE, handle);
		if (copy)
			graph_free(copy);
		return r;
	}
	*executable = handle;
	return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
				     unsigned long long flags)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct graph *found;

	if (r)
		return r;
	if (!executable || flags)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	if (!handle_find(HANDLE_GRAPH, graph, NULL, &found))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	return call_end(instantiate(context_current(), found, executable));
}

CUresult cuGraphUpload(CUgraphExec executable, CUstream stream)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	if (!handle_find(HANDLE_EXECUTABLE, executable, NULL, NULL) || !stream_is_good(stream))
		r = CUDA_ERROR_INVALID_HANDLE;
	return call_end(r);
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);
	struct graph *found;

	if (r)
		return r;
	if (!handle_find(HANDLE_EXECUTABLE, executable, NULL, &found) || !stream_is_good(stream))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	for (size_t i = 0; i < found->function_count && !r; i++)
		r = function_launch(found->functions[i]);
	return call_end(r);
}

CUresult cuGraphExecDestroy(CUgraphExec executable)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct CUctx_st *context;
	struct model_context model;
	struct graph *found;

	if (r)
		return r;
	if (!handle_find(HANDLE_EXECUTABLE, executable, &context, &found))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	model = context->model;
	model_destroy_executable(&model, &driver.simulation.profile, &found->piece);
	r = context_become(context, &model);
	if (r)
		return call_end(r);
	handle_remove(HANDLE_EXECUTABLE, executable);
	graph_free(found);
	return call_end(CUDA_SUCCESS);
}

CUresult cuGraphDestroy(CUgraph graph)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);
	struct graph *found;

	if (r)
		return r;
	if (!handle_find(HANDLE_GRAPH, graph, NULL, &found))
		return call_end(CUDA_ERROR_INVALID_HANDLE);
	handles_remove_nodes(found);
	handle_remove(HANDLE_GRAPH, graph);
	graph_free(found);
	return call_end(CUDA_SUCCESS);
}

/* What it gives back is memory of nodes that allocate, of which there are none here. */
CUresult cuDeviceGraphMemTrim(CUdevice device)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_INIT);

	return r ? r : call_end(device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS);
}
