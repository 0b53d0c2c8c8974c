/* SPDX-License-Identifier: MIT */
/*
 * Host memory of this process. Resident pages and those of them that are shared are the second and
 * third field of /proc/self/statm. Memory that the GPU driver maps through its device files is no
 * resident page to the kernel, so the lengths of those mappings (/proc/self/maps, files below
 * /dev/nvidia*) are counted apart.
 */
#ifndef HARNESS_HOST_METER_H
#define HARNESS_HOST_METER_H

#include <stdint.h>

struct host_reading {
	uint64_t rss_bytes;
	uint64_t shared_bytes; /* the part of it that files or shared memory back */
	uint64_t mapped_bytes; /* through the GPU's device files */
};

/* All 0 when /proc cannot be read. */
struct host_reading host_meter_read(void);

/* rss_bytes alone, which costs some microseconds however much is mapped. */
uint64_t host_meter_rss_bytes(void);

#endif
