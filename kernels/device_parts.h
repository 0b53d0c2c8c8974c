/* SPDX-License-Identifier: MIT */
/*
 * Where in a file there may be code for a GPU. It is a cubin or a fat binary itself; or an object,
 * executable or shared library of a host, where nvcc puts fat binaries one behind the other into
 * the section .nv_fatbin, or __nv_relfatbin where device code is still to be linked; or an archive
 * of such objects.
 *
 * device_parts_find() -> look at the items -> device_parts_free(), before the file is unmapped
 */
#ifndef KERNELS_DEVICE_PARTS_H
#define KERNELS_DEVICE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct device_part {
	bool is_cubin;     /* else fat binaries, with zeros between them */
	bool is_unlinked;  /* in __nv_relfatbin: no driver loads it as it is */
	const void *bytes; /* in the file */
	uint64_t size;
	char *member; /* of an archive; else NULL; owned */
};

struct device_parts {
	struct device_part *items; /* owned */
	size_t count;
	size_t size;
};

/*
 * None is a fine answer, of a program without device code. -EBADMSG for a file of another kind, one
 * that is cut short, or a header that points outside it; -ENOMEM. `path` is for the message.
 */
int device_parts_find(struct device_parts *parts, const void *image, size_t image_bytes,
		      const char *path, struct err *reterr);
void device_parts_free(struct device_parts *parts);

#endif
