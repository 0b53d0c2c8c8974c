/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

#define BUFFER_BYTES ((size_t)64 << 20)
#define STACK_BYTES  4096

/* Finding a kernel loads its code where that waits, so it belongs to the launch. */
static int find_and_launch(struct sample *s, CUmodule module)
{
	CUfunction function;
	CUresult error = sample_driver(s)->module_get_function(&function, module, "kernel");

	return error ? (int)error : sample_launch(s, function);
}

/* What a program might have used by the time it ends. */
static bool use_everything(struct sample *s, CUmodule *modules, CUstream *stream,
			   CUdeviceptr *buffer)
{
	static const char *const names[] = { "fma-131039", "printf-called", "malloc-called" };
	static const char *const steps[] = { "load-code", "load-printf", "load-malloc" };
	static const char *const launches[] = { "launch-code", "launch-printf", "launch-malloc" };
	const struct driver *cu = sample_driver(s);

	if (!CU_STEP(s, "set-stack", cu->ctx_set_limit(CU_LIMIT_STACK_SIZE, STACK_BYTES)))
		return false;
	for (int i = 0; i < 3; i++) {
		if (!CU_STEP(s, steps[i],
			     cu->module_load_data(&modules[i], sample_module(s, names[i]))) ||
		    !CU_STEP(s, launches[i], find_and_launch(s, modules[i])))
			return false;
	}
	return CU_STEP(s, "create-stream", cu->stream_create(stream, CU_STREAM_NON_BLOCKING)) &&
	       CU_STEP(s, "allocate", cu->mem_alloc(buffer, BUFFER_BYTES));
}

static void clean_up(struct sample *s, CUmodule *modules, CUstream stream, CUdeviceptr buffer)
{
	const struct driver *cu = sample_driver(s);

	CU_STEP(s, "free", cu->mem_free(buffer));
	CU_STEP(s, "destroy-stream", cu->stream_destroy(stream));
	CU_STEP(s, "unload-malloc", cu->module_unload(modules[2]));
	CU_STEP(s, "unload-printf", cu->module_unload(modules[1]));
	CU_STEP(s, "unload-code", cu->module_unload(modules[0]));
}

static void end_context(struct sample *s, CUcontext context)
{
	const struct driver *cu = sample_driver(s);

	if (sample_word_is(s, "end", "destroy"))
		CU_STEP(s, "end", cu->ctx_destroy(context));
	else if (sample_word_is(s, "end", "release"))
		CU_STEP(s, "end", cu->device_primary_ctx_release(sample_device(s)));
	else if (sample_word_is(s, "end", "reset"))
		CU_STEP(s, "end", cu->device_primary_ctx_reset(sample_device(s)));
}

static void teardown_run(struct sample *s)
{
	const struct driver *cu = sample_driver(s);
	CUmodule modules[3];
	CUstream stream;
	CUdeviceptr buffer;
	CUcontext context;

	if (sample_word_is(s, "end", "destroy"))
		CU_TRY(s, "create", cu->ctx_create(&context, 0, sample_device(s)));
	else
		CU_TRY(s, "create", cu->device_primary_ctx_retain(&context, sample_device(s)));
	CU_TRY(s, "make-current", cu->ctx_set_current(context));
	if (!use_everything(s, modules, &stream, &buffer))
		return;
	if (sample_word_is(s, "first", "clean-up"))
		clean_up(s, modules, stream, buffer);
	end_context(s, context);
}

static uint64_t teardown_need_bytes(const struct bench *bench, const struct bench_point *point,
				    const struct device_info *device)
{
	(void)bench;
	(void)point;
	return need_sum(need_stack(device, STACK_BYTES),
			BUFFER_BYTES + NEED_PRINTF_BYTES + NEED_MALLOC_BYTES + NEED_LITTLE_BYTES);
}

const struct bench teardown = {
	.name = "teardown",
	.question = "What does each step of cleaning up give back, and what only the end of the "
		    "process?",
	.axes = { { .name = "end", .kind = AXIS_WORD, .values = "destroy,release,reset,exit" },
		  { .name = "first",
		    .kind = AXIS_WORD,
		    .values = "nothing,clean-up",
		    .quick_values = "clean-up" } },
	.no_law = "how a context ends is a choice among calls, not a quantity that bytes could "
		  "follow",
	.headline_step = "end",
	.need_bytes = teardown_need_bytes,
	.run = teardown_run,
};
