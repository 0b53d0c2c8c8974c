/* SPDX-License-Identifier: MIT */
/* Managed memory, and the pool that it comes from and that no process has. */
#include "tests/sim/libraries.h"

#include "tests/unit/fake_cubin.h"

#define H200 TEST_PROFILES "/h200.csv"
#define ODD  TEST_PROFILES "/odd.csv"

#define CONTEXT UINT64_C(548995072)
#define FIRST   UINT64_C(3407872)
#define UNIT    UINT64_C(2097152)
#define BATCH   (64 * UNIT)

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

/* A variable of each kind, and a kernel. */
static const void *plant(struct fake_cubin *fake, uint64_t own_bytes, uint64_t managed_bytes)
{
	uint16_t section;

	fake_start(fake, 90, 8);
	section = fake_section(fake, ".text.kernel", SHT_PROGBITS, NULL, 128);
	fake_symbol(fake, "kernel", section, FAKE_STO_ENTRY);
	section = fake_section(fake, ".nv.global", SHT_NOBITS, NULL, own_bytes + managed_bytes);
	fake_variable(fake, "own", section, own_bytes, 0);
	fake_variable(fake, "managed", section, managed_bytes, FAKE_STO_MANAGED);
	fake_finish(fake);
	return fake->bytes;
}

static bool act_variables(const void *unused)
{
	static struct fake_cubin fake;
	CUcontext context;
	CUmodule first, second;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuModuleLoadData(&first, plant(&fake, 0, 1)) && more() == BATCH);
	/* Own variables are none of the pool's, which has room for these. */
	REQUIRE(!cu.cuModuleLoadData(&second, plant(&fake, UNIT + 1, 62 * UNIT)));
	REQUIRE(more() == BATCH + 2 * UNIT);
	REQUIRE(!cu.cuModuleUnload(first) && more() == BATCH + UNIT);
	/* One is left in the pool, and one more is wanted. */
	REQUIRE(!cu.cuModuleLoadData(&first, plant(&fake, 0, UNIT + 1)));
	REQUIRE(more() == 2 * BATCH + UNIT);
	REQUIRE(!cu.cuModuleUnload(second) && more() == 2 * BATCH + UNIT - 64 * UNIT);
	/* What was not handed out stays, also when the context ends. */
	REQUIRE(!cu.cuCtxDestroy_v2(context) && !cu.cuCtxCreate_v2(&context, 0, 0));
	REQUIRE(more() == 63 * UNIT);
	return true;
}

static void variables_come_out_of_the_pool(void **state)
{
	(void)state;
	scene_run(H200, act_variables);
}

static bool act_allocations(const void *unused)
{
	CUdeviceptr addresses[65], own;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	for (int i = 0; i < 65; i++)
		REQUIRE(!cu.cuMemAllocManaged(&addresses[i], UNIT, CU_MEM_ATTACH_GLOBAL));
	REQUIRE(more() == 0);
	REQUIRE(!cu.cuMemsetD8_v2(addresses[0], 0, 0) && more() == 0);
	for (int i = 0; i < 64; i++)
		REQUIRE(!cu.cuMemsetD8_v2(addresses[i], 0, 1) && more() == BATCH);
	REQUIRE(!cu.cuMemsetD8_v2(addresses[63], 1, UNIT) && more() == BATCH);
	REQUIRE(!cu.cuMemsetD8_v2(addresses[64], 0, UNIT) && more() == 2 * BATCH);
	for (int i = 0; i < 64; i++)
		REQUIRE(!cu.cuMemFree_v2(addresses[i]));
	REQUIRE(more() == BATCH);
	REQUIRE(cu.cuMemsetD8_v2(addresses[64], 0, UNIT + 1) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemsetD8_v2(addresses[0], 0, 1) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemAllocManaged(&own, UNIT, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemAllocManaged(&own, 0, CU_MEM_ATTACH_HOST) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuMemAllocManaged(NULL, 1, CU_MEM_ATTACH_HOST) == CUDA_ERROR_INVALID_VALUE);
	/* Other memory is there anyway. */
	REQUIRE(!cu.cuMemAlloc_v2(&own, UNIT) && !cu.cuMemsetD8_v2(own, 0, UNIT));
	REQUIRE(more() == BATCH + UNIT);
	return true;
}

static void allocations_come_when_they_are_written_to(void **state)
{
	(void)state;
	scene_run(H200, act_allocations);
}

static bool take_one(const void *unused)
{
	CUdeviceptr address;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuMemAllocManaged(&address, 1, CU_MEM_ATTACH_GLOBAL));
	REQUIRE(!cu.cuMemsetD8_v2(address, 0, 1) && more() == BATCH);
	return true;
}

static bool find_the_rest(const void *unused)
{
	CUdeviceptr address;
	CUcontext context;

	(void)unused;
	REQUIRE(start(&context) && more() == 63 * UNIT);
	REQUIRE(!cu.cuMemAllocManaged(&address, 63 * UNIT, CU_MEM_ATTACH_GLOBAL));
	REQUIRE(!cu.cuMemsetD8_v2(address, 0, 1) && more() == 63 * UNIT);
	REQUIRE(!cu.cuMemFree_v2(address) && more() == 0);
	return true;
}

static void the_pool_outlives_its_users(void **state)
{
	struct scratch scratch;

	(void)state;
	scene_open(&scratch, H200);
	child_run(take_one, NULL);
	child_run(find_the_rest, NULL);
	scratch_close(&scratch);
}

/* A batch that does not fit is not taken, and the pool is as it was. */
static bool act_without_room(const void *unused)
{
	CUdeviceptr address;
	CUcontext context;
	uint64_t before;

	(void)unused;
	REQUIRE(start(&context));
	REQUIRE(!cu.cuMemAllocManaged(&address, 1, CU_MEM_ATTACH_GLOBAL));
	before = more();
	REQUIRE(cu.cuMemsetD8_v2(address, 0, 1) == CUDA_ERROR_OUT_OF_MEMORY && more() == before);
	REQUIRE(!cu.cuMemFree_v2(address) && more() == before);
	return true;
}

static void a_batch_that_does_not_fit(void **state)
{
	struct scratch scratch;

	(void)state;
	scene_open(&scratch, H200);
	setenv("CUCTX_SIM_PROCESS", "1", 1);
	setenv("CUCTX_SIM_FAULTS", "stranger=1T@1:cuMemAllocManaged", 1);
	child_run(act_without_room, NULL);
	scratch_close(&scratch);
}

static bool act_odd(const void *unused)
{
	static struct fake_cubin fake;
	size_t before, loaded, total;
	CUcontext context;
	CUmodule module;

	(void)unused;
	REQUIRE(start(&context) && !cu.cuMemGetInfo_v2(&before, &total));
	REQUIRE(!cu.cuModuleLoadData(&module, plant(&fake, 0, 40001)));
	REQUIRE(!cu.cuMemGetInfo_v2(&loaded, &total) && before - loaded == 80000);
	REQUIRE(!cu.cuModuleUnload(module));
	REQUIRE(!cu.cuMemGetInfo_v2(&loaded, &total) && before == loaded);
	return true;
}

static void without_batches_nothing_is_left(void **state)
{
	(void)state;
	scene_run(ODD, act_odd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_come_out_of_the_pool),
		cmocka_unit_test(allocations_come_when_they_are_written_to),
		cmocka_unit_test(the_pool_outlives_its_users),
		cmocka_unit_test(a_batch_that_does_not_fit),
		cmocka_unit_test(without_batches_nothing_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
