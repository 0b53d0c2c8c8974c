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
#include "harness/axis.h"
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

/* A plan that is being read, and what it is checked against. */
struct reading {
	struct plan plan;
	struct csv_table table;
	const struct plan_request *request;
	const struct modules *modules;
};

/* Digits alone. */
static bool read_number(const char *text, uint64_t *ret_number)
{
	errno = 0;
	*ret_number = strtoull(text, NULL, 10);
	return !errno && *text && !text[strspn(text, "0123456789")];
}

static bool read_value(struct reading *reading, const struct bench_axis *axis, const char *text,
		       struct axis_value *ret_value)
{
	if (axis->kind == AXIS_WORD) {
		ret_value->word = axis_takes_word(axis->is_open ? NULL : axis->values, text)
					  ? plan_word(&reading->plan, text)
					  : NULL;
		return ret_value->word;
	}
	return read_number(text, &ret_value->number) &&
	       (!axis->module_family ||
		(reading->modules &&
		 modules_find_sized(reading->modules, axis->module_family, ret_value->number)));
}

static bool read_point(struct reading *reading, size_t row, struct plan_sample *sample)
{
	const struct csv_table *table = &reading->table;

	for (size_t i = 0; i < bench_axis_count(sample->bench); i++) {
		char axis_column[32], value_column[32];
		const struct bench_axis *axis = &sample->bench->axes[i];

		snprintf(axis_column, sizeof axis_column, "axis_%zu", i + 1);
		snprintf(value_column, sizeof value_column, "value_%zu", i + 1);
		if (strcmp(csv_table_cell(table, row, csv_table_column(table, axis_column)),
			   axis->name) ||
		    !read_value(reading, axis,
				csv_table_cell(table, row, csv_table_column(table, value_column)),
				&sample->point.values[i]))
			return false;
	}
	return !sample->bench->wants || sample->bench->wants(sample->bench, &sample->point);
}

/* Its place in the plan is the line's, so a line that was moved or is missing is seen. */
static bool read_sample(struct reading *reading, size_t row, struct plan_sample *ret_sample)
{
	const struct csv_table *table = &reading->table;
	const struct plan_request *request = reading->request;
	struct plan_sample sample = {
		.bench = bench_named(
			request->benches, request->bench_count,
			csv_table_cell(table, row, csv_table_column(table, "benchmark")))
	};
	int64_t order, repeat;

	if (!sample.bench || !csv_table_int(table, row, csv_table_column(table, "order"), &order) ||
	    order != (int64_t)row + 1 ||
	    !csv_table_int(table, row, csv_table_column(table, "repeat"), &repeat) || repeat < 1 ||
	    repeat > UINT32_MAX || !read_point(reading, row, &sample))
		return false;
	sample.repeat = (unsigned int)repeat;
	*ret_sample = sample;
	return true;
}

static int read_samples(struct reading *reading, const char *path, struct err *reterr)
{
	struct plan_sample sample;

	for (size_t row = 0; row < reading->table.row_count; row++) {
		if (!read_sample(reading, row, &sample))
			return err_set(reterr, EBADMSG,
				       "%s: line %zu: not a sample that this version can take",
				       path, row + 2);
		if (plan_add(&reading->plan, &sample) < 0)
			return err_set(reterr, ENOMEM, "%s: out of memory", path);
	}
	return 0;
}

/* To be sorted. */
struct entry {
	const struct plan_sample *sample;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By what makes a sample the same as another. Words of one plan are the same where they are equal.
 */
static int compare_samples(const void *a_entry, const void *b_entry)
{
	const struct plan_sample *a = ((const struct entry *)a_entry)->sample;
	const struct plan_sample *b = ((const struct entry *)b_entry)->sample;
	int order = compare_numbers((uintptr_t)a->bench, (uintptr_t)b->bench);

	if (!order)
		order = compare_numbers(a->repeat, b->repeat);
	for (size_t i = 0; !order && i < bench_axis_count(a->bench); i++) {
		const struct axis_value *value = &a->point.values[i], *other = &b->point.values[i];

		order = a->bench->axes[i].kind == AXIS_WORD
				? compare_numbers((uintptr_t)value->word, (uintptr_t)other->word)
				: compare_numbers(value->number, other->number);
	}
	return order;
}

static int check_doubles(const struct plan *plan, const char *path, struct err *reterr)
{
	struct entry *sorted = calloc(plan->count + 1, sizeof *sorted);
	int r = 0;

	if (!sorted)
		return err_set(reterr, ENOMEM, "%s: out of memory", path);
	for (size_t i = 0; i < plan->count; i++)
		sorted[i].sample = &plan->samples[i];
	qsort(sorted, plan->count, sizeof *sorted, compare_samples);
	for (size_t i = 1; !r && i < plan->count; i++)
		if (!compare_samples(&sorted[i - 1], &sorted[i]))
			r = err_set(reterr, EBADMSG, "%s: lines %zu and %zu: the same sample twice",
				    path, (size_t)(sorted[i - 1].sample - plan->samples) + 2,
				    (size_t)(sorted[i].sample - plan->samples) + 2);
	free(sorted);
	return r;
}

int plan_read(struct plan *plan, const char *path, const struct plan_request *request,
	      const struct modules *modules, struct err *reterr)
{
	struct reading reading = { .request = request, .modules = modules };
	int r = csv_table_read(&reading.table, path, reterr);

	if (r < 0)
		return r;
	r = reading.table.torn ? err_set(reterr, EBADMSG, "%s: it is cut off", path)
			       : read_samples(&reading, path, reterr);
	if (!r)
		r = check_doubles(&reading.plan, path, reterr);
	csv_table_free(&reading.table);
	if (r < 0) {
		plan_free(&reading.plan);
		return r;
	}
	*plan = reading.plan;
	return 0;
}
