/* SPDX-License-Identifier: MIT */
/*
 * An object of a host with two fat binaries, zeros between them, and in these an image of every
 * kind:
 *
 *   1 cubin  sm_90  add: 0x180 bytes, 32 registers, frame 4096 of a stack of 5000, 0x40 shared,
 * 0x210 constant one whose name means something in CSV, Markdown, HTML and a terminal: 0x300 0x80
 * of functions, 96 of variables; printf 2 cubin  sm_80  add: 0x200 3 ptx       90 4 other     90 5
 * cubin  sm_90  compressed in a way that nobody knows 6 cubin  sm_90  damaged
 */
#ifndef TESTS_UNIT_FAKE_PROGRAM_H
#define TESTS_UNIT_FAKE_PROGRAM_H

#include "tests/unit/fake_cubin.h"
#include "tests/unit/fake_fatbin.h"

#define FAKE_ADD     "_Z3addPf"
#define FAKE_HOSTILE "=a\nb|c\"d\"<b>e</b>\x1b[31m,`=f*\xff"
#define KIND_OTHER   8
#define FLAG_UNKNOWN 0x1000

static inline size_t fake_cubin_90(struct fake_cubin *fake)
{
	struct {
		uint8_t format, attribute;
		uint16_t value_bytes;
		uint32_t symbol, value;
	} info[3] = { { 4, 0x2f, 8, 0, 32 }, { 4, 0x11, 8, 0, 4096 }, { 4, 0x12, 8, 0, 5000 } };
	uint16_t add, hostile, function;

	fake_start(fake, 90, 8);
	add = fake_section(fake, ".text.add", SHT_PROGBITS, NULL, 0x180);
	hostile = fake_section(fake, ".text.hostile", SHT_PROGBITS, NULL, 0x300);
	function = fake_section(fake, ".text.function", SHT_PROGBITS, NULL, 0x80);
	fake->sections[fake_section(fake, ".nv.constant0.add", SHT_PROGBITS, NULL, 0x210)].sh_info =
		add;
	fake->sections[fake_section(fake, ".nv.shared.add", SHT_NOBITS, NULL, 0x440)].sh_info = add;
	fake_section(fake, ".nv.global", SHT_NOBITS, NULL, 96);
	fake_symbol(fake, FAKE_HOSTILE, hostile, FAKE_STO_ENTRY);
	info[0].symbol = info[1].symbol = info[2].symbol =
		fake_symbol(fake, FAKE_ADD, add, FAKE_STO_ENTRY);
	fake_symbol(fake, "function", function, 0);
	fake_symbol(fake, "vprintf", 0, 0);
	fake_section(fake, ".nv.info", 0x70000000, info, sizeof info);
	return fake_finish(fake);
}

static inline size_t fake_cubin_80(struct fake_cubin *fake)
{
	uint16_t add;

	fake_start(fake, 80, 7);
	add = fake_section(fake, ".text.add", SHT_PROGBITS, NULL, 0x200);
	fake_symbol(fake, FAKE_ADD, add, FAKE_STO_ENTRY);
	return fake_finish(fake);
}

/* Images 1 to 3, then 4 to 6. */
static inline void fake_fatbins(struct fake_fatbin *first, struct fake_fatbin *second)
{
	struct fake_cubin cubin;
	size_t size = fake_cubin_90(&cubin);

	fake_fatbin_start(first);
	fake_fatbin_add(first, (struct fake_entry){ KIND_CUBIN, 90, 0, cubin.bytes, size, 0, 0 });
	fake_fatbin_start(second);
	fake_fatbin_add(second, (struct fake_entry){ KIND_OTHER, 90, 0, "code", 4, 0, 0 });
	fake_fatbin_add(second,
			(struct fake_entry){ KIND_CUBIN, 90, FLAG_UNKNOWN, "packed", 6, 6, 999 });
	cubin.bytes[EI_CLASS] = ELFCLASS32;
	fake_fatbin_add(second, (struct fake_entry){ KIND_CUBIN, 90, 0, cubin.bytes, 256, 0, 0 });
	size = fake_cubin_80(&cubin);
	fake_fatbin_add(first, (struct fake_entry){ KIND_CUBIN, 80, 0, cubin.bytes, size, 0, 0 });
	fake_fatbin_add(first, (struct fake_entry){ KIND_PTX, 90, FLAG_LZ4, "\x50hello", 6, 6, 5 });
}

static inline size_t fake_program(struct fake_cubin *fake)
{
	struct fake_fatbin first, second;

	fake_fatbins(&first, &second);
	assert_true(first.used + 24 + second.used < sizeof first.bytes);
	memcpy(first.bytes + first.used + 24, second.bytes, second.used);
	fake_start(fake, 0, 0);
	fake->header.e_machine = EM_X86_64;
	fake_section(fake, ".nv_fatbin", SHT_PROGBITS, first.bytes, first.used + 24 + second.used);
	return fake_finish(fake);
}

#endif
