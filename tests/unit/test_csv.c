/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/csv.h"
#include "tests/unit/scratch.h"

#define ROWS_MAX    8
#define COLUMNS_MAX 6
#define CELL_MAX    24

/* A table of random texts, and where each of its rows (header first) ends in the file. */
struct truth {
	size_t row_count;
	size_t column_count;
	char cells[ROWS_MAX][COLUMNS_MAX][CELL_MAX];
	size_t row_ends[ROWS_MAX];
};

/* Mostly what CSV gives a meaning to. */
static void random_text(struct dice *dice, char *text)
{
	static const char *const pieces[] = { "\"", ",",  "\n", "\r", " ",    "\t", "a",
					      "0",  "-1", "µ",  "=",  "\"\"", ";",  "\\" };
	size_t count = dice_below(dice, 10), used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < count && used < CELL_MAX - 3; i++)
		used += (size_t)snprintf(text + used, CELL_MAX - used, "%s",
					 pieces[dice_below(dice, ARRAY_COUNT(pieces))]);
}

static void truth_make(struct truth *truth, struct dice *dice)
{
	truth->row_count = 1 + dice_below(dice, ROWS_MAX);
	truth->column_count = 1 + dice_below(dice, COLUMNS_MAX);
	for (size_t row = 0; row < truth->row_count; row++)
		for (size_t column = 0; column < truth->column_count; column++)
			random_text(dice, truth->cells[row][column]);
}

static void truth_write(struct truth *truth, struct csv_row *row)
{
	for (size_t i = 0; i < truth->row_count; i++) {
		for (size_t column = 0; column < truth->column_count; column++) {
			const char *text = truth->cells[i][column];

			if (text[0])
				csv_row_text(row, text);
			else
				csv_row_empty(row);
		}
		csv_row_end(row);
		truth->row_ends[i] = row->used;
	}
	assert_false(row->failed);
}

static void assert_rows(const struct truth *truth, const struct csv_table *table, size_t row_count)
{
	assert_int_equal(table->column_count, truth->column_count);
	assert_int_equal(table->row_count + 1, row_count);
	for (size_t column = 0; column < table->column_count; column++) {
		assert_string_equal(csv_table_header(table, column), truth->cells[0][column]);
		for (size_t row = 0; row < table->row_count; row++)
			assert_string_equal(csv_table_cell(table, row, column),
					    truth->cells[row + 1][column]);
	}
}

static void what_is_written_is_read(void **state)
{
	struct scratch scratch = scratch_open();
	struct dice dice = dice_start();
	struct csv_row row;

	(void)state;
	csv_row_init(&row);
	for (int i = 0; i < 3000; i++) {
		struct truth truth;
		struct csv_table table;
		struct err err;

		truth_make(&truth, &dice);
		csv_row_clear(&row);
		truth_write(&truth, &row);
		assert_int_equal(ftruncate(scratch.fd, 0), 0);
		assert_int_equal(csv_row_write(&row, scratch.fd, scratch.path, &err), 0);
		if (csv_table_read(&table, scratch.path, &err) < 0)
			fail_msg("table %d: %s", i, err.text);
		assert_rows(&truth, &table, truth.row_count);
		assert_false(table.torn);
		assert_int_equal(table.complete_bytes, row.used);
		csv_table_free(&table);
	}
	csv_row_free(&row);
	scratch_close(&scratch);
}

/* A process killed while it writes leaves any prefix: all complete rows must be found, no more. */
static void assert_prefix(const struct truth *truth, const struct scratch *scratch, size_t size)
{
	struct csv_table table;
	struct err err;
	size_t complete = 0;

	while (complete < truth->row_count && truth->row_ends[complete] <= size)
		complete++;
	if (!complete) {
		assert_int_equal(csv_table_read(&table, scratch->path, &err), -EBADMSG);
		assert_non_null(strstr(err.text, "no header"));
		return;
	}
	if (csv_table_read(&table, scratch->path, &err) < 0)
		fail_msg("%zu bytes: %s", size, err.text);
	assert_rows(truth, &table, complete);
	assert_int_equal(table.complete_bytes, truth->row_ends[complete - 1]);
	assert_int_equal(table.torn, table.complete_bytes != size);
	csv_table_free(&table);
}

