/* SPDX-License-Identifier: MIT */
/* Calls that overlap, follow each other and leave gaps: who gets which bytes is planted. */
#include "tests/unit/trace_plant.h"

#include <errno.h>

#include "base/array.h"
#include "tests/unit/fail_memory.h"

#define ALLOC "allocation", "cuMemAlloc_v2"
#define FREE  "allocation", "cuMemFree_v2"
#define CODE  "code", "cuModuleLoadData"
#define NONE  INT64_MIN

/* ---- looking at what came of it ---- */

static size_t row_of(const struct trace_rows *rows, const char *object)
{
	for (size_t row = 0; row < rows->table.row_count; row++)
		if (trace_is(rows, row, TRACE_COLUMN_object, object))
			return row;
	fail_msg("no row of %s", object);
	return 0;
}

static void assert_delta(const struct trace_rows *rows, const char *object, int64_t bytes)
{
	int64_t found;

	assert_true(trace_number(rows, row_of(rows, object), TRACE_COLUMN_delta_bytes, &found));
	assert_int_equal(found, bytes);
}

struct between {
	int64_t device;
	int64_t bytes;
	int64_t at_once; /* NONE: an empty cell */
	int64_t process; /* likewise */
	const char *kind;
	const char *note;
};

static const struct between none[1];

static void assert_number(const struct trace_rows *rows, size_t row, enum trace_column column,
			  int64_t wanted)
{
	int64_t number;

	if (!trace_number(rows, row, column, &number))
		number = NONE;
	if (number != wanted)
		fail_msg("row %zu, %s: %lld, wanted %lld", row, trace_column_names[column],
			 (long long)number, (long long)wanted);
}

/* These rows, in this order, and no others. */
static void assert_betweens(const struct trace_rows *rows, const struct between *wanted,
			    size_t count)
{
	size_t found = 0;

	for (size_t row = 0; row < rows->table.row_count; row++) {
		if (!trace_is(rows, row, TRACE_COLUMN_event, "between"))
			continue;
		assert_true(found < count);
		assert_number(rows, row, TRACE_COLUMN_device, wanted[found].device);
		assert_number(rows, row, TRACE_COLUMN_delta_bytes, wanted[found].bytes);
		assert_number(rows, row, TRACE_COLUMN_at_once, wanted[found].at_once);
		assert_number(rows, row, TRACE_COLUMN_process, wanted[found].process);
		assert_string_equal(trace_text(rows, row, TRACE_COLUMN_kind), wanted[found].kind);
		assert_string_equal(trace_text(rows, row, TRACE_COLUMN_note), wanted[found].note);
		found++;
	}
	assert_int_equal(found, count);
}

/* Calls on device 0 between readings of `first_bytes` and `last_bytes`. */
static void finish_calls(const struct planted_call *calls, size_t count, int64_t first_bytes,
			 int64_t last_bytes, struct trace_rows *ret_rows)
{
	struct plant plant;

	plant_begin(&plant);
	plant_reading(&plant, 0, 0, "start", first_bytes);
	for (size_t i = 0; i < count; i++)
		plant_call(&plant, &calls[i]);
	plant_reading(&plant, 1000, 0, "end", last_bytes);
	plant_finish(&plant, ret_rows);
	assert_int_equal(plant_sum(ret_rows, 0, SIZE_MAX), last_bytes - first_bytes);
}

/* ---- one after the other ---- */

