/* SPDX-License-Identifier: MIT */
#include "bench/need.h"
#include "harness/bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * The variables that the CUDA Programming Guide documents and that can change what a context takes
 * or how long it is made. Left out: those that choose devices, steer clocks, or only name files.
 */
static const struct bench_setting settings[] = {
	{ "max-connections-1", "CUDA_DEVICE_MAX_CONNECTIONS", "1" },
	{ "max-connections-2", "CUDA_DEVICE_MAX_CONNECTIONS", "2" },
	{ "max-connections-4", "CUDA_DEVICE_MAX_CONNECTIONS", "4" },
	{ "max-connections-8", "CUDA_DEVICE_MAX_CONNECTIONS", "8" },
	{ "max-connections-16", "CUDA_DEVICE_MAX_CONNECTIONS", "16" },
	{ "max-connections-32", "CUDA_DEVICE_MAX_CONNECTIONS", "32" },
	{ "copy-connections-1", "CUDA_DEVICE_MAX_COPY_CONNECTIONS", "1" },
	{ "copy-connections-8", "CUDA_DEVICE_MAX_COPY_CONNECTIONS", "8" },
	{ "copy-connections-32", "CUDA_DEVICE_MAX_COPY_CONNECTIONS", "32" },
	{ "launch-queues-quarter", "CUDA_SCALE_LAUNCH_QUEUES", "0.25x" },
	{ "launch-queues-half", "CUDA_SCALE_LAUNCH_QUEUES", "0.5x" },
	{ "launch-queues-2x", "CUDA_SCALE_LAUNCH_QUEUES", "2x" },
	{ "launch-queues-4x", "CUDA_SCALE_LAUNCH_QUEUES", "4x" },
	{ "module-loading-lazy", "CUDA_MODULE_LOADING", "LAZY" },
	{ "module-loading-eager", "CUDA_MODULE_LOADING", "EAGER" },
	{ "data-loading-lazy", "CUDA_MODULE_DATA_LOADING", "LAZY" },
	{ "data-loading-eager", "CUDA_MODULE_DATA_LOADING", "EAGER" },
	{ "loader-threads-4", "CUDA_BINARY_LOADER_THREAD_COUNT", "4" },
	{ "default-stack-512", "CUDA_DEVICE_DEFAULT_STACK_SIZE_MAX", "512" },
	{ "launch-blocking", "CUDA_LAUNCH_BLOCKING", "1" },
	{ "preload-libraries", "CUDA_FORCE_PRELOAD_LIBRARIES", "1" },
	{ "cache-disable", "CUDA_CACHE_DISABLE", "1" },
	{ "persisting-l2-25", "CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT", "25" },
	{ "persisting-l2-100", "CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT", "100" },
	{ "managed-on-device", "CUDA_MANAGED_FORCE_DEVICE_ALLOC", "1" },
	{ "wait-on-exception", "CUDA_DEVICE_WAITS_ON_EXCEPTION", "1" },
	/* Nothing here raises an exception; if something did, its dump would go nowhere. */
	{ "coredump", "CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1" },
	{ "coredump", "CUDA_COREDUMP_FILE", "/dev/null" },
	{ 0 },
};

/* Their values are numbers, and laws can be drawn over them. */
static const struct {
	const char *variable;
	const char *reading;
} counts[] = {
	{ "CUDA_DEVICE_MAX_CONNECTIONS", "connections" },
	{ "CUDA_DEVICE_MAX_COPY_CONNECTIONS", "copy_connections" },
};

static const struct {
	const char *word;
	unsigned int flags;
} flag_words[] = {
	{ "auto", CU_CTX_SCHED_AUTO },   { "spin", CU_CTX_SCHED_SPIN },
	{ "yield", CU_CTX_SCHED_YIELD }, { "blocking-sync", CU_CTX_SCHED_BLOCKING_SYNC },
	{ "map-host", CU_CTX_MAP_HOST }, { "lmem-resize-to-max", CU_CTX_LMEM_RESIZE_TO_MAX },
};

static unsigned int chosen_flags(const struct sample *s)
{
	for (size_t i = 0; i < ARRAY_COUNT(flag_words); i++)
		if (sample_word_is(s, "flags", flag_words[i].word))
			return flag_words[i].flags;
	return CU_CTX_SCHED_AUTO;
}

static void note_count(struct sample *s, const struct bench_setting *setting)
{
	for (size_t i = 0; i < ARRAY_COUNT(counts); i++)
		if (!strcmp(setting->variable, counts[i].variable))
			sample_read(s, counts[i].reading, strtoull(setting->value, NULL, 10));
}

