/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

/* More than a pool is rounded up to. */
#define UNIT_BYTES_MAX ((uint64_t)64 << 20)

/* Allocates on the default stream, and waits until it is done. */
static CUresult allocate(struct sample *s, CUdeviceptr *ret_address)
{
	const struct driver *cu = sample_driver(s);
	CUresult error = cu->mem_alloc_async(ret_address, sample_number(s, "pool_bytes"), NULL);

	return error ? error : cu->ctx_synchronize();
}

static CUresult release(struct sample *s, CUdeviceptr address)
{
	const struct driver *cu = sample_driver(s);
	CUresult error = cu->mem_free_async(address, NULL);

	return error ? error : cu->ctx_synchronize();
}

static CUresult keep_all(struct sample *s, CUmemoryPool pool)
{
	cuuint64_t threshold_bytes = UINT64_MAX;

	if (!sample_word_is(s, "threshold", "all"))
		return CUDA_SUCCESS;
	return sample_driver(s)->mem_pool_set_attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
							&threshold_bytes);
}

static CUresult read_pool(struct sample *s, CUmemoryPool pool)
{
	const struct driver *cu = sample_driver(s);
	cuuint64_t reserved_bytes = 0, used_bytes = 0;
	CUresult error = cu->mem_pool_get_attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT,
						    &reserved_bytes);

	if (!error)
		error = cu->mem_pool_get_attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
						   &used_bytes);
	if (error)
		return error;
	sample_read(s, "pool_reserved_bytes", reserved_bytes);
	sample_read(s, "pool_used_bytes", used_bytes);
	return CUDA_SUCCESS;
}

static void memory_pool_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUmemoryPool pool;
	CUdeviceptr address;

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "get-pool", cu->device_get_default_mem_pool(&pool, sample_device(s)));
	CU_TRY(s, "set-threshold", keep_all(s, pool));
	CU_TRY(s, "allocate", allocate(s, &address));
	CU_TRY(s, "read-allocated", read_pool(s, pool));
	CU_TRY(s, "free", release(s, address));
	CU_TRY(s, "read-freed", read_pool(s, pool));
	CU_TRY(s, "allocate-again", allocate(s, &address));
	CU_TRY(s, "free-again", release(s, address));
	CU_TRY(s, "trim", cu->mem_pool_trim_to(pool, 0));
	CU_TRY(s, "destroy", api->destroy(s));
}

static const char *memory_pool_obstacle(const struct bench *bench, const struct bench_point *point,
					const struct device_info *device)
{
	(void)bench;
	(void)point;
	return device->has_memory_pools ? NULL : "this driver has no stream-ordered allocation";
}

static uint64_t memory_pool_need_bytes(const struct bench *bench, const struct bench_point *point,
				       const struct device_info *device)
{
	(void)device;
	return need_sum(UNIT_BYTES_MAX, bench_number(bench, point, "pool_bytes"));
}

const struct bench memory_pool = {
	.name = "memory-pool",
	.question =
		"What does the first stream-ordered allocation reserve, and what do freeing and "
		"trimming give back?",
	.axes = { { .name = "pool_bytes",
		    .values = "1,2M,32M,32769K,64M,256M,1G",
		    .quick_values = "1,64M" },
		  { .name = "threshold", .kind = AXIS_WORD, .values = "none,all" } },
	.readings = { { "pool_reserved_bytes" }, { "pool_used_bytes" } },
	.laws = { { .component = "pool",
		    .axis = "pool_bytes",
		    .step = "allocate",
		    .where = "threshold=none" },
		  /* With the other threshold the last reading is 0. */
		  { .component = "pool-reserved",
		    .axis = "pool_reserved_bytes",
		    .step = "allocate",
		    .where = "threshold=all" } },
	.components = { { .name = "first byte allocated in stream order",
			  .step = "allocate",
			  .with = "pool_bytes=1,threshold=none",
			  .since = "create",
			  .when = "its allocation" } },
	.headline_step = "allocate",
	.obstacle = memory_pool_obstacle,
	.need_bytes = memory_pool_need_bytes,
	.run = memory_pool_run,
};
