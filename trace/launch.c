/* SPDX-License-Identifier: MIT */
#include "trace/launch.h"

#include <stdatomic.h>

#include "trace/objects.h"
#include "trace/seen.h"

/* With less than this free, a kernel's code is left to its launch, whose error the program expects.
 */
#define ROOM_BYTES (UINT64_C(1) << 30)

static struct seen seen; /* since code went away last */
static struct seen told; /* ever */
static _Atomic unsigned int generation = 1;
static _Atomic int capture_count;

static __thread struct {
	uint64_t handle;
	uint64_t context;
	unsigned int generation;
} last __attribute__((tls_model("initial-exec")));

static bool is_last(uint64_t handle, uint64_t context)
{
	return last.handle == handle && last.context == context &&
	       last.generation == atomic_load_explicit(&generation, memory_order_relaxed);
}

bool trace_launch_is_known(const struct trace_call *call, const void *parameters, uint64_t context,
			   struct trace_launch *ret_launch)
{
	uint64_t handle = trace_word(parameters, call->function);
	bool is_launch = call->kind == TRACE_LAUNCH;
	uint64_t key;

	if (is_launch && is_last(handle, context))
		return true;
	if (atomic_load_explicit(&capture_count, memory_order_relaxed) > 0)
		return true;
	/* All ways to launch a kernel are one; other calls are asked about one by one. */
	key = seen_key(handle, seen_key(context, is_launch ? 0 : (uint64_t)(uintptr_t)call));
	if (!seen_add(&seen, key)) {
		*ret_launch = (struct trace_launch){ handle, key, !seen_add(&told, key) };
		return false;
	}
	if (is_launch) {
		last.handle = handle;
		last.context = context;
		last.generation = atomic_load(&generation);
	}
	return true;
}

void trace_launch_forget(void)
{
	atomic_fetch_add(&generation, 1);
	seen_clear(&seen);
}

void trace_launch_capture(int more_or_less)
{
	atomic_fetch_add(&capture_count, more_or_less);
}

static CUfunction function_of(const struct driver *driver, uint64_t handle)
{
	struct trace_object object;
	CUfunction function = NULL;

	if (!trace_object_find(handle, &object) || !object.is_kernel)
		return trace_handle(handle);
	if (!driver->kernel_get_function ||
	    driver->kernel_get_function(&function, trace_handle(handle)))
		return NULL;
	return function;
}

static bool has_room(const struct driver *driver)
{
	size_t free_bytes, total_bytes;

	return !driver->mem_get_info(&free_bytes, &total_bytes) && free_bytes >= ROOM_BYTES;
}

bool trace_launch_load(const struct driver *driver, uint64_t handle,
		       struct trace_kernel *ret_kernel)
{
	int state = 0;

	*ret_kernel = (struct trace_kernel){ 0 };
	if (!has_room(driver))
		return false;
	ret_kernel->function = function_of(driver, handle);
	if (!ret_kernel->function || !driver->func_load || !driver->func_is_loaded ||
	    driver->func_is_loaded(&state, ret_kernel->function) || state)
		return false;
	return !driver->func_load(ret_kernel->function);
}

void trace_launch_describe(const struct driver *driver, struct trace_kernel *kernel)
{
	size_t limit;
	int local;

	if (kernel->function && driver->func_get_attribute &&
	    !driver->func_get_attribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
					kernel->function)) {
		kernel->has_local = true;
		kernel->local_bytes = (uint64_t)local;
	}
	if (!driver->ctx_get_limit(&limit, CU_LIMIT_STACK_SIZE))
		kernel->stack_limit_bytes = limit;
}