static void every_torn_end_is_found(void **state)
{
	struct scratch scratch = scratch_open();
	struct dice dice = dice_start();
	struct csv_row row;

	(void)state;
	csv_row_init(&row);
	for (int i = 0; i < 60; i++) {
		struct truth truth;

		truth_make(&truth, &dice);
		csv_row_clear(&row);
		truth_write(&truth, &row);
		for (size_t size = 0; size <= row.used; size++) {
			scratch_fill(&scratch, row.bytes, size);
			assert_prefix(&truth, &scratch, size);
		}
	}
	csv_row_free(&row);
	scratch_close(&scratch);
}

static const struct {
	const char *text;
	const char *message;
} bad_tables[] = {
	{ "", "no header line" },
	{ "\n\n", "no header line" },
	{ "a,b", "no header line" },
	{ "a,b\n1\n", "line 2 does not have the header's 2 columns" },
	{ "a,b\n1,2\n1,2,3\n4,5\n", "line 3 does not have the header's 2 columns" },
	{ "a,b\n\n\n1,2\n1,2,\n", "line 5 does not have the header's 2 columns" },
	{ "a,b\n\"x\ny\nz\",1\n\"p\nq\"\n", "line 6 does not have the header's 2 columns" },
	{ "a,b\n1\"2,3\n4,5\n", "line 2: a quote is misplaced" },
	{ "a,b\n1,2\n1\"2\",3\n4,5\n", "line 3: a quote is misplaced" },
	{ "a,b\n\"1\"2,3\n4,5\n", "line 2: a quote is misplaced" },
	{ "a,b\n1,2\n\"x\ny\" ,3\n", "line 4: a quote is misplaced" },
	{ "a,b\n1,2\n3,x\"", "line 3: a quote is misplaced" },
	{ "a\"b,c\n1,2\n", "line 1: a quote is misplaced" },
};

static void a_file_that_is_no_table_is_refused(void **state)
{
	struct scratch scratch = scratch_open();

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(bad_tables); i++) {
		struct csv_table table = { .row_count = 4711 };
		struct err err = { "" };

		scratch_fill(&scratch, bad_tables[i].text, strlen(bad_tables[i].text));
		if (csv_table_read(&table, scratch.path, &err) != -EBADMSG)
			fail_msg("was read: %s", bad_tables[i].text);
		if (!strstr(err.text, bad_tables[i].message) || !strstr(err.text, scratch.path))
			fail_msg("%s: %s", bad_tables[i].text, err.text);
		assert_int_equal(table.row_count, 4711);
	}
	scratch_close(&scratch);
}

static void zero_bytes_are_not_read_as_text(void **state)
{
	static const char inside[] = "a,b\n1,2\n3\0x,4\n";
	static const char behind[] = "a,b\n1,2\n\0\0\0\0";
	struct scratch scratch = scratch_open();
	struct csv_table table;
	struct err err;

	(void)state;
	scratch_fill(&scratch, inside, sizeof inside - 1);
	assert_int_equal(csv_table_read(&table, scratch.path, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "line 3: a zero byte"));

	scratch_fill(&scratch, behind, sizeof behind - 1);
	assert_int_equal(csv_table_read(&table, scratch.path, &err), 0);
	assert_true(table.torn);
	assert_int_equal(table.complete_bytes, 8);
	csv_table_free(&table);
	scratch_close(&scratch);
}

static void what_other_programs_write_is_read(void **state)
{
	static const char text[] = "\xef\xbb\xbfrun,note\r\n\r\n1,\"x\r\ny\"\r\n\n2, z \r\n\n";
	struct scratch scratch = scratch_open();
	struct csv_table table;

	(void)state;
	scratch_fill(&scratch, text, sizeof text - 1);
	assert_int_equal(csv_table_read(&table, scratch.path, NULL), 0);
	assert_false(table.torn);
	assert_int_equal(table.complete_bytes, sizeof text - 1);
	assert_int_equal(table.row_count, 2);
	assert_int_equal(csv_table_column(&table, "run"), 0);
	assert_int_equal(csv_table_column(&table, "note"), 1);
	assert_string_equal(csv_table_cell(&table, 0, 1), "x\r\ny");
	assert_string_equal(csv_table_cell(&table, 1, 1), " z ");
	csv_table_free(&table);
	scratch_close(&scratch);
}

