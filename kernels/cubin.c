/* SPDX-License-Identifier: MIT */
#include "kernels/cubin.h"

#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "kernels/cubin_frame.h"
#include "kernels/cubin_image.h"
#include "kernels/file.h"

#define STO_CUDA_ENTRY            0x10 /* in st_other: a __global__ function */
#define STO_CUDA_MANAGED          0x04 /* likewise: a __managed__ variable */
#define ABI_VERSION_FLAGS_SHIFTED 8    /* e_ident[EI_ABIVERSION] from which e_flags moved */
#define INFO_REGISTERS_SHIFT      24   /* in sh_info of code */
#define ADDRESS_BANK              ".nv.constant4"
#define DEVICE_RUNTIME_PREFIX     "__cuda_syscall_cnp" /* what libcudadevrt.a calls */
#define INSTRUCTIONS_GROW_AT      70 /* architecture from which an instruction has 16 bytes */
/* From this one on, what a kernel declares as shared lies behind so much of the system's. */
#define SHARED_HAS_SYSTEM_AT 90
#define SHARED_SYSTEM_BYTES  1024

/* A record of .nv.info: format, attribute, and 16 bits that are its value or the size of it. */
#define INFO_RECORD_BYTES         4
#define INFO_FORMAT_SIZED         4
#define INFO_VALUE_BYTES          8
#define INFO_ATTRIBUTE_FRAME_SIZE 0x11 /* value: symbol index, bytes */
#define INFO_ATTRIBUTE_STACK      0x12 /* likewise, with what it calls */
#define INFO_ATTRIBUTE_REGISTERS  0x2f /* value: symbol index, registers of a thread */

struct reader {
	struct cubin cubin;
	Elf *elf;
	Elf_Data *symbols;
	bool is_linked; /* not to be linked with others, as code that was compiled with -rdc is */
	size_t section_count;
	size_t names;              /* the section that holds the sections' names */
	size_t *kernel_of_section; /* index + 1 of the kernel whose code it is, 0: none; owned */
	size_t kernel_size;
	const char *path;
	struct err *reterr;
};

static int damaged(const struct reader *reader, const char *what)
{
	return err_set(reader->reterr, EBADMSG, "%s: damaged cubin: %s", reader->path, what);
}

static int no_memory(const struct reader *reader)
{
	return err_set(reader->reterr, ENOMEM, "%s: out of memory", reader->path);
}

static bool has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static const char *section_name(const struct reader *reader, const GElf_Shdr *section)
{
	const char *name = elf_strptr(reader->elf, reader->names, section->sh_name);

	return name ? name : "";
}

static int read_header(struct reader *reader)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(reader->elf, &header) ||
	    elf_getshdrnum(reader->elf, &reader->section_count) ||
	    elf_getshdrstrndx(reader->elf, &reader->names))
		return damaged(reader, "its header cannot be read");
	if (header.e_machine != EM_CUDA)
		return err_set(reader->reterr, EBADMSG,
			       "%s: an ELF file, but not for an NVIDIA GPU", reader->path);
	reader->is_linked = header.e_type == ET_EXEC;
	if (header.e_ident[EI_ABIVERSION] >= ABI_VERSION_FLAGS_SHIFTED)
		reader->cubin.architecture = header.e_flags >> 8 & 0xff;
	else
		reader->cubin.architecture = header.e_flags & 0xff;
	if (!reader->cubin.architecture)
		return damaged(reader, "it names no architecture");
	return 0;
}

static struct cubin_kernel *new_kernel(struct reader *reader)
{
	struct cubin *cubin = &reader->cubin;
	size_t size = reader->kernel_size ? reader->kernel_size * 2 : 4;
	struct cubin_kernel *kernels;

	if (cubin->kernel_count == reader->kernel_size) {
		kernels = realloc(cubin->kernels, size * sizeof *kernels);
		if (!kernels)
			return NULL;
		cubin->kernels = kernels;
		reader->kernel_size = size;
	}
	return &cubin->kernels[cubin->kernel_count];
}

