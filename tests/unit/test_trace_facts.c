/* SPDX-License-Identifier: MIT */
/* What a trace says of its devices, and the moments that are looked at. */
#include "tests/unit/trace_lines.h"

#include "analysis/trace_facts.h"
#include "analysis/trace_parts.h"
#include "base/array.h"

static void the_peak_and_the_end_are_rows(void **state)
{
	static const struct line lines[] = {
		ALLOC("7", "0xa", "1", "100"),
		ALLOC("7", "0xb", "1", "200"),
		FREE("7", "0xa", "-100"),
		{ .process = "7", .kind = "stream", .delta_bytes = "100" },
		FREE("7", "0xb", "-200"),
		END("7", "-100")
	};
	struct trace_parts parts;
	struct trace_rows rows;

	(void)state;
	lines_read(lines, ARRAY_COUNT(lines), &rows);
	/* The first of equal ones. */
	assert_int_equal(trace_peak_row(&rows, &small_device), 1);
	assert_int_equal(trace_end_row(&rows, &small_device), 4);
	assert_int_equal(trace_parts_sum(&parts, &rows, &small_device, 1), 0);
	assert_int_equal(parts.lost_bytes, 300);
	trace_parts_free(&parts);
	assert_int_equal(trace_parts_sum(&parts, &rows, &small_device, 4), 0);
	assert_int_equal(parts.lost_bytes, 100);
	trace_parts_free(&parts);
	trace_rows_free(&rows);
}

static void devices_are_as_their_facts_say(void **state)
{
	struct trace_device devices[4];
	struct trace_rows rows;
	struct plant plant;

	(void)state;
	plant_begin(&plant);
	trace_write_fact(&plant.csv, 0, TRACE_NO_NUMBER, "tracer_context_bytes", "12582912");
	trace_write_fact(&plant.csv, 0, 3, "gpu_name", "one");
	trace_write_fact(&plant.csv, 0, 1, "sm_count", "132");
	trace_write_fact(&plant.csv, 0, 3, "sm_count", "many");
	trace_write_fact(&plant.csv, 0, 1, "max_threads_per_sm", "2048");
	plant_reading(&plant, 0, 2, "start", 5);
	plant_read(&plant, &rows);
	assert_int_equal(trace_devices(&rows, devices, 4), 3);
	assert_int_equal(devices[0].index, 3);
	assert_string_equal(devices[0].gpu_name, "one");
	assert_int_equal(devices[0].sm_count, TRACE_UNKNOWN);
	assert_int_equal(devices[1].sm_count, 132);
	assert_int_equal(devices[1].max_threads_per_sm, 2048);
	assert_int_equal(devices[1].own_context_bytes, 12582912);
	assert_int_equal(devices[2].index, 2);
	/* No more than there is room for. */
	assert_int_equal(trace_devices(&rows, devices, 2), 2);
	trace_rows_free(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peak_and_the_end_are_rows),
		cmocka_unit_test(devices_are_as_their_facts_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
