/* SPDX-License-Identifier: MIT */
#include "tests/sim/libraries.h"

#include <driver_types.h>

#define H200 TEST_PROFILES "/h200.csv"
#define ODD  TEST_PROFILES "/odd.csv"

#define CONTEXT     UINT64_C(548995072)
#define FIRST       UINT64_C(3407872)
#define ODD_CONTEXT (UINT64_C(1234567) + 98765431 + 641 * UINT64_C(65536))

static struct driver_table cu;

#define RUNTIME_EXPORT(symbol, parameters) cudaError_t(*symbol) parameters;
static struct {
#include "sim/runtime_exports.def"
} rt;
#undef RUNTIME_EXPORT

static bool runtime_load(void)
{
	void *library = dlopen(TEST_LIBRARIES "/libcudart.so", RTLD_NOW | RTLD_LOCAL);

	REQUIRE(library);
#define RUNTIME_EXPORT(symbol, parameters)                              \
	rt.symbol = (cudaError_t(*) parameters)dlsym(library, #symbol); \
	REQUIRE(rt.symbol);
#include "sim/runtime_exports.def"
#undef RUNTIME_EXPORT
	return true;
}

/* The driver's meter, which makes no context, in a program that has both libraries. */
static uint64_t used(void)
{
	size_t left, total;

	return cu.cuMemGetInfo_v2(&left, &total) ? UINT64_MAX : total - left;
}

static bool act_at_set_device(const void *unused)
{
	size_t value, left, total;
	CUdeviceptr memory;
	int version;

	(void)unused;
	REQUIRE(driver_load(&cu) && runtime_load());
	REQUIRE(!rt.cudaRuntimeGetVersion(&version) && version == 13000);
	REQUIRE(rt.cudaSetDevice(1) == cudaErrorInvalidDevice);
	REQUIRE(used() == UINT64_MAX);
	REQUIRE(!rt.cudaSetDevice(0) && used() == FIRST + CONTEXT);
	REQUIRE(!rt.cudaFree(NULL) && used() == FIRST + CONTEXT);
	REQUIRE(!rt.cudaDeviceSetLimit(cudaLimitStackSize, 0));
	REQUIRE(!rt.cudaDeviceGetLimit(&value, cudaLimitStackSize) && value == 0);
	REQUIRE(!cu.cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE) && value == 0);
	REQUIRE(used() == FIRST + CONTEXT - 276824064);
	REQUIRE(rt.cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20) == cudaErrorInvalidValue);
	REQUIRE(!rt.cudaMemGetInfo(&left, &total) && total - left == used());
	REQUIRE(!cu.cuMemAlloc_v2(&memory, 1) && !rt.cudaFree((void *)(uintptr_t)memory));
	REQUIRE(rt.cudaFree((void *)(uintptr_t)memory) == cudaErrorInvalidValue);
	REQUIRE(!rt.cudaDeviceReset());
	REQUIRE(cu.cuCtxSynchronize() == CUDA_ERROR_CONTEXT_IS_DESTROYED);
	REQUIRE(!rt.cudaDeviceReset());
	REQUIRE(!rt.cudaFree(NULL) && used() == FIRST + CONTEXT);
	return true;
}

static bool act_at_first_use(const void *unused)
{
	(void)unused;
	REQUIRE(driver_load(&cu) && runtime_load());
	REQUIRE(!rt.cudaSetDevice(0));
	REQUIRE(cu.cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!rt.cudaFree(NULL) && used() == ODD_CONTEXT);
	return true;
}

static bool primary_is_active(void)
{
	unsigned int flags;
	int is_active = -1;

	return !cu.cuDevicePrimaryCtxGetState(0, &flags, &is_active) && is_active == 1;
}

static bool act_questions(const void *unused)
{
	struct cudaDeviceProp properties;
	int number = 0;

	(void)unused;
	REQUIRE(driver_load(&cu) && runtime_load());
	REQUIRE(!rt.cudaDriverGetVersion(&number) && number == 12090);
	REQUIRE(!rt.cudaGetDeviceCount(&number) && number == 1);
	REQUIRE(!rt.cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, 0));
	REQUIRE(number == 17);
	REQUIRE(rt.cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, 1) ==
		cudaErrorInvalidDevice);
	REQUIRE(rt.cudaGetDeviceProperties(NULL, 0) == cudaErrorInvalidValue);
	REQUIRE(rt.cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
	REQUIRE(!rt.cudaGetDeviceProperties(&properties, 0));
	REQUIRE(!strcmp(properties.name, "Odd Device, 17 SMs") && properties.uuid.bytes[0] == 0x0d);
	REQUIRE(properties.totalGlobalMem == 6442455041 && properties.multiProcessorCount == 17);
	REQUIRE(properties.maxThreadsPerMultiProcessor == 1536 && properties.warpSize == 32);
	REQUIRE(properties.major == 9 && properties.minor == 0 && !properties.ECCEnabled);
	REQUIRE(!rt.cudaDeviceReset() && !primary_is_active());
	/* The last of the errors above, once. */
	REQUIRE(rt.cudaGetLastError() == cudaErrorInvalidDevice);
	REQUIRE(rt.cudaGetLastError() == cudaSuccess);
	REQUIRE(!primary_is_active() && used() == UINT64_MAX);
	return true;
}

