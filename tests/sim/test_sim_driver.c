/* SPDX-License-Identifier: MIT */
#include "tests/sim/libraries.h"

#define H200 TEST_PROFILES "/h200.csv"
#define ODD  TEST_PROFILES "/odd.csv"

#define TOTAL   UINT64_C(150109880320)
#define CONTEXT UINT64_C(548995072)
#define FIRST   UINT64_C(3407872)
#define GRANULE UINT64_C(2097152)

static struct driver_table cu;

static bool start(CUcontext *ret_context)
{
	CUdevice device;

	REQUIRE(driver_load(&cu));
	REQUIRE(cu.cuInit(0) == CUDA_SUCCESS);
	REQUIRE(cu.cuDeviceGet(&device, 0) == CUDA_SUCCESS);
	REQUIRE(cu.cuCtxCreate_v2(ret_context, 0, device) == CUDA_SUCCESS);
	return true;
}

/* What the device has used; UINT64_MAX where that is not to be had. */
static uint64_t used(void)
{
	size_t left, total;

	return cu.cuMemGetInfo_v2(&left, &total) ? UINT64_MAX : total - left;
}

/* ---- start and device ---- */

static bool act_before_init(const void *unused)
{
	size_t left, total;
	int version = 0, count;
	const char *name;

	(void)unused;
	REQUIRE(driver_load(&cu));
	REQUIRE(cu.cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
	REQUIRE(cu.cuMemGetInfo_v2(&left, &total) == CUDA_ERROR_NOT_INITIALIZED);
	REQUIRE(cu.cuDriverGetVersion(&version) == CUDA_SUCCESS && version == 13000);
	REQUIRE(cu.cuGetErrorName(CUDA_ERROR_NOT_INITIALIZED, &name) == CUDA_SUCCESS);
	REQUIRE(!strcmp(name, "CUDA_ERROR_NOT_INITIALIZED"));
	REQUIRE(cu.cuGetErrorName((CUresult)12345, &name) == CUDA_ERROR_INVALID_VALUE && !name);
	REQUIRE(cu.cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
	REQUIRE(cu.cuInit(1) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
	REQUIRE(cu.cuInit(0) == CUDA_SUCCESS);
	REQUIRE(cu.cuMemGetInfo_v2(&left, &total) == CUDA_ERROR_INVALID_CONTEXT);
	return true;
}

static bool act_device(const void *unused)
{
	char name[64], id[16], shortened[4];
	int sms, threads, major, minor, bus;
	size_t total;
	CUdevice device;
	CUuuid uuid;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(cu.cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
	REQUIRE(cu.cuDeviceGet(&device, -1) == CUDA_ERROR_INVALID_DEVICE);
	REQUIRE(!cu.cuDeviceGet(&device, 0));
	REQUIRE(!cu.cuDeviceGetName(name, sizeof name, device));
	REQUIRE(!strcmp(name, "Odd Device, 17 SMs"));
	REQUIRE(!cu.cuDeviceGetName(shortened, sizeof shortened, device));
	REQUIRE(!strcmp(shortened, "Odd"));
	REQUIRE(!cu.cuDeviceGetPCIBusId(id, sizeof id, device) && !strcmp(id, "00ab:c7:1f.0"));
	REQUIRE(!cu.cuDeviceGetUuid(&uuid, device) && uuid.bytes[0] == 0x0d);
	REQUIRE(!cu.cuDeviceTotalMem_v2(&total, device) && total == 6442455041);
	REQUIRE(!cu.cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
	REQUIRE(!cu.cuDeviceGetAttribute(
		&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, device));
	REQUIRE(!cu.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
					 device));
	REQUIRE(!cu.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
					 device));
	REQUIRE(!cu.cuDeviceGetAttribute(&bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, device));
	REQUIRE(sms == 17 && threads == 1536 && major == 9 && minor == 0 && bus == 0xc7);
	REQUIRE(cu.cuDeviceGetAttribute(&sms, (CUdevice_attribute)9999, device));
	return true;
}

static void before_init(void **state)
{
	(void)state;
	scene_run(H200, act_before_init);
}

static void the_device_is_the_profile(void **state)
{
	(void)state;
	scene_run(ODD, act_device);
}

/* ---- contexts ---- */

static bool act_contexts(const void *unused)
{
	CUcontext first, second;

	(void)unused;
	REQUIRE(start(&first));
	REQUIRE(used() == FIRST + CONTEXT);
	REQUIRE(!cu.cuCtxCreate_v2(&second, 0, 0));
	REQUIRE(used() == FIRST + 2 * CONTEXT);
	REQUIRE(!cu.cuCtxDestroy_v2(second));
	REQUIRE(used() == FIRST + CONTEXT);
	REQUIRE(cu.cuCtxDestroy_v2(second) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(cu.cuCtxDestroy_v2(NULL) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(cu.cuCtxSetCurrent(second) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuCtxSetCurrent(NULL));
	REQUIRE(cu.cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuCtxSetCurrent(first));
	REQUIRE(!cu.cuCtxSynchronize());
	REQUIRE(!cu.cuCtxDestroy_v2(first));
	REQUIRE(cu.cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(cu.cuCtxCreate_v2(&first, 0, 1) == CUDA_ERROR_INVALID_DEVICE);
	REQUIRE(!cu.cuCtxCreate_v2(&first, 0, 0));
	REQUIRE(used() == FIRST + CONTEXT);
	return true;
}

struct setting_case {
	const char *connections; /* NULL: not set */
	const char *copy_connections;
	uint64_t bytes; /* of each context */
};

static bool act_connections(const void *data)
{
	const struct setting_case *wanted = data;
	CUcontext first, second;

	if (wanted->connections)
		setenv("CUDA_DEVICE_MAX_CONNECTIONS", wanted->connections, 1);
	if (wanted->copy_connections)
		setenv("CUDA_DEVICE_MAX_COPY_CONNECTIONS", wanted->copy_connections, 1);
	REQUIRE(start(&first) && used() == FIRST + wanted->bytes);
	/* Read once. */
	setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
	REQUIRE(!cu.cuCtxCreate_v2(&second, CU_CTX_SCHED_SPIN | CU_CTX_MAP_HOST, 0));
	REQUIRE(used() == FIRST + 2 * wanted->bytes);
	REQUIRE(!cu.cuCtxDestroy_v2(second) && used() == FIRST + wanted->bytes);
	return true;
}

static bool act_l2(const void *percent)
{
	CUcontext context;
	size_t value;

	setenv("CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT", percent, 1);
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	if (!strcmp(percent, "100")) {
		REQUIRE(cu.cuCtxCreate_v2(&context, 0, 0) == CUDA_ERROR_INVALID_VALUE);
		REQUIRE(cu.cuDevicePrimaryCtxRetain(&context, 0) == CUDA_ERROR_INVALID_VALUE);
		return true;
	}
	REQUIRE(!cu.cuCtxCreate_v2(&context, 0, 0) && used() == FIRST + CONTEXT);
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_PERSISTING_L2_CACHE_SIZE));
	REQUIRE(value == (strcmp(percent, "25") ? 11796480 : 15728640));
	return true;
}

static bool primary_is_active(int expected)
{
	unsigned int flags = 77;
	int is_active = 77;

	REQUIRE(cu.cuDevicePrimaryCtxGetState(1, &flags, &is_active) == CUDA_ERROR_INVALID_DEVICE);
	REQUIRE(cu.cuDevicePrimaryCtxGetState(0, NULL, &is_active) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuDevicePrimaryCtxGetState(0, &flags, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuDevicePrimaryCtxGetState(0, &flags, &is_active));
	return flags == CU_CTX_SCHED_AUTO && is_active == expected;
}

static bool act_primary(const void *unused)
{
	CUcontext one, two, own;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	/* Neither the question nor a context of one's own makes it. */
	REQUIRE(primary_is_active(0));
	REQUIRE(!cu.cuCtxCreate_v2(&own, 0, 0) && primary_is_active(0));
	REQUIRE(used() == FIRST + CONTEXT && !cu.cuCtxDestroy_v2(own));
	REQUIRE(cu.cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuDevicePrimaryCtxRetain(&one, 0) && !cu.cuDevicePrimaryCtxRetain(&two, 0));
	REQUIRE(one == two && primary_is_active(1));
	REQUIRE(cu.cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuCtxSetCurrent(one));
	REQUIRE(used() == FIRST + CONTEXT);
	REQUIRE(cu.cuCtxDestroy_v2(one) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuDevicePrimaryCtxRelease(0) && primary_is_active(1));
	REQUIRE(!cu.cuCtxSynchronize());
	REQUIRE(!cu.cuDevicePrimaryCtxRelease(0) && primary_is_active(0));
	/* Still current, but gone. */
	REQUIRE(cu.cuCtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
	return true;
}

static void variables_change_contexts(void **state)
{
	static const struct setting_case cases[] = {
		{ NULL, NULL, CONTEXT },   { "1", NULL, 547946496 }, { "32", NULL, 556072960 },
		{ NULL, "32", 554500096 }, { "32", "4", 550567936 }, { "0", NULL, CONTEXT },
		{ "33", "33", CONTEXT },   { "", "1x", CONTEXT },    { "1000", "-1", CONTEXT },
	};
	static const char *const percents[] = { "25", "100", "101", "all" };
	struct scratch device;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		scene_open(&device, H200);
		child_run(act_connections, &cases[i]);
		scratch_close(&device);
	}
	for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
		scene_open(&device, H200);
		child_run(act_l2, percents[i]);
		scratch_close(&device);
	}
}

static void contexts_come_and_go(void **state)
{
	(void)state;
	scene_run(H200, act_contexts);
}

static void the_primary_context_is_counted(void **state)
{
	(void)state;
	scene_run(H200, act_primary);
}

/* ---- limits and allocations ---- */

static bool act_limits(const void *unused)
{
	CUcontext context;
	size_t value;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE) && value == 1024);
	REQUIRE(!cu.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1025));
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE) && value == 1040);
	REQUIRE(used() == FIRST + CONTEXT + 2 * GRANULE);
	REQUIRE(cu.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1 << 20) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1));
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_PRINTF_FIFO_SIZE) && value == 524288);
	REQUIRE(!cu.cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, SIZE_MAX));
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE) && value == 17681179680);
	REQUIRE(!cu.cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 1));
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT) &&
		value == 32);
	REQUIRE(!cu.cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 128));
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_MAX_L2_FETCH_GRANULARITY) && value == 128);
	REQUIRE(!cu.cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 1));
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_PERSISTING_L2_CACHE_SIZE) && value == 3932160);
	REQUIRE(cu.cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 1) ==
		CUDA_ERROR_UNSUPPORTED_LIMIT);
	REQUIRE(cu.cuCtxGetLimit(&value, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH) ==
		CUDA_ERROR_UNSUPPORTED_LIMIT);
	REQUIRE(used() == FIRST + CONTEXT + 2 * GRANULE);
	return true;
}

