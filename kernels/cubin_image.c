/* SPDX-License-Identifier: MIT */
/*
 * Where an ELF image ends. Plain struct copies instead of libelf, which must be told the length
 * that is looked for here.
 */
#include "kernels/cubin_image.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

/* True when count entries of entry_bytes at offset end at *ret_end and not beyond the limit. */
static bool table_end(uint64_t offset, uint64_t count, uint64_t entry_bytes, uint64_t limit,
		      uint64_t *ret_end)
{
	uint64_t table_bytes, end;

	if (__builtin_mul_overflow(count, entry_bytes, &table_bytes) ||
	    __builtin_add_overflow(offset, table_bytes, &end) || end > limit)
		return false;
	*ret_end = end;
	return true;
}

static Elf64_Shdr section_at(const unsigned char *image, const Elf64_Ehdr *header, uint64_t index)
{
	Elf64_Shdr section;

	memcpy(&section, image + header->e_shoff + index * sizeof section, sizeof section);
	return section;
}

/* e_shnum has 16 bits; a larger count stands in the size of section 0. */
static bool section_count(const unsigned char *image, const Elf64_Ehdr *header, uint64_t limit,
			  uint64_t *ret_count)
{
	uint64_t end;

	*ret_count = header->e_shnum;
	if (!header->e_shoff || header->e_shnum)
		return true;
	if (!table_end(header->e_shoff, 1, sizeof(Elf64_Shdr), limit, &end))
		return false;
	*ret_count = section_at(image, header, 0).sh_size;
	return true;
}

static bool sections_end(const unsigned char *image, const Elf64_Ehdr *header, uint64_t limit,
			 uint64_t *ret_end)
{
	uint64_t count, end, last;

	if (!section_count(image, header, limit, &count))
		return false;
	if (count && header->e_shentsize != sizeof(Elf64_Shdr))
		return false;
	if (!table_end(header->e_shoff, count, sizeof(Elf64_Shdr), limit, &last))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Shdr section = section_at(image, header, i);

		if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL)
			continue;
		if (!table_end(section.sh_offset, 1, section.sh_size, limit, &end))
			return false;
		if (end > last)
			last = end;
	}
	*ret_end = last;
	return true;
}

uint64_t cubin_image_end(const void *image, uint64_t limit)
{
	Elf64_Ehdr header;
	uint64_t programs, sections, end = sizeof header;

	if (limit < sizeof header)
		return 0;
	memcpy(&header, image, sizeof header);
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_ident[EI_DATA] != ELFDATA2LSB)
		return 0;
	if (!table_end(header.e_phoff, header.e_phnum, header.e_phentsize, limit, &programs) ||
	    !sections_end(image, &header, limit, &sections))
		return 0;
	if (programs > end)
		end = programs;
	return sections > end ? sections : end;
}
