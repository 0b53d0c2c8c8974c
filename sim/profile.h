/* SPDX-License-Identifier: MIT */
/*
 * A profile: the simulated device as a CSV of `key,value`, read whole or not at all. Its keys are
 * the rows of sim/profile.def, each of which must be there once: a misspelt key must not change the
 * truth silently. Words are stored as their constant, everything else as text or number.
 */
#ifndef SIM_PROFILE_H
#define SIM_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PROFILE_BYTES_MAX (UINT64_C(1) << 48)
/* Limits stay far below what a product with the number of threads could overflow. */
#define PROFILE_LIMIT_MAX (UINT64_C(1) << 32)

#define PROFILE_TEXT(key, size, meaning)
#define PROFILE_NUMBER(key, unit, min, max, meaning)
#define PROFILE_WORD(key, constant0, word0, constant1, word1, meaning) \
	constant0, constant1 = constant0 + 1,
enum profile_word {
#include "sim/profile.def"
};
#undef PROFILE_TEXT
#undef PROFILE_NUMBER
#undef PROFILE_WORD

#define PROFILE_TEXT(key, size, meaning)                               char key[size];
#define PROFILE_NUMBER(key, unit, min, max, meaning)                   uint64_t key;
#define PROFILE_WORD(key, constant0, word0, constant1, word1, meaning) enum profile_word key;
struct profile {
#include "sim/profile.def"
};
#undef PROFILE_TEXT
#undef PROFILE_NUMBER
#undef PROFILE_WORD

enum profile_kind {
	PROFILE_IS_TEXT,
	PROFILE_IS_NUMBER,
	PROFILE_IS_WORD,
};

/* One key as data, for reading and for the page that documents them. */
struct profile_key {
	const char *name;
	enum profile_kind kind;
	size_t offset; /* in struct profile */
	size_t size;   /* PROFILE_IS_TEXT: bytes there, the closing 0 included */
	const char *unit;
	uint64_t min;
	uint64_t max;
	const char *words[2];
	enum profile_word constants[2];
	const char *meaning;
};

extern const struct profile_key profile_keys[];
extern const size_t profile_key_count;

/*
 * Returns 0, -errno of reading the file, or -EBADMSG with the key at fault: unknown, missing,
 * twice, out of its range, or at odds with another. Padding is zero, so that two profiles compare
 * as bytes.
 */
int profile_read(struct profile *profile, const char *path, struct err *reterr);

/* The 16 bytes of gpu_uuid, which profile_read() has checked. */
void profile_uuid(const struct profile *profile, unsigned char ret_bytes[16]);

/* compute_capability as a number, 90 for 9.0. */
unsigned int profile_architecture(const struct profile *profile);

/* Of a context with as many connections as by default. */
uint64_t profile_connection_bytes(const struct profile *profile);

struct profile_pci {
	unsigned int domain;
	unsigned int bus;
	unsigned int device;
	unsigned int function;
};

/* Reads "0000:1a:00.0", with four or eight digits of domain. Returns 0 or -EINVAL. */
int profile_parse_pci(const char *text, struct profile_pci *ret_pci);

#endif
