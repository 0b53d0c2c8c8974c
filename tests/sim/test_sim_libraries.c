/* SPDX-License-Identifier: MIT */
/* Libraries, which are no context's until a kernel of theirs is wanted there. */
#include "tests/sim/libraries.h"

#include "tests/unit/fake_cubin.h"

#define H200 TEST_PROFILES "/h200.csv"

#define CONTEXT UINT64_C(548995072)
#define FIRST   UINT64_C(3407872)
#define GRANULE UINT64_C(2097152)

static struct driver_table cu;

static bool start(CUcontext *ret_context)
{
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(!cu.cuCtxCreate_v2(ret_context, 0, 0));
	return true;
}

/* What the device has used beside so many contexts; UINT64_MAX where that is not to be had. */
static uint64_t more(uint64_t contexts)
{
	size_t left, total;

	return cu.cuMemGetInfo_v2(&left, &total) ? UINT64_MAX
						 : total - left - contexts * CONTEXT - FIRST;
}

static CUresult launch(CUfunction function)
{
	void *parameters[] = { NULL };

	return cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL);
}

/* A granule of variables and two kernels. */
static const void *plant(struct fake_cubin *fake, unsigned int architecture)
{
	uint16_t section;

	fake_start(fake, architecture, 8);
	section = fake_section(fake, ".text.one", SHT_PROGBITS, NULL, 128);
	fake_symbol(fake, "one", section, FAKE_STO_ENTRY);
	section = fake_section(fake, ".text.two", SHT_PROGBITS, NULL, 128);
	fake_symbol(fake, "two", section, FAKE_STO_ENTRY);
	fake_section(fake, ".nv.global", SHT_NOBITS, NULL, GRANULE);
	fake_finish(fake);
	return fake->bytes;
}

static CUresult load(struct CUlib_st **ret_library, const void *image)
{
	return cu.cuLibraryLoadData(ret_library, image, NULL, NULL, 0, NULL, NULL, 0);
}

static bool act_lazy(const void *unused)
{
	static struct fake_cubin fake;
	CUfunction one, again, two;
	struct CUkern_st *kernels[2];
	struct CUlib_st *library;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!load(&library, plant(&fake, 90)));
	memset(&fake, 0, sizeof fake); /* a library keeps what it needs */
	REQUIRE(!cu.cuLibraryGetKernel(&kernels[0], library, "one"));
	REQUIRE(!cu.cuLibraryGetKernel(&kernels[1], library, "two") && more(1) == 0);
	REQUIRE(!cu.cuKernelGetFunction(&one, kernels[0]) && more(1) == GRANULE);
	REQUIRE(!cu.cuKernelGetFunction(&again, kernels[0]) && again == one);
	REQUIRE(!cu.cuKernelGetFunction(&two, kernels[1]) && two != one && more(1) == GRANULE);
	REQUIRE(!launch(one) && !launch(two));
	REQUIRE(!cu.cuLibraryUnload(library) && more(1) == 0);
	REQUIRE(launch(one) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuKernelGetFunction(&one, kernels[0]) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuLibraryUnload(library) == CUDA_ERROR_INVALID_HANDLE);
	return true;
}

static void a_library_enters_a_context_with_a_kernel(void **state)
{
	(void)state;
	scene_run(H200, act_lazy);
}

static bool act_eager(const void *unused)
{
	static struct fake_cubin fake;
	CUfunction function;
	struct CUlib_st *library;
	struct CUkern_st *kernel;
	CUcontext context;

	(void)unused;
	setenv("CUDA_MODULE_LOADING", "EAGER", 1);
	REQUIRE(start(&context));
	REQUIRE(!load(&library, plant(&fake, 90)) && more(1) == GRANULE);
	REQUIRE(!cu.cuLibraryGetKernel(&kernel, library, "one"));
	REQUIRE(!cu.cuKernelGetFunction(&function, kernel) && more(1) == GRANULE);
	REQUIRE(!launch(function) && !cu.cuLibraryUnload(library) && more(1) == 0);
	return true;
}

static void an_eager_library_enters_at_once(void **state)
{
	(void)state;
	scene_run(H200, act_eager);
}

