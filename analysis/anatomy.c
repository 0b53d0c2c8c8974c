/* SPDX-License-Identifier: MIT */
#include "analysis/anatomy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

/* Which bytes of which rows: `column` at `step` in the samples `where`. */
struct selection {
	const char *benchmark;
	const char *step;
	const char *where;
	bool is_delta;
};

void byte_range_widen(struct byte_range *range, int64_t bytes)
{
	if (!range->is_measured || bytes < range->min_bytes)
		range->min_bytes = bytes;
	if (!range->is_measured || bytes > range->max_bytes)
		range->max_bytes = bytes;
	range->is_measured = true;
}

static struct byte_range select_range(const struct run *run, const struct selection *selection)
{
	const struct samples *samples = run_samples(run, selection->benchmark);
	struct byte_range range = { 0 };

	for (size_t i = 0; samples && i < samples->count; i++) {
		const struct samples_columns *c = &samples->columns;
		size_t row = samples_step(samples, i, selection->step);
		int64_t bytes;

		if (row != SAMPLES_NO_ROW && samples_matches(samples, i, selection->where) &&
		    !strcmp(csv_table_cell(&samples->table, row, c->status), "ok") &&
		    csv_table_int(&samples->table, row,
				  selection->is_delta ? c->delta_bytes : c->total_bytes, &bytes))
			byte_range_widen(&range, bytes);
	}
	return range;
}

static struct byte_range less(struct byte_range a, struct byte_range b)
{
	struct byte_range range = { a.is_measured && b.is_measured, 0, 0 };

	if (range.is_measured &&
	    (__builtin_sub_overflow(a.min_bytes, b.max_bytes, &range.min_bytes) ||
	     __builtin_sub_overflow(a.max_bytes, b.min_bytes, &range.max_bytes)))
		return (struct byte_range){ 0 };
	return range;
}

static const struct byte_range zero = { .is_measured = true };

static struct byte_range measure_component(const struct run *run,
					   const struct component_request *request)
{
	struct selection with = { request->benchmark, request->step, request->with, false };
	struct selection minus = { request->benchmark, request->step, request->minus, false };
	struct byte_range range = select_range(run, &with);

	return request->minus ? less(range, select_range(run, &minus)) : range;
}

static struct byte_range measure_saving(const struct run *run, const struct saving_request *request)
{
	struct selection with = { request->benchmark, request->step, request->with,
				  !request->minus };
	struct selection minus = { request->benchmark, request->step, request->minus, false };

	return less(request->minus ? select_range(run, &minus) : zero, select_range(run, &with));
}

bool anatomy_is_whole(const struct requests *requests, size_t component)
{
	for (size_t i = 0; i < component; i++)
		if (!requests->components[i].minus)
			return false;
	return !requests->components[component].minus;
}

bool anatomy_is_part(const struct requests *requests, size_t component)
{
	for (size_t i = 0; i < requests->component_count; i++)
		if (anatomy_is_whole(requests, i))
			return requests->components[component].minus &&
			       !strcmp(requests->components[component].when,
				       requests->components[i].when);
	return false;
}

/* A rest is told only when every part of the whole was measured: it would name the missing one's
 * bytes. */
static void measure_rest(struct anatomy *anatomy, const struct requests *requests)
{
	size_t part_count = 0;

	for (size_t i = 0; i < requests->component_count; i++)
		if (anatomy_is_whole(requests, i))
			anatomy->rest = anatomy->components[i];
	for (size_t i = 0; i < requests->component_count; i++) {
		if (!anatomy_is_part(requests, i))
			continue;
		anatomy->rest = less(anatomy->rest, anatomy->components[i]);
		part_count++;
	}
	anatomy->has_rest = part_count > 0;
}

int anatomy_measure(struct anatomy *anatomy, const struct run *run, struct err *reterr)
{
	const struct requests *requests = run->requests;
	struct anatomy measured = {
		.components = calloc(requests->component_count + 1, sizeof *measured.components),
		.savings = calloc(requests->saving_count + 1, sizeof *measured.savings),
	};

	if (!measured.components || !measured.savings) {
		anatomy_free(&measured);
		return err_errno(reterr, ENOMEM, "%s", run->dir);
	}
	for (size_t i = 0; i < requests->component_count; i++)
		measured.components[i] = measure_component(run, &requests->components[i]);
	for (size_t i = 0; i < requests->saving_count; i++)
		measured.savings[i] = measure_saving(run, &requests->savings[i]);
	measure_rest(&measured, requests);
	*anatomy = measured;
	return 0;
}

/* The first sample that has it; behind the last when none does. */
static size_t find_sample(const struct samples *samples, const char *where, const char *step)
{
	size_t i = 0;

	while (i < samples->count && (!samples_matches(samples, i, where) ||
				      samples_step(samples, i, step) == SAMPLES_NO_ROW))
		i++;
	return i;
}

static int64_t delta_of(const struct samples *samples, size_t row)
{
	int64_t bytes = 0;

	if (row != SAMPLES_NO_ROW)
		csv_table_int(&samples->table, row, samples->columns.delta_bytes, &bytes);
	return bytes;
}

/* The row of the last step that gives back, of those from `row` to before `end`; `end`: none does.
 */
static size_t last_return(const struct samples *samples, size_t row, size_t end)
{
	size_t last = end;

	for (; row < end; row++)
		if (delta_of(samples, row) < 0)
			last = row;
	return last;
}

/* What a step gave back that is not the last of those, beyond what it did without the component. */
static void add_return(const struct samples *samples, size_t row, size_t minus,
		       struct text *ret_text)
{
	const char *step = csv_table_cell(&samples->table, row, samples->columns.step);
	int64_t bytes = -delta_of(samples, row), without_bytes = 0;
	char size[SIZE_TEXT_MAX];

	if (minus < samples->count)
		without_bytes = -delta_of(samples, samples_step(samples, minus, step));
	if (bytes > 0 && bytes > without_bytes)
		text_format(ret_text, "%s: %s, ", step,
			    size_format(without_bytes > 0 ? bytes - without_bytes : bytes, size,
					sizeof size));
}

void anatomy_returns(const struct run *run, size_t component, struct text *ret_text)
{
	const struct component_request *request = &run->requests->components[component];
	const struct samples *samples = run_samples(run, request->benchmark);
	size_t sample, minus, row, last, end;

	if (!samples)
		return;
	sample = find_sample(samples, request->with, request->step);
	if (sample == samples->count)
		return;
	minus = request->minus ? find_sample(samples, request->minus, request->step)
			       : samples->count;
	row = samples_step(samples, sample, request->step) + 1;
	end = samples->items[sample].first_row + samples->items[sample].row_count;
	last = last_return(samples, row, end);
	for (; row < last; row++)
		add_return(samples, row, minus, ret_text);
	if (last < end)
		text_format(ret_text, "%s: %s",
			    csv_table_cell(&samples->table, last, samples->columns.step),
			    *text_peek(ret_text) ? "the rest" : "all of it");
}

void anatomy_free(struct anatomy *anatomy)
{
	free(anatomy->components);
	free(anatomy->savings);
	*anatomy = (struct anatomy){ 0 };
}
