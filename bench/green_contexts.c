/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

/* Step names are kept until the sample ends, so they come from tables. */
static const char *const create_steps[] = { "create-green-1", "create-green-2", "create-green-3",
					    "create-green-4", "create-green-5", "create-green-6",
					    "create-green-7", "create-green-8" };
static const char *const launch_steps[] = { "launch-green-1", "launch-green-2", "launch-green-3",
					    "launch-green-4", "launch-green-5", "launch-green-6",
					    "launch-green-7", "launch-green-8" };
static const char *const destroy_steps[] = { "destroy-green-1", "destroy-green-2",
					     "destroy-green-3", "destroy-green-4",
					     "destroy-green-5", "destroy-green-6",
					     "destroy-green-7", "destroy-green-8" };
#define PARTITIONS_MAX 8

/* More than one has been seen to take with its streams, for --max-memory. */
#define GREEN_BYTES ((uint64_t)8 << 20)

struct partition {
	struct CUdevResource_st *group; /* of multiprocessors */
	struct CUgreenCtx_st *green;
	CUstream stream;
};

/* Finding a kernel loads its code where that waits, so it belongs to the launch. */
static int find_and_launch(struct sample *s, CUmodule module, CUfunction *ret_function)
{
	CUresult error = sample_driver(s)->module_get_function(ret_function, module, "kernel");

	return error ? (int)error : sample_launch(s, *ret_function);
}

/*
 * Notes how many groups the multiprocessors make. What there is no group for stays empty, and the
 * driver refuses to describe it.
 */
static CUresult split(struct sample *s, struct CUdevResource_st *groups)
{
	const struct driver *cu = sample_driver(s);
	unsigned int count = (unsigned int)sample_number(s, "partitions");
	struct CUdevResource_st all = { 0 };
	CUresult error =
		cu->device_get_dev_resource(sample_device(s), &all, CU_DEV_RESOURCE_TYPE_SM);

	if (!error)
		error = cu->dev_sm_resource_split_by_count(
			groups, &count, &all, NULL, 0, (unsigned int)sample_number(s, "sm_count"));
	if (error)
		return error;
	sample_read(s, "granted_count", count);
	sample_read(s, "granted_sm_count", groups[0].sm.smCount);
	return CUDA_SUCCESS;
}

static CUresult create_green(struct sample *s, struct partition *partition)
{
	const struct driver *cu = sample_driver(s);
	struct CUdevResourceDesc_st *description;
	CUresult error = cu->dev_resource_generate_desc(&description, partition->group, 1);

	return error ? error
		     : cu->green_ctx_create(&partition->green, description, sample_device(s),
					    CU_GREEN_CTX_DEFAULT_STREAM);
}

static CUresult destroy_green(struct sample *s, struct partition *partition)
{
	return sample_driver(s)->green_ctx_destroy(partition->green);
}

static CUresult create_stream(struct sample *s, struct partition *partition)
{
	return sample_driver(s)->green_ctx_stream_create(&partition->stream, partition->green,
							 CU_STREAM_NON_BLOCKING, 0);
}

static CUresult destroy_stream(struct sample *s, struct partition *partition)
{
	return sample_driver(s)->stream_destroy(partition->stream);
}

static CUresult each(struct sample *s, struct partition *partitions, uint64_t count,
		     CUresult (*act)(struct sample *s, struct partition *partition))
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = act(s, &partitions[i]);
	return error;
}

/* On the stream that every green context comes with. */
static int launch_green(struct sample *s, struct CUgreenCtx_st *green, CUfunction function)
{
	const struct driver *cu = sample_driver(s);
	CUcontext context;
	CUresult error = cu->ctx_from_green_ctx(&context, green);

	if (!error)
		error = cu->ctx_set_current(context);
	return error ? (int)error : sample_launch(s, function);
}

/* "again": whether the next ones, of the same groups, take the place of the last. */
static void use_partitions(struct sample *s, struct CUdevResource_st *groups, CUcontext primary,
			   CUfunction function)
{
	const struct driver *cu = sample_driver(s);
	uint64_t count = sample_number(s, "partitions");
	struct partition partitions[PARTITIONS_MAX] = { 0 };

	for (uint64_t i = 0; i < count; i++)
		partitions[i].group = &groups[i];
	for (uint64_t i = 0; i < count; i++)
		CU_TRY(s, create_steps[i], create_green(s, &partitions[i]));
	for (uint64_t i = 0; i < count; i++)
		CU_TRY(s, launch_steps[i], launch_green(s, partitions[i].green, function));
	CU_TRY(s, "create-streams", each(s, partitions, count, create_stream));
	CU_TRY(s, "destroy-streams", each(s, partitions, count, destroy_stream));
	CU_TRY(s, "leave-green", cu->ctx_set_current(primary));
	for (uint64_t i = count; i-- > 0;)
		CU_TRY(s, destroy_steps[i], destroy_green(s, &partitions[i]));
	CU_TRY(s, "create-again", each(s, partitions, count, create_green));
	CU_TRY(s, "destroy-again", each(s, partitions, count, destroy_green));
	CU_TRY(s, "destroy", cu->device_primary_ctx_release(sample_device(s)));
}

/* Partitions belong to the device's primary context. */
static void green_contexts_run(struct sample *s)
{
	const struct driver *cu = sample_driver(s);
	struct CUdevResource_st groups[PARTITIONS_MAX] = { 0 };
	CUcontext primary;
	CUmodule module;
	CUfunction function;

	CU_TRY(s, "create", cu->device_primary_ctx_retain(&primary, sample_device(s)));
	CU_TRY(s, "make-current", cu->ctx_set_current(primary));
	CU_TRY(s, "load", cu->module_load_data(&module, sample_module(s, "empty")));
	CU_TRY(s, "launch", find_and_launch(s, module, &function));
	CU_TRY(s, "split", split(s, groups));
	use_partitions(s, groups, primary, function);
}

static const char *green_contexts_obstacle(const struct bench *bench,
					   const struct bench_point *point,
					   const struct device_info *device)
{
	uint64_t count = bench_number(bench, point, "partitions");

	if (!device->has_green_contexts)
		return "this driver has no green contexts, or no streams in them";
	return !count || count > PARTITIONS_MAX ? "this benchmark makes 1 to 8 partitions" : NULL;
}

static uint64_t green_contexts_need_bytes(const struct bench *bench,
					  const struct bench_point *point,
					  const struct device_info *device)
{
	(void)device;
	/* Twice, as the next ones may be given no memory that was there before. */
	return need_sum(
		NEED_LITTLE_BYTES,
		need_times(2, need_times(bench_number(bench, point, "partitions"), GREEN_BYTES)));
}

const struct bench green_contexts = {
	.name = "green-contexts",
	.question = "What does a green context cost beside its primary context, does a further "
		    "one cost as much, and does destroying it give that back?",
	.axes = { { .name = "partitions", .values = "1:8:1", .quick_values = "1,2" },
		  { .name = "sm_count", .values = "8,64", .quick_values = "8" } },
	.readings = { { "granted_count" }, { "granted_sm_count" } },
	.laws = { { .component = "green-contexts",
		    .axis = "partitions",
		    .step = "create-green-{partitions}",
		    .is_total = true,
		    .where = "sm_count=8" } },
	.headline_step = "create-green-1",
	.obstacle = green_contexts_obstacle,
	.need_bytes = green_contexts_need_bytes,
	.run = green_contexts_run,
};
