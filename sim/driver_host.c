/* SPDX-License-Identifier: MIT */
/* Pinned memory of the host: nothing of the device, and gone with its context. */
#include "sim/driver.h"

#include <stdlib.h>
#include <sys/mman.h>

struct host_block {
	struct host_block *next;
	void *memory;
	size_t bytes;
};

void host_blocks_free(struct CUctx_st *context)
{
	while (context->host_blocks) {
		struct host_block *next = context->host_blocks->next;

		munmap(context->host_blocks->memory, context->host_blocks->bytes);
		free(context->host_blocks);
		context->host_blocks = next;
	}
}

static CUresult add_block(struct CUctx_st *context, size_t bytes, void **ret_memory)
{
	struct host_block *block = malloc(sizeof *block);
	void *memory;

	if (!block)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		free(block);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*block = (struct host_block){ .next = context->host_blocks,
				      .memory = memory,
				      .bytes = bytes };
	context->host_blocks = block;
	*ret_memory = memory;
	return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_CONTEXT);

	if (r)
		return r;
	(void)flags; /* who may use it, and how: no memory of the device */
	if (!pointer || !bytes)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	return call_end(add_block(context_current(), bytes, pointer));
}
