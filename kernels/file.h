/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_FILE_H
#define KERNELS_FILE_H

#include <stddef.h>

#include "base/err.h"

struct file_map {
	const void *image;
	size_t bytes;
};

/*
 * A regular file that is not empty, mapped read-only: file_map() -> file_unmap(). Returns 0, -errno
 * of open/mmap, or -EBADMSG.
 */
int file_map(struct file_map *map, const char *path, struct err *reterr);
void file_unmap(struct file_map *map);

#endif
