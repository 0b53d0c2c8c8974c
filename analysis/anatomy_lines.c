/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "analysis/anatomy.h"
#include "analysis/shared.h"

const char *anatomy_prefix(const struct anatomy_line *line)
{
	return line->kind == ANATOMY_PART ? "of it: " : "";
}

/* Whom to tell, and what about. */
struct telling {
	const struct anatomy *anatomy;
	const struct run *run;
	void (*tell)(void *data, const struct anatomy_line *line);
	void *data;
};

static void tell_component(const struct telling *telling, size_t i)
{
	const struct requests *requests = telling->run->requests;
	const struct component_request *request = &requests->components[i];
	char from[ANATOMY_NAME_MAX];

	snprintf(from, sizeof from, "%s, %s", request->benchmark, request->step);
	telling->tell(telling->data,
		      &(struct anatomy_line){ .kind = anatomy_is_whole(requests, i)  ? ANATOMY_WHOLE
						      : anatomy_is_part(requests, i) ? ANATOMY_PART
										     : ANATOMY_MORE,
					      .name = request->name,
					      .bytes = telling->anatomy->components[i],
					      .when = request->when,
					      .from = from });
}

static void tell_rest(const struct telling *telling, const char *when)
{
	if (telling->anatomy->has_rest)
		telling->tell(telling->data,
			      &(struct anatomy_line){ .kind = ANATOMY_PART,
						      .is_rest = true,
						      .name = "driver, runtime and everything else",
						      .bytes = telling->anatomy->rest,
						      .when = when,
						      .from = "what is left" });
}

/* Numbers of the terms that may share something. */
static size_t sharing_terms(const struct requests *requests, size_t terms[SHARED_TERMS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < requests->term_count && count < SHARED_TERMS_MAX; i++)
		if (requests->terms[i].part)
			terms[count++] = i;
	return count;
}

static struct byte_range less(struct byte_range a, struct byte_range b)
{
	struct byte_range difference = { .is_measured = true };

	if (!a.is_measured || !b.is_measured)
		return (struct byte_range){ 0 };
	if (__builtin_sub_overflow(a.min_bytes, b.max_bytes, &difference.min_bytes) ||
	    __builtin_sub_overflow(a.max_bytes, b.min_bytes, &difference.max_bytes))
		return (struct byte_range){ 0 };
	return difference;
}

/* Bit k of a number says whether the k-th of the terms is in the set. */
struct shared_sets {
	size_t terms[SHARED_TERMS_MAX];
	size_t count;
	struct byte_range lines[1 << SHARED_TERMS_MAX];
};

/*
 * What is shared is less than the sum. Of a set of three, lines of its smaller sets may have been
 * told already; this one puts right what they leave.
 */
static struct byte_range line_of(const struct shared_sets *sets, size_t number,
				 struct byte_range shared, bool *is_correction)
{
	struct byte_range line = less((struct byte_range){ .is_measured = true }, shared);

	*is_correction = false;
	for (size_t part = (number - 1) & number; part; part = (part - 1) & number)
		if (sets->lines[part].is_measured) {
			line = less(line, sets->lines[part]);
			*is_correction = true;
		}
	return line;
}

static void tell_shared(const struct telling *telling, const struct term_set *set,
			struct byte_range line, bool is_correction)
{
	const struct shared_request *request = &telling->run->requests->shared;
	struct text name = { 0 };
	char from[ANATOMY_NAME_MAX];

	if (!line.is_measured)
		return;
	shared_name(telling->run->requests, set, &name);
	snprintf(from, sizeof from, "%s, %s%zu", request->benchmark, request->step, set->count);
	telling->tell(telling->data,
		      &(struct anatomy_line){ .kind = ANATOMY_SHARED,
					      .name = text_peek(&name),
					      .bytes = line,
					      .when = is_correction
							      ? "taken off above more than once"
							      : "taken once",
					      .from = from });
	text_free(&name);
}

/* Smaller sets first: their numbers need not be, so by how many are in a set. */
static void tell_sets_of(const struct telling *telling, struct shared_sets *sets, size_t size)
{
	size_t chosen[SHARED_TERMS_MAX];

	for (size_t number = 1; number < (size_t)1 << sets->count; number++) {
		struct term_set set = { chosen, 0 };
		bool is_correction;

		for (size_t k = 0; k < sets->count; k++)
			if (number & (size_t)1 << k)
				chosen[set.count++] = sets->terms[k];
		if (set.count != size)
			continue;
		sets->lines[number] =
			line_of(sets, number, shared_measure(telling->run, &set), &is_correction);
		tell_shared(telling, &set, sets->lines[number], is_correction);
	}
}

static void tell_all_shared(const struct telling *telling)
{
	struct shared_sets sets = { 0 };

	sets.count = sharing_terms(telling->run->requests, sets.terms);
	for (size_t size = 2; size <= sets.count; size++)
		tell_sets_of(telling, &sets, size);
}

void anatomy_each_line(const struct anatomy *anatomy, const struct run *run,
		       void (*tell)(void *data, const struct anatomy_line *line), void *data)
{
	const struct requests *requests = run->requests;
	const struct telling telling = { anatomy, run, tell, data };
	const char *when = "";

	for (size_t i = 0; i < requests->component_count; i++) {
		if (!anatomy_is_whole(requests, i))
			continue;
		when = requests->components[i].when;
		tell_component(&telling, i);
	}
	for (size_t i = 0; i < requests->component_count; i++)
		if (anatomy_is_part(requests, i))
			tell_component(&telling, i);
	tell_rest(&telling, when);
	for (size_t i = 0; i < requests->component_count; i++)
		if (!anatomy_is_whole(requests, i) && !anatomy_is_part(requests, i))
			tell_component(&telling, i);
	tell_all_shared(&telling);
}
