/* SPDX-License-Identifier: MIT */
/*
 * The line on which the allocations of a context lie, where the device has memory_is_contiguous.
 *
 * Each lies behind the one before, and what the context took otherwise in between lies there, too.
 * One that is freed leaves a hole; holes beside each other are one. An allocation goes to the start
 * of the first hole that holds it, or else behind the last one, where the rest of what is free
 * lies. It alone needs room in one piece; everything else may lie anywhere.
 */
#ifndef SIM_MODEL_LINE_H
#define SIM_MODEL_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_span {
	uint64_t address; /* of the allocation */
	uint64_t bytes;
	uint64_t other_bytes; /* that the context had otherwise when it came */
	bool is_free;
};

struct model_line {
	struct model_span *spans; /* owned */
	size_t count;
	size_t room;
};

/* `other_bytes`: that the context has besides allocations. 0, or -ENOMEM and nothing has changed.
 */
int model_line_allocate(struct model_line *line, uint64_t address, uint64_t bytes,
			uint64_t free_bytes, uint64_t other_bytes);
void model_line_free(struct model_line *line, uint64_t address);
void model_line_release(struct model_line *line);

#endif
