/* SPDX-License-Identifier: MIT */
/*
 * Host memory of this process. Resident pages are /proc/self/statm's second field; memory that the
 * GPU driver pins and maps through its device files is no resident page to the kernel, so the
 * lengths of those mappings (/proc/self/maps, files below /dev/nvidia*) are counted apart.
 */
#ifndef HARNESS_HOST_METER_H
#define HARNESS_HOST_METER_H

#include <stdint.h>

/* Both are 0 when /proc cannot be read. */
void host_meter_read(uint64_t *ret_rss_bytes, uint64_t *ret_mapped_bytes);

#endif