static void note_counts(struct sample *s)
{
	for (const struct bench_setting *setting = settings; setting->variable; setting++)
		if (sample_word_is(s, "setting", setting->word))
			note_count(s, setting);
}

static void context_settings_run(struct sample *s)
{
	const struct driver *cu = sample_driver(s);
	const void *code = sample_module(s, "fma-131039");
	const void *data = sample_module(s, "static-4194304");
	CUmodule code_module, data_module;
	CUfunction code_function, data_function;
	CUcontext context;

	note_counts(s);
	CU_TRY(s, "create", cu->ctx_create(&context, chosen_flags(s), sample_device(s)));
	CU_STEP(s, "get-stack", sample_get_limit(s, CU_LIMIT_STACK_SIZE, "stack_bytes", NULL));
	CU_STEP(s, "get-l2",
		sample_get_limit(s, CU_LIMIT_PERSISTING_L2_CACHE_SIZE, "persisting_l2_bytes",
				 NULL));
	CU_TRY(s, "load-code", cu->module_load_data(&code_module, code));
	CU_TRY(s, "get-code", cu->module_get_function(&code_function, code_module, "kernel"));
	CU_STEP(s, "launch-code", sample_launch(s, code_function));
	CU_TRY(s, "load-data", cu->module_load_data(&data_module, data));
	CU_TRY(s, "get-data", cu->module_get_function(&data_function, data_module, "kernel"));
	CU_STEP(s, "launch-data", sample_launch(s, data_function));
	CU_STEP(s, "launch-again", sample_launch(s, code_function));
	CU_STEP(s, "set-stack-0", cu->ctx_set_limit(CU_LIMIT_STACK_SIZE, 0));
	CU_TRY(s, "destroy", cu->ctx_destroy(context));
}

/* One thing at a time: flags are tried where no variable is set. */
static bool context_settings_wants(const struct bench *bench, const struct bench_point *point)
{
	return bench_word_is(bench, point, "flags", "auto") ||
	       bench_word_is(bench, point, "setting", "none");
}

static uint64_t context_settings_need_bytes(const struct bench *bench,
					    const struct bench_point *point,
					    const struct device_info *device)
{
	(void)bench;
	(void)point;
	(void)device;
	/* Some of it code and data, in modules whose size is known. */
	return 2 * NEED_LITTLE_BYTES;
}

const struct bench context_settings = {
	.name = "context-settings",
	.question = "What does each variable and each flag save or cost, in bytes and in time?",
	.axes = { { .name = "setting",
		    .kind = AXIS_WORD,
		    .values = "none,max-connections-1,max-connections-2,max-connections-4,"
			      "max-connections-8,max-connections-16,max-connections-32,"
			      "copy-connections-1,copy-connections-8,copy-connections-32,launch-"
			      "queues-quarter,"
			      "launch-queues-half,launch-queues-2x,launch-queues-4x,"
			      "module-loading-lazy,module-loading-eager,data-loading-lazy,"
			      "data-loading-eager,loader-threads-4,default-stack-512,"
			      "launch-blocking,preload-libraries,cache-disable,"
			      "persisting-l2-25,persisting-l2-100,managed-on-device,wait-on-"
			      "exception,coredump",
		    .quick_values = "none,max-connections-1,max-connections-32,launch-queues-4x",
		    .settings = settings },
		  { .name = "flags",
		    .kind = AXIS_WORD,
		    .values = "auto,spin,yield,blocking-sync,map-host,lmem-resize-to-max",
		    .quick_values = "auto,map-host" } },
	.readings = { { "connections" },
		      { "copy_connections" },
		      { "stack_bytes" },
		      { "persisting_l2_bytes" } },
	.laws = { { .component = "connections",
		    .axis = "connections",
		    .step = "create",
		    .is_total = true },
		  { .component = "copy-connections",
		    .axis = "copy_connections",
		    .step = "create",
		    .is_total = true } },
	.components = { { .name = "connections beyond the first, by default",
			  .step = "create",
			  .with = "setting=none,flags=auto",
			  .minus = "setting=max-connections-1,flags=auto",
			  .when = "context creation" } },
	.savings = { { .advice = "set CUDA_DEVICE_MAX_CONNECTIONS to 1",
		       .step = "create",
		       .with = "setting=max-connections-1,flags=auto",
		       .minus = "setting=none,flags=auto",
		       .caveat = "streams no longer run side by side, nor beside copies" } },
	.headline_step = "create",
	.wants = context_settings_wants,
	.need_bytes = context_settings_need_bytes,
	.run = context_settings_run,
};
