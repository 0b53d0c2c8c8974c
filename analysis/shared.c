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

/* What the second part of that word took; 0 where that is not there. */
static int64_t second_part_bytes(const struct run *run, const char *word)
{
	const struct shared_request *request = &run->requests->shared;
	const struct samples *samples = run_samples(run, request->benchmark);
	size_t axis = samples ? csv_table_column(&samples->table, request->axis) : CSV_NO_COLUMN;
	char first[STEP_MAX], second[STEP_MAX];
	int64_t before_bytes, bytes;

	snprintf(first, sizeof first, "%s1", request->step);
	snprintf(second, sizeof second, "%s2", request->step);
	for (size_t i = 0; axis != CSV_NO_COLUMN && i < samples->count; i++)
		if (!strcmp(samples_cell(samples, i, axis), word) &&
		    total_at(samples, i, first, &before_bytes) &&
		    total_at(samples, i, second, &bytes))
			return bytes - before_bytes;
	return 0;
}

int64_t shared_base_bytes(const struct run *run, size_t term)
{
	const char *word = run->requests->terms[term].bare_part;
	struct byte_range alone;
	int64_t bytes;

	if (!run->requests->shared.benchmark || !word)
		return 0;
	alone = measure_set(run, &(struct term_set){ &term, 1 });
	bytes = second_part_bytes(run, word);
	return alone.is_measured && bytes > alone.max_bytes ? bytes - alone.max_bytes : 0;
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
