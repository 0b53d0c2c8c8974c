/* SPDX-License-Identifier: MIT */
#include "tests/sim/libraries.h"

#include "tests/unit/fake_cubin.h"

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

static CUresult launch(CUfunction function)
{
	void *parameters[] = { NULL };

	return cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
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

static bool act_primary(const void *unused)
{
	CUcontext one, two;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(cu.cuDevicePrimaryCtxRelease_v2(0) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuDevicePrimaryCtxRetain(&one, 0) && !cu.cuDevicePrimaryCtxRetain(&two, 0));
	REQUIRE(one == two);
	REQUIRE(cu.cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuCtxSetCurrent(one));
	REQUIRE(used() == FIRST + CONTEXT);
	REQUIRE(cu.cuCtxDestroy_v2(one) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuDevicePrimaryCtxRelease_v2(0));
	REQUIRE(!cu.cuCtxSynchronize());
	REQUIRE(!cu.cuDevicePrimaryCtxRelease_v2(0));
	/* Still current, but gone. */
	REQUIRE(cu.cuCtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
	return true;
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

/* ---- modules ---- */

struct planted {
	const char *symbol; /* that the driver must supply; NULL: none */
	size_t text_bytes;  /* of each of the two kernels */
	unsigned int architecture;
};

static const void *plant(struct fake_cubin *fake, struct planted planted)
{
	uint16_t section;

	fake_start(fake, planted.architecture, 8);
	section = fake_section(fake, ".text.one", SHT_PROGBITS, NULL, planted.text_bytes);
	fake_symbol(fake, "one", section, FAKE_STO_ENTRY);
	section = fake_section(fake, ".text.two", SHT_PROGBITS, NULL, planted.text_bytes);
	fake_symbol(fake, "two", section, FAKE_STO_ENTRY);
	if (planted.symbol)
		fake_symbol(fake, planted.symbol, 0, 0);
	fake_finish(fake);
	return fake->bytes;
}

#define ODD_CONTEXT (UINT64_C(1234567) + 98765431 + 632 * 65536)

/* Two kernels of 4,900 bytes take slots of 5,120 each: 10,240 are just above the slack of 10,000.
 */
static bool act_eager(const void *unused)
{
	static struct fake_cubin fake;
	struct planted planted = { NULL, 4900, 90 };
	CUmoduleLoadingMode mode;
	CUfunction function;
	CUcontext context;
	CUmodule module;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuModuleGetLoadingMode(&mode) && mode == CU_MODULE_EAGER_LOADING);
	REQUIRE(used() == ODD_CONTEXT);
	REQUIRE(!cu.cuModuleLoadData(&module, plant(&fake, planted)));
	REQUIRE(used() == ODD_CONTEXT + 65536);
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "one") && !launch(function));
	REQUIRE(used() == ODD_CONTEXT + 65536);
	REQUIRE(!cu.cuModuleUnload(module));
	REQUIRE(used() == ODD_CONTEXT + 65536);
	REQUIRE(!cu.cuCtxDestroy_v2(context) && !cu.cuCtxCreate_v2(&context, 0, 0));
	REQUIRE(used() == ODD_CONTEXT);
	return true;
}

static bool act_lazy_at_launch(const void *unused)
{
	static struct fake_cubin fake;
	struct planted planted = { NULL, 4900, 90 };
	CUmoduleLoadingMode mode;
	CUfunction one, two;
	CUcontext context;
	CUmodule module;

	(void)unused;
	setenv("CUDA_MODULE_LOADING", "LAZY", 1);
	REQUIRE(start(&context));
	REQUIRE(!cu.cuModuleGetLoadingMode(&mode) && mode == CU_MODULE_LAZY_LOADING);
	REQUIRE(!cu.cuModuleLoadData(&module, plant(&fake, planted)));
	REQUIRE(!cu.cuModuleGetFunction(&one, module, "one"));
	REQUIRE(!cu.cuModuleGetFunction(&two, module, "two"));
	REQUIRE(used() == ODD_CONTEXT);
	REQUIRE(!launch(one) && !launch(one) && used() == ODD_CONTEXT);
	REQUIRE(!launch(two) && used() == ODD_CONTEXT + 65536);
	return true;
}

