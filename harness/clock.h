/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_CLOCK_H
#define HARNESS_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC, the same in all processes of a machine. */
static inline uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void clock_sleep_ns(uint64_t duration_ns)
{
	struct timespec rest = { .tv_sec = (time_t)(duration_ns / 1000000000u),
				 .tv_nsec = (long)(duration_ns % 1000000000u) };

	nanosleep(&rest, NULL);
}

#endif
