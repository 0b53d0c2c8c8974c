/* SPDX-License-Identifier: MIT */
/*
 * A cubin with planted numbers, section by section as ptxas lays one out:
 * fake_start() -> fake_section()/fake_symbol() -> fake_finish(). The image lies at the start of
 * `bytes`.
 */
#ifndef TESTS_UNIT_FAKE_CUBIN_H
#define TESTS_UNIT_FAKE_CUBIN_H

#include "tests/unit/check.h"

#include <elf.h>
#include <string.h>

#include "base/array.h"

#define FAKE_SECTIONS_MAX 24
#define FAKE_STO_ENTRY    0x10
#define FAKE_STO_MANAGED  0x04

struct fake_text {
	char bytes[1024];
	size_t used;
};

struct fake_cubin {
	unsigned char bytes[16384];
	size_t used;
	Elf64_Ehdr header;
	Elf64_Shdr sections[FAKE_SECTIONS_MAX];
	Elf64_Sym symbols[32];
	uint32_t symbol_count;
	struct fake_text section_names;
	struct fake_text names;
};

static inline uint32_t fake_name(struct fake_text *text, const char *name)
{
	uint32_t at = (uint32_t)text->used;
	size_t size = strlen(name) + 1;

	assert_true(text->used + size <= sizeof text->bytes);
	memcpy(text->bytes + text->used, name, size);
	text->used += size;
	return at;
}

/* abi: 7 up to CUDA 12, 8 since. */
static inline void fake_start(struct fake_cubin *fake, unsigned int architecture, unsigned char abi)
{
	*fake = (struct fake_cubin){
		.used = sizeof(Elf64_Ehdr),
		.header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 ELFDATA2LSB, EV_CURRENT, 0x41, abi },
			    .e_type = ET_EXEC,
			    .e_machine = EM_CUDA,
			    .e_version = EV_CURRENT,
			    .e_flags = abi < 8 ? architecture | 0x500u : architecture << 8 | 0x4u,
			    .e_ehsize = sizeof(Elf64_Ehdr),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 1 },
		.symbol_count = 1,
	};
	fake_name(&fake->section_names, "");
	fake_name(&fake->names, "");
}

/* Returns the new section's index. bytes NULL: zeros. */
static inline uint16_t fake_section(struct fake_cubin *fake, const char *name, uint32_t type,
				    const void *bytes, size_t size)
{
	uint16_t index = fake->header.e_shnum++;
	Elf64_Shdr *section = &fake->sections[index];

	assert_true(index < FAKE_SECTIONS_MAX);
	*section = (Elf64_Shdr){ .sh_name = fake_name(&fake->section_names, name),
				 .sh_type = type,
				 .sh_offset = fake->used,
				 .sh_size = size };
	if (type == SHT_NOBITS)
		return index;
	assert_true(fake->used + size <= sizeof fake->bytes);
	if (bytes)
		memcpy(fake->bytes + fake->used, bytes, size);
	fake->used += (size + 7) & ~(size_t)7;
	return index;
}

/* Returns the new symbol's index. section 0: one that the driver must supply. */
static inline uint32_t fake_symbol(struct fake_cubin *fake, const char *name, uint16_t section,
				   unsigned char other)
{
	assert_true(fake->symbol_count < ARRAY_COUNT(fake->symbols));
	fake->symbols[fake->symbol_count] =
		(Elf64_Sym){ .st_name = fake_name(&fake->names, name),
			     .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			     .st_other = other,
			     .st_shndx = section };
	return fake->symbol_count++;
}

/* A variable in that section. */
static inline void fake_variable(struct fake_cubin *fake, const char *name, uint16_t section,
				 uint64_t size, unsigned char other)
{
	Elf64_Sym *symbol = &fake->symbols[fake_symbol(fake, name, section, other)];

	symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
	symbol->st_size = size;
}

/* Adds symbol table, names and section table. Returns the image's size. */
static inline size_t fake_finish(struct fake_cubin *fake)
{
	uint16_t symbols = fake_section(fake, ".symtab", SHT_SYMTAB, fake->symbols,
					fake->symbol_count * sizeof fake->symbols[0]);
	uint16_t names =
		fake_section(fake, ".strtab", SHT_STRTAB, fake->names.bytes, fake->names.used);
	uint16_t section_names;
	size_t table_bytes;

	fake->sections[symbols].sh_link = names;
	fake->sections[symbols].sh_entsize = sizeof fake->symbols[0];
	fake_name(&fake->section_names, ".shstrtab");
	section_names = fake_section(fake, "", SHT_STRTAB, fake->section_names.bytes,
				     fake->section_names.used);
	fake->header.e_shstrndx = section_names;
	fake->header.e_shoff = fake->used;
	table_bytes = fake->header.e_shnum * sizeof fake->sections[0];
	assert_true(fake->used + table_bytes <= sizeof fake->bytes);
	memcpy(fake->bytes + fake->used, fake->sections, table_bytes);
	memcpy(fake->bytes, &fake->header, sizeof fake->header);
	fake->used += table_bytes;
	return fake->used;
}

#endif
