/* SPDX-License-Identifier: MIT */
#include "tests/sim/libraries.h"

#include "tests/unit/fake_cubin.h"

#define H200 TEST_PROFILES "/h200.csv"
#define ODD  TEST_PROFILES "/odd.csv"

#define CONTEXT UINT64_C(548995072)
#define FIRST   UINT64_C(3407872)

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

#define ODD_CONTEXT (UINT64_C(1234567) + 98765431 + 641 * UINT64_C(65536))

/* Kernels of 4,900 bytes are pieces of 5,120 each: the slack of 10,000 has room for one of two. */
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
	REQUIRE(used() == FIRST + CONTEXT + 65011712);
	REQUIRE(!cu.cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20));
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "two") && !launch(function));
	REQUIRE(cu.cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(used() == FIRST + CONTEXT + 65011712);
	REQUIRE(!cu.cuModuleUnload(module));
	REQUIRE(used() == FIRST + CONTEXT + 65011712);
	return true;
}

static long resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	char text[128] = "";
	const char *resident;

	if (file && !fgets(text, sizeof text, file))
		text[0] = '\0';
	if (file)
		fclose(file);
	resident = strchr(text, ' ');
	return resident ? strtol(resident, NULL, 10) * sysconf(_SC_PAGESIZE) : 0;
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

/* Until there is no room for the code of one; what is free in a context is used up first. */
static CUresult find_many(const void *image, CUmodule *ret_module, CUfunction *ret_function)
{
	CUresult r = CUDA_SUCCESS;

	for (int i = 0; i < 100 && !r; i++) {
		r = cu.cuModuleLoadData(ret_module, image);
		if (!r)
			r = cu.cuModuleGetFunction(ret_function, *ret_module, "one");
	}
	return r;
}

static bool act_no_room_for_code(const void *unused)
{
	static struct fake_cubin fake;
	const void *image = plant(&fake, (struct planted){ NULL, 4900, 90 });
	CUfunction other, function;
	size_t left, total;
	CUdeviceptr filling;
	CUcontext context;
	CUmodule module;

	(void)unused;
	REQUIRE(start(&context) && !cu.cuModuleLoadData(&module, image));
	REQUIRE(!cu.cuModuleGetFunction(&other, module, "two") && !launch(other));
	REQUIRE(!cu.cuMemGetInfo_v2(&left, &total));
	REQUIRE(!cu.cuMemAlloc_v2(&filling, left >> 21 << 21));
	REQUIRE(find_many(image, &module, &function) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "one"));
	REQUIRE(launch(function) == CUDA_ERROR_UNKNOWN && !launch(other));
	REQUIRE(!cu.cuMemFree_v2(filling));
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "one"));
	REQUIRE(launch(function) == CUDA_ERROR_UNKNOWN && !launch(other));
	REQUIRE(!cu.cuModuleUnload(module) && !cu.cuModuleLoadData(&module, image));
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "one") && !launch(function));
	return true;
}

static bool act_bad_modules(const void *unused)
{
	static const char rubbish[4096] = "not a cubin at all";
	static struct fake_cubin fake;
	CUfunction function;
	CUcontext context, other;
	CUmodule module;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(cu.cuModuleLoadData(&module, rubbish) == CUDA_ERROR_INVALID_IMAGE);
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

static void a_kernel_without_its_code_is_found_and_does_not_run(void **state)
{
	(void)state;
	scene_run(H200, act_no_room_for_code);
}

static void bad_modules_and_handles_are_refused(void **state)
{
	(void)state;
	scene_run(H200, act_bad_modules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(eager_code_comes_with_the_module),
		cmocka_unit_test(lazy_code_waits),
		cmocka_unit_test(printing_modules_cost_more),
		cmocka_unit_test(a_fifo_on_the_host_is_resident),
		cmocka_unit_test(a_kernel_without_its_code_is_found_and_does_not_run),
		cmocka_unit_test(bad_modules_and_handles_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
