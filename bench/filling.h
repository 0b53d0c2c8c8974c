/* SPDX-License-Identifier: MIT */
/*
 * Taking what is free of a device, down to what shall be left of it. Large blocks, so that few
 * calls do it; the end of the process gives all of them back, however it comes.
 */
#ifndef BENCH_FILLING_H
#define BENCH_FILLING_H

#include "harness/bench.h"

#define FILLING_BLOCKS_MAX 64
#define FILLING_LARGEST    ((uint64_t)1 << 42)
/* Of a size that no driver cuts out of another block of its own. */
#define FILLING_SMALLEST ((uint64_t)2 << 20)

/* At most 1 GiB can be given back in steps. */
#define FILLING_PIECES_MAX 512

struct filling {
	CUdeviceptr blocks[FILLING_BLOCKS_MAX];
	size_t block_count;
	CUdeviceptr pieces[FILLING_PIECES_MAX]; /* each of the smallest size */
	size_t piece_count;
};

static inline CUresult filling_free_now(const struct driver *cu, uint64_t *ret_free_bytes)
{
	size_t free_bytes, total_bytes;
	CUresult error = cu->mem_get_info(&free_bytes, &total_bytes);

	if (!error)
		*ret_free_bytes = free_bytes;
	return error;
}

/*
 * Halves the size of the next block whenever one of this size does not fit any more, or is not to
 * be had in one piece.
 */
static inline CUresult filling_take(struct filling *filling, const struct driver *cu,
				    uint64_t leave_bytes)
{
	uint64_t block_bytes = FILLING_LARGEST, free_bytes = 0;
	CUresult error = filling_free_now(cu, &free_bytes);

	while (!error && block_bytes >= FILLING_SMALLEST &&
	       filling->block_count < FILLING_BLOCKS_MAX) {
		bool fits = free_bytes >= leave_bytes && free_bytes - leave_bytes >= block_bytes;

		error = fits ? cu->mem_alloc(&filling->blocks[filling->block_count], block_bytes)
			     : CUDA_ERROR_OUT_OF_MEMORY;
		if (error == CUDA_ERROR_OUT_OF_MEMORY) {
			block_bytes /= 2;
			error = CUDA_SUCCESS;
			continue;
		}
		filling->block_count += !error;
		if (!error)
			error = filling_free_now(cu, &free_bytes);
	}
	return error;
}

/* Further pieces until there are so many, or the next would leave less. */
static inline CUresult filling_take_pieces(struct filling *filling, const struct driver *cu,
					   size_t piece_count, uint64_t leave_bytes)
{
	uint64_t free_bytes = 0;
	CUresult error = filling_free_now(cu, &free_bytes);

	while (!error && filling->piece_count < piece_count &&
	       free_bytes >= leave_bytes + FILLING_SMALLEST) {
		error = cu->mem_alloc(&filling->pieces[filling->piece_count], FILLING_SMALLEST);
		if (error == CUDA_ERROR_OUT_OF_MEMORY)
			return CUDA_SUCCESS;
		filling->piece_count += !error;
		if (!error)
			error = filling_free_now(cu, &free_bytes);
	}
	return error;
}

static inline CUresult filling_free_piece(struct filling *filling, const struct driver *cu)
{
	return cu->mem_free(filling->pieces[--filling->piece_count]);
}

static inline CUresult filling_free_pieces(struct filling *filling, const struct driver *cu)
{
	CUresult error = CUDA_SUCCESS;

	while (filling->piece_count && !error)
		error = filling_free_piece(filling, cu);
	return error;
}

static inline CUresult filling_free(struct filling *filling, const struct driver *cu)
{
	CUresult error = filling_free_pieces(filling, cu);

	while (filling->block_count && !error)
		error = cu->mem_free(filling->blocks[--filling->block_count]);
	return error;
}

#endif
