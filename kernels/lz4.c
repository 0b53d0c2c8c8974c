/* SPDX-License-Identifier: MIT */
#include "kernels/lz4.h"

#include <stdint.h>
#include <string.h>

#define LENGTH_GOES_ON  15 /* in a token: further bytes are added to it */
#define BYTE_GOES_ON    255
#define MATCH_BYTES_MIN 4

struct block {
	const uint8_t *next;
	const uint8_t *end;
	uint8_t *plain;
	size_t plain_bytes;
	size_t done_bytes;
};

static bool read_length(struct block *block, size_t length, size_t *ret_length)
{
	uint8_t byte = BYTE_GOES_ON;

	if (length == LENGTH_GOES_ON) {
		for (; byte == BYTE_GOES_ON; length += byte) {
			if (block->next == block->end)
				return false;
			byte = *block->next++;
		}
	}
	*ret_length = length;
	return true;
}

static bool copy_literals(struct block *block, size_t length)
{
	if (length > (size_t)(block->end - block->next) ||
	    length > block->plain_bytes - block->done_bytes)
		return false;
	memcpy(block->plain + block->done_bytes, block->next, length);
	block->next += length;
	block->done_bytes += length;
	return true;
}

/* Byte by byte, since a match may reach into what it makes. */
static bool copy_match(struct block *block, size_t length)
{
	size_t offset;

	if (block->end - block->next < 2)
		return false;
	offset = (size_t)(block->next[0] | block->next[1] << 8);
	block->next += 2;
	if (!read_length(block, length, &length))
		return false;
	length += MATCH_BYTES_MIN;
	if (!offset || offset > block->done_bytes ||
	    length > block->plain_bytes - block->done_bytes)
		return false;
	for (; length; length--, block->done_bytes++)
		block->plain[block->done_bytes] = block->plain[block->done_bytes - offset];
	return true;
}

bool lz4_uncompress(const void *packed, size_t packed_bytes, void *plain, size_t plain_bytes)
{
	struct block block = { .next = packed,
			       .end = (const uint8_t *)packed + packed_bytes,
			       .plain = plain,
			       .plain_bytes = plain_bytes };

	/* The last sequence has literals alone. */
	while (block.next < block.end) {
		uint8_t token = *block.next++;
		size_t length;

		if (!read_length(&block, token >> 4, &length) || !copy_literals(&block, length))
			return false;
		if (block.next == block.end)
			return block.done_bytes == plain_bytes;
		if (!copy_match(&block, token & LENGTH_GOES_ON))
			return false;
	}
	return false;
}
