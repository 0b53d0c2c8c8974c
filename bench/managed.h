/* SPDX-License-Identifier: MIT */
/*
 * Managed memory comes from a pool that the driver keeps for the device and not for a process. It
 * takes memory of the device in batches, returns each piece that is freed, and keeps what is left
 * of a batch beyond the end of the process. The steps here use up what a sample has left in it and
 * free that, so that the next one finds the pool empty, and the device as it was.
 */
#ifndef BENCH_MANAGED_H
#define BENCH_MANAGED_H

#include "harness/bench.h"

/* What the pool hands out at a time is 2 MiB on the devices we know; its batches are 64 of them. */
#define MANAGED_PIECE_BYTES ((size_t)2 << 20)
#define MANAGED_PIECES_MAX  256

/* At most so much does it take to find the pool's edges; there must be room for it, and far more.
 */
#define MANAGED_POOL_BYTES   (MANAGED_PIECES_MAX * (uint64_t)MANAGED_PIECE_BYTES)
#define MANAGED_DEVICE_BYTES ((uint64_t)4 << 30)

struct managed_pieces {
	CUdeviceptr addresses[MANAGED_PIECES_MAX];
	size_t count;
};

/* One more piece, which the device has written to. */
static inline CUresult managed_add(const struct driver *cu, struct managed_pieces *pieces)
{
	CUdeviceptr address;
	CUresult error = cu->mem_alloc_managed(&address, MANAGED_PIECE_BYTES, CU_MEM_ATTACH_GLOBAL);

	if (error)
		return error;
	pieces->addresses[pieces->count++] = address;
	error = cu->memset_d8(address, 0, MANAGED_PIECE_BYTES);
	return error ? error : cu->ctx_synchronize();
}

/*
 * Adds pieces until one moves the meter: the pool was empty before it, and has a new batch now.
 * Where none does, the pool is not what it is taken for, and that is no driver's error.
 */
static inline CUresult managed_add_to_edge(const struct driver *cu, struct managed_pieces *pieces)
{
	size_t before_bytes, free_bytes, total_bytes;
	CUresult error = cu->mem_get_info(&before_bytes, &total_bytes);

	free_bytes = before_bytes;
	while (!error && pieces->count < MANAGED_PIECES_MAX && free_bytes == before_bytes) {
		error = managed_add(cu, pieces);
		if (!error)
			error = cu->mem_get_info(&free_bytes, &total_bytes);
	}
	return !error && free_bytes == before_bytes ? CUDA_ERROR_UNKNOWN : error;
}

/* Two edges tell how many pieces a batch has; all of another one but that at the edge are left. */
static inline CUresult managed_use_up(const struct driver *cu, struct managed_pieces *pieces)
{
	size_t first_edge, batch;
	CUresult error = managed_add_to_edge(cu, pieces);

	first_edge = pieces->count;
	if (!error)
		error = managed_add_to_edge(cu, pieces);
	batch = pieces->count - first_edge;
	for (size_t i = 1; i < batch && !error; i++)
		error = pieces->count < MANAGED_PIECES_MAX ? managed_add(cu, pieces)
							   : CUDA_ERROR_UNKNOWN;
	return error;
}

static inline CUresult managed_free(const struct driver *cu, const struct managed_pieces *pieces)
{
	CUresult error = CUDA_SUCCESS;

	for (size_t i = 0; i < pieces->count && !error; i++)
		error = cu->mem_free(pieces->addresses[i]);
	return error;
}

/* In a context of their own, as what is left in the pool needs none. */
static inline void managed_empty_pool(struct sample *s)
{
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);
	struct managed_pieces pieces = { .count = 0 };

	CU_TRY(s, "create-again", api->create(s));
	CU_TRY(s, "use-up-pool", managed_use_up(cu, &pieces));
	CU_TRY(s, "free-pool", managed_free(cu, &pieces));
	CU_TRY(s, "destroy-again", api->destroy(s));
}

#endif
