/* SPDX-License-Identifier: MIT */
/*
 * Both readers of CSV: they take the same tables and find the same cells in them, and what is
 * written out of a table is that table again.
 */
#include "base/csv.h"
#include "base/csv_stream.h"
#include "tests/fuzz/fuzz.h"

static struct fuzz_file input, output;

static void check_row(const struct csv_stream *stream, const char *const *cells,
		      const struct csv_table *table, size_t row)
{
	FUZZ_DEMAND(row < table->row_count);
	FUZZ_DEMAND(csv_stream_line(stream) > 0);
	for (size_t column = 0; column < table->column_count; column++)
		FUZZ_DEMAND(!strcmp(cells[column], csv_table_cell(table, row, column)));
}

static void check_header(const struct csv_stream *stream, const struct csv_table *table)
{
	FUZZ_DEMAND(csv_stream_column_count(stream) == table->column_count);
	for (size_t column = 0; column < table->column_count; column++) {
		const char *name = csv_table_header(table, column);

		FUZZ_DEMAND(!strcmp(csv_stream_header(stream, column), name));
		FUZZ_DEMAND(csv_stream_column(stream, name) == csv_table_column(table, name));
	}
}

/* Row by row it is the same table; NULL: it is none there either. */
static void check_stream(const char *path, const struct csv_table *table)
{
	const char *const *cells;
	struct csv_stream *stream;
	struct err err = { "" };
	size_t row = 0;
	int r = csv_stream_open(&stream, path, &err);

	if (!r) {
		if (table)
			check_header(stream, table);
		while ((r = csv_stream_next(stream, &cells, &err)) > 0)
			if (table)
				check_row(stream, cells, table, row++);
		FUZZ_DEMAND(!table || r < 0 || csv_stream_is_torn(stream) == table->torn);
		csv_stream_close(stream);
	}
	if (r < 0)
		fuzz_check_error(r, &err, path);
	FUZZ_DEMAND(table ? !r && row == table->row_count : r < 0);
}

static void write_cell(struct csv_row *row, const char *cell)
{
	int64_t value;

	/* "-0" and "007" are numbers, too, but are written otherwise. */
	if (csv_int(cell, &value) && (value ? cell[cell[0] == '-'] != '0' : !cell[1]))
		csv_row_int(row, value);
	else if (cell[0])
		csv_row_text(row, cell);
	else
		csv_row_empty(row);
}

static void write_table(const struct csv_table *table)
{
	struct csv_row row;
	struct err err;

	csv_row_init(&row);
	for (size_t i = 0; i <= table->row_count; i++) {
		for (size_t column = 0; column < table->column_count; column++)
			write_cell(&row, i ? csv_table_cell(table, i - 1, column)
					   : csv_table_header(table, column));
		csv_row_end(&row);
	}
	fuzz_file_fill(&output, "", 0);
	FUZZ_DEMAND(!csv_row_write(&row, output.fd, output.path, &err));
	csv_row_free(&row);
}

static void check_written(const struct csv_table *table)
{
	struct csv_table again;
	struct err err;

	write_table(table);
	FUZZ_DEMAND(!csv_table_read(&again, output.path, &err));
	FUZZ_DEMAND(!again.torn && again.column_count == table->column_count &&
		    again.row_count == table->row_count);
	for (size_t i = 0; i < (table->row_count + 1) * table->column_count; i++)
		FUZZ_DEMAND(!strcmp(again.cells[i], table->cells[i]));
	check_stream(output.path, &again);
	csv_table_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct csv_table table;
	struct err err = { "" };
	int r;

	if (!input.path[0]) {
		fuzz_file_open(&input);
		fuzz_file_open(&output);
	}
	fuzz_file_fill(&input, bytes, size);
	r = csv_table_read(&table, input.path, &err);
	if (r < 0) {
		fuzz_check_error(r, &err, input.path);
		check_stream(input.path, NULL);
		return 0;
	}
	FUZZ_DEMAND(table.column_count && table.complete_bytes <= size);
	FUZZ_DEMAND(table.torn == (table.complete_bytes < size));
	check_stream(input.path, &table);
	check_written(&table);
	csv_table_free(&table);
	return 0;
}
