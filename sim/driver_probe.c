/* SPDX-License-Identifier: MIT */
/* Who looks on: the injection library, which cuInit loads, and who has subscribed to calls. */
#include "sim/driver_probe.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(const struct probe *) probe;
static _Atomic uint32_t call_count;

/* Set while one of those who are told calls the driver itself. */
static _Thread_local bool is_telling;

__attribute__((visibility("default"))) void cuctx_simulated_probe(const struct probe *new_probe);

void cuctx_simulated_probe(const struct probe *new_probe)
{
	atomic_store(&probe, new_probe);
}

bool driver_is_probed(void)
{
	return atomic_load(&probe) != NULL;
}

static void tell(struct driver_frame *frame)
{
	const struct probe *told = atomic_load(&probe);

	if (!told)
		return;
	is_telling = true;
	told->tell_call(&frame->call);
	is_telling = false;
}

void driver_enter(struct driver_frame *frame, enum driver_number number, const void *parameters)
{
	frame->is_told = !is_telling && atomic_load(&probe) != NULL;
	if (!frame->is_told)
		return;
	frame->data = 0;
	frame->call = (struct probe_call){ .number = number,
					   .parameters = parameters,
					   .context = driver_current_context(),
					   .serial = atomic_fetch_add(&call_count, 1) + 1,
					   .data = &frame->data };
	if (number == DRIVER_NUMBER_cuLaunchKernel)
		frame->call.kernel = driver_kernel_name(*(const CUfunction *)parameters);
	tell(frame);
}

CUresult driver_leave(struct driver_frame *frame, CUresult result)
{
	if (frame->is_told) {
		frame->call.is_over = true;
		frame->call.result = &result;
		tell(frame);
	}
	return result;
}

void driver_tell_image(const void *image, size_t size)
{
	const struct probe *told = atomic_load(&probe);

	if (told && !is_telling)
		told->tell_image(image, size);
}

void driver_inject(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *library = path && *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*initialize)(void);

	/* Where there is no such library, or not such a one, the driver says nothing. */
	*(void **)&initialize = library ? dlsym(library, "InitializeInjection") : NULL;
	if (initialize)
		initialize();
}
