/* SPDX-License-Identifier: MIT */
/*
 * How much a point may take at most, for --max-memory: what need_bytes() of a benchmark is made of.
 * Contexts do not count, nor does the stack that they have by default: a run without them is none.
 * The amounts are above what has been seen on any device; what is too large for a number is
 * UINT64_MAX.
 */
#ifndef BENCH_NEED_H
#define BENCH_NEED_H

#include "harness/bench.h"

/* Of a small module or a few objects: the units in which drivers take memory, and some spare. */
#define NEED_LITTLE_BYTES ((uint64_t)16 << 20)

/* What comes with a module that prints, allocates, or launches kernels, apart from its limit. */
#define NEED_PRINTF_BYTES         ((uint64_t)96 << 20)
#define NEED_MALLOC_BYTES         ((uint64_t)256 << 20)
#define NEED_DEVICE_RUNTIME_BYTES ((uint64_t)256 << 20)

/* … and for each unit of the device runtime's limits. */
#define NEED_PENDING_LAUNCH_BYTES ((uint64_t)10 << 10)
#define NEED_SYNC_DEPTH_BYTES     ((uint64_t)150 << 20)

/* A limit of the stack is rounded up to no more than this per thread. */
#define NEED_STACK_STEP_BYTES 64

/* Of code: every instruction, and what a kernel has beside them. */
#define NEED_INSTRUCTION_BYTES 16
#define NEED_KERNEL_BYTES      4096

static inline uint64_t need_sum(uint64_t a_bytes, uint64_t b_bytes)
{
	uint64_t bytes;

	return __builtin_add_overflow(a_bytes, b_bytes, &bytes) ? UINT64_MAX : bytes;
}

static inline uint64_t need_times(uint64_t count, uint64_t each_bytes)
{
	uint64_t bytes;

	return __builtin_mul_overflow(count, each_bytes, &bytes) ? UINT64_MAX : bytes;
}

/* A stack of so much for every thread that the device can hold at a time. */
static inline uint64_t need_stack(const struct device_info *device, uint64_t thread_bytes)
{
	return need_times((uint64_t)device->sm_count * (uint64_t)device->max_threads_per_sm,
			  need_sum(thread_bytes, NEED_STACK_STEP_BYTES));
}

/* Modules of one kernel each. One may have more than half of its memory for nothing. */
static inline uint64_t need_code(uint64_t instructions, uint64_t module_count)
{
	uint64_t text_bytes = need_times(instructions, NEED_INSTRUCTION_BYTES);

	return need_sum(
		NEED_LITTLE_BYTES,
		need_times(module_count, need_times(2, need_sum(text_bytes, NEED_KERNEL_BYTES))));
}

#endif
