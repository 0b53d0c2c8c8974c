/* SPDX-License-Identifier: MIT */
#include "trace/tracer.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/trace_limits.h"
#include "harness/clock.h"
#include "trace/call.h"
#include "trace/images.h"
#include "trace/launch.h"
#include "trace/meter.h"
#include "trace/objects.h"
#include "trace/record.h"

/* Resident memory that moves by less is told only beside other things. */
#define HOST_TOLD_BYTES (UINT64_C(1) << 20)

static struct {
	const struct driver *driver;
	_Atomic bool has_ended;
	_Atomic bool uses_pools;
	_Atomic uint64_t told_devices; /* a bit for each */
} tracer;

/* The call that this thread is making. */
static __thread struct {
	bool is_inside; /* calls are our own */
	const struct trace_call *call;
	uint32_t correlation;
	int device;
	struct trace_launch launch;
	struct trace_kernel kernel;
	char uses[TRACE_USES_MAX];
	struct trace_reading before;
} thread __attribute__((tls_model("initial-exec")));

void trace_begin(const struct driver *driver)
{
	tracer.driver = driver;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* ---- before the call ---- */

static int device_of(const struct trace_call *call, const void *parameters)
{
	struct trace_object context;
	CUdevice device;

	if (call->device)
		return trace_int(parameters, call->device);
	if (call->kind == TRACE_CONTEXT &&
	    trace_object_find(trace_word(parameters, call->object), &context) &&
	    context.device != TRACE_NO_DEVICE)
		return context.device;
	if (tracer.driver->ctx_get_device && !tracer.driver->ctx_get_device(&device))
		return device;
	return TRACE_NO_DEVICE;
}

static void fill_readings(struct trace_row *row, const struct trace_reading *before,
			  const struct trace_reading *after)
{
	row->time_ns = before->time_ns;
	row->has_elapsed = true;
	row->elapsed_ns = after->time_ns - before->time_ns;
	row->has_used = before->is_taken && after->is_taken;
	row->used_before_bytes = before->used_bytes;
	row->used_bytes = after->used_bytes;
	row->host_before_bytes = before->host_bytes;
	row->host_rss_bytes = after->host_bytes;
}

static void fill_images(struct trace_row *row)
{
	row->cubin_bytes = trace_images_of(thread.uses, sizeof thread.uses);
	row->uses = thread.uses;
}

static void fill_kernel(struct trace_row *row, uint64_t handle, const char *symbol)
{
	struct trace_object object = { .module = NULL };

	row->object = handle;
	trace_object_find(handle, &object);
	row->module = object.module;
	row->kernel = symbol ? symbol : object.name;
	row->has_local = thread.kernel.has_local;
	row->local_bytes = thread.kernel.local_bytes;
	row->stack_limit_bytes = thread.kernel.stack_limit_bytes;
	fill_images(row);
}

static void load_kernel(const CUpti_CallbackData *data)
{
	struct trace_reading before = trace_meter_read(thread.device), after;
	struct trace_row row = { .event = "load", .call = "cuFuncLoad", .kind = "code" };
	bool is_loaded;

	trace_images_forget();
	is_loaded = trace_launch_load(tracer.driver, thread.launch.handle, &thread.kernel);
	after = trace_meter_read(thread.device);
	trace_launch_describe(tracer.driver, &thread.kernel);
	if (!is_loaded && before.used_bytes == after.used_bytes)
		return;
	row.device = trace_meter_index(thread.device);
	fill_readings(&row, &before, &after);
	fill_kernel(&row, thread.launch.handle, data->symbolName);
	trace_record_write(&row);
}

static void enter(const struct trace_call *call, const CUpti_CallbackData *data)
{
	thread.call = call;
	thread.correlation = data->correlationId;
	thread.device = device_of(call, data->functionParams);
	thread.kernel = (struct trace_kernel){ 0 };
	if (call->kind == TRACE_LAUNCH && thread.device != TRACE_NO_DEVICE)
		load_kernel(data);
	trace_images_forget();
	thread.before = trace_meter_read(thread.device);
}

static bool is_measured(const struct trace_call *call, const CUpti_CallbackData *data)
{
	switch (call->when) {
	case TRACE_NEVER:
		return false;
	case TRACE_POOLED:
		return atomic_load_explicit(&tracer.uses_pools, memory_order_relaxed);
	case TRACE_FIRST:
		return !trace_launch_is_known(call, data->functionParams, data->contextUid,
					      &thread.launch);
	case TRACE_ALWAYS:
		break;
	}
	return true;
}

/* ---- after it ---- */

static const char *image_name(const struct trace_call *call, const void *parameters)
{
	const char *path = trace_pointer(parameters, call->file);

	return path ? trace_file_name(path)
		    : trace_image_name(trace_pointer(parameters, call->image));
}

/* What a context's default stack is made of, once a device. */
static void tell_device(int ordinal)
{
	static const struct {
		const char *name;
		CUdevice_attribute attribute;
	} facts[] = {
		{ "sm_count", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT },
		{ "max_threads_per_sm", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR },
	};
	struct trace_row row = { .event = "fact", .device = trace_meter_index(ordinal) };
	char number[16];
	CUdevice device;
	int value;

	if (row.device == TRACE_NO_DEVICE || tracer.driver->device_get(&device, ordinal) ||
	    atomic_fetch_or(&tracer.told_devices, UINT64_C(1) << row.device) >> row.device & 1)
		return;
	for (size_t i = 0; i < ARRAY_COUNT(facts); i++) {
		if (tracer.driver->device_get_attribute(&value, facts[i].attribute, device))
			continue;
		snprintf(number, sizeof number, "%d", value);
		row.object_name = facts[i].name;
		row.note = number;
		row.time_ns = clock_ns();
		trace_record_write(&row);
	}
}

static void put_result(const struct trace_call *call, const void *parameters)
{
	struct trace_object object = { .device = TRACE_NO_DEVICE }, owner;

	object.handle = trace_result(parameters, call->result);
	object.is_kernel = call->effect == TRACE_MAKES_KERNEL;
	if (call->effect == TRACE_MAKES_CONTEXT) {
		object.device = trace_int(parameters, call->device);
		tell_device(object.device);
	} else if (call->effect == TRACE_MAKES_IMAGE) {
		object.module = image_name(call, parameters);
	} else if (trace_object_find(trace_word(parameters, call->object), &owner)) {
		object.module = owner.module;
		object.name = owner.name;
	}
	if (call->name)
		object.name = trace_pointer(parameters, call->name);
	trace_object_put(&object);
}

static void follow(const struct trace_call *call, const void *parameters)
{
	switch (call->effect) {
	case TRACE_NOTHING:
		break;
	case TRACE_MAKES_CONTEXT:
	case TRACE_MAKES_IMAGE:
	case TRACE_MAKES_FUNCTION:
	case TRACE_MAKES_KERNEL:
		put_result(call, parameters);
		break;
	case TRACE_FORGETS:
		trace_launch_forget();
		break;
	case TRACE_USES_POOL:
		atomic_store_explicit(&tracer.uses_pools, true, memory_order_relaxed);
		break;
	case TRACE_BEGINS_CAPTURE:
		trace_launch_capture(1);
		break;
	case TRACE_ENDS_CAPTURE:
		trace_launch_capture(-1);
		break;
	}
}

static const char *limit_name(int limit)
{
	static const char *const names[] = {
		[CU_LIMIT_STACK_SIZE] = "stack",
		[CU_LIMIT_PRINTF_FIFO_SIZE] = "printf-fifo",
		[CU_LIMIT_MALLOC_HEAP_SIZE] = "malloc-heap",
		[CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = "dev-runtime-sync-depth",
		[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = "dev-runtime-pending-launch-count",
		[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = "max-l2-fetch-granularity",
		[CU_LIMIT_PERSISTING_L2_CACHE_SIZE] = "persisting-l2-cache-size",
	};

	return limit >= 0 && limit < (int)ARRAY_COUNT(names) ? names[limit] : NULL;
}

static void fill_object(struct trace_row *row, const struct trace_call *call,
			const void *parameters, bool is_success)
{
	struct trace_object object;

	if (call->limit) {
		row->object_name = limit_name(trace_int(parameters, call->limit));
		return;
	}
	row->object = is_success && call->result ? trace_result(parameters, call->result)
						 : trace_word(parameters, call->object);
	if (call->kind == TRACE_CODE && trace_object_find(row->object, &object)) {
		row->module = object.module;
		row->kernel = object.name;
	}
}

/* A new context need not be current yet, so it is made so for a moment. */
static uint64_t limit_of_new(uint64_t handle)
{
	struct trace_kernel kernel = { .function = NULL };
	CUcontext before;

	if (!tracer.driver->ctx_get_current || tracer.driver->ctx_get_current(&before) ||
	    tracer.driver->ctx_set_current(trace_handle(handle)))
		return 0;
	trace_launch_describe(tracer.driver, &kernel);
	tracer.driver->ctx_set_current(before);
	return kernel.stack_limit_bytes;
}

static void fill_stack_limit(struct trace_row *row, const struct trace_call *call)
{
	struct trace_kernel kernel = { .function = NULL };

	if (call->effect == TRACE_MAKES_CONTEXT && !row->error) {
		row->stack_limit_bytes = limit_of_new(row->object);
	} else if (call->limit) {
		trace_launch_describe(tracer.driver, &kernel);
		row->stack_limit_bytes = kernel.stack_limit_bytes;
	}
}

/* Some programs ask for what no device has, to be refused. */
static void fill_request(struct trace_row *row, const struct trace_call *call,
			 const void *parameters)
{
	uint64_t times = call->times ? trace_word(parameters, call->times) : 1;

	if (!call->size)
		return;
	row->has_requested = !__builtin_mul_overflow(trace_word(parameters, call->size), times,
						     &row->requested_bytes) &&
			     row->requested_bytes <= TRACE_NUMBER_MAX;
	if (!row->has_requested)
		row->note = "asked for more than can be written";
}

static bool is_told(const struct trace_call *call, const struct trace_row *row)
{
	bool is_again = call->when == TRACE_FIRST && !thread.launch.is_new;

	return (call->is_told && !is_again) || row->error ||
	       (row->has_used && row->used_before_bytes != row->used_bytes) ||
	       distance(row->host_before_bytes, row->host_rss_bytes) >= HOST_TOLD_BYTES;
}

static void leave(const struct trace_call *call, const CUpti_CallbackData *data)
{
	struct trace_reading after = trace_meter_read(thread.device);
	const void *parameters = data->functionParams;
	char error_name[DRIVER_ERROR_MAX];
	int error = *(const int *)data->functionReturnValue;
	struct trace_row row = { .event = call->kind == TRACE_LAUNCH ? "launch" : "call" };

	row.call = call->symbol;
	row.kind = trace_kind_name(call->kind);
	row.device = trace_meter_index(thread.device);
	fill_readings(&row, &thread.before, &after);
	fill_request(&row, call, parameters);
	if (error)
		row.error = driver_error_name(tracer.driver, error, error_name);
	else
		follow(call, parameters);
	fill_object(&row, call, parameters, !error);
	if (call->when == TRACE_FIRST)
		fill_kernel(&row, thread.launch.handle, data->symbolName);
	else
		fill_images(&row);
	fill_stack_limit(&row, call);
	if (is_told(call, &row))
		trace_record_write(&row);
}

/* ---- what CUPTI calls ---- */

static void see_call(const struct trace_call *call, const CUpti_CallbackData *data)
{
	if (data->callbackSite == CUPTI_API_ENTER) {
		/* What the driver itself calls meanwhile is part of the call. */
		if (!thread.call && is_measured(call, data))
			enter(call, data);
	} else if (thread.call && data->correlationId == thread.correlation) {
		leave(call, data);
		thread.call = NULL;
	} else if (call->when == TRACE_NEVER && !*(const int *)data->functionReturnValue) {
		follow(call, data->functionParams);
	}
}

static void see_image(CUpti_CallbackId number, const CUpti_ResourceData *data)
{
	const CUpti_ModuleResourceData *module = data->resourceDescriptor;

	if (number == CUPTI_CBID_RESOURCE_MODULE_LOADED && module)
		trace_images_add(module->pCubin, module->cubinSize);
}

void CUPTIAPI trace_callback(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId number,
			     const void *data)
{
	const struct trace_call *call;
	int error = errno;

	(void)unused;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
		see_image(number, data);
	} else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && !thread.is_inside) {
		call = trace_call_of(number);
		thread.is_inside = true;
		if (call && !atomic_load_explicit(&tracer.has_ended, memory_order_relaxed))
			see_call(call, data);
		thread.is_inside = false;
	}
	errno = error;
}

void trace_end(void)
{
	struct trace_reading reading = trace_meter_read(TRACE_NO_DEVICE);
	struct trace_row row = { .event = "exit", .device = TRACE_NO_DEVICE };

	row.time_ns = reading.time_ns;
	row.host_rss_bytes = reading.host_bytes;
	trace_record_write(&row);
	atomic_store(&tracer.has_ended, true);
	trace_meter_close();
}
