/* SPDX-License-Identifier: MIT */
/*
 * Buffers with code between them, as in a program that loads kernels while it allocates: when all
 * buffers are gone again, is their room still there in one piece?
 *
 * So that a sample ends in time, there are at most PAIRS_MAX buffers; a block that is taken before
 * them leaves no more room than they need. It never takes the reserve, which is for whoever else
 * comes to need memory meanwhile.
 */
#include "bench/filling.h"

#define PAIRS_MAX 512

/* Of a kernel that has a chunk of 2 MiB for itself, and of what the driver rounds that up to. */
#define CHUNK_MODULE    "fma-129503"
#define CHUNK_BYTES_MAX ((uint64_t)4 << 20)

#define RESERVE_PART         64
#define RESERVE_MIN_BYTES    ((uint64_t)1 << 30)
#define RESERVE_PART_AT_MOST 16 /* on a device so small that the minimum were more */

/* Binary search ends here. */
#define SEARCH_STEP_BYTES ((uint64_t)2 << 20)

struct pairs {
	struct filling ballast;
	uint64_t buffer_bytes;
	uint64_t reserve_bytes;
	CUdeviceptr buffers[PAIRS_MAX];
	size_t buffer_count;
	CUmodule modules[PAIRS_MAX];
	size_t module_count;
	CUfunction newest;
};

static uint64_t reserve_of(uint64_t total_bytes)
{
	uint64_t least_bytes = total_bytes / RESERVE_PART_AT_MOST;

	if (least_bytes > RESERVE_MIN_BYTES)
		least_bytes = RESERVE_MIN_BYTES;
	return total_bytes / RESERVE_PART < least_bytes ? least_bytes : total_bytes / RESERVE_PART;
}

static CUresult take_ballast(struct sample *s, struct pairs *pairs)
{
	size_t total_bytes;
	CUresult error = sample_driver(s)->device_total_mem(&total_bytes, sample_device(s));

	if (error)
		return error;
	pairs->reserve_bytes = reserve_of(total_bytes);
	return filling_take(&pairs->ballast, sample_driver(s),
			    pairs->reserve_bytes +
				    PAIRS_MAX * (pairs->buffer_bytes + CHUNK_BYTES_MAX));
}

static CUresult add_buffer(const struct driver *cu, struct pairs *pairs)
{
	CUresult error = cu->mem_alloc(&pairs->buffers[pairs->buffer_count], pairs->buffer_bytes);

	pairs->buffer_count += !error;
	return error;
}

static CUresult add_module(const struct driver *cu, struct pairs *pairs, const void *image)
{
	CUmodule *module = &pairs->modules[pairs->module_count];
	CUresult error = cu->module_load_data(module, image);

	if (error)
		return error;
	pairs->module_count++;
	return cu->module_get_function(&pairs->newest, *module, "kernel");
}

static CUresult add_pair(const struct driver *cu, struct pairs *pairs, const void *image)
{
	CUresult error = add_buffer(cu, pairs);

	return error || !image ? error : add_module(cu, pairs, image);
}

/* Until there are so many, or the next would reach into the reserve, or there is no room for it. */
static CUresult fill(struct sample *s, struct pairs *pairs)
{
	const struct driver *cu = sample_driver(s);
	const void *image =
		sample_word_is(s, "between", "modules") ? sample_module(s, CHUNK_MODULE) : NULL;
	uint64_t free_bytes = 0, need_bytes = pairs->reserve_bytes + pairs->buffer_bytes +
					      (image ? CHUNK_BYTES_MAX : 0);
	CUresult error = filling_free_now(cu, &free_bytes);
	bool is_full = false;

	while (!error && !is_full && pairs->buffer_count < PAIRS_MAX && free_bytes >= need_bytes) {
		error = add_pair(cu, pairs, image);
		is_full = error == CUDA_ERROR_OUT_OF_MEMORY;
		error = is_full ? CUDA_SUCCESS : error ? error : filling_free_now(cu, &free_bytes);
	}
	sample_read(s, "buffers", pairs->buffer_count);
	sample_read(s, "modules", pairs->module_count);
	return error;
}

static CUresult free_buffers(const struct driver *cu, struct pairs *pairs)
{
	CUresult error = CUDA_SUCCESS;

	for (size_t i = 0; i < pairs->buffer_count && !error; i++)
		error = cu->mem_free(pairs->buffers[i]);
	return error;
}

/* Of none, where none found room. */
static int launch_newest(struct sample *s, const struct pairs *pairs)
{
	return pairs->newest ? sample_launch(s, pairs->newest) : 0;
}

