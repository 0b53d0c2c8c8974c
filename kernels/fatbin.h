/* SPDX-License-Identifier: MIT */
/*
 * The modules in a fat binary, as `fatbinary` writes it: a header, then one entry for each image.
 *
 * Nobody but NVIDIA says what the fields mean; these are what files show that were made of known
 * images, with and without compression:
 *   header  magic (32 bits), version (16), bytes of the header (16), bytes of all entries (64)
 *   entry   0 kind (16) · 4 bytes of its header (32) · 8 bytes of its payload, padded (64) ·
 *           16 bytes that are compressed (32) · 28 architecture (32) · 40 flags (64) ·
 *           56 bytes once uncompressed (64)
 *
 * fatbin_find() -> look at the image -> fatbin_release().
 */
#ifndef KERNELS_FATBIN_H
#define KERNELS_FATBIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct fatbin_image {
	const void *image; /* a cubin */
	size_t bytes;
	void *owned; /* where it had to be uncompressed */
};

/* By the first bytes, of which there must be four. */
bool fatbin_is_one(const void *image);

/*
 * The cubin that a device of this architecture (90) runs: same major version, and of those the
 * newest minor one that is not above its own. -ENOENT when there is none, -EBADMSG when this is no
 * fat binary or a length points outside it, -ENOTSUP where it is compressed in a way that is not
 * LZ4, -ENOMEM.
 */
int fatbin_find(struct fatbin_image *found, const void *fatbin, unsigned int architecture,
		struct err *reterr);
void fatbin_release(struct fatbin_image *image);

#endif
