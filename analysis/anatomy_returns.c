/* SPDX-License-Identifier: MIT */
#include "analysis/anatomy.h"

#include <string.h>

#include "base/size.h"

/* A sample behind the step that took a component's bytes, and how many of them are still there. */
struct remains {
	const struct samples *samples;
	size_t minus;       /* a sample without the component; samples->count: none */
	int64_t base_bytes; /* what there was beside it */
	int64_t bytes;
	bool is_context_gone;
};

/* Whether the sample came to this step, and what it had taken is known. */
static bool has_bytes(const struct samples *samples, size_t sample, const char *step)
{
	size_t row = samples_step(samples, sample, step);
	int64_t bytes;

	return row != SAMPLES_NO_ROW &&
	       !strcmp(csv_table_cell(&samples->table, row, samples->columns.status), "ok") &&
	       csv_table_int(&samples->table, row, samples->columns.total_bytes, &bytes);
}

/* The first sample that has it; behind the last when none does. */
static size_t find_sample(const struct samples *samples, const char *where, const char *step)
{
	size_t i = 0;

	while (i < samples->count &&
	       (!samples_matches(samples, i, where) || !has_bytes(samples, i, step)))
		i++;
	return i;
}

static int64_t cell_bytes(const struct samples *samples, size_t row, size_t column)
{
	int64_t bytes = 0;

	if (row != SAMPLES_NO_ROW)
		csv_table_int(&samples->table, row, column, &bytes);
	return bytes;
}

static int64_t total_of(const struct samples *samples, size_t row)
{
	return cell_bytes(samples, row, samples->columns.total_bytes);
}

static int64_t delta_of(const struct samples *samples, size_t row)
{
	return cell_bytes(samples, row, samples->columns.delta_bytes);
}

/*
 * How much of the component is left behind a step that gave something back. Both samples may have
 * given back or taken the same there. With the context goes all but what the total still has.
 */
static int64_t left_after(struct remains *remains, size_t row)
{
	const struct samples *samples = remains->samples;
	const char *step = csv_table_cell(&samples->table, row, samples->columns.step);
	size_t same = remains->minus < samples->count ? samples_step(samples, remains->minus, step)
						      : SAMPLES_NO_ROW;
	int64_t left_bytes;

	remains->is_context_gone = total_of(samples, row) < remains->base_bytes;
	if (remains->is_context_gone)
		left_bytes = total_of(samples, row) - total_of(samples, same);
	else
		left_bytes = remains->bytes + delta_of(samples, row) - delta_of(samples, same);
	return left_bytes > 0 ? left_bytes : 0;
}

static void add_return(struct remains *remains, size_t row, struct text *ret_text)
{
	const struct samples *samples = remains->samples;
	int64_t left_bytes = left_after(remains, row);
	int64_t given_bytes = remains->bytes - left_bytes;
	bool is_first = !*text_peek(ret_text);
	char size[SIZE_TEXT_MAX];

	if (given_bytes <= 0)
		return;
	remains->bytes = left_bytes;
	text_format(ret_text, "%s%s: %s", is_first ? "" : ", ",
		    csv_table_cell(&samples->table, row, samples->columns.step),
		    left_bytes ? size_format(given_bytes, size, sizeof size)
		    : is_first ? "all of it"
			       : "the rest");
}

/* Up to where all is back. Where no other sample says what else is taken, up to where something is.
 */
static void add_returns(struct remains *remains, size_t row, size_t end, struct text *ret_text)
{
	bool is_alone = remains->minus == remains->samples->count;
	char size[SIZE_TEXT_MAX];

	for (; row < end && remains->bytes > 0; row++) {
		int64_t bytes = delta_of(remains->samples, row);

		if (bytes > 0 && is_alone)
			break;
		if (bytes < 0)
			add_return(remains, row, ret_text);
	}
	if (remains->bytes > 0 && remains->is_context_gone)
		text_format(ret_text, "%snot by the end of the context: %s",
			    *text_peek(ret_text) ? ", " : "",
			    size_format(remains->bytes, size, sizeof size));
}

void anatomy_returns(const struct run *run, size_t component, struct text *ret_text)
{
	const struct component_request *request = &run->requests->components[component];
	struct remains remains = { .samples = run_samples(run, request->benchmark) };
	const struct samples *samples = remains.samples;
	size_t sample, row;

	if (!samples)
		return;
	sample = find_sample(samples, request->with, request->step);
	if (sample == samples->count)
		return;
	remains.minus = request->minus ? find_sample(samples, request->minus, request->step)
				       : samples->count;
	if (remains.minus < samples->count)
		remains.base_bytes =
			total_of(samples, samples_step(samples, remains.minus, request->step));
	else if (request->since)
		remains.base_bytes =
			total_of(samples, samples_step(samples, sample, request->since));
	row = samples_step(samples, sample, request->step);
	remains.bytes = total_of(samples, row) - remains.base_bytes;
	add_returns(&remains, row + 1,
		    samples->items[sample].first_row + samples->items[sample].row_count, ret_text);
}
