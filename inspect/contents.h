/* SPDX-License-Identifier: MIT */
/*
 * All device code in a file, image by image, kernel by kernel. An image that cannot be read is
 * listed with the reason, and all others are read.
 *
 * contents_read() -> look at the images -> contents_free()
 */
#ifndef INSPECT_CONTENTS_H
#define INSPECT_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernels/cubin.h"
#include "kernels/fatbin.h"

enum device_image_kind {
	IMAGE_CUBIN, /* machine code */
	IMAGE_PTX,   /* text, which the driver compiles where no machine code fits */
	IMAGE_OTHER, /* for other tools than the driver: what is still to be linked */
};

struct device_image {
	enum device_image_kind kind;
	enum fatbin_packing packing;
	bool is_unlinked;          /* for the linker: no driver loads it as it is */
	unsigned int architecture; /* 90 for sm_90 or compute_90; 0: not known */
	size_t fatbin;             /* in which of the file's fat binaries, from 1; 0: in none */
	char *member;              /* in which member of an archive; else NULL; owned */
	uint64_t file_bytes;       /* in the file … */
	uint64_t image_bytes;      /* … and once uncompressed */
	struct cubin cubin;        /* empty unless it is one that could be read */
	char **names;              /* of the cubin's kernels, to be shown; owned */
	char *trouble;             /* why it could not be read; else NULL; owned */
};

struct contents {
	const char *path; /* the caller's */
	uint64_t file_bytes;
	struct device_image *images; /* owned */
	size_t count;
	size_t size;
	size_t fatbin_count;
	size_t kernel_count;
	size_t trouble_count;
};

/* How names of kernels are shown. The answer is freed; NULL: no memory. */
struct contents_namer {
	char *(*name)(void *context, const char *mangled);
	void *context;
};

/*
 * Returns 0 also where there is no device code; -errno of open/mmap; -EBADMSG for a file of another
 * kind or one that is damaged as a whole; -ENOMEM.
 */
int contents_read(struct contents *contents, const char *path, const struct contents_namer *namer,
		  struct err *reterr);
void contents_free(struct contents *contents);

/* "cubin", "ptx", "other" */
const char *device_image_kind_text(enum device_image_kind kind);
/* "none", "lz4", "zstd", "unknown" */
const char *fatbin_packing_text(enum fatbin_packing packing);

#endif