static bool act_printing(const void *unused)
{
	static struct fake_cubin fake;
	struct planted planted = { "vprintf", 128, 90 };
	CUfunction function;
	CUcontext context;
	CUmodule module;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuModuleLoadData(&module, plant(&fake, planted)));
	REQUIRE(used() == FIRST + CONTEXT + 67108864);
	REQUIRE(cu.cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "two") && !launch(function));
	REQUIRE(used() == FIRST + CONTEXT + 67108864);
	REQUIRE(!cu.cuModuleUnload(module));
	REQUIRE(used() == FIRST + CONTEXT + 65011712);
	return true;
}

static long resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long size = 0, resident = 0;

	if (file && fscanf(file, "%ld %ld", &size, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return resident * sysconf(_SC_PAGESIZE);
}

static bool act_host_fifo(const void *unused)
{
	static struct fake_cubin fake;
	struct planted planted = { "vprintf", 128, 90 };
	long fifo = 64 << 20, slop = 2 << 20, before, after;
	CUfunction function;
	CUcontext context;
	CUmodule module;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, (size_t)fifo));
	REQUIRE(!cu.cuModuleLoadData(&module, plant(&fake, planted)));
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "one"));
	before = resident_bytes();
	REQUIRE(!launch(function));
	after = resident_bytes();
	REQUIRE(after - before >= fifo && after - before < fifo + slop);
	REQUIRE(!cu.cuCtxDestroy_v2(context));
	REQUIRE(resident_bytes() < before + slop);
	return true;
}

static bool act_bad_modules(const void *unused)
{
	static struct fake_cubin fake;
	CUfunction function;
	CUcontext context, other;
	CUmodule module;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(cu.cuModuleLoadData(&module, "not a cubin at all") == CUDA_ERROR_INVALID_IMAGE);
	REQUIRE(cu.cuModuleLoadData(&module, plant(&fake, (struct planted){ NULL, 128, 80 })) ==
		CUDA_ERROR_NO_BINARY_FOR_GPU);
	REQUIRE(cu.cuModuleLoadData(&module, plant(&fake, (struct planted){ NULL, 128, 100 })) ==
		CUDA_ERROR_NO_BINARY_FOR_GPU);
	REQUIRE(cu.cuModuleLoadData(NULL, fake.bytes) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuModuleLoadData(&module, plant(&fake, (struct planted){ NULL, 128, 90 })));
	REQUIRE(cu.cuModuleGetFunction(&function, module, "three") == CUDA_ERROR_NOT_FOUND);
	REQUIRE(cu.cuModuleGetFunction(&function, NULL, "one") == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(launch(NULL) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "one"));
	REQUIRE(cu.cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuLaunchKernel(function, 1, 1, 1, 1025, 1, 1, 0, NULL, NULL, NULL) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuCtxCreate_v2(&other, 0, 0));
	REQUIRE(launch(function) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuCtxDestroy_v2(other) && !launch(function));
	REQUIRE(!cu.cuModuleUnload(module));
	REQUIRE(cu.cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(launch(function) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(used() == FIRST + CONTEXT);
	return true;
}

static void eager_code_comes_with_the_module(void **state)
{
	(void)state;
	scene_run(ODD, act_eager);
}

static void lazy_code_waits(void **state)
{
	(void)state;
	scene_run(ODD, act_lazy_at_launch);
}

static void printing_modules_cost_more(void **state)
{
	(void)state;
	scene_run(H200, act_printing);
}

static void a_fifo_on_the_host_is_resident(void **state)
{
	(void)state;
	scene_run(H200, act_host_fifo);
}

static void bad_modules_and_handles_are_refused(void **state)
{
	(void)state;
	scene_run(H200, act_bad_modules);
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
		cmocka_unit_test(the_primary_context_is_counted),
		cmocka_unit_test(limits_follow_the_model),
		cmocka_unit_test(allocations_are_rounded_and_bounded),
		cmocka_unit_test(eager_code_comes_with_the_module),
		cmocka_unit_test(lazy_code_waits),
		cmocka_unit_test(printing_modules_cost_more),
		cmocka_unit_test(a_fifo_on_the_host_is_resident),
		cmocka_unit_test(bad_modules_and_handles_are_refused),
		cmocka_unit_test(processes_see_each_other),
		cmocka_unit_test(a_forked_child_has_no_driver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
