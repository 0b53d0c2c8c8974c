/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_LZ4_H
#define KERNELS_LZ4_H

#include <stdbool.h>
#include <stddef.h>

/* No byte of an LZ4 block stands for more than this many. */
#define LZ4_FACTOR_MAX 255

/*
 * Uncompresses one LZ4 block, https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md. False
 * unless it makes exactly `plain_bytes`; nothing is read or written outside the two.
 */
bool lz4_uncompress(const void *packed, size_t packed_bytes, void *plain, size_t plain_bytes);

#endif
