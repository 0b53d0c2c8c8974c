/* SPDX-License-Identifier: MIT */
/*
 * What the driver's handles are: which image a module or library was loaded from, of which module a
 * function is and how it is called. Asked and told from any thread.
 */
#ifndef TRACE_OBJECTS_H
#define TRACE_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/* Owned here and never freed, as a row may be about to tell it. */
struct trace_object {
	uint64_t handle;
	const char *module; /* name of the program, shared object or file the image is from */
	const char *name;   /* of a function or kernel, else NULL */
	bool is_kernel;     /* what can be launched, but is no function of a context */
	int device;         /* ordinal, of a context; else TRACE_NO_DEVICE */
};

/*
 * Name of an image in memory: the file that the memory is mapped from, else "image N", by the order
 * in which images came.
 */
const char *trace_image_name(const void *image);

/* The last part of a path; a copy that stays. */
const char *trace_file_name(const char *path);

/* Replaces what was said of the handle before. Texts are copied. */
void trace_object_put(const struct trace_object *object);

/* False where nothing has been said of it. */
bool trace_object_find(uint64_t handle, struct trace_object *ret_object);

#endif
