/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

static int launch(struct sample *s, CUfunction function)
{
	return sample_word_is(s, "grid", "device") ? sample_launch_device(s, function)
						   : sample_launch(s, function);
}

static void local_frame_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUmodule framed, small;
	CUfunction framed_kernel, small_kernel;
	size_t default_bytes;

	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "get-default",
	       sample_get_limit(s, CU_LIMIT_STACK_SIZE, "default_bytes", &default_bytes));
	CU_TRY(s, "load",
	       cu->module_load_data(&framed, sample_module_numbered(
						     s, "frame", sample_number(s, "frame_bytes"))));
	CU_TRY(s, "get-function", cu->module_get_function(&framed_kernel, framed, "kernel"));
	CU_STEP(s, "launch-1", launch(s, framed_kernel));
	CU_STEP(s, "launch-2", launch(s, framed_kernel));
	CU_TRY(s, "get", sample_get_limit(s, CU_LIMIT_STACK_SIZE, "limit_bytes", NULL));
	CU_TRY(s, "load-small", cu->module_load_data(&small, sample_module(s, "empty")));
	CU_TRY(s, "get-small", cu->module_get_function(&small_kernel, small, "kernel"));
	CU_STEP(s, "launch-small", launch(s, small_kernel));
	CU_STEP(s, "set-default", api->set_limit(s, CU_LIMIT_STACK_SIZE, default_bytes));
	CU_STEP(s, "launch-small-again", launch(s, small_kernel));
	CU_TRY(s, "unload", cu->module_unload(framed));
	CU_TRY(s, "destroy", api->destroy(s));
}

static const char *local_frame_obstacle(const struct bench *bench, const struct bench_point *point,
					const struct device_info *device)
{
	return device_has_module_numbered(device, "frame",
					  bench_number(bench, point, "frame_bytes"))
		       ? NULL
		       : BENCH_NOT_BUILT;
}

static uint64_t local_frame_need_bytes(const struct bench *bench, const struct bench_point *point,
				       const struct device_info *device)
{
	return need_sum(NEED_LITTLE_BYTES,
			need_stack(device, bench_number(bench, point, "frame_bytes")));
}

const struct bench local_frame = {
	.name = "local-frame",
	.question =
		"What does a kernel with a large stack frame cost, does the number of its threads "
		"matter, and what gives the memory back?",
	.axes = { { .name = "frame_bytes",
		    .values = "0,16,512,1K,1040,2K,4K,16K,64K,256K,512K",
		    .quick_values = "0,1K,64K" },
		  { .name = "grid", .kind = AXIS_WORD, .values = "thread,device" } },
	.readings = { { "default_bytes" }, { "limit_bytes" } },
	.laws = { { .component = "frame",
		    .axis = "frame_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "grid=thread" },
		  { .component = "frame-device",
		    .axis = "frame_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "grid=device" } },
	.headline_step = "launch-1",
	.obstacle = local_frame_obstacle,
	.need_bytes = local_frame_need_bytes,
	.run = local_frame_run,
};