static void an_unknown_column_is_empty(void **state)
{
	struct scratch scratch = scratch_open();
	struct csv_table table;
	int64_t value = 5;

	(void)state;
	scratch_fill(&scratch, "a\n1\n", 4);
	assert_int_equal(csv_table_read(&table, scratch.path, NULL), 0);
	assert_true(csv_table_column(&table, "b") == CSV_NO_COLUMN);
	assert_string_equal(csv_table_cell(&table, 0, CSV_NO_COLUMN), "");
	assert_false(csv_table_int(&table, 0, CSV_NO_COLUMN, &value));
	assert_int_equal(value, 5);
	csv_table_free(&table);
	csv_table_free(&table);
	scratch_close(&scratch);
}

static const struct {
	const char *text;
	bool is_int;
	int64_t value;
} numbers[] = {
	{ "0", true, 0 },
	{ "-0", true, 0 },
	{ "007", true, 7 },
	{ "-2097152", true, -2097152 },
	{ "9223372036854775807", true, INT64_MAX },
	{ "-9223372036854775808", true, INT64_MIN },
	{ "9223372036854775808", false, 0 },
	{ "-9223372036854775809", false, 0 },
	{ "", false, 0 },
	{ "-", false, 0 },
	{ "--1", false, 0 },
	{ "+1", false, 0 },
	{ " 1", false, 0 },
	{ "1 ", false, 0 },
	{ "1.0", false, 0 },
	{ "1e3", false, 0 },
	{ "0x10", false, 0 },
	{ "\n1", false, 0 },
	{ "n/a", false, 0 },
};

static void only_integers_are_integers(void **state)
{
	struct scratch scratch = scratch_open();
	struct csv_table table;
	struct csv_row row;

	(void)state;
	csv_row_init(&row);
	csv_row_text(&row, "value");
	csv_row_end(&row);
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
		csv_row_text(&row, numbers[i].text);
		csv_row_end(&row);
	}
	assert_int_equal(csv_row_write(&row, scratch.fd, scratch.path, NULL), 0);
	assert_int_equal(csv_table_read(&table, scratch.path, NULL), 0);
	assert_int_equal(table.row_count, ARRAY_COUNT(numbers));
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
		int64_t value = 0;

		if (csv_table_int(&table, i, 0, &value) != numbers[i].is_int ||
		    value != numbers[i].value)
			fail_msg("'%s' was read as %" PRId64, numbers[i].text, value);
	}
	csv_table_free(&table);
	csv_row_free(&row);
	scratch_close(&scratch);
}

static void numbers_are_written_in_full(void **state)
{
	static const char expected[] = "-9223372036854775808,18446744073709551615,,\"\"\"\",x y\n"
				       "\"\"\n"
				       "\" x\"\n";
	struct csv_row row;

	(void)state;
	csv_row_init(&row);
	csv_row_int(&row, INT64_MIN);
	csv_row_uint(&row, UINT64_MAX);
	csv_row_empty(&row);
	csv_row_text(&row, "\"");
	csv_row_text(&row, "x y");
	csv_row_end(&row);
	csv_row_text(&row, "");
	csv_row_end(&row);
	csv_row_text(&row, " x");
	csv_row_end(&row);
	assert_int_equal(row.used, sizeof expected - 1);
	assert_memory_equal(row.bytes, expected, row.used);
	csv_row_free(&row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(every_torn_end_is_found),
		cmocka_unit_test(a_file_that_is_no_table_is_refused),
		cmocka_unit_test(zero_bytes_are_not_read_as_text),
		cmocka_unit_test(what_other_programs_write_is_read),
		cmocka_unit_test(an_unknown_column_is_empty),
		cmocka_unit_test(only_integers_are_integers),
		cmocka_unit_test(numbers_are_written_in_full),
	};

	return cmocka_run_group_tests_name("base/csv", tests, NULL, NULL);
}