static int add_kernel(struct reader *reader, const GElf_Sym *symbol, const char *name)
{
	unsigned int instruction_bytes =
		reader->cubin.architecture >= INSTRUCTIONS_GROW_AT ? 16 : 8;
	Elf_Scn *scn = elf_getscn(reader->elf, symbol->st_shndx);
	struct cubin_kernel *kernel;
	GElf_Shdr section;

	if (!scn || symbol->st_shndx >= reader->section_count || !gelf_getshdr(scn, &section) ||
	    section.sh_type != SHT_PROGBITS ||
	    !has_prefix(section_name(reader, &section), ".text."))
		return damaged(reader, "a kernel has no code section");
	if (!*name)
		return damaged(reader, "a kernel has no name");
	kernel = new_kernel(reader);
	if (!kernel)
		return no_memory(reader);
	*kernel =
		(struct cubin_kernel){ .name = strdup(name),
				       .text_bytes = section.sh_size,
				       .instructions = section.sh_size / instruction_bytes,
				       .register_count = section.sh_info >> INFO_REGISTERS_SHIFT };
	if (!kernel->name)
		return no_memory(reader);
	reader->kernel_of_section[symbol->st_shndx] = ++reader->cubin.kernel_count;
	return 0;
}

/* What the driver is asked to link in. */
static void note_import(struct cubin *cubin, const char *name)
{
	if (!strcmp(name, "vprintf"))
		cubin->uses_printf = true;
	if (!strcmp(name, "malloc") || !strcmp(name, "free"))
		cubin->uses_malloc = true;
	if (has_prefix(name, DEVICE_RUNTIME_PREFIX))
		cubin->uses_device_runtime = true;
}

/* A section may hold variables of both kinds. */
static void note_variable(struct cubin *cubin, const GElf_Sym *symbol)
{
	if (GELF_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_other & STO_CUDA_MANAGED &&
	    symbol->st_shndx != SHN_UNDEF)
		cubin->managed_bytes += symbol->st_size;
}

static bool is_kernel(const GElf_Sym *symbol)
{
	return GELF_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_other & STO_CUDA_ENTRY &&
	       symbol->st_shndx != SHN_UNDEF;
}

static int read_symbols(struct reader *reader, Elf_Scn *scn, const GElf_Shdr *section)
{
	GElf_Sym symbol;
	int r;

	reader->symbols = elf_getdata(scn, NULL);
	if (!reader->symbols)
		return damaged(reader, "its symbol table cannot be read");
	for (int i = 0; gelf_getsym(reader->symbols, i, &symbol); i++) {
		const char *name = elf_strptr(reader->elf, section->sh_link, symbol.st_name);

		if (!name)
			return damaged(reader, "a symbol has no name");
		if (symbol.st_shndx == SHN_UNDEF)
			note_import(&reader->cubin, name);
		note_variable(&reader->cubin, &symbol);
		if (!is_kernel(&symbol))
			continue;
		r = add_kernel(reader, &symbol, name);
		if (r < 0)
			return r;
	}
	return 0;
}

static struct cubin_kernel *kernel_of_symbol(struct reader *reader, uint32_t symbol_index)
{
	GElf_Sym symbol;
	size_t number;

	if (symbol_index > INT32_MAX || !gelf_getsym(reader->symbols, (int)symbol_index, &symbol) ||
	    !is_kernel(&symbol) || symbol.st_shndx >= reader->section_count)
		return NULL;
	number = reader->kernel_of_section[symbol.st_shndx];
	return number ? &reader->cubin.kernels[number - 1] : NULL;
}

static void note_attribute(struct reader *reader, unsigned char attribute, const void *value)
{
	struct cubin_kernel *kernel;
	uint32_t words[2];

	memcpy(words, value, sizeof words);
	kernel = kernel_of_symbol(reader, words[0]);
	if (kernel && attribute == INFO_ATTRIBUTE_FRAME_SIZE)
		kernel->local_bytes = words[1];
	else if (kernel && attribute == INFO_ATTRIBUTE_STACK)
		kernel->stack_bytes = words[1];
	else if (kernel && attribute == INFO_ATTRIBUTE_REGISTERS)
		kernel->register_count = words[1];
}

static int read_info(struct reader *reader, Elf_Scn *scn)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	const unsigned char *record = data ? data->d_buf : NULL;
	size_t left = record ? data->d_size : 0;

	while (left >= INFO_RECORD_BYTES) {
		uint16_t value_bytes = 0;

		if (record[0] == INFO_FORMAT_SIZED)
			memcpy(&value_bytes, record + 2, sizeof value_bytes);
		if (value_bytes > left - INFO_RECORD_BYTES)
			return damaged(reader, ".nv.info ends in the middle of a record");
		if (value_bytes >= INFO_VALUE_BYTES)
			note_attribute(reader, record[1], record + INFO_RECORD_BYTES);
		record += INFO_RECORD_BYTES + value_bytes;
		left -= INFO_RECORD_BYTES + (size_t)value_bytes;
	}
	return 0;
}

