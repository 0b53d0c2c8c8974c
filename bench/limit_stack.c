/* SPDX-License-Identifier: MIT */
#include "bench/limit.h"
#include "bench/need.h"

/*
 * On the way "down" the context has had twice the limit, and at least this much, and has run a
 * kernel with it, so that drivers that grow the stack only at the launch have grown it.
 */
#define RAISED_BYTES_MIN 2048

static uint64_t raised_bytes(uint64_t limit_bytes)
{
	if (limit_bytes > UINT64_MAX / 2)
		return UINT64_MAX;
	return limit_bytes * 2 < RAISED_BYTES_MIN ? RAISED_BYTES_MIN : limit_bytes * 2;
}

static bool raise_limit(struct sample *s, uint64_t limit_bytes)
{
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;

	return CU_STEP(s, "raise",
		       sample_api(s)->set_limit(s, CU_LIMIT_STACK_SIZE,
						raised_bytes(limit_bytes))) &&
	       CU_STEP(s, "raise-load", cu->module_load_data(&module, sample_module(s, "empty"))) &&
	       CU_STEP(s, "raise-get-function",
		       cu->module_get_function(&function, module, "kernel")) &&
	       CU_STEP(s, "raise-launch", sample_launch(s, function)) &&
	       CU_STEP(s, "raise-unload", cu->module_unload(module));
}

static void limit_stack_run(struct sample *s)
{
	struct limit_question question = { .limit = CU_LIMIT_STACK_SIZE,
					   .limit_bytes = sample_number(s, "stack_limit_bytes"),
					   .module = "empty" };
	size_t default_bytes;

	CU_TRY(s, "create", sample_api(s)->create(s));
	CU_TRY(s, "get-default",
	       sample_get_limit(s, CU_LIMIT_STACK_SIZE, "default_bytes", &default_bytes));
	if (sample_word_is(s, "direction", "down") && !raise_limit(s, question.limit_bytes))
		return;
	limit_steps(s, &question, default_bytes);
}

/* Going down is the driver's affair; once is enough. */
static bool limit_stack_wants(const struct bench *bench, const struct bench_point *point)
{
	return !bench_word_is(bench, point, "direction", "down") ||
	       bench_word_is(bench, point, "api", "driver");
}

static uint64_t limit_stack_need_bytes(const struct bench *bench, const struct bench_point *point,
				       const struct device_info *device)
{
	uint64_t limit_bytes = bench_number(bench, point, "stack_limit_bytes");

	if (bench_word_is(bench, point, "direction", "down"))
		limit_bytes = raised_bytes(limit_bytes);
	return need_sum(NEED_LITTLE_BYTES, need_stack(device, limit_bytes));
}

const struct bench limit_stack = {
	.name = "limit-stack",
	.question = "What does the stack limit cost, when is it paid, and does lowering it give "
		    "memory back?",
	.axes = { { .name = "stack_limit_bytes",
		    .values = "0,1,16,512,1K,1025,2K:1M:*2",
		    .quick_values = "0,1K,1025,8K,64K,1M" },
		  { .name = "api", .kind = AXIS_WORD, .values = "driver,runtime" },
		  { .name = "direction", .kind = AXIS_WORD, .values = "up,down" } },
	.readings = { { "default_bytes" }, { "granted_bytes" } },
	.laws = { { .component = "stack",
		    .axis = "granted_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "api=driver,direction=up" },
		  { .component = "stack-lowered",
		    .axis = "granted_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "api=driver,direction=down" } },
	.components = { { .name = "stack at the default limit",
			  .step = "launch-2",
			  .with = "stack_limit_bytes=@default_bytes,api=driver,direction=up",
			  .minus = "stack_limit_bytes=0,api=driver,direction=up",
			  .when = "context creation" } },
	.savings = { { .advice = "set the stack limit to 0 right after the context is there",
		       .step = "set",
		       .with = "stack_limit_bytes=0,api=driver,direction=up",
		       .caveat = "kernels that call functions, recurse or spill registers need a "
				 "stack" } },
	.headline_step = "set",
	.wants = limit_stack_wants,
	.need_bytes = limit_stack_need_bytes,
	.run = limit_stack_run,
};
