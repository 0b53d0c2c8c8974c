/* SPDX-License-Identifier: MIT */
#include "analysis/anatomy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Which bytes of which rows: at `step` in the samples `where`, and less those of the step `since`.
 */
struct selection {
	const char *benchmark;
	const char *step;
	const char *where;
	const char *since; /* NULL: less nothing */
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

static bool bytes_at(const struct samples *samples, size_t sample, const char *step, bool is_delta,
		     int64_t *ret_bytes)
{
	const struct samples_columns *c = &samples->columns;
	size_t row = samples_step(samples, sample, step);

	return row != SAMPLES_NO_ROW &&
	       !strcmp(csv_table_cell(&samples->table, row, c->status), "ok") &&
	       csv_table_int(&samples->table, row, is_delta ? c->delta_bytes : c->total_bytes,
			     ret_bytes);
}

static struct byte_range select_range(const struct run *run, const struct selection *selection)
{
	const struct samples *samples = run_samples(run, selection->benchmark);
	struct byte_range range = { 0 };

	for (size_t i = 0; samples && i < samples->count; i++) {
		int64_t bytes, before_bytes = 0;

		if (samples_matches(samples, i, selection->where) &&
		    bytes_at(samples, i, selection->step, selection->is_delta, &bytes) &&
		    (!selection->since ||
		     bytes_at(samples, i, selection->since, false, &before_bytes)) &&
		    !__builtin_sub_overflow(bytes, before_bytes, &bytes))
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
	struct selection with = { .benchmark = request->benchmark,
				  .step = request->step,
				  .where = request->with,
				  .since = request->since };
	struct selection minus = { .benchmark = request->benchmark,
				   .step = request->step,
				   .where = request->minus };
	struct byte_range range = select_range(run, &with);

	return request->minus ? less(range, select_range(run, &minus)) : range;
}

static struct byte_range measure_saving(const struct run *run, const struct saving_request *request)
{
	struct selection with = { .benchmark = request->benchmark,
				  .step = request->step,
				  .where = request->with,
				  .is_delta = !request->minus };
	struct selection minus = { .benchmark = request->benchmark,
				   .step = request->step,
				   .where = request->minus };

	return less(request->minus ? select_range(run, &minus) : zero, select_range(run, &with));
}

static bool is_of_nothing_less(const struct component_request *request)
{
	return !request->minus && !request->since;
}

bool anatomy_is_whole(const struct requests *requests, size_t component)
{
	for (size_t i = 0; i < component; i++)
		if (is_of_nothing_less(&requests->components[i]))
			return false;
	return is_of_nothing_less(&requests->components[component]);
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

void anatomy_free(struct anatomy *anatomy)
{
	free(anatomy->components);
	free(anatomy->savings);
	*anatomy = (struct anatomy){ 0 };
}