/* Each context has a module of its own of it, and loses that with its end or the library's. */
static bool act_contexts(const void *unused)
{
	static struct fake_cubin fake;
	CUcontext contexts[3];
	CUfunction functions[3];
	struct CUlib_st *library;
	struct CUkern_st *kernel;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(!load(&library, plant(&fake, 90))); /* no context is needed yet */
	REQUIRE(!cu.cuLibraryGetKernel(&kernel, library, "two"));
	REQUIRE(cu.cuKernelGetFunction(&functions[0], kernel) == CUDA_ERROR_INVALID_CONTEXT);
	for (int i = 0; i < 3; i++) {
		REQUIRE(!cu.cuCtxCreate_v2(&contexts[i], 0, 0));
		REQUIRE(!cu.cuKernelGetFunction(&functions[i], kernel));
	}
	REQUIRE(functions[0] != functions[1] && more(3) == 3 * GRANULE);
	REQUIRE(launch(functions[0]) == CUDA_ERROR_INVALID_CONTEXT && !launch(functions[2]));
	REQUIRE(!cu.cuCtxDestroy_v2(contexts[2]) && !cu.cuCtxSetCurrent(contexts[0]));
	REQUIRE(more(2) == 2 * GRANULE && !launch(functions[0]));
	REQUIRE(!cu.cuLibraryUnload(library) && more(2) == 0);
	return true;
}

static void every_context_has_its_own(void **state)
{
	(void)state;
	scene_run(H200, act_contexts);
}

static bool act_bad(const void *unused)
{
	static const char rubbish[4096] = "not a cubin at all";
	static struct fake_cubin fake;
	CUjit_option option = CU_JIT_MAX_REGISTERS;
	struct CUlib_st *library;
	struct CUkern_st *kernel;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(load(&library, rubbish) == CUDA_ERROR_INVALID_IMAGE);
	REQUIRE(load(&library, plant(&fake, 80)) == CUDA_ERROR_NO_BINARY_FOR_GPU);
	plant(&fake, 90);
	REQUIRE(load(NULL, fake.bytes) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(load(&library, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuLibraryLoadData(&library, fake.bytes, &option, NULL, 1, NULL, NULL, 0) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!load(&library, fake.bytes));
	REQUIRE(cu.cuLibraryGetKernel(&kernel, library, "three") == CUDA_ERROR_NOT_FOUND);
	REQUIRE(cu.cuLibraryGetKernel(&kernel, library, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuLibraryGetKernel(&kernel, NULL, "one") == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(!cu.cuLibraryGetKernel(&kernel, library, "one"));
	REQUIRE(cu.cuKernelGetFunction(NULL, kernel) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuKernelGetFunction(&(CUfunction){ NULL }, NULL) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuLibraryUnload(NULL) == CUDA_ERROR_INVALID_HANDLE && more(1) == 0);
	return true;
}

static void bad_libraries_and_handles_are_refused(void **state)
{
	(void)state;
	scene_run(H200, act_bad);
}

/* Neither the module nor its kernel is there when there is no room for both. */
static bool act_without_room(const void *unused)
{
	static struct fake_cubin fake;
	CUfunction function;
	struct CUlib_st *library;
	struct CUkern_st *kernel;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context) && !load(&library, plant(&fake, 90)));
	REQUIRE(!cu.cuLibraryGetKernel(&kernel, library, "one"));
	REQUIRE(cu.cuKernelGetFunction(&function, kernel) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(cu.cuKernelGetFunction(&function, kernel) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(!cu.cuLibraryUnload(library));
	return true;
}

static void a_library_that_does_not_fit(void **state)
{
	struct scratch scratch;

	(void)state;
	scene_open(&scratch, H200);
	setenv("CUCTX_SIM_PROCESS", "1", 1);
	setenv("CUCTX_SIM_FAULTS", "stranger=1T@1:cuLibraryLoadData", 1);
	child_run(act_without_room, NULL);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_library_enters_a_context_with_a_kernel),
		cmocka_unit_test(an_eager_library_enters_at_once),
		cmocka_unit_test(every_context_has_its_own),
		cmocka_unit_test(bad_libraries_and_handles_are_refused),
		cmocka_unit_test(a_library_that_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
