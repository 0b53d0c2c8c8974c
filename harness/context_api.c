/* SPDX-License-Identifier: MIT */
/* The two ways to a context and its limits: the driver API's, and the runtime API's. */
#include "harness/plan.h"
#include "harness/sample.h"

static int driver_create(struct sample *s)
{
	return (int)s->cu.ctx_create(&s->context, 0, s->device);
}

static int driver_set_limit(struct sample *s, CUlimit limit, size_t value)
{
	return (int)s->cu.ctx_set_limit(limit, value);
}

static int driver_get_limit(struct sample *s, CUlimit limit, size_t *ret_value)
{
	return (int)s->cu.ctx_get_limit(ret_value, limit);
}

static int driver_destroy(struct sample *s)
{
	return (int)s->cu.ctx_destroy(s->context);
}

/* From CUDA 12 on cudaSetDevice makes the context; before, the first call that needs it does. */
static int runtime_create(struct sample *s)
{
	cudaError_t error = s->runtime.set_device(s->task->device);

	if (!error)
		error = s->runtime.free(NULL);
	s->has_runtime_context = !error;
	return (int)error;
}

/* enum cudaLimit and CUlimit have the same numbers. */
static int runtime_set_limit(struct sample *s, CUlimit limit, size_t value)
{
	return (int)s->runtime.device_set_limit((enum cudaLimit)limit, value);
}

static int runtime_get_limit(struct sample *s, CUlimit limit, size_t *ret_value)
{
	return (int)s->runtime.device_get_limit(ret_value, (enum cudaLimit)limit);
}

static int runtime_destroy(struct sample *s)
{
	s->has_runtime_context = false;
	return (int)s->runtime.device_reset();
}

static const struct context_api driver_api = {
	.create = driver_create,
	.set_limit = driver_set_limit,
	.get_limit = driver_get_limit,
	.destroy = driver_destroy,
};

static const struct context_api runtime_api = {
	.create = runtime_create,
	.set_limit = runtime_set_limit,
	.get_limit = runtime_get_limit,
	.destroy = runtime_destroy,
};

unsigned int point_libraries(const struct bench *bench, const struct bench_point *point)
{
	if (bench->libraries)
		return bench->libraries(bench, point);
	return bench_word_is(bench, point, "api", "runtime") ? BENCH_RUNTIME : 0;
}

const struct context_api *sample_api(const struct sample *s)
{
	return s->libraries & BENCH_RUNTIME ? &runtime_api : &driver_api;
}
