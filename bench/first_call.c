/* SPDX-License-Identifier: MIT */
/*
 * One call in a fresh process: does it make the context, and what does it take? Then "rest" makes
 * the primary context in the usual way, so what the call had already paid for shows as what is not
 * paid again: first-call + rest is a context, whichever call came first. The one exception is
 * cuCtxCreate, whose context is another one than the primary.
 */
#include "bench/need.h"
#include "harness/bench.h"

#include "base/array.h"

/* Of the stack, per thread, as contexts have it anyway; so that only the call itself may cost. */
#define USUAL_STACK_BYTES 1024

/* What allocators take of the device at a time, so that no call is served from another's rest. */
#define BUFFER_BYTES ((size_t)2 << 20)

/* Room for the struct of any runtime; that of CUDA 13 has 1,008 bytes. */
union device_properties {
	max_align_t aligned;
	char bytes[16384];
};

static int call_device_count(struct sample *s)
{
	int count;

	return (int)sample_driver(s)->device_get_count(&count);
}

static int call_device_name(struct sample *s)
{
	char name[96];

	return (int)sample_driver(s)->device_get_name(name, sizeof name, sample_device(s));
}

static int call_device_total_mem(struct sample *s)
{
	size_t bytes;

	return (int)sample_driver(s)->device_total_mem(&bytes, sample_device(s));
}

static int call_device_attribute(struct sample *s)
{
	int value;

	return (int)sample_driver(s)->device_get_attribute(
		&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, sample_device(s));
}

static int call_primary_state(struct sample *s)
{
	unsigned int flags;
	int is_active;

	return (int)sample_driver(s)->device_primary_ctx_get_state(sample_device(s), &flags,
								   &is_active);
}

static int call_primary_retain(struct sample *s)
{
	CUcontext context;

	return (int)sample_driver(s)->device_primary_ctx_retain(&context, sample_device(s));
}

static int call_ctx_create(struct sample *s)
{
	CUcontext context;

	return (int)sample_driver(s)->ctx_create(&context, 0, sample_device(s));
}

static int call_mem_get_info(struct sample *s)
{
	size_t free_bytes, total_bytes;

	return (int)sample_driver(s)->mem_get_info(&free_bytes, &total_bytes);
}

static int call_runtime_driver_version(struct sample *s)
{
	int version;

	return (int)sample_runtime(s)->driver_get_version(&version);
}

static int call_runtime_last_error(struct sample *s)
{
	return (int)sample_runtime(s)->get_last_error();
}

static int call_runtime_device_count(struct sample *s)
{
	int count;

	return (int)sample_runtime(s)->get_device_count(&count);
}

static int call_runtime_properties(struct sample *s)
{
	union device_properties properties;

	return (int)sample_runtime(s)->get_device_properties(&properties, sample_ordinal(s));
}

static int call_runtime_attribute(struct sample *s)
{
	int value;

	return (int)sample_runtime(s)->device_get_attribute(&value, cudaDevAttrMultiProcessorCount,
							    sample_ordinal(s));
}

static int call_runtime_set_device(struct sample *s)
{
	return (int)sample_runtime(s)->set_device(sample_ordinal(s));
}

static int call_runtime_init_device(struct sample *s)
{
	return (int)sample_runtime(s)->init_device(sample_ordinal(s), 0, 0);
}

static int call_runtime_mem_get_info(struct sample *s)
{
	size_t free_bytes, total_bytes;

	return (int)sample_runtime(s)->mem_get_info(&free_bytes, &total_bytes);
}

static int call_runtime_free(struct sample *s)
{
	return (int)sample_runtime(s)->free(NULL);
}

static int call_runtime_malloc(struct sample *s)
{
	void *pointer;

	return (int)sample_runtime(s)->malloc(&pointer, BUFFER_BYTES);
}

static int call_runtime_host_alloc(struct sample *s)
{
	void *pointer;

	return (int)sample_runtime(s)->host_alloc(&pointer, BUFFER_BYTES, cudaHostAllocDefault);
}

static int call_runtime_synchronize(struct sample *s)
{
	return (int)sample_runtime(s)->device_synchronize();
}

static int call_runtime_set_limit(struct sample *s)
{
	return (int)sample_runtime(s)->device_set_limit(cudaLimitStackSize, USUAL_STACK_BYTES);
}

static int call_runtime_get_limit(struct sample *s)
{
	size_t bytes;

	return (int)sample_runtime(s)->device_get_limit(&bytes, cudaLimitStackSize);
}

static int call_runtime_stream_create(struct sample *s)
{
	cudaStream_t stream;

	return (int)sample_runtime(s)->stream_create(&stream);
}

static int call_runtime_reset(struct sample *s)
{
	return (int)sample_runtime(s)->device_reset();
}

