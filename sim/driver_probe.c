/* SPDX-License-Identifier: MIT */
/* Who looks on: the injection library, which cuInit loads, and who has subscribed to calls. */
#include "sim/driver_probe.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(const struct probe *) probe;
static _Atomic uint32_t call_count;

/* Set while one of those who are told calls the driver itself. */
static _Thread_local bool is_telling;

/* Copies of what the call in flight has read, newest first: it tells of them once it is over. */
struct probe_image {
	struct probe_image *next;
	size_t size;
	char bytes[];
};

static _Thread_local struct probe_image *images;

__attribute__((visibility("default"))) void cuctx_simulated_probe(const struct probe *new_probe);

void cuctx_simulated_probe(const struct probe *new_probe)
{
	atomic_store(&probe, new_probe);
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

static void tell_image(const struct probe_image *image)
{
	const struct probe *told = atomic_load(&probe);

	if (!told)
		return;
	is_telling = true;
	told->tell_image(image->bytes, image->size);
	is_telling = false;
}

static void end_images(bool are_loaded)
{
	struct probe_image *image = images, *next;

	/* Who is told calls the driver, which comes here again. */
	images = NULL;
	for (; image; image = next) {
		next = image->next;
		if (are_loaded)
			tell_image(image);
		free(image);
	}
}

CUresult driver_leave(struct driver_frame *frame, CUresult result)
{
	end_images(result == CUDA_SUCCESS);
	if (frame->is_told) {
		frame->call.is_over = true;
		frame->call.result = &result;
		tell(frame);
	}
	return result;
}

void driver_keep_image(const void *bytes, size_t size)
{
	struct probe_image *image;

	if (is_telling || !atomic_load(&probe))
		return;
	image = malloc(sizeof *image + size);
	if (!image)
		return;
	image->next = images;
	image->size = size;
	memcpy(image->bytes, bytes, size);
	images = image;
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
