/* SPDX-License-Identifier: MIT */
/* Arrays, textures and surfaces, as a program sees them. */
#include "tests/sim/libraries.h"

#include "tests/unit/check.h"

#define H200 TEST_PROFILES "/h200.csv"
#define ODD  TEST_PROFILES "/odd.csv"
#define MANY 64

static struct driver_table cu;

static const CUDA_ARRAY_DESCRIPTOR_v2 plain = {
	.Width = 32, .Height = 32, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1
};
static const CUDA_ARRAY3D_DESCRIPTOR_v2 writable = { .Width = 32,
						     .Height = 32,
						     .Format = CU_AD_FORMAT_FLOAT,
						     .NumChannels = 1,
						     .Flags = CUDA_ARRAY3D_SURFACE_LDST };
static const CUDA_TEXTURE_DESC_v1 reading;

static bool start(CUcontext *ret_context)
{
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(!cu.cuCtxCreate_v2(ret_context, 0, 0));
	return true;
}

/* UINT64_MAX where that is not to be had. */
static uint64_t free_bytes(void)
{
	size_t left, total;

	return cu.cuMemGetInfo_v2(&left, &total) ? UINT64_MAX : left;
}

static CUDA_RESOURCE_DESC_v1 of_array(CUarray array)
{
	return (CUDA_RESOURCE_DESC_v1){ .resType = CU_RESOURCE_TYPE_ARRAY,
					.res.array.hArray = array };
}

static CUDA_RESOURCE_DESC_v1 of_buffer(CUdeviceptr buffer)
{
	return (CUDA_RESOURCE_DESC_v1){ .resType = CU_RESOURCE_TYPE_LINEAR,
					.res.linear = { .devPtr = buffer, .sizeInBytes = 4096 } };
}

static bool act_arrays(const void *unused)
{
	CUDA_ARRAY3D_DESCRIPTOR_v2 wanted = writable;
	CUarray arrays[MANY];
	CUcontext context;
	uint64_t before;

	(void)unused;
	REQUIRE(start(&context));
	before = free_bytes();
	for (int i = 0; i < MANY; i++)
		REQUIRE(!cu.cuArrayCreate_v2(&arrays[i], &plain));
	/* 64 arrays of 6 slots of 777 bytes. */
	REQUIRE(before - free_bytes() == 5 * UINT64_C(65536));
	REQUIRE(cu.cuArrayDestroy(NULL) == CUDA_ERROR_INVALID_HANDLE);
	for (int i = 0; i < MANY; i++)
		REQUIRE(!cu.cuArrayDestroy(arrays[i]));
	REQUIRE(cu.cuArrayDestroy(arrays[0]) == CUDA_ERROR_INVALID_HANDLE);
	/* This device keeps what arrays took, and gives it to the next ones. */
	REQUIRE(before - free_bytes() == 5 * UINT64_C(65536));
	wanted.Depth = MANY;
	REQUIRE(!cu.cuArray3DCreate_v2(&arrays[0], &wanted));
	REQUIRE(before - free_bytes() == 5 * UINT64_C(65536));
	REQUIRE(!cu.cuCtxDestroy_v2(context) && !cu.cuCtxCreate_v2(&context, 0, 0));
	REQUIRE(cu.cuArrayDestroy(arrays[0]) == CUDA_ERROR_INVALID_HANDLE);
	REQUIRE(before == free_bytes());
	return true;
}

static void arrays_share_a_pool(void **state)
{
	(void)state;
	scene_run(ODD, act_arrays);
}

