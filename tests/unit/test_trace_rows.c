/* SPDX-License-Identifier: MIT */
/* Files that are no traces, and numbers that no trace has. */
#include "tests/unit/trace_lines.h"

#include <errno.h>
#include <inttypes.h>

#include "analysis/trace_parts.h"
#include "base/array.h"
#include "base/trace_limits.h"

/* Of a file with one row. */
#define SUMMED_MAX (TRACE_NUMBER_MAX / 2)

static int read_bytes(const char *bytes, size_t size, struct err *reterr)
{
	struct scratch file = scratch_open();
	struct trace_rows rows;
	int r;

	scratch_fill(&file, bytes, size);
	r = trace_rows_read(&rows, file.path, reterr);
	if (!r)
		trace_rows_free(&rows);
	scratch_close(&file);
	return r;
}

static int read_text(const char *text, struct err *reterr)
{
	return read_bytes(text, strlen(text), reterr);
}

/* One row that has this cell. */
static int read_cell(enum trace_column column, const char *cell, struct err *reterr)
{
	struct plant_cells row = { { NULL } };
	struct plant plant;
	int r;

	row.cells[column] = cell;
	plant_begin(&plant);
	plant_row(&plant, &row);
	r = read_bytes(plant.csv.bytes, plant.csv.used, reterr);
	csv_row_free(&plant.csv);
	return r;
}

static void assert_range(enum trace_column column, int64_t min, int64_t max)
{
	const struct {
		int64_t number;
		bool is_right;
	} tries[] = { { min, true },      { max, true },        { min - 1, false },
		      { max + 1, false }, { INT64_MAX, false }, { INT64_MIN, false } };
	char cell[24];
	struct err err;

	for (size_t i = 0; i < ARRAY_COUNT(tries); i++) {
		snprintf(cell, sizeof cell, "%" PRId64, tries[i].number);
		assert_int_equal(read_cell(column, cell, &err), tries[i].is_right ? 0 : -EBADMSG);
		if (tries[i].is_right)
			continue;
		assert_non_null(strstr(err.text, ", line 2: "));
		assert_non_null(strstr(err.text, trace_column_names[column]));
		assert_non_null(strstr(err.text, cell));
	}
}

static void numbers_are_such_that_they_can_be_added(void **state)
{
	static const struct {
		enum trace_column column;
		int64_t min, max;
	} ranges[] = {
		{ TRACE_COLUMN_time_ns, -TRACE_NUMBER_MAX, TRACE_NUMBER_MAX },
		{ TRACE_COLUMN_process, 0, TRACE_NUMBER_MAX },
		{ TRACE_COLUMN_device, 0, TRACE_NUMBER_MAX },
		{ TRACE_COLUMN_requested_bytes, 0, TRACE_NUMBER_MAX },
		{ TRACE_COLUMN_delta_bytes, -SUMMED_MAX, SUMMED_MAX },
		{ TRACE_COLUMN_used_before_bytes, 0, SUMMED_MAX },
		{ TRACE_COLUMN_used_bytes, 0, SUMMED_MAX },
		{ TRACE_COLUMN_host_rss_bytes, 0, SUMMED_MAX },
		{ TRACE_COLUMN_elapsed_ns, 0, TRACE_NUMBER_MAX },
		{ TRACE_COLUMN_at_once, 0, TRACE_NUMBER_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(ranges); i++)
		assert_range(ranges[i].column, ranges[i].min, ranges[i].max);
}

static void what_is_no_number_is_told(void **state)
{
	static const char *const cells[] = {
		"x", "1x", " 1", "1.5", "0x10", "-", "18446744073709551615"
	};
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cells); i++) {
		assert_int_equal(read_cell(TRACE_COLUMN_used_bytes, cells[i], &err), -EBADMSG);
		assert_non_null(strstr(err.text, "used_bytes is no number"));
	}
}

static void a_file_without_the_columns_is_no_trace(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(read_text("a,b\n1,2\n", &err), -EBADMSG);
	assert_non_null(strstr(err.text, "no column time_ns; is this a trace?"));
	assert_int_equal(read_text("time_ns,device,event\n1,2,end\n", &err), -EBADMSG);
	assert_non_null(strstr(err.text, "used_bytes"));
	/* Others may be missing, in any order, and beside some that nobody knows. */
	assert_int_equal(read_text("x,used_bytes,event,device,time_ns\n?,1,end,0,5\n", &err), 0);
}

/* ---- what is summed up of them ---- */

/* As much as a file of four rows can say, each way. */
static void the_largest_numbers_add_up(void **state)
{
	struct trace_parts parts;
	struct trace_rows rows;
	char most[24], least[24], asked[24];
	const struct line lines[] = { ALLOC("7", "0xa", asked, most), ALLOC("7", "0xb", most, most),
				      ALLOC("8", "0xa", most, least), FREE("7", "0xa", most) };

	(void)state;
	snprintf(most, sizeof most, "%" PRId64, TRACE_NUMBER_MAX / 5);
	snprintf(least, sizeof least, "%" PRId64, -(TRACE_NUMBER_MAX / 5));
	snprintf(asked, sizeof asked, "%" PRId64, TRACE_NUMBER_MAX);
	lines_read(lines, ARRAY_COUNT(lines), &rows);
	assert_int_equal(trace_parts_sum(&parts, &rows, &small_device, SIZE_MAX), 0);
	assert_int_equal(parts.lost_bytes, TRACE_NUMBER_MAX / 5 * 2);
	trace_parts_free(&parts);
	trace_rows_free(&rows);
}

/* Where the product is too much for a number, nothing is set apart. */
static void facts_may_say_anything(void **state)
{
	static const struct line lines[] = { CONTEXT("7", "20000"), CONTEXT("8", "20000") };
	static const struct trace_device devices[] = {
		{ 0, "", INT64_MAX, INT64_MAX, 500 },
		{ 0, "", 1, INT64_MAX, INT64_MAX },
		{ 0, "", INT64_MAX, 1, TRACE_UNKNOWN },
		{ 0, "", -5, INT64_MIN, INT64_MIN },
	};
	struct trace_parts parts;
	struct trace_rows rows;

	(void)state;
	lines_read(lines, ARRAY_COUNT(lines), &rows);
	for (size_t i = 0; i < ARRAY_COUNT(devices); i++) {
		assert_int_equal(trace_parts_sum(&parts, &rows, &devices[i], SIZE_MAX), 0);
		assert_int_equal(trace_parts_bytes(&parts, TRACE_PART_CONTEXT, NULL, NULL), 40000);
		assert_int_equal(parts.lost_bytes, 40000);
		trace_parts_free(&parts);
	}
	trace_rows_free(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_such_that_they_can_be_added),
		cmocka_unit_test(what_is_no_number_is_told),
		cmocka_unit_test(a_file_without_the_columns_is_no_trace),
		cmocka_unit_test(the_largest_numbers_add_up),
		cmocka_unit_test(facts_may_say_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
