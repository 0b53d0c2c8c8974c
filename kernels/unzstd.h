/* SPDX-License-Identifier: MIT */
/*
 * Zstandard, the compression of fat binaries by default since CUDA 13, through libzstd. A build
 * that has found no libzstd has this all the same, and cannot do it.
 */
#ifndef KERNELS_UNZSTD_H
#define KERNELS_UNZSTD_H

#include <stdbool.h>
#include <stddef.h>

bool unzstd_is_here(void);

/* False unless what is packed has exactly `plain_bytes`. */
bool unzstd(const void *packed, size_t packed_bytes, void *plain, size_t plain_bytes);

#endif