static bool act_bad_arrays(const void *unused)
{
	CUDA_ARRAY3D_DESCRIPTOR_v2 wanted = writable;
	CUcontext context;
	CUarray array;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(cu.cuArrayCreate_v2(NULL, &plain) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuArrayCreate_v2(&array, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuArray3DCreate_v2(&array, NULL) == CUDA_ERROR_INVALID_VALUE);
	wanted.NumChannels = 3;
	REQUIRE(cu.cuArray3DCreate_v2(&array, &wanted) == CUDA_ERROR_INVALID_VALUE);
	wanted.NumChannels = 4;
	wanted.Width = 0;
	REQUIRE(cu.cuArray3DCreate_v2(&array, &wanted) == CUDA_ERROR_INVALID_VALUE);
	wanted.Width = SIZE_MAX;
	REQUIRE(cu.cuArray3DCreate_v2(&array, &wanted) == CUDA_ERROR_INVALID_VALUE);
	wanted.Width = (size_t)1 << 40;
	REQUIRE(cu.cuArray3DCreate_v2(&array, &wanted) == CUDA_ERROR_OUT_OF_MEMORY);
	/* No more than the device has, but more than is free. */
	wanted.Width = (size_t)12 << 20;
	REQUIRE(cu.cuArray3DCreate_v2(&array, &wanted) == CUDA_ERROR_OUT_OF_MEMORY);
	wanted.Width = 8;
	wanted.Format = (CUarray_format)0x7777;
	REQUIRE(cu.cuArray3DCreate_v2(&array, &wanted) == CUDA_ERROR_INVALID_VALUE);
	return true;
}

static void arrays_that_cannot_be(void **state)
{
	(void)state;
	scene_run(ODD, act_bad_arrays);
}

static bool act_textures(const void *unused)
{
	CUDA_RESOURCE_DESC_v1 array_looked_at, buffer_looked_at;
	CUtexObject textures[2];
	CUcontext context;
	CUarray array;
	CUdeviceptr buffer;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuArrayCreate_v2(&array, &plain) && !cu.cuMemAlloc_v2(&buffer, 4096));
	array_looked_at = of_array(array);
	buffer_looked_at = of_buffer(buffer);
	REQUIRE(!cu.cuTexObjectCreate(&textures[0], &array_looked_at, &reading, NULL));
	REQUIRE(!cu.cuTexObjectCreate(&textures[1], &buffer_looked_at, &reading, NULL));
	REQUIRE(textures[0] && textures[1] && textures[0] != textures[1]);
	REQUIRE(cu.cuTexObjectCreate(NULL, &array_looked_at, &reading, NULL));
	REQUIRE(cu.cuTexObjectCreate(&textures[0], NULL, &reading, NULL));
	REQUIRE(cu.cuTexObjectCreate(&textures[0], &array_looked_at, NULL, NULL));
	/* No object of the other kind ends it. */
	REQUIRE(cu.cuSurfObjectDestroy(textures[0]) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuTexObjectDestroy(textures[0]));
	REQUIRE(cu.cuTexObjectDestroy(textures[0]) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuArrayDestroy(array) && !cu.cuMemFree_v2(buffer));
	REQUIRE(cu.cuTexObjectCreate(&textures[0], &array_looked_at, &reading, NULL) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuTexObjectCreate(&textures[0], &buffer_looked_at, &reading, NULL) ==
		CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuCtxDestroy_v2(context));
	REQUIRE(cu.cuTexObjectDestroy(textures[1]) == CUDA_ERROR_INVALID_VALUE);
	return true;
}

static void textures_look_at_what_is_there(void **state)
{
	(void)state;
	scene_run(H200, act_textures);
}

static bool act_surfaces(const void *unused)
{
	CUDA_RESOURCE_DESC_v1 looked_at;
	CUarray arrays[2];
	CUsurfObject surface;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuArrayCreate_v2(&arrays[0], &plain));
	REQUIRE(!cu.cuArray3DCreate_v2(&arrays[1], &writable));
	looked_at = of_array(arrays[0]);
	REQUIRE(cu.cuSurfObjectCreate(&surface, &looked_at) == CUDA_ERROR_INVALID_VALUE);
	looked_at = of_array(arrays[1]);
	REQUIRE(cu.cuSurfObjectCreate(NULL, &looked_at) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuSurfObjectCreate(&surface, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuSurfObjectCreate(&surface, &looked_at));
	REQUIRE(!cu.cuSurfObjectDestroy(surface));
	REQUIRE(cu.cuSurfObjectDestroy(surface) == CUDA_ERROR_INVALID_VALUE);
	return true;
}

static void surfaces_are_of_arrays_made_for_them(void **state)
{
	(void)state;
	scene_run(H200, act_surfaces);
}

/*
 * 50 bytes each, 4000 of which are there anyway, in units of 100,000; this device gives back what
 * is not needed.
 */
static bool act_many(const void *unused)
{
	CUDA_RESOURCE_DESC_v1 looked_at;
	CUtexObject textures[1500];
	CUsurfObject surfaces[1500];
	CUcontext context;
	CUarray array;
	uint64_t before;

	(void)unused;
	REQUIRE(start(&context) && !cu.cuArray3DCreate_v2(&array, &writable));
	looked_at = of_array(array);
	before = free_bytes();
	for (int i = 0; i < 80; i++)
		REQUIRE(!cu.cuTexObjectCreate(&textures[i], &looked_at, &reading, NULL));
	REQUIRE(before == free_bytes());
	for (int i = 80; i < 1500; i++)
		REQUIRE(!cu.cuTexObjectCreate(&textures[i], &looked_at, &reading, NULL));
	REQUIRE(before - free_bytes() == 2 * UINT64_C(65536));
	for (int i = 0; i < 1500; i++)
		REQUIRE(!cu.cuSurfObjectCreate(&surfaces[i], &looked_at));
	REQUIRE(before - free_bytes() == 4 * UINT64_C(65536));
	for (int i = 0; i < 1500; i++)
		REQUIRE(!cu.cuTexObjectDestroy(textures[i]));
	REQUIRE(before - free_bytes() == 2 * UINT64_C(65536));
	for (int i = 0; i < 1500; i++)
		REQUIRE(!cu.cuSurfObjectDestroy(surfaces[i]));
	REQUIRE(before == free_bytes());
	return true;
}

static void textures_and_surfaces_share_a_pool(void **state)
{
	(void)state;
	scene_run(ODD, act_many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_share_a_pool),
		cmocka_unit_test(arrays_that_cannot_be),
		cmocka_unit_test(textures_look_at_what_is_there),
		cmocka_unit_test(surfaces_are_of_arrays_made_for_them),
		cmocka_unit_test(textures_and_surfaces_share_a_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
