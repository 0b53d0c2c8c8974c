/* SPDX-License-Identifier: MIT */
/*
 * What a benchmark is: a constant descriptor (data) and one function that makes driver calls.
 *
 * A benchmark file ends in its `const struct bench`, and bench/benches.def names the file: nothing
 * else is needed. The runner expands the axes, and for every point and repeat starts one fresh
 * process, which is one *sample*. There it takes the steps "start" (before any CUDA library is
 * loaded) and "init" (libraries loaded, cuInit done), then calls run(). When run() returns, the
 * process exits, and that is the last step, "exit". Process exit is the clean-up: run() frees
 * nothing unless giving memory back is part of the question.
 *
 * run() marks each call that can move memory as a step. Between two steps all meters are read while
 * the clock stands still. run() prints nothing, loops over no sweep and does no arithmetic on
 * bytes.
 */
#ifndef HARNESS_BENCH_H
#define HARNESS_BENCH_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/driver.h"
#include "harness/runtime.h"
#include "kernels/cubin.h"

#define BENCH_AXES_MAX       3
#define BENCH_READINGS_MAX   4
#define BENCH_LAWS_MAX       8
#define BENCH_COMPONENTS_MAX 4
#define BENCH_SAVINGS_MAX    2

struct sample;

enum axis_kind {
	AXIS_NUMBER, /* grammar of harness/axis.h: a,b,c  start:stop:step  start:stop:*factor */
	AXIS_WORD,   /* one of the words in `values`, unless `is_open` */
};

/* A variable of the environment, for a word of an axis; several rows may have the same word. */
struct bench_setting {
	const char *word; /* NULL: whatever it is */
	const char *variable;
	const char *value;
};

struct bench_axis {
	const char *name; /* CSV column, unit included: stack_limit_bytes */
	enum axis_kind kind;
	const char *values;       /* default values */
	const char *quick_values; /* under --quick; NULL: the same */
	/* AXIS_NUMBER, instead of `values`: every instruction count found in modules of this family
	 * ("fma" finds fma-1, fma-2 …). Under --quick, of each of `quick_values` the nearest. */
	const char *module_family;
	/* What the words of an AXIS_WORD put into the environment of the sample's process; ends
	 * with a row without a variable. Of the variables that are here it inherits none, so a word
	 * without a row stands for the driver's own choice. */
	const struct bench_setting *settings;
	/* An AXIS_WORD whose words are put together by rules of the benchmark: `values` are some of
	 * them, and obstacle() says what is wrong with one that is none. */
	bool is_open;
};

struct bench_reading {
	const char *name; /* CSV column, unit included: granted_bytes */
};

struct axis_value {
	uint64_t number;
	const char *word; /* AXIS_WORD; owned by the plan */
};

struct bench_point {
	struct axis_value values[BENCH_AXES_MAX];
};

/* What analysis is asked to explain: bytes as a function of one axis. */
struct bench_law {
	const char *component; /* key in laws.csv */
	const char *axis;      /* x: an axis, or a reading (its last value in the sample) */
	/* y: delta_bytes of this step, or total_bytes at it. "create-{contexts}" puts the value of
	 * that axis in. */
	const char *step;
	bool is_total;
	/* The step may come several times in a sample, x is a count that it notes as a reading, and
	 * each ended with the one that moved the meter: so one less had moved nothing. */
	bool is_edge;
	/* Not NULL: the step is such a one, loads copies with x bytes of code each, and this
	 * reading counts them. What one takes is rounded up to a slot, and that is asked for. */
	const char *copies;
	/* y instead: this reading at the step. Where it is not called …_bytes, the meter's granule
	 * is none of its. */
	const char *reading;
	/* A step says something only where it succeeded, or, where it is meant to fail, where it
	 * did with one of these: "CUDA_ERROR_LAUNCH_FAILED,CUDA_ERROR_ILLEGAL_ADDRESS". NULL: it is
	 * to succeed. */
	const char *refused_with;
	const char *where; /* only samples "module=called,api=driver"; NULL: all */
};

/*
 * One line of "what is a context made of": the bytes of one sample less those of another, or less
 * those of an earlier step. In a condition, "axis=@reading" means: equal to that reading of the
 * same sample (the default limit, say).
 */