static bool act_init_device(const void *unused)
{
	(void)unused;
	REQUIRE(driver_load(&cu) && runtime_load());
	REQUIRE(rt.cudaInitDevice(1, 0, 0) == cudaErrorInvalidDevice);
	REQUIRE(!rt.cudaInitDevice(0, 0, 0) && primary_is_active());
	/* Not current yet, so the driver cannot tell. */
	REQUIRE(used() == UINT64_MAX);
	REQUIRE(!rt.cudaDeviceSynchronize() && used() == ODD_CONTEXT);
	return true;
}

static bool act_allocate(const void *unused)
{
	void *device, *host, *none;

	(void)unused;
	REQUIRE(driver_load(&cu) && runtime_load());
	REQUIRE(!rt.cudaMalloc(&device, 1) && used() == ODD_CONTEXT + 65536);
	REQUIRE(rt.cudaMalloc(NULL, 1) == cudaErrorInvalidValue);
	REQUIRE(rt.cudaMalloc(&none, 0) == cudaErrorInvalidValue);
	REQUIRE(!rt.cudaHostAlloc(&host, 1, cudaHostAllocDefault));
	REQUIRE(used() == ODD_CONTEXT + 65536);
	memset(host, 1, 1);
	REQUIRE(!rt.cudaFree(device) && used() == ODD_CONTEXT);
	REQUIRE(!rt.cudaDeviceReset());
	return true;
}

static bool act_stream(const void *unused)
{
	cudaStream_t stream;

	(void)unused;
	REQUIRE(driver_load(&cu) && runtime_load());
	REQUIRE(!rt.cudaStreamCreate(&stream) && !cu.cuStreamDestroy_v2(stream));
	REQUIRE(rt.cudaStreamCreate(NULL) == cudaErrorInvalidValue);
	REQUIRE(primary_is_active() && used() == ODD_CONTEXT + 65536);
	return true;
}

/* The measuring call that changes what it measures: the runtime's makes a context. */
static bool act_meter(const void *unused)
{
	size_t left, total;

	(void)unused;
	REQUIRE(runtime_load());
	REQUIRE(!rt.cudaMemGetInfo(&left, &total));
	REQUIRE(total - left == ODD_CONTEXT);
	return true;
}

static bool act_driver_refuses(const void *unused)
{
	size_t value;

	(void)unused;
	REQUIRE(runtime_load());
	REQUIRE(rt.cudaSetDevice(0) == cudaErrorMemoryAllocation);
	REQUIRE(!rt.cudaSetDevice(0));
	REQUIRE(rt.cudaDeviceSetLimit(cudaLimitStackSize, 1) == cudaErrorNotSupported);
	REQUIRE(!rt.cudaDeviceGetLimit(&value, cudaLimitStackSize) && value == 1024);
	return true;
}

static bool act_no_profile(const void *unused)
{
	int version;

	(void)unused;
	unsetenv("CUCTX_SIM_PROFILE");
	REQUIRE(runtime_load());
	REQUIRE((int)rt.cudaSetDevice(0) == CUDA_ERROR_SYSTEM_NOT_READY);
	REQUIRE((int)rt.cudaRuntimeGetVersion(&version) == CUDA_ERROR_SYSTEM_NOT_READY);
	return true;
}

static void set_device_makes_the_context(void **state)
{
	(void)state;
	scene_run(H200, act_at_set_device);
}

static void the_first_use_makes_the_context(void **state)
{
	(void)state;
	scene_run(ODD, act_at_first_use);
}

static void questions_make_no_context(void **state)
{
	(void)state;
	scene_run(ODD, act_questions);
}

static void uses_make_the_context(void **state)
{
	(void)state;
	scene_run(ODD, act_init_device);
	scene_run(ODD, act_allocate);
	scene_run(ODD, act_stream);
}

static void the_runtime_meter_makes_a_context(void **state)
{
	(void)state;
	scene_run(ODD, act_meter);
}

static void faults_strike_through_the_runtime(void **state)
{
	struct scratch device;

	(void)state;
	scene_open(&device, H200);
	setenv("CUCTX_SIM_FAULTS",
	       "oom@*:cuDevicePrimaryCtxRetain#1;refuse=CUDA_ERROR_NOT_SUPPORTED@*:cuCtxSetLimit",
	       1);
	child_run(act_driver_refuses, NULL);
	scratch_close(&device);
}

static void without_a_profile_nothing_works(void **state)
{
	(void)state;
	scene_run(H200, act_no_profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_device_makes_the_context),
		cmocka_unit_test(the_first_use_makes_the_context),
		cmocka_unit_test(questions_make_no_context),
		cmocka_unit_test(uses_make_the_context),
		cmocka_unit_test(the_runtime_meter_makes_a_context),
		cmocka_unit_test(faults_strike_through_the_runtime),
		cmocka_unit_test(without_a_profile_nothing_works),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
