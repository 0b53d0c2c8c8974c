/* SPDX-License-Identifier: MIT */
#include "kernels/fatbin.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/lz4.h"

#define FATBIN_MAGIC    UINT32_C(0xba55ed50)
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

static int uncompress(struct fatbin_image *found, const struct entry *entry, const void *payload,
		      struct err *reterr)
{
	void *plain;

	if (!(entry->flags & FLAG_LZ4))
		return err_set(reterr, ENOTSUP, "its compression is not understood");
	if (!entry->plain_bytes || entry->plain_bytes / LZ4_FACTOR_MAX > entry->packed_bytes)
		return damaged(reterr, "an image has no such size");
	plain = malloc(entry->plain_bytes);
	if (!plain)
		return err_set(reterr, ENOMEM, "out of memory");
	if (!lz4_uncompress(payload, entry->packed_bytes, plain, entry->plain_bytes)) {
		free(plain);
		return damaged(reterr, "an image cannot be uncompressed");
	}
	*found = (struct fatbin_image){ .image = plain,
					.bytes = entry->plain_bytes,
					.owned = plain };
	return 0;
}

static int take(struct fatbin_image *found, const struct entry *entry, const void *payload,
		struct err *reterr)
{
	if (entry->flags & FLAG_COMPRESSED)
		return uncompress(found, entry, payload, reterr);
	*found = (struct fatbin_image){ .image = payload, .bytes = entry->payload_bytes };
	return 0;
}

int fatbin_find(struct fatbin_image *found, const void *fatbin, unsigned int architecture,
		struct err *reterr)
{
	const unsigned char *at = fatbin;
	struct entry entry = { 0 }, best = { 0 };
	const void *best_payload = NULL;
	struct header header;

	memcpy(&header, fatbin, sizeof header);
	if (header.magic != FATBIN_MAGIC || header.header_bytes < sizeof header)
		return damaged(reterr, "its header is none");
	at += header.header_bytes;
	for (uint64_t left = header.entries_bytes; left;) {
		int r = read_entry(&entry, at, left, reterr);

		if (r < 0)
			return r;
		if (entry.kind == KIND_CUBIN && runs_on(entry.architecture, architecture) &&
		    (!best_payload || entry.architecture > best.architecture)) {
			best = entry;
			best_payload = at + entry.header_bytes;
		}
		at += entry.header_bytes + entry.payload_bytes;
		left -= entry.header_bytes + entry.payload_bytes;
	}
	if (!best_payload)
		return err_set(reterr, ENOENT, "no cubin for this architecture in it");
	return take(found, &best, best_payload, reterr);
}

void fatbin_release(struct fatbin_image *image)
{
	free(image->owned);
	*image = (struct fatbin_image){ 0 };
}