struct bench_component {
	const char *name;  /* "default stack (1 thread's limit x all threads)" */
	const char *step;  /* total_bytes at this step … */
	const char *with;  /* … in samples of these axis values … */
	const char *minus; /* … less that in samples of these; NULL: less nothing */
	const char *since; /* instead of `minus`: less that at this step of the same sample */
	const char *when;  /* the call that takes it, in words */
};

/*
 * One piece of advice: what a program saves by it. `step` gave it back (its delta_bytes, negated)
 * in the samples `with`; or, where there is a `minus`, total_bytes at `step` in the samples `minus`
 * less that in the samples `with`.
 */
struct bench_saving {
	const char *advice; /* "set the stack limit to 0 where kernels need no stack" */
	const char *step;
	const char *with;
	const char *minus;
	const char *caveat; /* who must not do it; NULL: nobody */
};

/* The device as obstacle() may ask about it. */
struct device_info {
	char name[96];
	char uuid[48]; /* "" when unknown */
	char pci_bus_id[16];
	int compute_major;
	int compute_minor;
	int sm_count;
	int max_threads_per_sm;
	uint64_t total_bytes;
	uint64_t free_bytes;     /* before the first sample, the observer's context in place */
	bool has_memory_pools;   /* the driver has the calls: CUDA 11.2 */
	bool has_graphs;         /* … and to trim what graphs keep: CUDA 11.4 */
	bool has_libraries;      /* modules without a context: CUDA 12.0 */
	bool has_init_device;    /* the runtime has cudaInitDevice: CUDA 12.0 */
	bool has_green_contexts; /* … and to make streams in them: CUDA 12.5 */
	bool is_mps_on;          /* a kernel that faults ends other processes, too */

	/* That are built for it. */
	const struct modules *modules;
};

/* Libraries that a sample loads beside the driver; to be combined. */
enum bench_library {
	BENCH_RUNTIME = 1,
	BENCH_NVML = 2,
};

/* Whether a module is among those that are built: not every toolkit can build all. */
bool device_has_module(const struct device_info *device, const char *module);
/* The module of a family with this number, as sample_module_numbered() loads it. */
bool device_has_module_numbered(const struct device_info *device, const char *family,
				uint64_t number);
#define BENCH_NOT_BUILT "no module of this size is built; kernels.csv lists those that are"

struct bench {
	const char *name;     /* kebab-case; the key everywhere; never renamed once results exist */
	const char *question; /* one sentence, ends in a question mark */
	struct bench_axis axes[BENCH_AXES_MAX];
	struct bench_reading readings[BENCH_READINGS_MAX];
	struct bench_law laws[BENCH_LAWS_MAX];
	/* Where there are none: why bytes follow none here, for the report. "the end of a context
	 * is a choice, not a quantity" */
	const char *no_law;
	/* Steps, separated by commas, that fill the device, or give that back: they take what all
	 * others leave, and what they take says nothing of its own. NULL: none. */
	const char *room_steps;
	struct bench_component components[BENCH_COMPONENTS_MAX];
	struct bench_saving savings[BENCH_SAVINGS_MAX];
	const char *headline_step; /* whose delta_bytes are the answer */
	/* Of every sample's process, without words; ends like that of an axis. NULL: none. */
	const struct bench_setting *settings;
	/* false: this combination of axis values is not part of the question, and no row appears.
	 * NULL: every combination is. */
	bool (*wants)(const struct bench *bench, const struct bench_point *point);
	/* Why this point cannot be measured here (one row, "unsupported"); NULL: it can. */
	const char *(*obstacle)(const struct bench *bench, const struct bench_point *point,
				const struct device_info *device);
	/* The `enum bench_library`s that this point goes through; where they do not work, it is
	 * "unsupported". NULL: the runtime where there is an axis "api" that says so. */
	unsigned int (*libraries)(const struct bench *bench, const struct bench_point *point);
	/* At most so many device bytes does this point take beside its contexts, for
	 * --max-memory; NULL: none. See bench/need.h. */
	uint64_t (*need_bytes)(const struct bench *bench, const struct bench_point *point,
			       const struct device_info *device);
	void (*run)(struct sample *s);
};

/* Axis values of a point by name; the axis must exist. */
uint64_t bench_number(const struct bench *bench, const struct bench_point *point, const char *axis);
bool bench_word_is(const struct bench *bench, const struct bench_point *point, const char *axis,
		   const char *word);
