/* SPDX-License-Identifier: MIT */
/*
 * Modules that come and go: one after the other, or held all at once and then unloaded in some
 * order. What stays is the distance between the last step before "destroy" and "create".
 */
#include "bench/need.h"
#include "harness/bench.h"

#define HELD_MAX          1000
#define HELD_LARGE_MAX    100
#define LARGE_MAX         1000
#define LIBRARY_LARGE_MAX 100

#define SMALL_MODULE       "fma-991"
#define SMALL_INSTRUCTIONS 1024
#define LARGE_MODULE       "fma-131039"
#define LARGE_INSTRUCTIONS 131072

/* A prime above HELD_MAX, so that its multiples visit every module once; no two neighbours follow.
 */
#define SHUFFLE_STRIDE 1637

static CUmodule held_modules[HELD_MAX];
static CUfunction held_functions[HELD_MAX];

static int cycle_module(struct sample *s, const void *image)
{
	const struct driver *cu = sample_driver(s);
	CUmodule module;
	CUfunction function;
	int error = (int)cu->module_load_data(&module, image);

	if (!error)
		error = (int)cu->module_get_function(&function, module, "kernel");
	if (!error)
		error = sample_launch(s, function);
	return error ? error : (int)cu->module_unload(module);
}

/* Without options for the compiler or the library. */
static CUresult load_library(struct sample *s, const void *image, struct CUlib_st **ret_library)
{
	return sample_driver(s)->library_load_data(ret_library, image, NULL, NULL, 0, NULL, NULL,
						   0);
}

static int cycle_library(struct sample *s, const void *image)
{
	const struct driver *cu = sample_driver(s);
	struct CUlib_st *library;
	struct CUkern_st *kernel;
	CUfunction function;
	int error = (int)load_library(s, image, &library);

	if (!error)
		error = (int)cu->library_get_kernel(&kernel, library, "kernel");
	if (!error)
		error = (int)cu->kernel_get_function(&function, kernel);
	if (!error)
		error = sample_launch(s, function);
	return error ? error : (int)cu->library_unload(library);
}

/* Loads, finds, launches and unloads the module, that many times over. */
static int cycle(struct sample *s, const void *image, uint64_t count)
{
	bool is_library = sample_word_is(s, "way", "library");
	int error = 0;

	for (uint64_t i = 0; i < count && !error; i++)
		error = is_library ? cycle_library(s, image) : cycle_module(s, image);
	return error;
}

static int load_held(struct sample *s, const void *image, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = sample_driver(s)->module_load_data(&held_modules[i], image);
	return (int)error;
}

static int get_held(struct sample *s, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = 0; i < count && !error; i++)
		error = sample_driver(s)->module_get_function(&held_functions[i], held_modules[i],
							      "kernel");
	return (int)error;
}

static int launch_held(struct sample *s, uint64_t count)
{
	int error = 0;

	for (uint64_t i = 0; i < count && !error; i++)
		error = sample_launch(s, held_functions[i]);
	return error;
}

static uint64_t nth_to_go(struct sample *s, uint64_t i, uint64_t count)
{
	if (sample_word_is(s, "way", "reverse"))
		return count - 1 - i;
	return sample_word_is(s, "way", "shuffled") ? i * SHUFFLE_STRIDE % count : i;
}

static int unload_held(struct sample *s, uint64_t first, uint64_t end, uint64_t count)
{
	CUresult error = CUDA_SUCCESS;

	for (uint64_t i = first; i < end && !error; i++)
		error = sample_driver(s)->module_unload(held_modules[nth_to_go(s, i, count)]);
	return (int)error;
}

static void hold_modules(struct sample *s, const void *image)
{
	uint64_t count = sample_number(s, "cycles");

	CU_TRY(s, "load-held", load_held(s, image, count));
	CU_TRY(s, "get-held", get_held(s, count));
	CU_TRY(s, "launch-held", launch_held(s, count));
	CU_TRY(s, "unload-half", unload_held(s, 0, count / 2, count));
	CU_TRY(s, "unload-rest", unload_held(s, count / 2, count, count));
	CU_TRY(s, "destroy", sample_api(s)->destroy(s));
}

/* The first cycle of a library call by call, since it is no part of a context at first. */
static bool cycle_library_slowly(struct sample *s, const void *image)
{
	const struct driver *cu = sample_driver(s);
	struct CUlib_st *library;
	struct CUkern_st *kernel;
	CUfunction function;

	return CU_STEP(s, "load-library", load_library(s, image, &library)) &&
	       CU_STEP(s, "get-kernel", cu->library_get_kernel(&kernel, library, "kernel")) &&
	       CU_STEP(s, "get-function", cu->kernel_get_function(&function, kernel)) &&
	       CU_STEP(s, "launch-1", sample_launch(s, function)) &&
	       CU_STEP(s, "unload-library", cu->library_unload(library));
}

