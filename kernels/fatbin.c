/* SPDX-License-Identifier: MIT */
#include "kernels/fatbin.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/lz4.h"
#include "kernels/unzstd.h"

#define FATBIN_MAGIC    UINT32_C(0xba55ed50)
#define KIND_PTX        1
#define KIND_CUBIN      2
#define FLAG_LZ4        UINT64_C(0x2000)
#define FLAG_ZSTD       UINT64_C(0x8000)
#define FLAG_COMPRESSED UINT64_C(0xf000) /* these or another way */
#define ZSTD_FACTOR_MAX 65536            /* a block of four bytes can stand for 128 KiB */

struct header {
	uint32_t magic;
	uint16_t version;
	uint16_t header_bytes;
	uint64_t entries_bytes;
};

struct entry {
	uint16_t kind;
	uint16_t version;
	uint32_t header_bytes;
	uint64_t payload_bytes;
	uint32_t packed_bytes;
	uint32_t options_offset;
	uint16_t minor;
	uint16_t major;
	uint32_t architecture;
	uint32_t name_offset;
	uint32_t name_bytes;
	uint64_t flags;
	uint64_t reserved;
	uint64_t plain_bytes;
};

static int damaged(struct err *reterr, const char *what)
{
	return err_set(reterr, EBADMSG, "damaged fat binary: %s", what);
}

bool fatbin_is_one(const void *image)
{
	uint32_t magic;

	memcpy(&magic, image, sizeof magic);
	return magic == FATBIN_MAGIC;
}

/* The entry at the start of what is left. */
static int read_entry(struct entry *entry, const unsigned char *at, uint64_t left_bytes,
		      struct err *reterr)
{
	if (left_bytes < sizeof *entry)
		return damaged(reterr, "it ends in the header of an entry");
	memcpy(entry, at, sizeof *entry);
	if (entry->header_bytes < sizeof *entry || entry->header_bytes > left_bytes ||
	    entry->payload_bytes > left_bytes - entry->header_bytes)
		return damaged(reterr, "it ends inside an image");
	if (entry->packed_bytes > entry->payload_bytes)
		return damaged(reterr, "an image is longer than its place");
	return 0;
}

bool fatbin_runs_on(unsigned int image, unsigned int device)
{
	return image / 10 == device / 10 && image % 10 <= device % 10;
}

static enum fatbin_packing packing_of(uint64_t flags)
{
	switch (flags & FLAG_COMPRESSED) {
	case 0:
		return FATBIN_PLAIN;
	case FLAG_LZ4:
		return FATBIN_LZ4;
	case FLAG_ZSTD:
		return FATBIN_ZSTD;
	default:
		return FATBIN_PACKED;
	}
}

static int check_packing(const struct fatbin_entry *entry, struct err *reterr)
{
	uint64_t factor_max = entry->packing == FATBIN_ZSTD ? ZSTD_FACTOR_MAX : LZ4_FACTOR_MAX;

	if (entry->packing == FATBIN_PACKED)
		return err_set(reterr, ENOTSUP, "its compression is not understood");
	if (entry->packing == FATBIN_ZSTD && !unzstd_is_here())
		return err_set(reterr, ENOTSUP,
			       "it is compressed by Zstandard, and this build lacks libzstd");
	if (!entry->plain_bytes || entry->plain_bytes / factor_max > entry->payload_bytes)
		return damaged(reterr, "an image has no such size");
	if (entry->plain_bytes > FATBIN_PLAIN_BYTES_MAX)
		return damaged(reterr, "an image is too large");
	return 0;
}

static int uncompress(struct fatbin_image *found, const struct fatbin_entry *entry,
		      struct err *reterr)
{
	int r = check_packing(entry, reterr);
	bool is_fine;
	void *plain;

	if (r < 0)
		return r;
	plain = malloc(entry->plain_bytes);
	if (!plain)
		return err_set(reterr, ENOMEM, "out of memory");
	is_fine = entry->packing == FATBIN_ZSTD
			  ? unzstd(entry->payload, entry->payload_bytes, plain, entry->plain_bytes)
			  : lz4_uncompress(entry->payload, entry->payload_bytes, plain,
					   entry->plain_bytes);
	if (!is_fine) {
		free(plain);
		return damaged(reterr, "an image cannot be uncompressed");
	}
	*found = (struct fatbin_image){ .image = plain,
					.bytes = entry->plain_bytes,
					.owned = plain };
	return 0;
}

int fatbin_unpack(struct fatbin_image *found, const struct fatbin_entry *entry, struct err *reterr)
{
	if (entry->packing != FATBIN_PLAIN)
		return uncompress(found, entry, reterr);
	*found = (struct fatbin_image){ .image = entry->payload, .bytes = entry->payload_bytes };
	return 0;
}

int fatbin_open(struct fatbin_walk *walk, const void *fatbin, uint64_t limit_bytes,
		struct err *reterr)
{
	struct header header;

	if (limit_bytes < sizeof header)
		return damaged(reterr, "it ends in its header");
	memcpy(&header, fatbin, sizeof header);
	if (header.magic != FATBIN_MAGIC || header.header_bytes < sizeof header)
		return damaged(reterr, "its header is none");
	if (header.header_bytes > limit_bytes ||
	    header.entries_bytes > limit_bytes - header.header_bytes)
		return damaged(reterr, "it is cut short");
	*walk = (struct fatbin_walk){ .at = (const unsigned char *)fatbin + header.header_bytes,
				      .left_bytes = header.entries_bytes };
	return 0;
}

int fatbin_next(struct fatbin_walk *walk, struct fatbin_entry *ret_entry, struct err *reterr)
{
	struct entry entry = { 0 };
	enum fatbin_packing packing;
	int r;

	if (!walk->left_bytes)
		return 0;
	r = read_entry(&entry, walk->at, walk->left_bytes, reterr);
	if (r < 0)
		return r;
	packing = packing_of(entry.flags);
	*ret_entry = (struct fatbin_entry){
		.is_cubin = entry.kind == KIND_CUBIN,
		.is_ptx = entry.kind == KIND_PTX,
		.packing = packing,
		.architecture = entry.architecture,
		.payload = walk->at + entry.header_bytes,
		.payload_bytes = packing ? entry.packed_bytes : entry.payload_bytes,
		.plain_bytes = packing ? entry.plain_bytes : entry.payload_bytes,
	};
	walk->at += entry.header_bytes + entry.payload_bytes;
	walk->left_bytes -= entry.header_bytes + entry.payload_bytes;
	return 1;
}

int fatbin_find(struct fatbin_image *found, const void *fatbin, unsigned int architecture,
		struct err *reterr)
{
	struct fatbin_entry entry, best = { 0 };
	struct fatbin_walk walk = { 0 };
	int r = fatbin_open(&walk, fatbin, UINT64_MAX, reterr);

	if (r < 0)
		return r;
	while ((r = fatbin_next(&walk, &entry, reterr)) > 0)
		if (entry.is_cubin && fatbin_runs_on(entry.architecture, architecture) &&
		    (!best.payload || entry.architecture > best.architecture))
			best = entry;
	if (r < 0)
		return r;
	if (!best.payload)
		return err_set(reterr, ENOENT, "no cubin for this architecture in it");
	return fatbin_unpack(found, &best, reterr);
}

void fatbin_release(struct fatbin_image *image)
{
	free(image->owned);
	*image = (struct fatbin_image){ 0 };
}
