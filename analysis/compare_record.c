/* SPDX-License-Identifier: MIT */
#include "analysis/compare_record.h"

#include <stdlib.h>

#define BLOCK_BYTES ((size_t)1 << 18)

/* ---- memory ---- */

struct compare_arena {
	struct compare_arena *next;
	size_t used;
	size_t size;
	_Alignas(struct compare_record) unsigned char bytes[];
};

static struct compare_arena *add_block(struct compare_arena *next, size_t need)
{
	size_t size = need > BLOCK_BYTES ? need : BLOCK_BYTES;
	struct compare_arena *block = malloc(sizeof *block + size);

	if (!block)
		return NULL;
	block->next = next;
	block->used = 0;
	block->size = size;
	return block;
}

struct compare_record *compare_arena_record(struct compare_arena **arena, size_t length)
{
	size_t align = _Alignof(struct compare_record);
	size_t need = (sizeof(struct compare_record) + length + align - 1) / align * align;
	struct compare_arena *block = *arena;
	struct compare_record *record;

	if (!block || block->size - block->used < need) {
		block = add_block(*arena, need);
		if (!block)
			return NULL;
		*arena = block;
	}
	record = (struct compare_record *)(void *)(block->bytes + block->used);
	block->used += need;
	*record = (struct compare_record){ .count = 1, .length = (uint32_t)length };
	return record;
}

void compare_arena_free(struct compare_arena *arena)
{
	while (arena) {
		struct compare_arena *next = arena->next;

		free(arena);
		arena = next;
	}
}

/* ---- numbers: 0 for none, else how many bytes follow and one more, then these ---- */

/* Small magnitudes of either sign become small: 0, -1, 1, -2 ... are 0, 1, 2, 3 ... */
static uint64_t fold_sign(int64_t value)
{
	return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static int64_t unfold_sign(uint64_t folded)
{
	return (int64_t)(folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0));
}

static size_t bytes_of(uint64_t folded)
{
	size_t count = 0;

	for (; folded; folded >>= 8)
		count++;
	return count;
}

size_t compare_record_size(int64_t value)
{
	return value == COMPARE_RECORD_NONE ? 1 : 1 + bytes_of(fold_sign(value));
}

void compare_record_put(struct text *bytes, int64_t value)
{
	uint64_t folded = fold_sign(value);
	unsigned char piece[9];
	size_t count;

	if (value == COMPARE_RECORD_NONE) {
		text_add_bytes(bytes, "", 1);
		return;
	}
	count = bytes_of(folded);
	piece[0] = (unsigned char)(count + 1);
	for (size_t i = 0; i < count; i++)
		piece[i + 1] = (unsigned char)(folded >> 8 * i);
	text_add_bytes(bytes, (const char *)piece, count + 1);
}

int64_t compare_record_get(const unsigned char **at)
{
	size_t count = *(*at)++;
	uint64_t folded = 0;

	if (!count)
		return COMPARE_RECORD_NONE;
	for (size_t i = 0; i + 1 < count; i++)
		folded |= (uint64_t) * (*at)++ << 8 * i;
	return unfold_sign(folded);
}
