/* SPDX-License-Identifier: MIT */
/*
 * A fat binary with planted images, built by the offsets that kernels/fatbin.h gives:
 * fake_fatbin_start() -> fake_fatbin_add() as often as needed. It lies in `bytes`.
 */
#ifndef TESTS_UNIT_FAKE_FATBIN_H
#define TESTS_UNIT_FAKE_FATBIN_H

#include "tests/unit/check.h"

#include <string.h>

#define KIND_PTX   1
#define KIND_CUBIN 2
#define FLAG_LZ4   0x2000
#define FLAG_ZSTD  0x8000

struct fake_fatbin {
	unsigned char bytes[65536];
	size_t used;
};

static inline void fake_fatbin_put(struct fake_fatbin *fake, size_t at, size_t width,
				   uint64_t value)
{
	assert_true(at + width <= sizeof fake->bytes);
	for (size_t i = 0; i < width; i++)
		fake->bytes[at + i] = (unsigned char)(value >> 8 * i);
}

static inline void fake_fatbin_start(struct fake_fatbin *fake)
{
	*fake = (struct fake_fatbin){ .used = 16 };
	fake_fatbin_put(fake, 0, 4, 0xba55ed50);
	fake_fatbin_put(fake, 4, 2, 1);
	fake_fatbin_put(fake, 6, 2, 16);
}

struct fake_entry {
	unsigned int kind;
	unsigned int architecture;
	uint64_t flags;
	const void *payload;
	size_t payload_bytes;
	size_t packed_bytes;
	size_t plain_bytes;
};

static inline void fake_fatbin_add(struct fake_fatbin *fake, struct fake_entry entry)
{
	size_t at = fake->used, padded_bytes = (entry.payload_bytes + 7) / 8 * 8;

	fake_fatbin_put(fake, at, 2, entry.kind);
	fake_fatbin_put(fake, at + 2, 2, 0x101);
	fake_fatbin_put(fake, at + 4, 4, 64);
	fake_fatbin_put(fake, at + 8, 8, padded_bytes);
	fake_fatbin_put(fake, at + 16, 4, entry.packed_bytes);
	fake_fatbin_put(fake, at + 28, 4, entry.architecture);
	fake_fatbin_put(fake, at + 40, 8, entry.flags);
	fake_fatbin_put(fake, at + 56, 8, entry.plain_bytes);
	assert_true(at + 64 + padded_bytes <= sizeof fake->bytes);
	memcpy(fake->bytes + at + 64, entry.payload, entry.payload_bytes);
	fake->used += 64 + padded_bytes;
	fake_fatbin_put(fake, 8, 8, fake->used - 16);
}

#endif
