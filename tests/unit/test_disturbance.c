/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <string.h>

#include "harness/disturbance.h"

#define GRANULE   UINT64_C(2097152)
#define FREE      UINT64_C(100000000000)
#define ROW_COUNT 4

/* start, create, destroy, exit on a device whose neighbour holds 500 MB all the time. */
static struct result quiet_result(void)
{
	static const char *const steps[ROW_COUNT] = { "start", "create", "destroy", "exit" };
	static const uint64_t taken[ROW_COUNT] = { 0, 10 * GRANULE, 0, 0 };
	struct result result = { .attempt = 1 };

	for (size_t i = 0; i < ROW_COUNT; i++) {
		struct result_row *row = result_add(&result, steps[i]);

		assert_non_null(row);
		row->has_device = true;
		row->device =
			(struct device_reading){ .free_bytes = FREE - taken[i], .settled = true };
		row->device.nvml.has_used = row->device.nvml.has_processes = true;
		row->device.nvml.used_bytes = 7 * GRANULE + taken[i];
		row->device.nvml.other_bytes = 500000000;
		row->device.nvml.other_count = 1;
	}
	return result;
}

static void check(struct result *result)
{
	result_judge(result);
	disturbance_check(result, GRANULE);
}

static void assert_disturbed(const struct result *result, const char *note)
{
	assert_int_equal(result->verdict, STATUS_DISTURBED);
	for (size_t i = 0; i < result->row_count; i++)
		assert_int_equal(result->rows[i].status, STATUS_DISTURBED);
	assert_non_null(strstr(result->rows[result->row_count - 1].note, note));
}

static void a_quiet_sample_stays_what_it_is(void **state)
{
	struct result result = quiet_result();

	(void)state;
	check(&result);
	assert_int_equal(result.verdict, STATUS_OK);
	assert_false(disturbance_is_known(&result));
	for (size_t i = 0; i < result.row_count; i++)
		assert_string_equal(result.rows[i].note, "");
	result_free(&result);
}

static void others_are_seen_at_the_row_where_they_moved(void **state)
{
	(void)state;
	for (size_t i = 1; i < ROW_COUNT; i++) {
		struct result bytes = quiet_result(), count = quiet_result();

		bytes.rows[i].device.nvml.other_bytes++;
		assert_true(disturbance_is_known(&bytes));
		check(&bytes);
		assert_disturbed(&bytes, bytes.rows[i].step);
		/* One went and another came with as many bytes, or their bytes are not known. */
		count.rows[i].device.nvml.other_count++;
		check(&count);
		assert_disturbed(&count, count.rows[i].step);
		result_free(&bytes);
		result_free(&count);
	}
}

static void memory_that_is_missing_at_the_end_tells(void **state)
{
	struct result less = quiet_result(), more = quiet_result();

	(void)state;
	less.rows[ROW_COUNT - 1].device.free_bytes -= GRANULE;
	check(&less);
	assert_disturbed(&less, "-2097152 bytes more were free than before");
	more.rows[ROW_COUNT - 1].device.free_bytes += 1;
	check(&more);
	assert_disturbed(&more, ", 1 bytes more were free than before");
	result_free(&less);
	result_free(&more);
}

static void a_refusal_can_be_disturbed_and_a_breakdown_cannot(void **state)
{
	static const enum status broken[] = { STATUS_FAILED, STATUS_CRASHED, STATUS_TIMEOUT };
	struct result refused = quiet_result();

	(void)state;
	refused.rows[1].status = STATUS_REFUSED;
	refused.rows[2].device.nvml.other_bytes++;
	check(&refused);
	assert_disturbed(&refused, "destroy");
	result_free(&refused);
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		struct result result = quiet_result();

		result.rows[1].status = broken[i];
		result.rows[2].device.nvml.other_bytes++;
		check(&result);
		assert_int_equal(result.verdict, broken[i]);
		assert_int_equal(result.rows[0].status, STATUS_OK);
		result_free(&result);
	}
}

static void without_a_witness_there_is_no_verdict(void **state)
{
	struct result silent = quiet_result(), blind = quiet_result();

	(void)state;
	silent.rows[2].device.nvml.has_processes = false;
	silent.rows[2].device.nvml.other_bytes = 0;
	check(&silent);
	assert_int_equal(silent.verdict, STATUS_OK);
	blind.rows[ROW_COUNT - 1].has_device = false;
	blind.rows[ROW_COUNT - 1].device = (struct device_reading){ 0 };
	check(&blind);
	assert_int_equal(blind.verdict, STATUS_OK);
	result_free(&silent);
	result_free(&blind);
}

static void meters_that_disagree_make_a_note_and_no_verdict(void **state)
{
	struct result result = quiet_result();

	(void)state;
	result.rows[1].has_self_free = result.rows[2].has_self_free = true;
	result.rows[1].self_free_bytes = result.rows[1].device.free_bytes - GRANULE;
	result.rows[2].self_free_bytes = result.rows[2].device.free_bytes - GRANULE - 1;
	result.rows[2].device.nvml.used_bytes += GRANULE + 1;
	result.rows[3].device.settled = false;
	check(&result);
	assert_int_equal(result.verdict, STATUS_OK);
	assert_string_equal(result.rows[1].note, "");
	assert_non_null(strstr(result.rows[2].note, "disagree on free memory by -2097153 bytes; "));
	assert_non_null(strstr(result.rows[2].note, "NVML says 2097153 bytes were taken, "));
	assert_string_equal(result.rows[3].note, "the reading did not settle");
	result_free(&result);
}

static void the_worst_row_is_the_verdict(void **state)
{
	struct result result = quiet_result();

	(void)state;
	result.rows[3].status = STATUS_REFUSED;
	result_judge(&result);
	assert_int_equal(result.verdict, STATUS_REFUSED);
	result.rows[1].status = STATUS_CRASHED;
	result_judge(&result);
	assert_int_equal(result.verdict, STATUS_CRASHED);
	result.rows[2].status = STATUS_FAILED;
	result_judge(&result);
	assert_int_equal(result.verdict, STATUS_CRASHED);
	result_free(&result);
}

static void statuses_are_read_as_they_are_written(void **state)
{
	enum status status = STATUS_SKIPPED;

	(void)state;
	for (int i = 0; i < STATUS_COUNT; i++) {
		assert_true(status_parse(status_text((enum status)i), &status));
		assert_int_equal(status, i);
	}
	assert_false(status_parse("", &status));
	assert_false(status_parse("OK", &status));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_sample_stays_what_it_is),
		cmocka_unit_test(others_are_seen_at_the_row_where_they_moved),
		cmocka_unit_test(memory_that_is_missing_at_the_end_tells),
		cmocka_unit_test(a_refusal_can_be_disturbed_and_a_breakdown_cannot),
		cmocka_unit_test(without_a_witness_there_is_no_verdict),
		cmocka_unit_test(meters_that_disagree_make_a_note_and_no_verdict),
		cmocka_unit_test(the_worst_row_is_the_verdict),
		cmocka_unit_test(statuses_are_read_as_they_are_written),
	};

	return cmocka_run_group_tests_name("harness/disturbance", tests, NULL, NULL);
}
