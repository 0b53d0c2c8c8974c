/* SPDX-License-Identifier: MIT */
#include "bench/data_loading.h"
#include "bench/need.h"
#include "bench/managed.h"
#include "bench/module.h"

/* Managed pages are the host's memory, too, which nobody here means to fill. */
#define MANAGED_BYTES_MAX ((uint64_t)64 << 20)

#define DATA_LOADING_BYTES_MIN ((uint64_t)4 << 20)

/* The kernel of a module with a managed variable writes to every page of it. */
static void static_symbols_run(struct sample *s)
{
	bool is_managed = sample_word_is(s, "symbol", "managed");
	const void *image = sample_module_numbered(s, is_managed ? "managed" : "static",
						   sample_number(s, "symbol_bytes"));

	if (module_run(s, image) && is_managed)
		managed_empty_pool(s);
}

/* Where data could wait, some granules of it show that; below one, all sizes look alike. */
static bool static_symbols_wants(const struct bench *bench, const struct bench_point *point)
{
	uint64_t bytes = bench_number(bench, point, "symbol_bytes");
	bool is_plain = bench_word_is(bench, point, "loading", "lazy") ||
			bench_word_is(bench, point, "loading", "eager");

	if (bench_word_is(bench, point, "symbol", "managed") && bytes > MANAGED_BYTES_MAX)
		return false;
	return is_plain || bytes >= DATA_LOADING_BYTES_MIN;
}

static const char *family_of(const struct bench *bench, const struct bench_point *point)
{
	return bench_word_is(bench, point, "symbol", "managed") ? "managed" : "static";
}

static const char *static_symbols_obstacle(const struct bench *bench,
					   const struct bench_point *point,
					   const struct device_info *device)
{
	if (!device_has_module_numbered(device, family_of(bench, point),
					bench_number(bench, point, "symbol_bytes")))
		return BENCH_NOT_BUILT;
	return bench_word_is(bench, point, "symbol", "managed") &&
			       device->total_bytes < MANAGED_DEVICE_BYTES
		       ? "managed memory needs a device with room to spare: 4 GiB in all"
		       : NULL;
}

static uint64_t static_symbols_need_bytes(const struct bench *bench,
					  const struct bench_point *point,
					  const struct device_info *device)
{
	uint64_t bytes = need_sum(NEED_LITTLE_BYTES, bench_number(bench, point, "symbol_bytes"));

	(void)device;
	return bench_word_is(bench, point, "symbol", "managed")
		       ? need_sum(bytes, MANAGED_POOL_BYTES)
		       : bytes;
}

#define SYMBOL_LAW(name, words)                                                                  \
	{                                                                                        \
		.component = name, .axis = "symbol_bytes", .step = "launch-2", .is_total = true, \
		.where = words                                                                   \
	}

const struct bench static_symbols = {
	.name = "static-symbols",
	.question = "What does a __device__ or __managed__ array cost, and which call takes its "
		    "memory?",
	.axes = { { .name = "symbol_bytes",
		    .values = "1,4K,64K,2M,4M,64M,256M",
		    .quick_values = "1,16M" },
		  { .name = "loading",
		    .kind = AXIS_WORD,
		    .values = DATA_LOADING_WORDS,
		    .quick_values = "lazy",
		    .settings = data_loading_settings },
		  { .name = "symbol", .kind = AXIS_WORD, .values = "device,managed" } },
	.laws = { SYMBOL_LAW("symbols-lazy", "loading=lazy,symbol=device"),
		  SYMBOL_LAW("symbols-eager", "loading=eager,symbol=device"),
		  SYMBOL_LAW("symbols-data-lazy", "loading=data-lazy,symbol=device"),
		  SYMBOL_LAW("symbols-data-eager", "loading=data-eager,symbol=device"),
		  SYMBOL_LAW("managed-lazy", "loading=lazy,symbol=managed"),
		  SYMBOL_LAW("managed-eager", "loading=eager,symbol=managed"),
		  { .component = "managed-returned",
		    .axis = "symbol_bytes",
		    .step = "unload",
		    .where = "loading=lazy,symbol=managed" } },
	.components = { { .name = "first __managed__ byte of a module",
			  .step = "launch-2",
			  .with = "symbol_bytes=1,loading=lazy,symbol=managed",
			  .since = "create",
			  .when = "module load" } },
	.headline_step = "load",
	.wants = static_symbols_wants,
	.obstacle = static_symbols_obstacle,
	.need_bytes = static_symbols_need_bytes,
	.run = static_symbols_run,
};