/* The kernel in whose section this address is, unless it is the kernel's own. */
static struct cubin_kernel *caller_of(struct reader *reader, const GElf_Rela *address)
{
	size_t number = 0;
	GElf_Sym symbol;

	if (GELF_R_SYM(address->r_info) <= INT32_MAX &&
	    gelf_getsym(reader->symbols, (int)GELF_R_SYM(address->r_info), &symbol) &&
	    symbol.st_shndx < reader->section_count &&
	    symbol.st_value + (uint64_t)address->r_addend)
		number = reader->kernel_of_section[symbol.st_shndx];
	return number ? &reader->cubin.kernels[number - 1] : NULL;
}

static int compare_addresses(const void *a, const void *b)
{
	const GElf_Rela *left = a, *right = b;

	return (left->r_offset > right->r_offset) - (left->r_offset < right->r_offset);
}

/* In the order of their offsets. */
static int sort_addresses(const struct reader *reader, Elf_Data *data, GElf_Rela **ret_sorted,
			  size_t *ret_count)
{
	size_t room = data->d_size / sizeof(Elf64_Rela), count = 0;
	GElf_Rela *sorted = calloc(room + 1, sizeof *sorted);

	if (!sorted)
		return no_memory(reader);
	while (count < room && count < INT32_MAX && gelf_getrela(data, (int)count, &sorted[count]))
		count++;
	qsort(sorted, count, sizeof *sorted, compare_addresses);
	*ret_sorted = sorted;
	*ret_count = count;
	return 0;
}

static void note_frame(struct reader *reader, const GElf_Rela *address, uint64_t bytes)
{
	struct cubin_kernel *kernel = caller_of(reader, address);

	if (kernel && bytes > kernel->call_bytes)
		kernel->call_bytes = bytes;
}

/* The frames of functions that kernels call, which lie behind the kernel in its section. */
static int read_frames(struct reader *reader, Elf_Scn *scn, const GElf_Shdr *section)
{
	Elf_Data *addresses = elf_getdata(scn, NULL);
	Elf_Scn *frames = elf_getscn(reader->elf, section->sh_info);
	Elf_Data *data = frames ? elf_rawdata(frames, NULL) : NULL;
	size_t offset = 0, count = 0, next = 0;
	struct cubin_frame frame;
	GElf_Rela *sorted = NULL;
	int r;

	if (!addresses || !data || !data->d_buf)
		return 0;
	r = sort_addresses(reader, addresses, &sorted, &count);
	if (r < 0)
		return r;
	/* Frames come in the order of their addresses, too. */
	while (cubin_frame_next(data->d_buf, data->d_size, &offset, &frame)) {
		while (next < count && sorted[next].r_offset < frame.address_at)
			next++;
		for (size_t i = next; i < count && sorted[i].r_offset == frame.address_at; i++)
			note_frame(reader, &sorted[i], frame.bytes);
	}
	free(sorted);
	return 0;
}

/* A constant bank names in sh_info the code that it serves. One of addresses holds no variable. */
static void note_constants(struct reader *reader, const GElf_Shdr *section)
{
	size_t number = 0;

	if (section->sh_info < reader->section_count)
		number = reader->kernel_of_section[section->sh_info];
	if (number)
		reader->cubin.kernels[number - 1].constant_bytes += section->sh_size;
	else if (strcmp(section_name(reader, section), ADDRESS_BANK) != 0)
		reader->cubin.static_bytes += section->sh_size;
}

/* sh_info names the code here, too. What the system reserves belongs to none. */
static void note_shared(struct reader *reader, const GElf_Shdr *section)
{
	uint64_t bytes = section->sh_size;
	size_t number = 0;

	if (reader->is_linked && reader->cubin.architecture >= SHARED_HAS_SYSTEM_AT &&
	    bytes >= SHARED_SYSTEM_BYTES)
		bytes -= SHARED_SYSTEM_BYTES;
	if (section->sh_info < reader->section_count)
		number = reader->kernel_of_section[section->sh_info];
	if (number)
		reader->cubin.kernels[number - 1].shared_bytes += bytes;
}

