/* SPDX-License-Identifier: MIT */
/* Rows whose bytes are planted, and what a device's memory went to by them. */
#include "tests/unit/trace_lines.h"

#include <errno.h>

#include "analysis/trace_parts.h"
#include "base/array.h"
#include "tests/unit/fail_memory.h"

#define MIB           INT64_C(1048576)
#define GRANULE_BYTES (2 * MIB)

struct wanted {
	enum trace_part_kind kind;
	const char *name; /* NULL: any */
	int64_t bytes;
	int64_t count;
};

static int64_t sum_of(const struct trace_parts *parts)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < parts->count; i++)
		bytes += parts->parts[i].bytes;
	return bytes;
}

/* What the lines come to: these parts, and nothing besides them. */
static void assert_parts(const struct line *lines, size_t line_count, const struct wanted *wanted,
			 size_t count)
{
	struct trace_parts parts;
	struct trace_rows rows;
	int64_t bytes = 0;

	lines_read(lines, line_count, &rows);
	assert_int_equal(trace_parts_sum(&parts, &rows, &small_device, line_count), 0);
	for (size_t i = 0; i < count; i++) {
		int64_t part_count;
		int64_t part_bytes =
			trace_parts_bytes(&parts, wanted[i].kind, wanted[i].name, &part_count);

		if (part_bytes != wanted[i].bytes || part_count != wanted[i].count)
			fail_msg("part %d %s: %lld bytes, %lld of them; wanted %lld and %lld",
				 (int)wanted[i].kind, wanted[i].name ? wanted[i].name : "",
				 (long long)part_bytes, (long long)part_count,
				 (long long)wanted[i].bytes, (long long)wanted[i].count);
		bytes += wanted[i].bytes;
	}
	assert_int_equal(parts.lost_bytes, plant_sum(&rows, 0, SIZE_MAX));
	assert_int_equal(parts.lost_bytes, bytes);
	assert_int_equal(sum_of(&parts), bytes);
	trace_parts_free(&parts);
	trace_rows_free(&rows);
}

#define ASSERT_PARTS(lines, wanted) \
	assert_parts(lines, ARRAY_COUNT(lines), wanted, ARRAY_COUNT(wanted))

/* ---- contexts ---- */

