/* SPDX-License-Identifier: MIT */
#include "kernels/fatbin.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/lz4.h"

#define FATBIN_MAGIC    UINT32_C(0xba55ed50)
#define KIND_PTX        1
#define KIND_CUBIN      2
#define FLAG_LZ4        UINT64_C(0x2000)
#define FLAG_COMPRESSED UINT64_C(0xf000) /* that or another way */

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

static bool runs_on(unsigned int image, unsigned int device)
{
	return image / 10 == device / 10 && image % 10 <= device % 10;
}

static int uncompress(struct fatbin_image *found, const struct fatbin_entry *entry,
		      struct err *reterr)
{
	void *plain;

	if (!(entry->flags & FLAG_LZ4))
		return err_set(reterr, ENOTSUP, "its compression is not understood");
	if (!entry->plain_bytes || entry->plain_bytes / LZ4_FACTOR_MAX > entry->payload_bytes)
		return damaged(reterr, "an image has no such size");
	plain = malloc(entry->plain_bytes);
	if (!plain)
		return err_set(reterr, ENOMEM, "out of memory");
	if (!lz4_uncompress(entry->payload, entry->payload_bytes, plain, entry->plain_bytes)) {
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
	if (entry->is_packed)
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
	bool is_packed;
	int r;

	if (!walk->left_bytes)
		return 0;
	r = read_entry(&entry, walk->at, walk->left_bytes, reterr);
	if (r < 0)
		return r;
	is_packed = (entry.flags & FLAG_COMPRESSED) != 0;
	*ret_entry = (struct fatbin_entry){
		.is_cubin = entry.kind == KIND_CUBIN,
		.is_ptx = entry.kind == KIND_PTX,
		.is_packed = is_packed,
		.architecture = entry.architecture,
		.payload = walk->at + entry.header_bytes,
		.payload_bytes = is_packed ? entry.packed_bytes : entry.payload_bytes,
		.plain_bytes = is_packed ? entry.plain_bytes : entry.payload_bytes,
		.flags = entry.flags,
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
		if (entry.is_cubin && runs_on(entry.architecture, architecture) &&
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
