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
 *   flags   0x2000 LZ4, 0x8000 Zstandard
 *
 * fatbin_find() -> look at the image -> fatbin_release().
 */
#ifndef KERNELS_FATBIN_H
#define KERNELS_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct fatbin_image {
	const void *image; /* a cubin */
	size_t bytes;
	void *owned; /* where it had to be uncompressed */
};

enum fatbin_packing {
	FATBIN_PLAIN,
	FATBIN_LZ4,
	FATBIN_ZSTD,
	FATBIN_PACKED, /* in a way that nobody knows */
};

/* One of the images, as it lies in the fat binary. */
struct fatbin_entry {
	bool is_cubin; /* else PTX, or what nobody knows */
	bool is_ptx;
	enum fatbin_packing packing;
	unsigned int architecture; /* 90 for sm_90 or compute_90 */
	const void *payload;
	uint64_t payload_bytes; /* without padding where it is compressed */
	uint64_t plain_bytes;   /* once uncompressed */
};

/* What is left to be walked: fatbin_open() -> fatbin_next() until it returns 0. */
struct fatbin_walk {
	const unsigned char *at;
	uint64_t left_bytes;
};

/*
 * Nothing behind `limit_bytes` is read. 0, or -EBADMSG when this is no fat binary or ends behind
 * the limit. `walk->at` + `walk->left_bytes` is its end from the start.
 */
int fatbin_open(struct fatbin_walk *walk, const void *fatbin, uint64_t limit_bytes,
		struct err *reterr);
/* 1 with *ret_entry filled, 0 at the end, -EBADMSG where a length points outside. */
int fatbin_next(struct fatbin_walk *walk, struct fatbin_entry *ret_entry, struct err *reterr);
/* Larger images are not uncompressed: they are no modules, and memory is not meant for them. */
#define FATBIN_PLAIN_BYTES_MAX ((uint64_t)1 << 30)
/* Its bytes as they were before they were compressed. -ENOTSUP, -EBADMSG, -ENOMEM as below. */
int fatbin_unpack(struct fatbin_image *found, const struct fatbin_entry *entry, struct err *reterr);

/* By the first bytes, of which there must be so many. */
#define FATBIN_MAGIC_BYTES ((size_t)4)
bool fatbin_is_one(const void *image);

/* Whether a cubin for one architecture runs on a device of another. */
bool fatbin_runs_on(unsigned int image, unsigned int device);

/*
 * The cubin that a device of this architecture (90) runs: same major version, and of those the
 * newest minor one that is not above its own. -ENOENT when there is none, -EBADMSG when this is no
 * fat binary or a length points outside it, -ENOTSUP where it is compressed in a way that this
 * build cannot read, -ENOMEM.
 */
int fatbin_find(struct fatbin_image *found, const void *fatbin, unsigned int architecture,
		struct err *reterr);
void fatbin_release(struct fatbin_image *image);

#endif
