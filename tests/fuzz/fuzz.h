/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput(), which reads
 * bytes that could be anything and demands what must be so of whatever came out. replay.c runs it
 * over files, libFuzzer over what it makes of them.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the process in a way that a fuzzer takes for a finding. */
#define FUZZ_DEMAND(condition)                                                                  \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                               \
	} while (0)

/* A file in memory; its path is good until the process ends. */
struct fuzz_file {
	int fd;
	char path[64];
};

static inline void fuzz_file_open(struct fuzz_file *file)
{
	file->fd = memfd_create("cuctx-fuzz", MFD_CLOEXEC);
	FUZZ_DEMAND(file->fd >= 0);
	snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
}

/* Replaces what the file holds. */
static inline void fuzz_file_fill(const struct fuzz_file *file, const void *bytes, size_t size)
{
	FUZZ_DEMAND(!ftruncate(file->fd, 0));
	FUZZ_DEMAND(pwrite(file->fd, bytes, size, 0) == (ssize_t)size);
}

/* A failure is a line that a terminal can show, and says of which file it speaks. */
static inline void fuzz_check_error(int r, const struct err *err, const char *path)
{
	FUZZ_DEMAND(r < 0);
	FUZZ_DEMAND(err->text[0]);
	FUZZ_DEMAND(!path || strstr(err->text, path));
	for (const char *c = err->text; *c; c++)
		FUZZ_DEMAND((unsigned char)*c >= ' ' && *c != 0x7f);
}

#endif