/* The word itself, where words are taken apart; "" where the axis has none. */
const char *bench_word(const struct bench *bench, const struct bench_point *point,
		       const char *axis);

/* ---- inside run() ---- */

uint64_t sample_number(const struct sample *s, const char *axis);
bool sample_word_is(const struct sample *s, const char *axis, const char *word);
const char *sample_word(const struct sample *s, const char *axis);

/* The loaded driver library, and the device to measure. */
const struct driver *sample_driver(const struct sample *s);
CUdevice sample_device(const struct sample *s);
int sample_ordinal(const struct sample *s); /* the same, as the runtime counts devices */

/* The runtime library, in a sample that loads it. */
const struct runtime *sample_runtime(const struct sample *s);

/*
 * Asks NVML for the device's memory, in a sample that loads it. NVML numbers its errors otherwise:
 * what it declines is told as the CUresult of that meaning, anything else as CUDA_ERROR_UNKNOWN.
 */
int sample_nvml_memory(struct sample *s);

/*
 * The runtime API in a sample that loads it, else the driver API. Every function returns 0
 * or the API's own error, passed on unchanged: cudaError_t and CUresult share the numbers that
 * matter here.
 */
struct context_api {
	int (*create)(struct sample *s); /* a context on the device, made current */
	int (*set_limit)(struct sample *s, CUlimit limit, size_t value);
	int (*get_limit)(struct sample *s, CUlimit limit, size_t *ret_value);
	int (*destroy)(struct sample *s); /* what create() made: destroys or resets */
};
const struct context_api *sample_api(const struct sample *s);

/*
 * The image of a module ("printf-called"), mapped into memory; valid until exit. Modules are listed
 * in kernels.csv, which the runner has checked, so this ends the sample as failed when there is
 * none.
 */
const void *sample_module(struct sample *s, const char *module);
/* The module of a family with exactly this many instructions, as an axis with `module_family`
 * gives. */
const void *sample_module_sized(struct sample *s, const char *family, uint64_t instructions);

/* The module of a family with this number: "static", 4096 is static-4096. */
const void *sample_module_numbered(struct sample *s, const char *family, uint64_t number);

/* The same in another form than a cubin. */
const void *sample_module_form(struct sample *s, const char *family, uint64_t instructions,
			       enum cubin_form form);

/* Sum of the .text bytes of that module's kernels, as kernels.csv has it. */
uint64_t sample_module_text_bytes(const struct sample *s, const char *module);
/* The same of the module that sample_module_sized() gives. */
uint64_t sample_module_sized_text_bytes(const struct sample *s, const char *family,
					uint64_t instructions);

/* The API's get_limit(), its answer noted as `reading` too. `ret_value` may be NULL. */
int sample_get_limit(struct sample *s, CUlimit limit, const char *reading, size_t *ret_value);

/* Launches one thread of `function` with one null pointer argument and waits for it. */
int sample_launch(struct sample *s, CUfunction function);
/* The same with as many threads as the device can hold at a time. */
int sample_launch_device(struct sample *s, CUfunction function);

/*
 * Starts one thread of `function` with this argument and does not wait for it. Only for kernels
 * that take it for a number.
 */
CUresult sample_start(struct sample *s, CUfunction function, uint64_t argument);

/* Notes a reading for the step that ends next. */
void sample_read(struct sample *s, const char *reading, uint64_t value);

/* Use through the macros below. */
void sample_step_begin(struct sample *s, const char *step);
bool sample_step_end(struct sample *s, int error);
bool sample_fault_end(struct sample *s, int error);

/* A step whose refusal is an answer, after which the body goes on; true when the call succeeded. */
#define CU_STEP(s, step, call) (sample_step_begin(s, step), sample_step_end(s, (int)(call)))

/*
 * A step that is meant to fail, or comes after one that was: whatever error the driver has for it
 * is an answer, among them those after which a context is of no more use.
 */
#define CU_FAULT(s, step, call) (sample_step_begin(s, step), sample_fault_end(s, (int)(call)))

/* A step without which the rest makes no sense: returns from run() when it does not succeed. */
#define CU_TRY(s, step, call)                \
	do {                                 \
		if (!CU_STEP(s, step, call)) \
			return;              \
	} while (0)

#endif