static bool act_allocations(const void *unused)
{
	CUdeviceptr one, two, rest;
	CUcontext context, more;
	size_t value;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuMemAlloc_v2(&one, 1) && !cu.cuMemAlloc_v2(&two, GRANULE + 1));
	REQUIRE(one != two && used() == FIRST + CONTEXT + 3 * GRANULE);
	REQUIRE(cu.cuMemAlloc_v2(&rest, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemAlloc_v2(&rest, TOTAL) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(cu.cuMemAlloc_v2(&rest, SIZE_MAX) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(used() == FIRST + CONTEXT + 3 * GRANULE);
	REQUIRE(cu.cuMemFree_v2(one + 1) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuMemFree_v2(one) && cu.cuMemFree_v2(one) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(used() == FIRST + CONTEXT + 2 * GRANULE);
	/* A stack that does not fit any more: the limit stays, too. */
	REQUIRE(!cu.cuMemAlloc_v2(&rest, TOTAL - FIRST - CONTEXT - 4 * GRANULE));
	REQUIRE(cu.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE) && value == 1024);
	REQUIRE(cu.cuCtxCreate_v2(&more, 0, 0) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(!cu.cuMemFree_v2(rest));
	REQUIRE(!cu.cuCtxDestroy_v2(context));
	return true;
}

/* Of the host, so that the device has nothing less for it; the context's end frees it. */
static bool act_host_memory(const void *unused)
{
	unsigned char *memory;
	void *none = NULL;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(cu.cuMemHostAlloc(&none, 0, 0) == CUDA_ERROR_INVALID_VALUE && !none);
	REQUIRE(cu.cuMemHostAlloc(NULL, 1, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemHostAlloc(&none, SIZE_MAX / 2, 0) == CUDA_ERROR_OUT_OF_MEMORY && !none);
	REQUIRE(!cu.cuMemHostAlloc((void **)&memory, 3, 0));
	memory[0] = memory[2] = 1;
	REQUIRE(used() == FIRST + CONTEXT);
	REQUIRE(!cu.cuCtxDestroy_v2(context));
	REQUIRE(cu.cuMemHostAlloc(&none, 1, 0) == CUDA_ERROR_INVALID_CONTEXT);
	return true;
}

static void limits_follow_the_model(void **state)
{
	(void)state;
	scene_run(H200, act_limits);
}

static void allocations_are_rounded_and_bounded(void **state)
{
	(void)state;
	scene_run(H200, act_allocations);
}

static void pinned_memory_takes_nothing_of_the_device(void **state)
{
	(void)state;
	scene_run(H200, act_host_memory);
}

/* ---- processes ---- */

static bool act_hold(const void *unused)
{
	CUcontext context;

	(void)unused;
	return start(&context);
}

static bool act_expect_used(const void *expected)
{
	CUcontext context;

	REQUIRE(start(&context));
	REQUIRE(used() == *(const uint64_t *)expected);
	return true;
}

static void expect_used(uint64_t bytes)
{
	child_run(act_expect_used, &bytes);
}

static void processes_see_each_other(void **state)
{
	struct scratch device;
	pid_t one, two;

	(void)state;
	scene_open(&device, H200);
	expect_used(FIRST + CONTEXT);
	one = child_start(act_hold, NULL);
	two = child_start(act_hold, NULL);
	expect_used(FIRST + 3 * CONTEXT);
	child_end(one);
	expect_used(FIRST + 2 * CONTEXT);
	child_kill(two);
	/* A zombie by now. */
	expect_used(FIRST + CONTEXT);
	child_reap(two);
	expect_used(FIRST + CONTEXT);
	scratch_close(&device);
}

static bool act_fork(const void *unused)
{
	CUcontext context;
	int count, status;
	pid_t pid;

	(void)unused;
	REQUIRE(start(&context));
	pid = fork();
	if (!pid)
		_exit(cu.cuInit(0) != CUDA_ERROR_NOT_INITIALIZED ||
		      cu.cuDeviceGetCount(&count) != CUDA_ERROR_NOT_INITIALIZED);
	REQUIRE(waitpid(pid, &status, 0) == pid && status == 0);
	REQUIRE(used() == FIRST + CONTEXT);
	return true;
}

static void a_forked_child_has_no_driver(void **state)
{
	(void)state;
	scene_run(H200, act_fork);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_init),
		cmocka_unit_test(the_device_is_the_profile),
		cmocka_unit_test(contexts_come_and_go),
		cmocka_unit_test(variables_change_contexts),
		cmocka_unit_test(the_primary_context_is_counted),
		cmocka_unit_test(limits_follow_the_model),
		cmocka_unit_test(allocations_are_rounded_and_bounded),
		cmocka_unit_test(pinned_memory_takes_nothing_of_the_device),
		cmocka_unit_test(processes_see_each_other),
		cmocka_unit_test(a_forked_child_has_no_driver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
