/* SPDX-License-Identifier: MIT */
#include "analysis/shared.h"

#include <stdio.h>
#include <string.h>

#define STEP_MAX 64

/* Whether the word has exactly these parts, with '+' between them, in whatever order. */
static bool has_parts(const char *word, const struct requests *requests, const struct term_set *set)
{
	bool met[SHARED_TERMS_MAX] = { false };
	size_t met_count = 0;

	while (*word) {
		size_t length = strcspn(word, "+"), i = 0;

		while (i < set->count &&
		       (met[i] || strlen(requests->terms[set->terms[i]].part) != length ||
			memcmp(requests->terms[set->terms[i]].part, word, length)))
			i++;
		if (i == set->count)
			return false;
		met[i] = true;
		met_count++;
		word += length + (word[length] == '+');
	}
	return met_count == set->count;
}

static bool total_at(const struct samples *samples, size_t sample, const char *step,
		     int64_t *ret_bytes)
{
	size_t row = samples_step(samples, sample, step);

	return row != SAMPLES_NO_ROW &&
	       !strcmp(csv_table_cell(&samples->table, row, samples->columns.status), "ok") &&
	       csv_table_int(&samples->table, row, samples->columns.total_bytes, ret_bytes);
}

/* What they take in one context. */
static struct byte_range measure_set(const struct run *run, const struct term_set *set)
{
	const struct shared_request *request = &run->requests->shared;
	const struct samples *samples = run_samples(run, request->benchmark);
	size_t axis = samples ? csv_table_column(&samples->table, request->axis) : CSV_NO_COLUMN;
	struct byte_range range = { 0 };
	char last[STEP_MAX];

	if (axis == CSV_NO_COLUMN)
		return range;
	snprintf(last, sizeof last, "%s%zu", request->step, set->count);
	for (size_t i = 0; i < samples->count; i++) {
		int64_t before_bytes, bytes;

		if (has_parts(samples_cell(samples, i, axis), run->requests, set) &&
		    total_at(samples, i, request->before, &before_bytes) &&
		    total_at(samples, i, last, &bytes))
			byte_range_widen(&range, bytes - before_bytes);
	}
	return range;
}

struct byte_range shared_measure(const struct run *run, const struct term_set *set)
{
	struct byte_range together, shared = { .is_measured = true };

	if (!run->requests->shared.benchmark || set->count > SHARED_TERMS_MAX)
		return (struct byte_range){ 0 };
	together = measure_set(run, set);
	for (size_t i = 0; i < set->count; i++) {
		struct byte_range alone = measure_set(run, &(struct term_set){ &set->terms[i], 1 });

		shared.is_measured = shared.is_measured && alone.is_measured;
		shared.min_bytes += alone.min_bytes;
		shared.max_bytes += alone.max_bytes;
	}
	if (!shared.is_measured || !together.is_measured)
		return (struct byte_range){ 0 };
	shared.min_bytes -= together.max_bytes;
	shared.max_bytes -= together.min_bytes;
	return shared;
}

void shared_name(const struct requests *requests, const struct term_set *set, struct text *ret_text)
{
	text_add(ret_text, "shared by");
	for (size_t i = 0; i < set->count; i++)
		text_format(ret_text, "%s %s",
			    !i                    ? ""
			    : i + 1 == set->count ? " and"
						  : ",",
			    requests->terms[set->terms[i]].part);
}