static void calls_that_nobody_overlaps_have_their_bytes(void **state)
{
	static const struct planted_call calls[] = { { 10, 20, 7, 0, 100, 150, ALLOC, "0xa" },
						     { 30, 40, 7, 0, 150, 150, CODE, "0xb" },
						     { 50, 60, 7, 0, 150, 120, FREE, "0xc" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 120, &rows);
	assert_delta(&rows, "0xa", 50);
	assert_delta(&rows, "0xb", 0);
	assert_delta(&rows, "0xc", -30);
	assert_betweens(&rows, none, 0);
	trace_rows_free(&rows);
}

static void what_moves_between_calls_is_nobodys(void **state)
{
	static const struct planted_call calls[] = { { 10, 20, 7, 0, 103, 150, ALLOC, "0xa" },
						     { 30, 40, 7, 0, 145, 160, ALLOC, "0xb" } };
	/* What comes back before the process's second call cannot be its end. */
	static const struct between wanted[] = { { 0, 3, NONE, NONE, "", "" },
						 { 0, -5, NONE, NONE, "", "" },
						 { 0, 40, NONE, NONE, "", "" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 200, &rows);
	assert_delta(&rows, "0xa", 47);
	assert_delta(&rows, "0xb", 15);
	assert_betweens(&rows, wanted, ARRAY_COUNT(wanted));
	trace_rows_free(&rows);
}

/* ---- at once ---- */

static void two_threads_share_what_moved_while_both_called(void **state)
{
	static const struct planted_call calls[] = { { 10, 30, 7, 0, 100, 140, ALLOC, "0xa" },
						     { 20, 40, 7, 0, 110, 145, ALLOC, "0xb" } };
	static const struct between wanted[] = { { 0, 30, 2, NONE, "allocation",
						   "cuMemAlloc_v2 of 7, cuMemAlloc_v2 of 7" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 145, &rows);
	assert_delta(&rows, "0xa", 10);
	assert_delta(&rows, "0xb", 5);
	assert_betweens(&rows, wanted, ARRAY_COUNT(wanted));
	trace_rows_free(&rows);
}

static void a_call_within_another_one_leaves_it_both_ends(void **state)
{
	static const struct planted_call calls[] = { { 10, 90, 7, 0, 100, 200, CODE, "0xa" },
						     { 20, 30, 8, 0, 104, 134, ALLOC, "0xb" } };
	/* Of different kinds, and of two processes. */
	static const struct between wanted[] = { { 0, 30, 2, NONE, "",
						   "cuModuleLoadData of 7, cuMemAlloc_v2 of 8" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 200, &rows);
	assert_delta(&rows, "0xa", 4 + 66);
	assert_delta(&rows, "0xb", 0);
	assert_betweens(&rows, wanted, ARRAY_COUNT(wanted));
	trace_rows_free(&rows);
}

static void three_at_once_are_three_in_the_middle_alone(void **state)
{
	static const struct planted_call calls[] = { { 10, 40, 1, 0, 100, 111, ALLOC, "0xa" },
						     { 20, 50, 2, 0, 101, 131, ALLOC, "0xb" },
						     { 30, 60, 3, 0, 103, 171, ALLOC, "0xc" } };
	static const struct between wanted[] = {
		{ 0, 2, 2, NONE, "allocation", "cuMemAlloc_v2 of 1, cuMemAlloc_v2 of 2" },
		{ 0, 8, 3, NONE, "allocation",
		  "cuMemAlloc_v2 of 1, cuMemAlloc_v2 of 2, cuMemAlloc_v2 of 3" },
		{ 0, 20, 2, NONE, "allocation", "cuMemAlloc_v2 of 3, cuMemAlloc_v2 of 2" },
	};
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 171, &rows);
	assert_delta(&rows, "0xa", 1);
	assert_delta(&rows, "0xb", 0);
	assert_delta(&rows, "0xc", 40);
	assert_betweens(&rows, wanted, ARRAY_COUNT(wanted));
	trace_rows_free(&rows);
}

static void of_many_at_once_four_are_named(void **state)
{
	static const char note[] = "cuMemAlloc_v2 of 1, cuMemAlloc_v2 of 2, cuMemAlloc_v2 of 3, "
				   "cuMemAlloc_v2 of 4 and more";
	static const char *const objects[] = { "0xa", "0xb", "0xc", "0xd", "0xe" };
	const struct between wanted[] = { { 0, 5, 5, NONE, "allocation", note } };
	struct planted_call calls[5];
	struct trace_rows rows;

	(void)state;
	for (int64_t i = 0; i < 5; i++)
		calls[i] = (struct planted_call){ 10 + i, 50 + i, i + 1, 0,
						  100,    105,    ALLOC, objects[i] };
	finish_calls(calls, ARRAY_COUNT(calls), 100, 105, &rows);
	assert_betweens(&rows, wanted, ARRAY_COUNT(wanted));
	trace_rows_free(&rows);
}

/* ---- processes that end ---- */

static void what_comes_back_behind_a_process_is_its_end(void **state)
{
	static const struct planted_call calls[] = { { 10, 20, 7, 0, 100, 150, ALLOC, "0xa" } };
	static const struct between wanted[] = { { 0, -50, NONE, 7, "exit", "" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 100, &rows);
	assert_delta(&rows, "0xa", 50);
	assert_betweens(&rows, wanted, ARRAY_COUNT(wanted));
	trace_rows_free(&rows);
}

static void processes_that_end_together_are_not_told_apart(void **state)
{
	static const struct planted_call calls[] = { { 10, 20, 7, 0, 100, 150, ALLOC, "0xa" },
						     { 30, 40, 8, 0, 150, 180, ALLOC, "0xb" } };
	static const struct between wanted[] = { { 0, -80, 2, NONE, "exit", "" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 100, &rows);
	assert_betweens(&rows, wanted, ARRAY_COUNT(wanted));
	trace_rows_free(&rows);
}

/* Process 7 ends while 8 is in a call: what comes back is its, if that is enough to be. */
static void an_end_beside_a_call_is_told_by_its_size(void **state)
{
	static const struct planted_call large[] = { { 10, 20, 7, 0, 100, 200, ALLOC, "0xa" },
						     { 30, 40, 8, 0, 200, 110, ALLOC, "0xb" } };
	static const struct planted_call small[] = { { 10, 20, 7, 0, 100, 200, ALLOC, "0xa" },
						     { 30, 40, 8, 0, 200, 160, FREE, "0xb" } };
	static const struct between ended[] = { { 0, -90, 2, NONE, "exit", "cuMemAlloc_v2 of 8" } };
	static const struct between later[] = { { 0, -60, NONE, 7, "exit", "" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(large, ARRAY_COUNT(large), 100, 110, &rows);
	assert_delta(&rows, "0xb", 0);
	assert_betweens(&rows, ended, ARRAY_COUNT(ended));
	trace_rows_free(&rows);
	finish_calls(small, ARRAY_COUNT(small), 100, 100, &rows);
	assert_delta(&rows, "0xb", -40);
	assert_betweens(&rows, later, ARRAY_COUNT(later));
	trace_rows_free(&rows);
}

/* ---- devices ---- */

static void devices_have_nothing_to_do_with_each_other(void **state)
{
	/* They overlap in time, not on a device, and the second begins with another amount. */
	static const struct planted_call calls[] = { { 10, 30, 7, 0, 100, 140, ALLOC, "0xa" },
						     { 20, 40, 7, 5, 9000, 9001, ALLOC, "0xb" } };
	static const struct between wanted[] = { { 0, -40, NONE, 7, "exit", "" },
						 { 5, 6, NONE, NONE, "", "" } };
	struct trace_rows rows;
	struct plant plant;

	(void)state;
	plant_begin(&plant);
	plant_reading(&plant, 0, 0, "start", 100);
	plant_reading(&plant, 0, 5, "start", 9000);
	plant_call(&plant, &calls[1]);
	plant_call(&plant, &calls[0]);
	plant_reading(&plant, 1000, 0, "end", 100);
	plant_reading(&plant, 1001, 5, "end", 9007);
	plant_finish(&plant, &rows);
	assert_delta(&rows, "0xa", 40);
	assert_delta(&rows, "0xb", 1);
	assert_betweens(&rows, wanted, ARRAY_COUNT(wanted));
	assert_int_equal(plant_sum(&rows, 0, SIZE_MAX), 0);
	assert_int_equal(plant_sum(&rows, 5, SIZE_MAX), 7);
	trace_rows_free(&rows);
}

/* ---- the same time ---- */

static void a_call_that_begins_when_another_ends_is_alone(void **state)
{
	static const struct planted_call calls[] = { { 20, 30, 8, 0, 150, 160, CODE, "0xb" },
						     { 10, 20, 7, 0, 100, 150, ALLOC, "0xa" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 160, &rows);
	assert_delta(&rows, "0xa", 50);
	assert_delta(&rows, "0xb", 10);
	assert_betweens(&rows, none, 0);
	trace_rows_free(&rows);
}

/* Calls that take no time, between one that ends and one that begins then. */
static void calls_of_no_length_come_one_after_the_other(void **state)
{
	static const struct planted_call calls[] = { { 20, 30, 7, 0, 160, 170, ALLOC, "0xd" },
						     { 20, 20, 7, 0, 103, 110, ALLOC, "0xa" },
						     { 20, 20, 8, 0, 110, 130, CODE, "0xb" },
						     { 20, 20, 9, 0, 130, 160, ALLOC, "0xc" },
						     { 10, 20, 6, 0, 100, 103, ALLOC, "0xe" } };
	struct trace_rows rows;

	(void)state;
	finish_calls(calls, ARRAY_COUNT(calls), 100, 170, &rows);
	assert_delta(&rows, "0xe", 3);
	assert_delta(&rows, "0xa", 7);
	assert_delta(&rows, "0xb", 20);
	assert_delta(&rows, "0xc", 30);
	assert_delta(&rows, "0xd", 10);
	assert_betweens(&rows, none, 0);
	trace_rows_free(&rows);
}

/* ---- rows ---- */

static void rows_are_in_order_of_time_since_the_start(void **state)
{
	const struct plant_cells fact = { { [TRACE_COLUMN_time_ns] = "470",
					    [TRACE_COLUMN_event] = "fact",
					    [TRACE_COLUMN_object] = "command" } };
	const struct plant_cells launch = { { [TRACE_COLUMN_time_ns] = "520",
					      [TRACE_COLUMN_event] = "launch",
					      [TRACE_COLUMN_kernel] = "_Z1fv",
					      [TRACE_COLUMN_delta_bytes] = "77" } };
	static const int64_t times[] = { -30, 0, 20, 100 };
	struct trace_rows rows;
	struct plant plant;

	(void)state;
	plant_begin(&plant);
	plant_reading(&plant, 600, 0, "end", 5);
	plant_row(&plant, &launch);
	plant_reading(&plant, 500, 0, "start", 5);
	plant_row(&plant, &fact);
	plant_finish(&plant, &rows);
	assert_int_equal(rows.table.row_count, ARRAY_COUNT(times));
	for (size_t row = 0; row < ARRAY_COUNT(times); row++)
		assert_number(&rows, row, TRACE_COLUMN_time_ns, times[row]);
	assert_string_equal(trace_text(&rows, 2, TRACE_COLUMN_kernel), "<_Z1fv>");
	trace_rows_free(&rows);
}

static void a_trace_without_rows_is_one(void **state)
{
	struct trace_rows rows;
	struct plant plant;

	(void)state;
	plant_begin(&plant);
	plant_finish(&plant, &rows);
	assert_int_equal(rows.table.row_count, 0);
	trace_rows_free(&rows);
}

/* ---- whatever happens ---- */

static void assert_ordered(const struct trace_rows *rows)
{
	for (size_t row = 1; row < rows->table.row_count; row++)
		assert_true(trace_number_or_0(rows, row - 1, TRACE_COLUMN_time_ns) <=
			    trace_number_or_0(rows, row, TRACE_COLUMN_time_ns));
}

static void each_device_adds_up(void **state)
{
	struct dice dice = dice_start();
	struct plant_ends ends[PLANT_DEVICES];
	struct trace_rows rows;
	struct plant plant;

	(void)state;
	for (int round = 0; round < 500; round++) {
		plant_random(&plant, &dice, ends);
		plant_finish(&plant, &rows);
		for (int64_t device = 0; device < PLANT_DEVICES; device++)
			assert_int_equal(plant_sum(&rows, device, SIZE_MAX),
					 ends[device].last_bytes - ends[device].first_bytes);
		assert_ordered(&rows);
		trace_rows_free(&rows);
	}
}

static void lack_of_memory_is_told(void **state)
{
	static const struct planted_call calls[] = { { 10, 30, 7, 0, 100, 140, ALLOC, "0xa" },
						     { 20, 40, 8, 0, 110, 145, ALLOC, "0xb" } };
	const struct trace_names names = { plant_name, NULL };
	struct trace_rows rows;
	struct plant plant;
	struct csv_row out;
	struct err err;
	bool has_failed = true;

	(void)state;
	plant_begin(&plant);
	plant_reading(&plant, 0, 0, "start", 100);
	plant_call(&plant, &calls[0]);
	plant_call(&plant, &calls[1]);
	plant_reading(&plant, 1000, 0, "end", 100);
	plant_read(&plant, &rows);
	for (unsigned int n = 1; has_failed; n++) {
		int r;

		csv_row_init(&out);
		fail_memory_at(n);
		r = trace_finish(&rows, &names, &out, &err);
		has_failed = fail_memory_end();
		assert_true(has_failed ? r == -ENOMEM || out.failed : !r && !out.failed);
		csv_row_free(&out);
	}
	trace_rows_free(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_that_nobody_overlaps_have_their_bytes),
		cmocka_unit_test(what_moves_between_calls_is_nobodys),
		cmocka_unit_test(two_threads_share_what_moved_while_both_called),
		cmocka_unit_test(a_call_within_another_one_leaves_it_both_ends),
		cmocka_unit_test(three_at_once_are_three_in_the_middle_alone),
		cmocka_unit_test(of_many_at_once_four_are_named),
		cmocka_unit_test(what_comes_back_behind_a_process_is_its_end),
		cmocka_unit_test(processes_that_end_together_are_not_told_apart),
		cmocka_unit_test(an_end_beside_a_call_is_told_by_its_size),
		cmocka_unit_test(devices_have_nothing_to_do_with_each_other),
		cmocka_unit_test(a_call_that_begins_when_another_ends_is_alone),
		cmocka_unit_test(calls_of_no_length_come_one_after_the_other),
		cmocka_unit_test(rows_are_in_order_of_time_since_the_start),
		cmocka_unit_test(a_trace_without_rows_is_one),
		cmocka_unit_test(each_device_adds_up),
		cmocka_unit_test(lack_of_memory_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
