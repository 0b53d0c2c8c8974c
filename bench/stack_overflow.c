/* SPDX-License-Identifier: MIT */
/*
 * A function that calls itself, deeper with every launch, until the driver has an error for it. The
 * error leaves the context of no use; the calls after it show what they answer then.
 */
#include "bench/need.h"
#include "harness/bench.h"

/* So that it ends, and no kernel runs for long, whatever the limit was. */
#define CALLS_MAX 4096

/* Of a call, beside its array. */
#define FRAME_MORE_BYTES 128

static int deepen(struct sample *s, CUfunction function)
{
	uint64_t launched_calls = 0, worked_calls = 0;
	CUresult error = CUDA_SUCCESS;

	while (!error && worked_calls < CALLS_MAX) {
		error = sample_start(s, function, worked_calls + 1);
		launched_calls += !error;
		if (!error)
			error = sample_driver(s)->ctx_synchronize();
		worked_calls += !error;
	}
	sample_read(s, "launched_calls", launched_calls);
	sample_read(s, "worked_calls", worked_calls);
	return (int)error;
}

static void stack_overflow_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;

	CU_TRY(s, "create", api->create(s));
	CU_STEP(s, "set",
		api->set_limit(s, CU_LIMIT_STACK_SIZE, sample_number(s, "stack_limit_bytes")));
	CU_TRY(s, "get", sample_get_limit(s, CU_LIMIT_STACK_SIZE, "granted_bytes", NULL));
	CU_TRY(s, "load",
	       cu->module_load_data(
		       &module,
		       sample_module_numbered(s, "recurse", sample_number(s, "array_bytes"))));
	CU_TRY(s, "get-function", cu->module_get_function(&function, module, "kernel"));
	CU_TRY(s, "launch-none", sample_start(s, function, 0));
	CU_TRY(s, "sync-none", cu->ctx_synchronize());
	CU_STEP(s, "get-launched",
		sample_get_limit(s, CU_LIMIT_STACK_SIZE, "launched_limit_bytes", NULL));
	CU_FAULT(s, "deepen", deepen(s, function));
	CU_FAULT(s, "launch-after", sample_start(s, function, 0));
	CU_FAULT(s, "sync-after", cu->ctx_synchronize());
	CU_FAULT(s, "unload", cu->module_unload(module));
	CU_FAULT(s, "destroy", api->destroy(s));
}

static const char *stack_overflow_obstacle(const struct bench *bench,
					   const struct bench_point *point,
					   const struct device_info *device)
{
	if (!device_has_module_numbered(device, "recurse",
					bench_number(bench, point, "array_bytes")))
		return BENCH_NOT_BUILT;
	return device->is_mps_on ? "under the multi-process service, a kernel that overflows its "
				   "stack ends other processes, too"
				 : NULL;
}

/* Kernels that fault are meant to, and nobody wants to look at their remains. */
static const struct bench_setting no_core_dumps[] = {
	{ NULL, "CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "0" },
	{ 0 },
};

static uint64_t stack_overflow_need_bytes(const struct bench *bench,
					  const struct bench_point *point,
					  const struct device_info *device)
{
	uint64_t limit_bytes = bench_number(bench, point, "stack_limit_bytes");
	uint64_t frame_bytes =
		need_sum(bench_number(bench, point, "array_bytes"), FRAME_MORE_BYTES);

	return need_sum(NEED_LITTLE_BYTES,
			need_stack(device, limit_bytes < frame_bytes ? frame_bytes : limit_bytes));
}

/*
 * How many calls the limit holds: one over the slope is what each takes. The number is known only
 * where one more made the kernel fault; where all were made, or another error came first, it is
 * not.
 */
#define CALLS_LAW(array_bytes)                                                                \
	{                                                                                     \
		.component = "calls-" array_bytes, .axis = "granted_bytes", .step = "deepen", \
		.reading = "worked_calls", .where = "array_bytes=" array_bytes,               \
		.refused_with = "CUDA_ERROR_LAUNCH_FAILED,CUDA_ERROR_ILLEGAL_ADDRESS"         \
	}

const struct bench stack_overflow = {
	.name = "stack-overflow",
	.question = "How deep can a kernel recurse under a stack limit, and which call says that "
		    "it went too deep?",
	.axes = { { .name = "stack_limit_bytes",
		    .values = "0,512,1K,1040,4K,64K",
		    .quick_values = "1K,16K" },
		  { .name = "array_bytes", .values = "40,232,1000", .quick_values = "40,1000" } },
	.readings = { { "granted_bytes" },
		      { "launched_limit_bytes" },
		      { "launched_calls" },
		      { "worked_calls" } },
	.laws = { CALLS_LAW("40"), CALLS_LAW("232"), CALLS_LAW("1000") },
	.headline_step = "deepen",
	.settings = no_core_dumps,
	.obstacle = stack_overflow_obstacle,
	.need_bytes = stack_overflow_need_bytes,
	.run = stack_overflow_run,
};