static void a_context_is_stack_tracer_and_the_rest(void **state)
{
	static const struct line lines[] = { CONTEXT("7", "20000") };
	static const struct wanted wanted[] = { { TRACE_PART_STACK, "", STACK_BYTES, 1 },
						{ TRACE_PART_TRACER, "", 500, 1 },
						{ TRACE_PART_CONTEXT, "", 3500, 1 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

static void a_primary_context_is_one_however_often_it_is_retained(void **state)
{
	static const struct line lines[] = { CONTEXT("7", "20000"),
					     CONTEXT("7", "0"),
					     CONTEXT("8", "21000"),
					     { .process = "8",
					       .kind = "context",
					       .call = "cuCtxCreate_v4",
					       .delta_bytes = "19000" } };
	static const struct wanted wanted[] = {
		{ TRACE_PART_STACK, "", 3 * STACK_BYTES, 3 },
		{ TRACE_PART_TRACER, "", INT64_C(3) * 500, 3 },
		{ TRACE_PART_CONTEXT, "", 3500 + 4500 + 2500, 3 },
	};

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

/* A context that is smaller than its stack would be is not cut into it. */
static void a_small_context_stays_whole(void **state)
{
	static const struct line lines[] = { CONTEXT("7", "16499") };
	static const struct wanted wanted[] = { { TRACE_PART_STACK, NULL, 0, 0 },
						{ TRACE_PART_TRACER, NULL, 0, 0 },
						{ TRACE_PART_CONTEXT, "", 16499, 0 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

static void a_reset_leaves_nothing(void **state)
{
	static const struct line lines[] = { CONTEXT("7", "20000"),
					     ALLOC("7", "0xa", "100", "2000"),
					     { .process = "7",
					       .kind = "context",
					       .call = "cuDevicePrimaryCtxReset_v2",
					       .delta_bytes = "-22000" },
					     /* The same address again is another allocation. */
					     CONTEXT("7", "20000"),
					     ALLOC("7", "0xa", "300", "2000") };
	static const struct wanted wanted[] = {
		{ TRACE_PART_STACK, "", STACK_BYTES, 1 }, { TRACE_PART_TRACER, "", 500, 1 },
		{ TRACE_PART_CONTEXT, "", 3500, 1 },      { TRACE_PART_ASKED, "", 300, 1 },
		{ TRACE_PART_ROUNDING, "", 1700, 0 },     { TRACE_PART_RETURNED, "", 0, 0 }
	};

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

/* ---- allocations ---- */

static void allocations_are_what_was_asked_for_and_rounding(void **state)
{
	static const struct line lines[] = { ALLOC("7", "0xa", "100", "2000"),
					     ALLOC("7", "0xb", "50", "0"),
					     ALLOC("8", "0xa", "3000", "4000"),
					     FREE("7", "0xa", "-2000") };
	static const struct wanted wanted[] = { { TRACE_PART_ASKED, "", 50 + 3000, 2 },
						{ TRACE_PART_ROUNDING, "", -50 + 1000, 0 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

static void what_fails_or_is_not_known_asks_for_nothing(void **state)
{
	static const struct line lines[] = { { .process = "7",
					       .kind = "allocation",
					       .call = "cuMemAlloc_v2",
					       .object = "0xa",
					       .requested_bytes = "100",
					       .delta_bytes = "10",
					       .error = "CUDA_ERROR_OUT_OF_MEMORY" },
					     FREE("7", "0xb", "-3"),
					     { .process = "7",
					       .kind = "allocation",
					       .call = "cuMemAllocManaged",
					       .object = "0xc",
					       .requested_bytes = "5000",
					       .delta_bytes = "0" } };
	static const struct wanted wanted[] = { { TRACE_PART_ASKED, "", 0, 1 },
						{ TRACE_PART_ROUNDING, "", 7, 0 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

/* ---- code and launches ---- */

static void code_takes_granules_and_the_rest_is_what_it_uses(void **state)
{
	static const struct line lines[] = {
		{ .process = "7",
		  .kind = "code",
		  .module = "a.cubin",
		  .delta_bytes = "4194304",
		  .cubin_bytes = "2097153" },
		{ .process = "7",
		  .kind = "code",
		  .module = "b.cubin",
		  .delta_bytes = "6291457",
		  .cubin_bytes = "2097153",
		  .uses = "printf malloc" },
		{ .process = "7",
		  .kind = "code",
		  .module = "b.cubin",
		  .delta_bytes = "2097152",
		  .cubin_bytes = "9",
		  .uses = "printf" },
		{ .process = "7",
		  .kind = "code",
		  .module = "d.cubin",
		  .delta_bytes = "1000",
		  .cubin_bytes = "9",
		  .uses = "printf" },
		{ .process = "7", .event = "load", .kind = "code", .delta_bytes = "5" },
		{ .process = "7", .kind = "code", .module = "c.cubin", .delta_bytes = "0" },
	};
	static const struct wanted wanted[] = {
		{ TRACE_PART_CODE, "a.cubin", 2 * GRANULE_BYTES, 1 },
		{ TRACE_PART_CODE, "b.cubin", 3 * GRANULE_BYTES, 2 },
		{ TRACE_PART_CODE, "d.cubin", 1000, 1 },
		{ TRACE_PART_CODE, "unknown images", 5, 1 },
		{ TRACE_PART_CODE, "c.cubin", 0, 0 },
		{ TRACE_PART_USES, "printf malloc", GRANULE_BYTES + 1, 1 },
		{ TRACE_PART_USES, "printf", 0, 0 },
	};

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

static void a_frame_that_no_stack_has_yet_is_the_kernels(void **state)
{
	static const struct line lines[] = {
		LAUNCH("7", "within", "16", "3"),
		LAUNCH("7", "large", "64", "4000"),
		LAUNCH("7", "less", "32", "5"),
		LAUNCH("8", "less", "32", "1000"), /* another process has a stack of its own */
		LAUNCH("7", "more", "128", "8000"),
	};
	static const struct wanted wanted[] = { { TRACE_PART_LOCAL, "large", 4000, 1 },
						{ TRACE_PART_LOCAL, "less", 1000, 1 },
						{ TRACE_PART_LOCAL, "more", 8000, 1 },
						{ TRACE_PART_LAUNCH, "", 8, 2 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

static void a_stack_limit_gives_back_frames_and_no_others(void **state)
{
	static const struct line lines[] = {
		LAUNCH("7", "large", "64", "4000"),
		LAUNCH("8", "large", "64", "3000"),
		{ .process = "7", .kind = "limit", .object = "stack", .delta_bytes = "-4000" },
		{ .process = "8", .kind = "limit", .object = "stack", .delta_bytes = "-3100" },
		{ .process = "8", .kind = "limit", .object = "printf-fifo", .delta_bytes = "700" },
	};
	static const struct wanted wanted[] = { { TRACE_PART_LOCAL, "large", 0, 2 },
						{ TRACE_PART_LIMIT, "stack", -100, 1 },
						{ TRACE_PART_LIMIT, "printf-fifo", 700, 1 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

/* ---- ends ---- */

static void a_process_that_ends_takes_its_parts_along(void **state)
{
	static const struct line lines[] = { CONTEXT("7", "20000"),
					     ALLOC("7", "0xa", "100", "2000"),
					     ALLOC("8", "0xa", "60", "2000"), END("7", "-22000") };
	static const struct wanted wanted[] = { { TRACE_PART_ASKED, "", 60, 1 },
						{ TRACE_PART_ROUNDING, "", 1940, 0 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

static void less_than_a_process_has_is_a_part_of_its_own(void **state)
{
	static const struct line lines[] = { ALLOC("7", "0xa", "100", "2000"), END("7", "-1500") };
	static const struct wanted wanted[] = { { TRACE_PART_ASKED, "", 100, 1 },
						{ TRACE_PART_ROUNDING, "", 1900, 0 },
						{ TRACE_PART_RETURNED, "", -1500, 1 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

/* ---- several at once ---- */

static void what_several_took_is_nobodys_alone(void **state)
{
	static const struct line lines[] = {
		{ .event = "between", .kind = "pool", .delta_bytes = "40", .at_once = "2" },
		{ .event = "between", .kind = "code", .delta_bytes = "50", .at_once = "3" },
		{ .event = "between", .delta_bytes = "60", .at_once = "2" },
		{ .event = "between", .delta_bytes = "70" },
	};
	static const struct wanted wanted[] = { { TRACE_PART_POOL, "", 40, 0 },
						{ TRACE_PART_CODE, "", 50, 0 },
						{ TRACE_PART_SEVERAL, "", 60, 1 },
						{ TRACE_PART_UNEXPLAINED, "", 70, 1 } };

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

/* Contexts that two processes made at once are counted by who made them, and end with both. */
static void contexts_made_at_once_end_with_those_who_made_them(void **state)
{
	static const struct line lines[] = {
		CONTEXT("7", "1000"),
		CONTEXT("8", "1000"),
		{ .event = "between", .kind = "context", .delta_bytes = "38000", .at_once = "2" },
		{ .event = "between", .kind = "exit", .delta_bytes = "-40000", .at_once = "2" }
	};
	static const struct wanted before[] = { { TRACE_PART_STACK, "", 2 * STACK_BYTES, 2 },
						{ TRACE_PART_TRACER, "", 1000, 2 },
						{ TRACE_PART_CONTEXT, "", 7000, 2 } };
	static const struct wanted after[] = { { TRACE_PART_STACK, NULL, 0, 0 },
					       { TRACE_PART_CONTEXT, NULL, 0, 0 },
					       { TRACE_PART_RETURNED, NULL, 0, 0 } };

	(void)state;
	assert_parts(lines, ARRAY_COUNT(lines) - 1, before, ARRAY_COUNT(before));
	ASSERT_PARTS(lines, after);
}

static void kinds_that_are_parts_of_their_own(void **state)
{
	static const struct line lines[] = {
		{ .process = "7", .kind = "pool", .delta_bytes = "1" },
		{ .process = "7", .kind = "stream", .delta_bytes = "2" },
		{ .process = "7", .kind = "event", .delta_bytes = "4" },
		{ .process = "7", .kind = "graph", .delta_bytes = "8" },
		{ .process = "7", .kind = "texture", .delta_bytes = "16" },
		{ .process = "7", .kind = "host", .delta_bytes = "32" },
		{ .process = "7", .kind = "peer", .delta_bytes = "64" },
		{ .process = "7", .kind = "other", .delta_bytes = "128" },
		{ .process = "7", .kind = "stream", .delta_bytes = "0" },
		{ .process = "7", .kind = "stream" },
	};
	static const struct wanted wanted[] = {
		{ TRACE_PART_POOL, "", 1, 1 },     { TRACE_PART_STREAM, "", 2, 1 },
		{ TRACE_PART_EVENT, "", 4, 1 },    { TRACE_PART_GRAPH, "", 8, 1 },
		{ TRACE_PART_TEXTURE, "", 16, 1 }, { TRACE_PART_HOST, "", 32, 1 },
		{ TRACE_PART_PEER, "", 64, 1 },    { TRACE_PART_OTHER, "", 128, 1 },
	};

	(void)state;
	ASSERT_PARTS(lines, wanted);
}

/* ---- whatever happens ---- */

static void assert_adds_up(const struct trace_rows *rows, const struct trace_device *device,
			   size_t last_row)
{
	struct trace_parts parts;

	assert_int_equal(trace_parts_sum(&parts, rows, device, last_row), 0);
	assert_int_equal(parts.lost_bytes, plant_sum(rows, device->index, last_row));
	assert_int_equal(sum_of(&parts), parts.lost_bytes);
	trace_parts_free(&parts);
}

static void parts_add_up_to_what_was_lost(void **state)
{
	struct dice dice = dice_start();
	struct plant_ends ends[PLANT_DEVICES];
	struct trace_rows rows;
	struct plant plant;

	(void)state;
	for (int round = 0; round < 500; round++) {
		plant_random(&plant, &dice, ends);
		plant_finish(&plant, &rows);
		for (int64_t index = 0; index < PLANT_DEVICES; index++) {
			const struct trace_device device = { index, "", 1, 2, 3 };

			assert_adds_up(&rows, &device, trace_peak_row(&rows, &device));
			assert_adds_up(&rows, &device, trace_end_row(&rows, &device));
			assert_adds_up(&rows, &device, dice_below(&dice, 40));
			assert_adds_up(&rows, &device, SIZE_MAX);
		}
		trace_rows_free(&rows);
	}
}

static void lack_of_memory_is_told(void **state)
{
	static const struct line lines[] = { CONTEXT("7", "20000"),
					     ALLOC("7", "0xa", "100", "2000"),
					     LAUNCH("7", "large", "64", "4000"), CONTEXT("8", "9"),
					     END("7", "-26000") };
	struct trace_parts parts;
	struct trace_rows rows;
	bool has_failed = true;

	(void)state;
	lines_read(lines, ARRAY_COUNT(lines), &rows);
	for (unsigned int n = 1; has_failed; n++) {
		int r;

		fail_memory_at(n);
		r = trace_parts_sum(&parts, &rows, &small_device, SIZE_MAX);
		has_failed = fail_memory_end();
		assert_int_equal(r, has_failed ? -ENOMEM : 0);
		trace_parts_free(&parts);
	}
	trace_rows_free(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_context_is_stack_tracer_and_the_rest),
		cmocka_unit_test(a_primary_context_is_one_however_often_it_is_retained),
		cmocka_unit_test(a_small_context_stays_whole),
		cmocka_unit_test(a_reset_leaves_nothing),
		cmocka_unit_test(allocations_are_what_was_asked_for_and_rounding),
		cmocka_unit_test(what_fails_or_is_not_known_asks_for_nothing),
		cmocka_unit_test(code_takes_granules_and_the_rest_is_what_it_uses),
		cmocka_unit_test(a_frame_that_no_stack_has_yet_is_the_kernels),
		cmocka_unit_test(a_stack_limit_gives_back_frames_and_no_others),
		cmocka_unit_test(a_process_that_ends_takes_its_parts_along),
		cmocka_unit_test(less_than_a_process_has_is_a_part_of_its_own),
		cmocka_unit_test(what_several_took_is_nobodys_alone),
		cmocka_unit_test(contexts_made_at_once_end_with_those_who_made_them),
		cmocka_unit_test(kinds_that_are_parts_of_their_own),
		cmocka_unit_test(parts_add_up_to_what_was_lost),
		cmocka_unit_test(lack_of_memory_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