static int read_section(struct reader *reader, Elf_Scn *scn, const GElf_Shdr *section)
{
	const char *name = section_name(reader, section);

	if (!strcmp(name, ".nv.info"))
		return read_info(reader, scn);
	if (!strcmp(name, ".rela.debug_frame"))
		return read_frames(reader, scn, section);
	if (!strcmp(name, ".nv.global") || !strcmp(name, ".nv.global.init"))
		reader->cubin.static_bytes += section->sh_size;
	else if (has_prefix(name, ".text.") && !reader->kernel_of_section[elf_ndxscn(scn)])
		reader->cubin.function_bytes += section->sh_size;
	else if (has_prefix(name, ".nv.constant"))
		note_constants(reader, section);
	else if (has_prefix(name, ".nv.shared."))
		note_shared(reader, section);
	return 0;
}

/* Symbols first: the other sections are told apart by the kernels they belong to. */
static int read_sections(struct reader *reader)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr section;
	int r = 0;

	while (!reader->symbols && (scn = elf_nextscn(reader->elf, scn)) && !r)
		if (gelf_getshdr(scn, &section) && section.sh_type == SHT_SYMTAB)
			r = read_symbols(reader, scn, &section);
	if (!r && !reader->symbols)
		r = damaged(reader, "no symbol table");
	scn = NULL;
	while (!r && (scn = elf_nextscn(reader->elf, scn)))
		if (gelf_getshdr(scn, &section))
			r = read_section(reader, scn, &section);
	for (size_t i = 0; i < reader->cubin.kernel_count; i++) {
		struct cubin_kernel *kernel = &reader->cubin.kernels[i];

		if (kernel->stack_bytes < kernel->local_bytes)
			kernel->stack_bytes = kernel->local_bytes;
	}
	if (!r && reader->cubin.managed_bytes > reader->cubin.static_bytes)
		r = damaged(reader, "a managed variable lies nowhere");
	return r;
}

static int read_elf(struct reader *reader, const void *image, size_t image_bytes)
{
	int r;

	/* libelf takes a pointer to non-const and does not write through it. */
	reader->elf = elf_version(EV_CURRENT) == EV_NONE
			      ? NULL
			      : elf_memory((char *)(uintptr_t)image, image_bytes);
	if (!reader->elf)
		return damaged(reader, "libelf does not take it");
	r = read_header(reader);
	if (!r) {
		reader->kernel_of_section =
			calloc(reader->section_count + 1, sizeof *reader->kernel_of_section);
		r = reader->kernel_of_section ? read_sections(reader) : no_memory(reader);
	}
	free(reader->kernel_of_section);
	elf_end(reader->elf);
	return r;
}

int cubin_read(struct cubin *cubin, const void *image, size_t image_bytes, const char *name,
	       struct err *reterr)
{
	struct reader reader = { .cubin.cubin_bytes = image_bytes, .path = name, .reterr = reterr };
	int r;

	if (image_bytes < SELFMAG || memcmp(image, ELFMAG, SELFMAG))
		return err_set(reterr, EBADMSG, "%s: not a cubin: no ELF header", name);
	if (!cubin_image_end(image, image_bytes))
		return damaged(&reader, "it is cut short or points outside itself");
	r = read_elf(&reader, image, image_bytes);
	if (r < 0)
		cubin_free(&reader.cubin);
	else
		*cubin = reader.cubin;
	return r;
}

int cubin_read_file(struct cubin *cubin, const char *path, struct err *reterr)
{
	struct file_map map;
	int r = file_map(&map, path, reterr);

	if (r < 0)
		return r;
	r = cubin_read(cubin, map.image, map.bytes, path, reterr);
	if (!r)
		cubin->crc32 = (uint32_t)crc32_z(0, map.image, map.bytes);
	file_unmap(&map);
	return r;
}

void cubin_free(struct cubin *cubin)
{
	for (size_t i = 0; i < cubin->kernel_count; i++)
		free(cubin->kernels[i].name);
	free(cubin->kernels);
	*cubin = (struct cubin){ 0 };
}

size_t cubin_image_bytes(const void *image)
{
	return cubin_image_end(image, SIZE_MAX);
}