/* CALL(documented name, function, libraries, whether it makes no context but needs one) */
#define CALLS(CALL)                                                                   \
	CALL(cuDeviceGetCount, call_device_count, 0, false)                           \
	CALL(cuDeviceGetName, call_device_name, 0, false)                             \
	CALL(cuDeviceTotalMem, call_device_total_mem, 0, false)                       \
	CALL(cuDeviceGetAttribute, call_device_attribute, 0, false)                   \
	CALL(cuDevicePrimaryCtxGetState, call_primary_state, 0, false)                \
	CALL(cuDevicePrimaryCtxRetain, call_primary_retain, 0, false)                 \
	CALL(cuCtxCreate, call_ctx_create, 0, false)                                  \
	CALL(cuMemGetInfo, call_mem_get_info, 0, true)                                \
	CALL(cudaDriverGetVersion, call_runtime_driver_version, BENCH_RUNTIME, false) \
	CALL(cudaGetLastError, call_runtime_last_error, BENCH_RUNTIME, false)         \
	CALL(cudaGetDeviceCount, call_runtime_device_count, BENCH_RUNTIME, false)     \
	CALL(cudaGetDeviceProperties, call_runtime_properties, BENCH_RUNTIME, false)  \
	CALL(cudaDeviceGetAttribute, call_runtime_attribute, BENCH_RUNTIME, false)    \
	CALL(cudaSetDevice, call_runtime_set_device, BENCH_RUNTIME, false)            \
	CALL(cudaInitDevice, call_runtime_init_device, BENCH_RUNTIME, false)          \
	CALL(cudaMemGetInfo, call_runtime_mem_get_info, BENCH_RUNTIME, false)         \
	CALL(cudaFree, call_runtime_free, BENCH_RUNTIME, false)                       \
	CALL(cudaMalloc, call_runtime_malloc, BENCH_RUNTIME, false)                   \
	CALL(cudaHostAlloc, call_runtime_host_alloc, BENCH_RUNTIME, false)            \
	CALL(cudaDeviceSynchronize, call_runtime_synchronize, BENCH_RUNTIME, false)   \
	CALL(cudaDeviceSetLimit, call_runtime_set_limit, BENCH_RUNTIME, false)        \
	CALL(cudaDeviceGetLimit, call_runtime_get_limit, BENCH_RUNTIME, false)        \
	CALL(cudaStreamCreate, call_runtime_stream_create, BENCH_RUNTIME, false)      \
	CALL(cudaDeviceReset, call_runtime_reset, BENCH_RUNTIME, false)               \
	CALL(nvmlDeviceGetMemoryInfo, sample_nvml_memory, BENCH_NVML, false)

#define WORD(word, ...) "," #word
#define ROW(word, ...)  { #word, __VA_ARGS__ },

static const struct first_call {
	const char *word;
	int (*make)(struct sample *s);
	unsigned int libraries;
	bool needs_context;
} calls[] = { CALLS(ROW) };

static bool take_step(struct sample *s, const struct first_call *call, const char *step)
{
	return call->needs_context ? CU_FAULT(s, step, call->make(s))
				   : CU_STEP(s, step, call->make(s));
}

static int read_is_active(struct sample *s)
{
	unsigned int flags;
	int is_active;
	CUresult error = sample_driver(s)->device_primary_ctx_get_state(sample_device(s), &flags,
									&is_active);

	if (!error)
		sample_read(s, "primary_active", (uint64_t)is_active);
	return (int)error;
}

static int use_primary(struct sample *s)
{
	const struct driver *cu = sample_driver(s);
	CUcontext context;
	CUresult error = cu->device_primary_ctx_retain(&context, sample_device(s));

	return (int)(error ? error : cu->ctx_set_current(context));
}

static void first_call_run(struct sample *s)
{
	const struct context_api *api = sample_api(s);

	for (size_t i = 0; i < ARRAY_COUNT(calls); i++) {
		if (!sample_word_is(s, "call", calls[i].word))
			continue;
		take_step(s, &calls[i], "first-call");
		take_step(s, &calls[i], "same-call-again");
		CU_STEP(s, "is-active", read_is_active(s));
		if (calls[i].libraries & BENCH_RUNTIME) {
			CU_TRY(s, "rest", api->create(s));
			CU_TRY(s, "reset", api->destroy(s));
		} else {
			CU_TRY(s, "rest", use_primary(s));
			CU_TRY(s, "reset",
			       sample_driver(s)->device_primary_ctx_reset(sample_device(s)));
		}
	}
}

static unsigned int first_call_libraries(const struct bench *bench, const struct bench_point *point)
{
	for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
		if (bench_word_is(bench, point, "call", calls[i].word))
			return calls[i].libraries;
	return 0;
}

static const char *first_call_obstacle(const struct bench *bench, const struct bench_point *point,
				       const struct device_info *device)
{
	if (bench_word_is(bench, point, "call", "cudaInitDevice") && !device->has_init_device)
		return "the runtime has no cudaInitDevice, which is new in CUDA 12.0";
	return NULL;
}

static uint64_t first_call_need_bytes(const struct bench *bench, const struct bench_point *point,
				      const struct device_info *device)
{
	(void)bench;
	(void)point;
	(void)device;
	return NEED_LITTLE_BYTES;
}

const struct bench first_call = {
	.name = "first-call",
	.question = "Which call of a fresh process makes its context, and what does it take?",
	.axes = { { .name = "call",
		    .kind = AXIS_WORD,
		    .values = &CALLS(WORD)[1],
		    .quick_values =
			    "cuDevicePrimaryCtxRetain,cudaGetDeviceProperties,cudaSetDevice,"
			    "cudaFree,nvmlDeviceGetMemoryInfo" } },
	.readings = { { "primary_active" } },
	.no_law = "which call comes first is a choice, not a quantity",
	.headline_step = "first-call",
	.libraries = first_call_libraries,
	.obstacle = first_call_obstacle,
	.need_bytes = first_call_need_bytes,
	.run = first_call_run,
};
