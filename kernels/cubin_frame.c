/* SPDX-License-Identifier: MIT */
#include "kernels/cubin_frame.h"

#include <string.h>

#include "base/array.h"

#define LONG_LENGTH   UINT32_MAX /* the length follows in 64 bits, as ptxas has it */
#define COMMON_ENTRY  UINT64_MAX /* of what several functions share */
#define HIGH_BITS     0xc0
#define HIGH_OFFSET   0x80 /* with a register in the low bits, an operand follows */
#define PREFIX_BYTES  ((size_t)12)
#define POINTER_BYTES ((size_t)8)

/* Operands: u number, b block behind its length, digits as many bytes; F the frame's size. */
static const struct {
	unsigned char code;
	const char *operands;
} instructions[] = {
	{ 0x00, "" },   { 0x01, "8" },  { 0x02, "1" },  { 0x03, "2" },  { 0x04, "4" },
	{ 0x05, "uu" }, { 0x06, "u" },  { 0x07, "u" },  { 0x08, "u" },  { 0x09, "uu" },
	{ 0x0a, "" },   { 0x0b, "" },   { 0x0c, "uF" }, { 0x0d, "u" },  { 0x0e, "F" },
	{ 0x0f, "b" },  { 0x10, "ub" }, { 0x11, "uu" }, { 0x12, "uu" }, { 0x13, "u" },
	{ 0x14, "uu" }, { 0x15, "uu" }, { 0x16, "ub" },
};

struct bytes {
	const unsigned char *at;
	size_t left;
};

static void skip(struct bytes *bytes, uint64_t count)
{
	size_t step = count < bytes->left ? (size_t)count : bytes->left;

	bytes->at += step;
	bytes->left -= step;
}

/* LEB128; a signed one has the same length. */
static uint64_t read_number(struct bytes *bytes)
{
	uint64_t number = 0;
	bool is_last = false;

	for (unsigned int shift = 0; bytes->left && !is_last; shift += 7) {
		if (shift < 64)
			number |= (uint64_t)(*bytes->at & 0x7f) << shift;
		is_last = !(*bytes->at & 0x80);
		skip(bytes, 1);
	}
	return number;
}

static const char *operands_of(unsigned char code)
{
	if (code & HIGH_BITS)
		return (code & HIGH_BITS) == HIGH_OFFSET ? "u" : "";
	for (size_t i = 0; i < ARRAY_COUNT(instructions); i++)
		if (instructions[i].code == code)
			return instructions[i].operands;
	return NULL;
}

/* Up to an instruction that is not known, whose operands could not be told from the next one. */
static uint64_t largest_frame(struct bytes bytes)
{
	uint64_t largest = 0;

	while (bytes.left) {
		const char *operand = operands_of(*bytes.at);

		skip(&bytes, 1);
		if (!operand)
			return largest;
		for (; *operand; operand++) {
			if (*operand >= '1' && *operand <= '8') {
				skip(&bytes, (uint64_t)(*operand - '0'));
				continue;
			}
			uint64_t number = read_number(&bytes);

			if (*operand == 'b')
				skip(&bytes, number);
			else if (*operand == 'F' && number > largest)
				largest = number;
		}
	}
	return largest;
}

/* What is in the entry at `offset`, behind its length; false at the end. */
static bool entry_at(const unsigned char *section, size_t section_bytes, size_t offset,
		     struct bytes *ret_entry)
{
	uint32_t mark;
	uint64_t length;

	if (offset > section_bytes || section_bytes - offset < PREFIX_BYTES)
		return false;
	memcpy(&mark, section + offset, sizeof mark);
	memcpy(&length, section + offset + sizeof mark, sizeof length);
	if (mark != LONG_LENGTH || length > section_bytes - offset - PREFIX_BYTES)
		return false;
	*ret_entry = (struct bytes){ section + offset + PREFIX_BYTES, (size_t)length };
	return true;
}

bool cubin_frame_next(const unsigned char *section, size_t section_bytes, size_t *offset,
		      struct cubin_frame *ret_frame)
{
	struct bytes entry;

	while (entry_at(section, section_bytes, *offset, &entry)) {
		uint64_t common = COMMON_ENTRY;
		size_t entry_offset = *offset + PREFIX_BYTES;

		*offset = entry_offset + entry.left;
		if (entry.left >= 3 * POINTER_BYTES)
			memcpy(&common, entry.at, sizeof common);
		if (common == COMMON_ENTRY)
			continue;
		/* Behind its common entry come the function's address and length. */
		skip(&entry, 3 * POINTER_BYTES);
		ret_frame->address_at = entry_offset + POINTER_BYTES;
		ret_frame->bytes = largest_frame(entry);
		return true;
	}
	return false;
}
