/* SPDX-License-Identifier: MIT */
/* Streams, events, graphs, the pool and the ends of a primary context, as a program sees them. */
#include "tests/sim/libraries.h"

#include "tests/unit/fake_cubin.h"

#define H200 TEST_PROFILES "/h200.csv"

#define CONTEXT UINT64_C(548995072)
#define FIRST   UINT64_C(3407872)
#define GRANULE UINT64_C(2097152)
#define MIB     UINT64_C(1048576)
#define MANY    128 /* streams, which take 35 granules */

static struct driver_table cu;

static bool start(CUcontext *ret_context)
{
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(!cu.cuCtxCreate_v2(ret_context, 0, 0));
	return true;
}

/* What the device has used beside one context; UINT64_MAX where that is not to be had. */
static uint64_t more(void)
{
	size_t left, total;

	return cu.cuMemGetInfo_v2(&left, &total) ? UINT64_MAX : total - left - CONTEXT - FIRST;
}

/* ---- streams and events ---- */

static bool act_streams(const void *unused)
{
	CUstream streams[MANY];
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	for (int i = 0; i < MANY; i++)
		REQUIRE(!cu.cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
	REQUIRE(more() == 35 * GRANULE);
	for (int i = 0; i < MANY; i++)
		REQUIRE(!cu.cuStreamDestroy_v2(streams[i]));
	REQUIRE(more() == 35 * GRANULE);
	REQUIRE(cu.cuStreamDestroy_v2(streams[0]) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuStreamCreate(NULL, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuStreamCreate(&streams[0], 77) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuStreamCreate(&streams[0], 0) && streams[0] != streams[1]);
	REQUIRE(!cu.cuCtxDestroy_v2(context));
	REQUIRE(cu.cuStreamDestroy_v2(streams[0]) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(!cu.cuCtxCreate_v2(&context, 0, 0) && more() == 0);
	return true;
}

static void streams_stay_until_their_context_ends(void **state)
{
	(void)state;
	scene_run(H200, act_streams);
}

static bool act_priorities(const void *unused)
{
	int lowest = 1, highest = 1;
	CUstream streams[MANY];
	CUcontext context;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(cu.cuCtxGetStreamPriorityRange(&lowest, &highest) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(cu.cuStreamCreateWithPriority(&streams[0], 0, 0) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuCtxCreate_v2(&context, 0, 0));
	REQUIRE(!cu.cuCtxGetStreamPriorityRange(&lowest, &highest));
	REQUIRE(lowest == 0 && highest == -5);
	REQUIRE(!cu.cuCtxGetStreamPriorityRange(NULL, NULL));
	for (int i = 0; i < MANY; i++)
		REQUIRE(!cu.cuStreamCreateWithPriority(&streams[i], CU_STREAM_NON_BLOCKING, -i));
	REQUIRE(more() == 35 * GRANULE);
	REQUIRE(cu.cuStreamCreateWithPriority(NULL, 0, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuStreamCreateWithPriority(&streams[0], 77, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuStreamDestroy_v2(streams[0]));
	REQUIRE(!cu.cuStreamCreateWithPriority(&streams[0], 0, 0) && more() == 35 * GRANULE);
	return true;
}

static void priorities_cost_nothing(void **state)
{
	(void)state;
	scene_run(H200, act_priorities);
}

static bool act_events(const void *unused)
{
	CUevent events[MANY];
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	for (int i = 0; i < MANY; i++)
		REQUIRE(!cu.cuEventCreate(&events[i], CU_EVENT_DEFAULT));
	REQUIRE(more() == 0);
	REQUIRE(cu.cuStreamDestroy_v2((CUstream)events[0]) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(!cu.cuEventDestroy_v2(events[0]));
	REQUIRE(cu.cuEventDestroy_v2(events[0]) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuEventDestroy_v2(NULL) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuEventCreate(NULL, 0) == CUDA_ERROR_INVALID_VALUE);
	return true;
}

static void events_take_nothing(void **state)
{
	(void)state;
	scene_run(H200, act_events);
}

static bool act_stream_without_room(const void *unused)
{
	CUcontext context;
	CUstream stream;

	(void)unused;
	REQUIRE(start(&context));
	/* The first one comes for nothing; the second one needs a granule. */
	REQUIRE(!cu.cuStreamCreate(&stream, 0));
	REQUIRE(cu.cuStreamCreate(&stream, 0) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(more() == UINT64_C(150109880320) - CONTEXT - FIRST);
	return true;
}

static void a_stream_that_does_not_fit(void **state)
{
	struct scratch scratch;

	(void)state;
	scene_open(&scratch, H200);
	setenv("CUCTX_SIM_PROCESS", "1", 1);
	setenv("CUCTX_SIM_FAULTS", "stranger=1T@1:cuStreamCreate#1", 1);
	child_run(act_stream_without_room, NULL);
	scratch_close(&scratch);
}

/* ---- graphs ---- */

struct scene {
	CUcontext context;
	CUmodule module;
	CUfunction function;
	CUgraph graph;
};

/* With one kernel that needs nothing. */
static bool open_graph(struct scene *scene)
{
	static struct fake_cubin fake;
	uint16_t section;

	fake_start(&fake, 90, 8);
	section = fake_section(&fake, ".text.one", SHT_PROGBITS, NULL, 256);
	fake_symbol(&fake, "one", section, FAKE_STO_ENTRY);
	fake_finish(&fake);
	REQUIRE(start(&scene->context));
	REQUIRE(!cu.cuModuleLoadData(&scene->module, fake.bytes));
	REQUIRE(!cu.cuModuleGetFunction(&scene->function, scene->module, "one"));
	REQUIRE(!cu.cuGraphCreate(&scene->graph, 0));
	return true;
}

static bool add_nodes(const struct scene *scene, int count)
{
	CUDA_KERNEL_NODE_PARAMS_v1 launch = { .func = scene->function };
	CUgraphNode node, before;

	for (int i = 0; i < count; i++) {
		REQUIRE(!cu.cuGraphAddKernelNode(&node, scene->graph, &before, i ? 1 : 0, &launch));
		before = node;
	}
	return true;
}

static bool act_graph(const void *unused)
{
	struct scene scene;
	CUgraphExec executable;

	(void)unused;
	REQUIRE(open_graph(&scene) && add_nodes(&scene, 4096));
	REQUIRE(more() == 0);
	REQUIRE(!cu.cuGraphInstantiateWithFlags(&executable, scene.graph, 0));
	REQUIRE(more() == 5 * GRANULE);
	REQUIRE(!cu.cuGraphExecDestroy(executable));
	REQUIRE(!cu.cuGraphInstantiateWithFlags(&executable, scene.graph, 0));
	REQUIRE(more() == 5 * GRANULE);
	REQUIRE(!cu.cuGraphDestroy(scene.graph));
	REQUIRE(!cu.cuGraphUpload(executable, NULL) && !cu.cuGraphLaunch(executable, NULL));
	REQUIRE(more() == 5 * GRANULE);
	REQUIRE(!cu.cuGraphExecDestroy(executable) && !cu.cuDeviceGraphMemTrim(0));
	REQUIRE(more() == 5 * GRANULE);
	REQUIRE(!cu.cuCtxDestroy_v2(scene.context));
	REQUIRE(!cu.cuCtxCreate_v2(&scene.context, 0, 0) && more() == 0);
	return true;
}

static void an_executable_graph_lives_without_its_graph(void **state)
{
	(void)state;
	scene_run(H200, act_graph);
}

static bool act_bad_graphs(const void *unused)
{
	CUDA_KERNEL_NODE_PARAMS_v1 launch;
	CUgraphExec executable, none;
	CUgraphNode node, other;
	struct scene scene;
	CUgraph graph;

	(void)unused;
	REQUIRE(open_graph(&scene) && !cu.cuGraphCreate(&graph, 0));
	launch = (CUDA_KERNEL_NODE_PARAMS_v1){ .func = scene.function };
	REQUIRE(!cu.cuGraphAddKernelNode(&other, graph, NULL, 0, &launch));
	REQUIRE(cu.cuGraphAddKernelNode(&node, scene.graph, &other, 1, &launch) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuGraphAddKernelNode(&node, scene.graph, NULL, 1, &launch) ==
		CUDA_ERROR_INVALID_VALUE);
	launch.func = NULL;
	REQUIRE(cu.cuGraphAddKernelNode(&node, scene.graph, NULL, 0, &launch) ==
		CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(!cu.cuGraphInstantiateWithFlags(&executable, graph, 0) &&
		!cu.cuGraphDestroy(graph));
	REQUIRE(cu.cuGraphDestroy(graph) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuGraphInstantiateWithFlags(&none, graph, 0) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuGraphLaunch(executable, (CUstream)graph) == CUDA_ERROR_INVALID_HANDLE);
	/* A new graph may lie where the old one was, but has none of its nodes. */
	REQUIRE(!cu.cuGraphCreate(&graph, 0));
	REQUIRE(cu.cuGraphAddKernelNode(&node, graph, &other, 1, &launch) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuModuleUnload(scene.module));
	REQUIRE(cu.cuGraphLaunch(executable, NULL) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(!cu.cuCtxDestroy_v2(scene.context));
	REQUIRE(cu.cuGraphExecDestroy(executable) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuDeviceGraphMemTrim(1) == CUDA_ERROR_INVALID_DEVICE);
	return true;
}

static void handles_that_are_no_good(void **state)
{
	(void)state;
	scene_run(H200, act_bad_graphs);
}

/* ---- the pool ---- */

static bool reads(CUmemoryPool pool, CUmemPool_attribute attribute, cuuint64_t expected)
{
	cuuint64_t value = 0;

	REQUIRE(!cu.cuMemPoolGetAttribute(pool, attribute, &value));
	REQUIRE(value == expected);
	return true;
}

static bool act_pool(const void *unused)
{
	cuuint64_t all = UINT64_MAX;
	CUdeviceptr address;
	CUmemoryPool pool;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context) && !cu.cuDeviceGetDefaultMemPool(&pool, 0));
	REQUIRE(!cu.cuMemAllocAsync(&address, 1, NULL) && more() == 32 * MIB);
	REQUIRE(reads(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, 32 * MIB));
	REQUIRE(reads(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 1));
	REQUIRE(!cu.cuMemFreeAsync(address, NULL) && more() == 32 * MIB);
	REQUIRE(!cu.cuCtxSynchronize() && more() == 0);
	REQUIRE(!cu.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
	REQUIRE(reads(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, all));
	/* Either kind of memory goes by either call. */
	REQUIRE(!cu.cuMemAllocAsync(&address, 33 * MIB, NULL) && !cu.cuMemFree_v2(address));
	REQUIRE(!cu.cuCtxSynchronize() && more() == 64 * MIB);
	REQUIRE(!cu.cuMemAlloc_v2(&address, 1) && more() == 66 * MIB);
	REQUIRE(!cu.cuMemFreeAsync(address, NULL) && more() == 64 * MIB);
	REQUIRE(!cu.cuMemPoolTrimTo(pool, 0) && more() == 0);
	/* What is not freed outlives its context. */
	REQUIRE(!cu.cuMemAllocAsync(&address, 1, NULL) && !cu.cuCtxDestroy_v2(context));
	REQUIRE(!cu.cuCtxCreate_v2(&context, 0, 0) && more() == 32 * MIB);
	return true;
}

static void a_pool_gives_back_what_its_threshold_allows(void **state)
{
	(void)state;
	scene_run(H200, act_pool);
}

static bool act_bad_pools(const void *unused)
{
	cuuint64_t value = 1;
	CUdeviceptr address;
	CUmemoryPool pool;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(cu.cuDeviceGetDefaultMemPool(&pool, 1) == CUDA_ERROR_INVALID_DEVICE);
	REQUIRE(!cu.cuDeviceGetDefaultMemPool(&pool, 0));
	REQUIRE(cu.cuMemPoolTrimTo(NULL, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &value) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemPoolGetAttribute(pool, (CUmemPool_attribute)999, &value) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemAllocAsync(&address, 0, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemAllocAsync(&address, SIZE_MAX, NULL) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(cu.cuMemAllocAsync(&address, 1, (CUstream)pool) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuMemFreeAsync(4711, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(more() == 0);
	return true;
}

static void a_pool_refuses(void **state)
{
	(void)state;
	scene_run(H200, act_bad_pools);
}

/* ---- the ends of a primary context ---- */

static bool act_reset(const void *unused)
{
	size_t left, total;
	CUcontext context;
	CUstream stream;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(!cu.cuDevicePrimaryCtxReset(0));
	REQUIRE(cu.cuDevicePrimaryCtxReset(1) == CUDA_ERROR_INVALID_DEVICE);
	REQUIRE(!cu.cuDevicePrimaryCtxRetain(&context, 0) && !cu.cuCtxSetCurrent(context));
	REQUIRE(!cu.cuStreamCreate(&stream, 0) && !cu.cuStreamCreate(&stream, 0));
	REQUIRE(more() == GRANULE);
	REQUIRE(!cu.cuDevicePrimaryCtxReset(0));
	REQUIRE(cu.cuMemGetInfo_v2(&left, &total) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
	REQUIRE(!cu.cuDevicePrimaryCtxRetain(&context, 0) && !cu.cuCtxSetCurrent(context));
	REQUIRE(more() == 0);
	REQUIRE(!cu.cuDevicePrimaryCtxRelease(0) && more() == 0);
	REQUIRE(!cu.cuDevicePrimaryCtxRelease(0));
	REQUIRE(cu.cuMemGetInfo_v2(&left, &total) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
	REQUIRE(cu.cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
	return true;
}

static void a_primary_context_is_reset(void **state)
{
	(void)state;
	scene_run(H200, act_reset);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_stay_until_their_context_ends),
		cmocka_unit_test(priorities_cost_nothing),
		cmocka_unit_test(events_take_nothing),
		cmocka_unit_test(a_stream_that_does_not_fit),
		cmocka_unit_test(an_executable_graph_lives_without_its_graph),
		cmocka_unit_test(handles_that_are_no_good),
		cmocka_unit_test(a_pool_gives_back_what_its_threshold_allows),
		cmocka_unit_test(a_pool_refuses),
		cmocka_unit_test(a_primary_context_is_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
