/* SPDX-License-Identifier: MIT */
/* Row by row, a file says the same as read whole. */
#include "tests/unit/check.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/csv.h"
#include "base/csv_stream.h"
#include "base/text.h"
#include "tests/unit/scratch.h"

#define FILES 300

static void check_row(const struct csv_table *table, size_t row, const char *const *cells)
{
	for (size_t column = 0; column < table->column_count; column++)
		assert_string_equal(cells[column], csv_table_cell(table, row, column));
}

/* The rows that there are, then the end as the table has it. */
static void check_same(const struct csv_table *table, struct csv_stream *stream)
{
	const char *const *cells;
	struct err err;
	size_t row = 0;
	int r;

	assert_int_equal(csv_stream_column_count(stream), table->column_count);
	for (size_t column = 0; column < table->column_count; column++)
		assert_string_equal(csv_stream_header(stream, column),
				    csv_table_header(table, column));
	while ((r = csv_stream_next(stream, &cells, &err)) > 0) {
		assert_true(row < table->row_count);
		check_row(table, row++, cells);
	}
	assert_int_equal(r, 0);
	assert_int_equal(row, table->row_count);
	assert_int_equal(csv_stream_is_torn(stream), table->torn);
}

static int read_all(struct csv_stream *stream)
{
	const char *const *cells;
	struct err err;
	int r;

	while ((r = csv_stream_next(stream, &cells, &err)) > 0)
		;
	return r;
}

/* Where one says that it is no table, so does the other. */
static void check_file(const char *path)
{
	struct csv_table table;
	struct csv_stream *stream = NULL;
	struct err err;
	int whole = csv_table_read(&table, path, &err), r = csv_stream_open(&stream, path, &err);

	if (!whole) {
		assert_int_equal(r, 0);
		check_same(&table, stream);
		csv_table_free(&table);
	} else if (!r) {
		/* A row that is cut off is not looked at, unless its quotes are misplaced. */
		assert_int_equal(whole, -EBADMSG);
		assert_int_equal(read_all(stream), -EBADMSG);
	}
	csv_stream_close(stream);
}

static void test_random_files(void **state)
{
	static const char *const pieces[] = {
		"\"", ",",  "\n", "\r\n", "\r", " ",     "a",
		"0",  "-1", "µ",  "\"\"", ",,", "a,b\n", "\"x\",y\n"
	};
	struct scratch scratch = scratch_open();
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < FILES; i++) {
		size_t count = dice_below(&dice, 30);
		struct text text = { 0 };

		text_add(&text, dice_below(&dice, 4) ? "x,y\n" : "");
		for (size_t k = 0; k < count; k++)
			text_add(&text, pieces[dice_below(&dice, ARRAY_COUNT(pieces))]);
		scratch_fill(&scratch, text_peek(&text), text.used);
		check_file(scratch.path);
		text_free(&text);
	}
	scratch_close(&scratch);
}

/* Lines that lie across the ends of what is read at once. */
static void test_long_file(void **state)
{
	struct scratch scratch = scratch_open();
	struct text text = { 0 };

	(void)state;
	text_add(&text, "\xef\xbb\xbfone,two\n");
	for (int i = 0; i < 20000; i++)
		text_format(&text, i % 7 ? "%d,plain\r\n" : "%d,\"quo\"\"ted\n,\"\n", i);
	text_fill(&text, 'x', 300000);
	text_add(&text, ",\"");
	text_fill(&text, 'y', 300000);
	text_add(&text, "\"\n");
	scratch_fill(&scratch, text_peek(&text), text.used);
	check_file(scratch.path);
	text_free(&text);
	scratch_close(&scratch);
}

static void test_lines_of_errors(void **state)
{
	static const struct {
		const char *text;
		const char *words;
	} cases[] = {
		{ "", "no header line" },
		{ "a,b\n1\n", "line 2 does not have the header's 2 columns" },
		{ "a,b\n\n\"1\n2\",3\n1,2,3\n", "line 5 does not have" },
		{ "a,b\n1,2\n3,4\"\n", "line 3: a quote is misplaced" },
	};
	struct scratch scratch = scratch_open();

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct csv_stream *stream = NULL;
		const char *const *cells;
		struct err err = { "" };
		int r;

		scratch_fill(&scratch, cases[i].text, strlen(cases[i].text));
		r = csv_stream_open(&stream, scratch.path, &err);
		while (!r && (r = csv_stream_next(stream, &cells, &err)) > 0)
			r = 0;
		assert_int_equal(r, -EBADMSG);
		assert_non_null(strstr(err.text, cases[i].words));
		csv_stream_close(stream);
	}
	scratch_close(&scratch);
}

static void test_huge_row(void **state)
{
	struct scratch scratch = scratch_open();
	struct csv_stream *stream = NULL;
	const char *const *cells;
	struct text text = { 0 };
	struct err err;

	(void)state;
	text_add(&text, "a\n\"");
	for (size_t i = 0; i < CSV_STREAM_ROW_MAX / 8; i++)
		text_add(&text, "1234567\n1");
	scratch_fill(&scratch, text_peek(&text), text.used);
	assert_int_equal(csv_stream_open(&stream, scratch.path, &err), 0);
	assert_int_equal(csv_stream_next(stream, &cells, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "line 2: a row of more than"));
	csv_stream_close(stream);
	text_free(&text);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_files),
		cmocka_unit_test(test_long_file),
		cmocka_unit_test(test_lines_of_errors),
		cmocka_unit_test(test_huge_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
