/* SPDX-License-Identifier: MIT */
/*
 * Stack frames by .debug_frame (DWARF 3, section 6.4), which has them for every function, those
 * that call themselves among them; .nv.info has none for these.
 */
#ifndef KERNELS_CUBIN_FRAME_H
#define KERNELS_CUBIN_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cubin_frame {
	size_t address_at; /* in the section: what is relocated to the function's address */
	uint64_t bytes;    /* the frame at its largest */
};

/* The next function's from `*offset` on, which moves behind it. False when there is none. */
bool cubin_frame_next(const unsigned char *section, size_t section_bytes, size_t *offset,
		      struct cubin_frame *ret_frame);

#endif