static CUresult unload_modules(const struct driver *cu, struct pairs *pairs)
{
	CUresult error = CUDA_SUCCESS;

	for (size_t i = 0; i < pairs->module_count && !error; i++)
		error = cu->module_unload(pairs->modules[i]);
	return error;
}

/* Whether a block of this size is to be had; it is given back at once. */
static CUresult try_block(const struct driver *cu, uint64_t bytes, bool *ret_fits)
{
	CUdeviceptr block;
	CUresult error = cu->mem_alloc(&block, bytes);

	if (error && error != CUDA_ERROR_OUT_OF_MEMORY)
		return error;
	*ret_fits = !error;
	return error ? CUDA_SUCCESS : cu->mem_free(block);
}

/* Of all that is free but the reserve, the largest block that is to be had at once. */
static CUresult search_largest(struct sample *s, const struct pairs *pairs)
{
	const struct driver *cu = sample_driver(s);
	uint64_t free_bytes = 0, sought_bytes, fits_bytes = 0, above_bytes, try_bytes;
	CUresult error = filling_free_now(cu, &free_bytes);

	sought_bytes = free_bytes > pairs->reserve_bytes ? free_bytes - pairs->reserve_bytes : 0;
	sought_bytes -= sought_bytes % SEARCH_STEP_BYTES;
	above_bytes = sought_bytes + SEARCH_STEP_BYTES;
	try_bytes = sought_bytes;
	while (!error && try_bytes > fits_bytes) {
		bool fits = false;

		error = try_block(cu, try_bytes, &fits);
		*(fits ? &fits_bytes : &above_bytes) = try_bytes;
		try_bytes = fits_bytes + (above_bytes - fits_bytes) / 2;
		try_bytes -= try_bytes % SEARCH_STEP_BYTES;
	}
	sample_read(s, "sought_bytes", sought_bytes);
	sample_read(s, "largest_bytes", fits_bytes);
	return error;
}

static void fragmentation_run(struct sample *s)
{
	static struct pairs pairs;
	const struct context_api *api = sample_api(s);
	const struct driver *cu = sample_driver(s);

	pairs.buffer_bytes = sample_number(s, "buffer_bytes");
	CU_TRY(s, "create", api->create(s));
	CU_TRY(s, "take-ballast", take_ballast(s, &pairs));
	CU_TRY(s, "fill", fill(s, &pairs));
	CU_TRY(s, "free-buffers", free_buffers(cu, &pairs));
	CU_TRY(s, "search-largest", search_largest(s, &pairs));
	if (sample_word_is(s, "between", "modules")) {
		CU_TRY(s, "launch", launch_newest(s, &pairs));
		CU_TRY(s, "unload-modules", unload_modules(cu, &pairs));
		CU_TRY(s, "search-largest-again", search_largest(s, &pairs));
	}
	CU_TRY(s, "free-ballast", filling_free(&pairs.ballast, cu));
	CU_TRY(s, "destroy", api->destroy(s));
}

static const char *fragmentation_obstacle(const struct bench *bench,
					  const struct bench_point *point,
					  const struct device_info *device)
{
	return bench_number(bench, point, "buffer_bytes") > device->total_bytes
		       ? "the device has less than one such buffer"
		       : NULL;
}

static uint64_t fragmentation_need_bytes(const struct bench *bench, const struct bench_point *point,
					 const struct device_info *device)
{
	uint64_t reserve_bytes = reserve_of(device->total_bytes);

	(void)bench;
	(void)point;
	return device->free_bytes > reserve_bytes ? device->free_bytes - reserve_bytes : 0;
}

const struct bench fragmentation = {
	.name = "fragmentation",
	.question = "When buffers that were allocated between modules are freed, how much of their "
		    "room is to be had in one block?",
	.axes = { { .name = "buffer_bytes", .values = "2M,64M,1G", .quick_values = "64M" },
		  { .name = "between", .kind = AXIS_WORD, .values = "nothing,modules" } },
	.readings = { { "buffers" }, { "modules" }, { "sought_bytes" }, { "largest_bytes" } },
	/* All that was sought in one block, unless the memory is in pieces. */
	.laws = { { .component = "largest",
		    .axis = "sought_bytes",
		    .step = "search-largest",
		    .reading = "largest_bytes" } },
	.room_steps = "take-ballast,fill,free-buffers,unload-modules,free-ballast",
	.headline_step = "search-largest",
	.obstacle = fragmentation_obstacle,
	.need_bytes = fragmentation_need_bytes,
	.run = fragmentation_run,
};
