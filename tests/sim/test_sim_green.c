/* SPDX-License-Identifier: MIT */
/* Green contexts, as a program sees them. */
#include "tests/sim/libraries.h"

#include "tests/unit/check.h"
#include "tests/unit/fake_cubin.h"

/* 132 multiprocessors, in groups of eight and multiples of that. */
#define H200 TEST_PROFILES "/h200.csv"
/* 17 multiprocessors, in groups of three and multiples of that, with three streams each. */
#define ODD TEST_PROFILES "/odd.csv"

#define GROUPS 8

static struct driver_table cu;

static bool start(void)
{
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	return true;
}

/* UINT64_MAX where that is not to be had. */
static uint64_t free_bytes(void)
{
	size_t left, total;

	return cu.cuMemGetInfo_v2(&left, &total) ? UINT64_MAX : left;
}

static bool split(struct CUdevResource_st *groups, unsigned int *count, unsigned int sm_count)
{
	struct CUdevResource_st all = { 0 };

	REQUIRE(!cu.cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
	REQUIRE(!cu.cuDevSmResourceSplitByCount(groups, count, &all, NULL, 0, sm_count));
	return true;
}

static bool make_green(struct CUgreenCtx_st **ret_green)
{
	struct CUdevResource_st group = { 0 };
	struct CUdevResourceDesc_st *description;
	unsigned int count = 1;

	REQUIRE(split(&group, &count, 1));
	REQUIRE(!cu.cuDevResourceGenerateDesc(&description, &group, 1));
	REQUIRE(!cu.cuGreenCtxCreate(ret_green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
	return true;
}

/* ---- groups of multiprocessors ---- */

static bool act_splits(const void *unused)
{
	struct CUdevResource_st all = { 0 }, groups[GROUPS] = { { 0 } }, rest = { 0 };
	unsigned int count = GROUPS;

	(void)unused;
	REQUIRE(start());
	REQUIRE(!cu.cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
	REQUIRE(all.type == CU_DEV_RESOURCE_TYPE_SM && all.sm.smCount == 132);
	REQUIRE(!cu.cuDevSmResourceSplitByCount(groups, &count, &all, &rest, 0, 9));
	REQUIRE(count == 8 && groups[7].type == CU_DEV_RESOURCE_TYPE_SM);
	REQUIRE(groups[0].sm.smCount == 16 && groups[7].sm.smCount == 16 && rest.sm.smCount == 4);
	REQUIRE(!cu.cuDevSmResourceSplitByCount(groups, &count, &all, NULL, 0, 64) && count == 2);
	REQUIRE(!cu.cuDevSmResourceSplitByCount(NULL, &count, &all, NULL, 0, 0) && count == 16);
	return true;
}

static void splits(void **state)
{
	(void)state;
	scene_run(H200, act_splits);
}

static bool act_bad_splits(const void *unused)
{
	struct CUdevResource_st all = { 0 }, groups[GROUPS] = { { 0 } };
	struct CUdevResourceDesc_st *description;
	struct CUdevResource_st nothing = { 0 };
	unsigned int count = GROUPS;

	(void)unused;
	REQUIRE(start());
	REQUIRE(cu.cuDeviceGetDevResource(0, NULL, CU_DEV_RESOURCE_TYPE_SM));
	REQUIRE(cu.cuDeviceGetDevResource(1, &all, CU_DEV_RESOURCE_TYPE_SM));
	REQUIRE(cu.cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_INVALID) ==
		CUDA_ERROR_INVALID_RESOURCE_TYPE);
	REQUIRE(!cu.cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
	REQUIRE(cu.cuDevSmResourceSplitByCount(groups, &count, &all, NULL, 0, 18) ==
		CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
	REQUIRE(cu.cuDevSmResourceSplitByCount(groups, &count, &nothing, NULL, 0, 0) ==
		CUDA_ERROR_INVALID_RESOURCE_TYPE);
	REQUIRE(cu.cuDevSmResourceSplitByCount(groups, NULL, &all, NULL, 0, 1));
	REQUIRE(cu.cuDevSmResourceSplitByCount(groups, &count, NULL, NULL, 0, 1));
	/* 17 would be 18, which there are not. */
	REQUIRE(!cu.cuDevSmResourceSplitByCount(groups, &count, &all, NULL, 0, 17));
	REQUIRE(count == 1 && groups[0].sm.smCount == 17);
	REQUIRE(cu.cuDevSmResourceSplitByCount(groups, &count, &all, NULL, 1, 1));
	/* What has been split already. */
	REQUIRE(!cu.cuDevSmResourceSplitByCount(groups, &count, &all, NULL, 0, 3) &&
		groups[0].sm.smCount == 3);
	REQUIRE(cu.cuDevSmResourceSplitByCount(&groups[1], &count, &groups[0], NULL, 0, 1) ==
		CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
	/* Of the eight, the device has five. */
	count = GROUPS;
	memset(groups, 0, sizeof groups);
	REQUIRE(!cu.cuDevSmResourceSplitByCount(groups, &count, &all, NULL, 0, 1) && count == 5);
	REQUIRE(!cu.cuDevResourceGenerateDesc(&description, &groups[4], 1));
	REQUIRE(cu.cuDevResourceGenerateDesc(&description, &groups[5], 1) ==
		CUDA_ERROR_INVALID_RESOURCE_TYPE);
	REQUIRE(cu.cuDevResourceGenerateDesc(NULL, &groups[0], 1));
	REQUIRE(cu.cuDevResourceGenerateDesc(&description, NULL, 1));
	return true;
}

static void splits_that_cannot_be(void **state)
{
	(void)state;
	scene_run(ODD, act_bad_splits);
}

/* ---- contexts ---- */

/* A kernel, of a module that is loaded in the current context. */
static bool load_kernel(CUfunction *ret_function)
{
	static struct fake_cubin fake;
	uint16_t section;
	CUmodule module;

	fake_start(&fake, 90, 8);
	section = fake_section(&fake, ".text.one", SHT_PROGBITS, NULL, 256);
	fake_symbol(&fake, "one", section, FAKE_STO_ENTRY);
	fake_finish(&fake);
	REQUIRE(!cu.cuModuleLoadData(&module, fake.bytes));
	REQUIRE(!cu.cuModuleGetFunction(ret_function, module, "one"));
	return true;
}

static bool act_face(const void *unused)
{
	CUcontext primary, face;
	CUfunction function;
	struct CUgreenCtx_st *green;
	CUstream stream;

	(void)unused;
	REQUIRE(start() && !cu.cuDevicePrimaryCtxRetain(&primary, 0));
	REQUIRE(!cu.cuCtxSetCurrent(primary) && load_kernel(&function));
	REQUIRE(make_green(&green) && !cu.cuCtxFromGreenCtx(&face, green));
	REQUIRE(face != primary && cu.cuCtxDestroy_v2(face) == CUDA_ERROR_INVALID_CONTEXT);
	/* What the primary context has loaded can be launched in its parts, and limits are one. */
	REQUIRE(!cu.cuCtxSetCurrent(face));
	REQUIRE(!cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
	REQUIRE(!cu.cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
	REQUIRE(!cu.cuStreamDestroy_v2(stream));
	REQUIRE(cu.cuGreenCtxStreamCreate(&stream, green, CU_STREAM_DEFAULT, 0) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuGreenCtxStreamCreate(&stream, NULL, CU_STREAM_NON_BLOCKING, 0) ==
		CUDA_ERROR_INVALID_HANDLE);
	/* Who destroys what is current has a context that is good for nothing. */
	REQUIRE(!cu.cuGreenCtxDestroy(green) && free_bytes() == UINT64_MAX);
	REQUIRE(cu.cuCtxSetCurrent(face) == CUDA_ERROR_INVALID_CONTEXT);
	REQUIRE(!cu.cuCtxSetCurrent(primary) && free_bytes() != UINT64_MAX);
	REQUIRE(cu.cuGreenCtxDestroy(green) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(cu.cuCtxFromGreenCtx(&face, green) == CUDA_ERROR_INVALID_HANDLE);
	return true;
}

static void a_green_context_is_a_face_of_the_primary_one(void **state)
{
	(void)state;
	scene_run(H200, act_face);
}

/*
 * 400,001 bytes each, in one pool, which this device shrinks; and three streams of 70,001 and 3333
 * bytes, in two pools, of which the first has 150,000 anyway, and which no device shrinks.
 */
static bool act_pools(const void *unused)
{
	struct CUgreenCtx_st *greens[GROUPS];
	CUcontext primary;
	uint64_t before;

	(void)unused;
	REQUIRE(start() && !cu.cuDevicePrimaryCtxRetain(&primary, 0));
	REQUIRE(!cu.cuCtxSetCurrent(primary));
	before = free_bytes();
	for (int i = 0; i < GROUPS; i++)
		REQUIRE(make_green(&greens[i]));
	REQUIRE(before - free_bytes() == (49 + 24 + 2) * UINT64_C(65536));
	for (int i = 0; i < GROUPS; i++)
		REQUIRE(!cu.cuGreenCtxDestroy(greens[i]));
	REQUIRE(before - free_bytes() == (24 + 2) * UINT64_C(65536));
	for (int i = 0; i < GROUPS; i++)
		REQUIRE(make_green(&greens[i]));
	REQUIRE(before - free_bytes() == (49 + 24 + 2) * UINT64_C(65536));
	for (int i = 0; i < GROUPS; i++)
		REQUIRE(!cu.cuGreenCtxDestroy(greens[i]));
	REQUIRE(!cu.cuDevicePrimaryCtxRelease(0));
	REQUIRE(!cu.cuDevicePrimaryCtxRetain(&primary, 0) && !cu.cuCtxSetCurrent(primary));
	REQUIRE(before == free_bytes());
	return true;
}

static void green_contexts_and_their_streams(void **state)
{
	(void)state;
	scene_run(ODD, act_pools);
}

static bool act_holding(const void *unused)
{
	CUcontext primary, face;
	struct CUgreenCtx_st *green;

	(void)unused;
	REQUIRE(start() && !cu.cuDevicePrimaryCtxRetain(&primary, 0));
	REQUIRE(make_green(&green) && !cu.cuCtxFromGreenCtx(&face, green));
	REQUIRE(!cu.cuDevicePrimaryCtxRelease(0));
	REQUIRE(!cu.cuCtxSetCurrent(face) && free_bytes() != UINT64_MAX);
	REQUIRE(!cu.cuGreenCtxDestroy(green));
	REQUIRE(cu.cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
	/* A reset ends it, too. */
	REQUIRE(make_green(&green) && !cu.cuDevicePrimaryCtxReset(0));
	REQUIRE(cu.cuGreenCtxDestroy(green) == CUDA_ERROR_INVALID_HANDLE);
	return true;
}

static void a_green_context_holds_the_primary_one(void **state)
{
	(void)state;
	scene_run(H200, act_holding);
}

static bool act_bad_contexts(const void *unused)
{
	struct CUdevResource_st group = { 0 };
	struct CUdevResourceDesc_st *description;
	unsigned int count = 1;
	struct CUgreenCtx_st *green;

	(void)unused;
	REQUIRE(start() && split(&group, &count, 8));
	REQUIRE(!cu.cuDevResourceGenerateDesc(&description, &group, 1));
	REQUIRE(cu.cuGreenCtxCreate(&green, description, 0, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuGreenCtxCreate(NULL, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
	REQUIRE(cu.cuGreenCtxCreate(&green, NULL, 0, CU_GREEN_CTX_DEFAULT_STREAM));
	REQUIRE(cu.cuGreenCtxCreate(&green, description, 1, CU_GREEN_CTX_DEFAULT_STREAM) ==
		CUDA_ERROR_INVALID_DEVICE);
	/* None of them has made the primary context and left it there. */
	REQUIRE(cu.cuDevicePrimaryCtxRelease(0) == CUDA_ERROR_INVALID_CONTEXT);
	return true;
}

static void green_contexts_that_cannot_be(void **state)
{
	(void)state;
	scene_run(H200, act_bad_contexts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits),
		cmocka_unit_test(splits_that_cannot_be),
		cmocka_unit_test(a_green_context_is_a_face_of_the_primary_one),
		cmocka_unit_test(green_contexts_and_their_streams),
		cmocka_unit_test(a_green_context_holds_the_primary_one),
		cmocka_unit_test(green_contexts_that_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
