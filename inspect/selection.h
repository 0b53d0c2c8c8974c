/* SPDX-License-Identifier: MIT */
/*
 * Which of a file's kernels are shown, in the order of their code, the largest first; and sums over
 * images of one kind and architecture.
 *
 * selection_make() -> look -> selection_free()
 */
#ifndef INSPECT_SELECTION_H
#define INSPECT_SELECTION_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "inspect/contents.h"

struct selection_wish {
	unsigned int architecture; /* 0: all */
	const regex_t *pattern;    /* NULL: all; matched against both forms of a name */
	size_t kernel_count_max;   /* 0: all */
};

struct picked_kernel {
	const struct device_image *image;
	size_t image_number; /* in the file, from 1 */
	const struct cubin_kernel *kernel;
	const char *name;
};

struct image_sum {
	enum device_image_kind kind;
	bool is_unlinked;
	unsigned int architecture;
	uint64_t image_count;
	uint64_t kernel_count;
	uint64_t text_bytes; /* of kernels */
	uint64_t function_bytes;
	uint64_t constant_bytes; /* of kernels */
	uint64_t static_bytes;
	uint64_t file_bytes;
	uint64_t image_bytes;
};

struct selection {
	const struct contents *contents; /* the caller's */
	const struct selection_wish *wish;
	struct picked_kernel *kernels; /* owned */
	size_t kernel_count;           /* no more than are wished for … */
	size_t match_count;            /* … of so many */
	struct image_sum *sums;        /* by kind and architecture; owned */
	size_t sum_count;
};

/* -ENOMEM. */
int selection_make(struct selection *selection, const struct contents *contents,
		   const struct selection_wish *wish, struct err *reterr);
void selection_free(struct selection *selection);

bool selection_has_image(const struct selection *selection, const struct device_image *image);

#endif
