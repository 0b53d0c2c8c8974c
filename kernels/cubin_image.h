/* SPDX-License-Identifier: MIT */
#ifndef KERNELS_CUBIN_IMAGE_H
#define KERNELS_CUBIN_IMAGE_H

#include <stdint.h>

/*
 * The end of an ELF image's last section, section table or program table. Reads nothing behind
 * `limit` bytes. Returns 0 when the image is no 64-bit little-endian ELF file or would reach beyond
 * the limit.
 */
uint64_t cubin_image_end(const void *image, uint64_t limit);

#endif