static void cycle_modules(struct sample *s, const void *image)
{
	CU_TRY(s, "cycle-first", cycle(s, image, 1));
	CU_TRY(s, "cycle-rest", cycle(s, image, sample_number(s, "cycles") - 1));
	CU_TRY(s, "destroy", sample_api(s)->destroy(s));
}

static void cycle_libraries(struct sample *s, const void *image)
{
	if (!cycle_library_slowly(s, image))
		return;
	CU_TRY(s, "cycle-rest", cycle(s, image, sample_number(s, "cycles") - 1));
	CU_TRY(s, "destroy", sample_api(s)->destroy(s));
}

static void module_cycle_run(struct sample *s)
{
	const void *image = sample_module(
		s, sample_word_is(s, "module_size", "small") ? SMALL_MODULE : LARGE_MODULE);

	CU_TRY(s, "create", sample_api(s)->create(s));
	if (sample_word_is(s, "way", "module"))
		cycle_modules(s, image);
	else if (sample_word_is(s, "way", "library"))
		cycle_libraries(s, image);
	else
		hold_modules(s, image);
}

static bool is_held(const struct bench *bench, const struct bench_point *point)
{
	return !bench_word_is(bench, point, "way", "module") &&
	       !bench_word_is(bench, point, "way", "library");
}

static uint64_t most_cycles(const struct bench *bench, const struct bench_point *point)
{
	bool is_small = bench_word_is(bench, point, "module_size", "small");

	if (is_held(bench, point))
		return is_small ? HELD_MAX : HELD_LARGE_MAX;
	if (is_small)
		return UINT64_MAX;
	return bench_word_is(bench, point, "way", "library") ? LIBRARY_LARGE_MAX : LARGE_MAX;
}

/* A single module has no order; and a large one takes its time. */
static bool module_cycle_wants(const struct bench *bench, const struct bench_point *point)
{
	uint64_t cycles = bench_number(bench, point, "cycles");

	return cycles <= most_cycles(bench, point) && (cycles != 1 || !is_held(bench, point));
}

static const char *module_cycle_obstacle(const struct bench *bench, const struct bench_point *point,
					 const struct device_info *device)
{
	if (!bench_number(bench, point, "cycles"))
		return "there is no cycle before the first";
	if (bench_word_is(bench, point, "way", "library") && !device->has_libraries)
		return "this driver has no libraries, only modules";
	return NULL;
}

static uint64_t module_cycle_need_bytes(const struct bench *bench, const struct bench_point *point,
					const struct device_info *device)
{
	bool is_small = bench_word_is(bench, point, "module_size", "small");

	(void)device;
	/* If none is given back: whether that is so, is the question. */
	return need_code(is_small ? SMALL_INSTRUCTIONS : LARGE_INSTRUCTIONS,
			 bench_number(bench, point, "cycles"));
}

#define CYCLE_LAW(name, at, words)                                                                \
	{                                                                                         \
		.component = name, .axis = "cycles", .step = at, .is_total = true, .where = words \
	}

const struct bench module_cycle = {
	.name = "module-cycle",
	.question =
		"Does loading, launching and unloading modules over and over leak device memory, "
		"and does the order of unloading matter?",
	.axes = { { .name = "cycles", .values = "1,10,100,1000,10000", .quick_values = "100" },
		  { .name = "module_size",
		    .kind = AXIS_WORD,
		    .values = "small,large",
		    .quick_values = "large" },
		  { .name = "way",
		    .kind = AXIS_WORD,
		    .values = "module,library,in-order,reverse,shuffled" } },
	.laws = { CYCLE_LAW("cycle-small", "cycle-rest", "module_size=small,way=module"),
		  CYCLE_LAW("cycle-large", "cycle-rest", "module_size=large,way=module"),
		  CYCLE_LAW("cycle-library-small", "cycle-rest", "module_size=small,way=library"),
		  CYCLE_LAW("cycle-library-large", "cycle-rest", "module_size=large,way=library"),
		  CYCLE_LAW("held-small", "launch-held", "module_size=small,way=in-order"),
		  CYCLE_LAW("held-in-order", "unload-rest", "module_size=small,way=in-order"),
		  CYCLE_LAW("held-reverse", "unload-rest", "module_size=small,way=reverse"),
		  CYCLE_LAW("held-shuffled", "unload-rest", "module_size=small,way=shuffled") },
	.headline_step = "cycle-rest",
	.wants = module_cycle_wants,
	.obstacle = module_cycle_obstacle,
	.need_bytes = module_cycle_need_bytes,
	.run = module_cycle_run,
};
