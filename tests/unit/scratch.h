/* SPDX-License-Identifier: MIT */
/*
 * A file that is gone by itself when the test ends: it lives in memory and has a path as long as it
 * is open. scratch_open() -> scratch_fill() as often as needed -> scratch_close().
 */
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include "tests/unit/check.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct scratch {
	int fd; /* O_APPEND */
	char path[64];
};

static inline struct scratch scratch_open(void)
{
	struct scratch scratch = { .fd = memfd_create("cuctx-test", MFD_CLOEXEC) };

	assert_true(scratch.fd >= 0);
	assert_int_equal(fcntl(scratch.fd, F_SETFL, O_APPEND), 0);
	snprintf(scratch.path, sizeof scratch.path, "/proc/self/fd/%d", scratch.fd);
	return scratch;
}

/* Replaces what the file holds. */
static inline void scratch_fill(const struct scratch *scratch, const void *bytes, size_t size)
{
	assert_int_equal(ftruncate(scratch->fd, 0), 0);
	assert_int_equal(write(scratch->fd, bytes, size), size);
}

static inline size_t scratch_size(const struct scratch *scratch)
{
	struct stat status;

	assert_int_equal(fstat(scratch->fd, &status), 0);
	return (size_t)status.st_size;
}

static inline void scratch_close(struct scratch *scratch)
{
	close(scratch->fd);
	scratch->fd = -1;
}

#endif
