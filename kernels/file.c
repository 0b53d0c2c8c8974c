/* SPDX-License-Identifier: MIT */
#include "kernels/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int file_map(struct file_map *map, const char *path, struct err *reterr)
{
	/* Else the open of a pipe waits for somebody who writes. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), r = 0;
	struct stat status;
	void *image;

	if (fd < 0)
		return err_errno(reterr, errno, "%s", path);
	if (fstat(fd, &status)) {
		r = err_errno(reterr, errno, "%s", path);
		goto close_file;
	}
	if (!S_ISREG(status.st_mode) || !status.st_size) {
		r = err_set(reterr, EBADMSG, "%s: not a module: %s", path,
			    status.st_size ? "not a regular file" : "empty");
		goto close_file;
	}
	image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		r = err_errno(reterr, errno, "%s", path);
	else
		*map = (struct file_map){ .image = image, .bytes = (size_t)status.st_size };
close_file:
	close(fd);
	return r;
}

void file_unmap(struct file_map *map)
{
	munmap((void *)(uintptr_t)map->image, map->bytes);
	*map = (struct file_map){ 0 };
}
