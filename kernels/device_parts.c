/* SPDX-License-Identifier: MIT */
#include "kernels/device_parts.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernels/fatbin.h"

static const struct {
	const char *name;
	bool is_unlinked;
} fatbin_sections[] = { { ".nv_fatbin", false }, { "__nv_relfatbin", true } };

struct finder {
	struct device_parts parts;
	const unsigned char *image; /* of the file, or of a member of it */
	size_t image_bytes;
	const char *path;
	const char *member;
	struct err *reterr;
};

static int damaged(const struct finder *finder, const char *what)
{
	return err_set(finder->reterr, EBADMSG, "%s%s%s: damaged: %s", finder->path,
		       finder->member ? ", " : "", finder->member ? finder->member : "", what);
}

static int no_memory(const struct finder *finder)
{
	return err_set(finder->reterr, ENOMEM, "%s: out of memory", finder->path);
}

static int add_part(struct finder *finder, struct device_part part)
{
	struct device_parts *parts = &finder->parts;
	size_t size = parts->size ? parts->size * 2 : 4;

	if (parts->count == parts->size) {
		struct device_part *items = realloc(parts->items, size * sizeof *items);

		if (!items)
			return no_memory(finder);
		parts->items = items;
		parts->size = size;
	}
	if (finder->member) {
		part.member = strdup(finder->member);
		if (!part.member)
			return no_memory(finder);
	}
	parts->items[parts->count++] = part;
	return 0;
}

static int add_whole(struct finder *finder, bool is_cubin)
{
	return add_part(finder, (struct device_part){ .is_cubin = is_cubin,
						      .bytes = finder->image,
						      .size = finder->image_bytes });
}

static int add_section(struct finder *finder, const GElf_Shdr *section, bool is_unlinked)
{
	if (section->sh_type == SHT_NOBITS || !section->sh_size)
		return 0;
	if (section->sh_offset > finder->image_bytes ||
	    section->sh_size > finder->image_bytes - section->sh_offset)
		return damaged(finder, "its section of device code is cut short");
	return add_part(finder, (struct device_part){ .is_unlinked = is_unlinked,
						      .bytes = finder->image + section->sh_offset,
						      .size = section->sh_size });
}

/* Adds it if it is one that holds fat binaries. */
static int look_at_section(struct finder *finder, const GElf_Shdr *section, const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(fatbin_sections); i++)
		if (!strcmp(fatbin_sections[i].name, name))
			return add_section(finder, section, fatbin_sections[i].is_unlinked);
	return 0;
}

static int search_sections(struct finder *finder, Elf *elf)
{
	size_t names, count;
	Elf_Scn *scn = NULL;
	GElf_Shdr section;
	int r = 0;

	if (elf_getshdrnum(elf, &count))
		return damaged(finder, "its sections cannot be read");
	if (!count)
		return 0;
	if (elf_getshdrstrndx(elf, &names))
		return damaged(finder, "its sections have no names");
	while (!r && (scn = elf_nextscn(elf, scn))) {
		const char *name;

		if (!gelf_getshdr(scn, &section))
			return damaged(finder, "a section cannot be read");
		name = elf_strptr(elf, names, section.sh_name);
		if (name)
			r = look_at_section(finder, &section, name);
	}
	return r;
}

static int search_elf(struct finder *finder, Elf *elf)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header))
		return damaged(finder, "its header cannot be read");
	/* libelf takes a table that is cut off for none. It is at the end of most files. */
	if (header.e_shoff > finder->image_bytes ||
	    (uint64_t)header.e_shnum * header.e_shentsize > finder->image_bytes - header.e_shoff)
		return damaged(finder, "it is cut short");
	if (header.e_machine == EM_CUDA)
		return add_whole(finder, true);
	return search_sections(finder, elf);
}

/* What is in an archive besides objects is nothing of ours. */
static int search_member(struct finder *finder, Elf *member)
{
	Elf_Arhdr *header = elf_getarhdr(member);
	size_t bytes;
	char *image;

	if (elf_kind(member) != ELF_K_ELF)
		return 0;
	image = elf_rawfile(member, &bytes);
	if (!header || !image)
		return damaged(finder, "a member cannot be read");
	finder->image = (const unsigned char *)image;
	finder->image_bytes = bytes;
	finder->member = header->ar_name ? header->ar_name : "?";
	return search_elf(finder, member);
}

static int search_archive(struct finder *finder, Elf *archive)
{
	Elf_Cmd command = ELF_C_READ_MMAP; /* as what is in memory already */
	Elf *member;
	int r = 0;

	while (!r && command != ELF_C_NULL && (member = elf_begin(-1, command, archive))) {
		r = search_member(finder, member);
		command = elf_next(member);
		elf_end(member);
		finder->member = NULL;
	}
	return r;
}

static int search(struct finder *finder)
{
	int r = 0;
	/* libelf takes a pointer to non-const and does not write through it. */
	Elf *elf = elf_version(EV_CURRENT) == EV_NONE
			   ? NULL
			   : elf_memory((char *)(uintptr_t)finder->image, finder->image_bytes);

	if (elf && elf_kind(elf) == ELF_K_ELF)
		r = search_elf(finder, elf);
	else if (elf && elf_kind(elf) == ELF_K_AR)
		r = search_archive(finder, elf);
	else
		r = err_set(finder->reterr, EBADMSG,
			    "%s: no ELF file, archive or fat binary: nothing to look into",
			    finder->path);
	elf_end(elf);
	return r;
}

int device_parts_find(struct device_parts *parts, const void *image, size_t image_bytes,
		      const char *path, struct err *reterr)
{
	struct finder finder = {
		.image = image, .image_bytes = image_bytes, .path = path, .reterr = reterr
	};
	int r;

	if (image_bytes >= FATBIN_MAGIC_BYTES && fatbin_is_one(image))
		r = add_whole(&finder, false);
	else
		r = search(&finder);
	if (r < 0)
		device_parts_free(&finder.parts);
	else
		*parts = finder.parts;
	return r;
}

void device_parts_free(struct device_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		free(parts->items[i].member);
	free(parts->items);
	*parts = (struct device_parts){ 0 };
}
