/* SPDX-License-Identifier: MIT */
/*
 * What a cubin really contains, read back from the ELF file with libelf.
 *
 * cubin_read_file() (or cubin_read() for an image in memory) -> look at the fields -> cubin_free().
 *
 * Where the numbers come from (sections that ptxas writes, one set per kernel NAME):
 *   - text_bytes: size of .text.NAME
 *   - instructions: text_bytes / 16 from sm_70 on, / 8 before, the fixed widths of instructions;
 *     padding NOPs are counted, since they are loaded, too
 *   - constant_bytes: sizes of .nv.constant*.NAME
 *   - local_bytes: EIATTR_FRAME_SIZE of NAME in .nv.info, the stack frame of a thread
 *   - stack_bytes: EIATTR_MIN_STACK_SIZE of NAME in .nv.info, its frame and those of what it calls,
 *     one in the other; of functions that call themselves none is in it. At least local_bytes
 *   - register_count: EIATTR_REGCOUNT of NAME in .nv.info; where there is none, as assemblers of
 *     long ago and other ones have it, the highest 8 bits of sh_info of .text.NAME
 *   - shared_bytes: size of .nv.shared.NAME; from sm_90 on less 1 KiB of the system's where it is
 * linked, which is not what NAME declares and ptxas -v tells
 *   - function_bytes, of the module: sizes of the other .text.*, functions that kernels call
 *   - call_bytes: the largest frame of the functions in .text.NAME that NAME calls, by .debug_frame
 *   - static_bytes, of the module: .nv.global, .nv.global.init and the constant banks that belong
 *     to no kernel (.nv.constant3: __constant__ variables); .nv.constant4 holds addresses, and what
 *     was measured says that they have no memory of their own
 *   - managed_bytes: sizes of the symbols that st_other marks so
 *   - architecture: e_flags, bits 8-15 where e_ident says ABI version 8 (CUDA 13), else bits 0-7
 */
#ifndef KERNELS_CUBIN_H
#define KERNELS_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct cubin_kernel {
	char *name; /* as in the ELF file, mangled if it is; owned */
	uint64_t text_bytes;
	uint64_t instructions;
	uint64_t constant_bytes;
	uint64_t local_bytes;
	uint64_t stack_bytes;
	uint64_t call_bytes;
	uint64_t shared_bytes;
	uint32_t register_count;
};

struct cubin {
	unsigned int architecture;    /* 90 for sm_90 */
	struct cubin_kernel *kernels; /* in the order of the symbol table; owned */
	size_t kernel_count;
	uint64_t cubin_bytes;
	uint32_t crc32; /* of the file (zlib's); cubin_read() leaves it 0 */
	uint64_t function_bytes;
	uint64_t static_bytes;
	uint64_t managed_bytes;   /* of these, __managed__ variables */
	bool uses_printf;         /* vprintf is an undefined symbol: the driver links its own */
	bool uses_malloc;         /* likewise malloc or free */
	bool uses_device_runtime; /* likewise what launches kernels from kernels */
};

/*
 * Returns 0, -errno of open/mmap, or -EBADMSG when this is no cubin, is cut short, or a header
 * points outside the file. `name` is for the message only.
 */
int cubin_read(struct cubin *cubin, const void *image, size_t image_bytes, const char *name,
	       struct err *reterr);
int cubin_read_file(struct cubin *cubin, const char *path, struct err *reterr);
void cubin_free(struct cubin *cubin);

/* ---- other forms of a module, each a file beside its cubin ---- */

enum cubin_form {
#define CUBIN_FORM(symbol, key, suffix) CUBIN_FORM_##symbol,
#include "kernels/cubin_forms.def"
#undef CUBIN_FORM
	CUBIN_FORM_COUNT,
};

struct cubin_form_name {
	const char *bytes_column; /* of kernels.csv */
	const char *crc32_column;
	const char *suffix; /* of the file: MODULE.ptx */
};

extern const struct cubin_form_name cubin_form_names[CUBIN_FORM_COUNT];

struct cubin_form_file {
	uint64_t bytes; /* 0: there is none */
	uint32_t crc32; /* of the file (zlib's) */
};

/* Returns as cubin_read_file() does. What is in the file is not looked at. */
int cubin_form_read_file(struct cubin_form_file *form, const char *path, struct err *reterr);

/*
 * How many bytes an image that comes without a length has, as cuModuleLoadData() must find out: the
 * end of its last section, header or section table. 0 when the first bytes are no ELF header.
 */
size_t cubin_image_bytes(const void *image);

#endif
