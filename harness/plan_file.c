/* SPDX-License-Identifier: MIT */
/* plan.csv: order,benchmark,repeat,axis_1,value_1,axis_2,value_2,axis_3,value_3; some empty. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "harness/plan.h"
#include "harness/plan_words.h"

static void put_header(struct csv_row *row)
{
	char name[32];

	csv_row_text(row, "order");
	csv_row_text(row, "benchmark");
	csv_row_text(row, "repeat");
	for (size_t i = 1; i <= BENCH_AXES_MAX; i++) {
		snprintf(name, sizeof name, "axis_%zu", i);
		csv_row_text(row, name);
		snprintf(name, sizeof name, "value_%zu", i);
		csv_row_text(row, name);
	}
	csv_row_end(row);
}

static void put_sample(struct csv_row *row, const struct plan_sample *sample, size_t order)
{
	char number[24];

	csv_row_uint(row, order);
	csv_row_text(row, sample->bench->name);
	csv_row_uint(row, sample->repeat);
	for (size_t i = 0; i < BENCH_AXES_MAX; i++) {
		if (i < bench_axis_count(sample->bench)) {
			csv_row_text(row, sample->bench->axes[i].name);
			csv_row_text(row,
				     bench_value_text(sample->bench, &sample->point, i, number));
		} else {
			csv_row_empty(row);
			csv_row_empty(row);
		}
	}
	csv_row_end(row);
}

int plan_write(const struct plan *plan, const char *path, struct err *reterr)
{
	struct csv_row row;
	int r;

	csv_row_init(&row);
	put_header(&row);
	for (size_t i = 0; i < plan->count; i++)
		put_sample(&row, &plan->samples[i], i + 1);
	r = csv_row_save(&row, path, O_EXCL, reterr);
	csv_row_free(&row);
	return r;
}

static const struct bench *bench_named(const struct bench *const *benches, size_t count,
				       const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(benches[i]->name, name))
			return benches[i];
	return NULL;
}

static bool read_value(struct plan *plan, const struct bench_axis *axis, const char *text,
		       struct axis_value *ret_value)
{
	char *end;

	if (axis->kind == AXIS_WORD) {
		ret_value->word = plan_word(plan, text);
		return ret_value->word && *text;
	}
	errno = 0;
	ret_value->number = strtoull(text, &end, 10);
	return !errno && *text && !*end && *text != '-';
}

static bool read_point(struct plan *plan, const struct csv_table *table, size_t row,
		       struct plan_sample *sample)
{
	for (size_t i = 0; i < bench_axis_count(sample->bench); i++) {
		char axis_column[32], value_column[32];
		const struct bench_axis *axis = &sample->bench->axes[i];

		snprintf(axis_column, sizeof axis_column, "axis_%zu", i + 1);
		snprintf(value_column, sizeof value_column, "value_%zu", i + 1);
		if (strcmp(csv_table_cell(table, row, csv_table_column(table, axis_column)),
			   axis->name) ||
		    !read_value(plan, axis,
				csv_table_cell(table, row, csv_table_column(table, value_column)),
				&sample->point.values[i]))
			return false;
	}
	return true;
}

int plan_read(struct plan *plan, const char *path, const struct bench *const *benches,
	      size_t bench_count, struct err *reterr)
{
	struct plan read = { 0 };
	struct csv_table table;
	size_t bench_column, repeat_column;
	int r = csv_table_read(&table, path, reterr);

	if (r < 0)
		return r;
	if (table.torn)
		r = err_set(reterr, EBADMSG, "%s: it is cut off", path);
	bench_column = csv_table_column(&table, "benchmark");
	repeat_column = csv_table_column(&table, "repeat");
	for (size_t row = 0; !r && row < table.row_count; row++) {
		struct plan_sample sample = { .bench = bench_named(
						      benches, bench_count,
						      csv_table_cell(&table, row, bench_column)) };
		int64_t repeat = 0;

		if (!sample.bench || !csv_table_int(&table, row, repeat_column, &repeat) ||
		    repeat < 1 || repeat > UINT32_MAX || !read_point(&read, &table, row, &sample))
			r = err_set(reterr, EBADMSG,
				    "%s: line %zu: not a sample that this version can take", path,
				    row + 2);
		sample.repeat = r ? 0 : (unsigned int)repeat;
		if (!r && plan_add(&read, &sample) < 0)
			r = err_set(reterr, ENOMEM, "%s: out of memory", path);
	}
	csv_table_free(&table);
	if (r < 0) {
		plan_free(&read);
		return r;
	}
	*plan = read;
	return 0;
}
