/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "analysis/anatomy.h"
#include "analysis/shared.h"

#define NAME_MAX_BYTES 256

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
	char name[NAME_MAX_BYTES], from[NAME_MAX_BYTES];

	snprintf(name, sizeof name, "%s%s", anatomy_is_part(requests, i) ? "of it: " : "",
		 request->name);
	snprintf(from, sizeof from, "%s, %s", request->benchmark, request->step);
	telling->tell(telling->data, &(struct anatomy_line){ name, telling->anatomy->components[i],
							     request->when, from });
}

static void tell_rest(const struct telling *telling, const char *when)
{
	if (telling->anatomy->has_rest)
		telling->tell(telling->data,
			      &(struct anatomy_line){ "of it: driver, runtime and everything else",
						      telling->anatomy->rest, when,
						      "what is left" });
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

static void tell_shared(const struct telling *telling, const struct term_set *set)
{
	const struct shared_request *request = &telling->run->requests->shared;
	struct byte_range shared = shared_measure(telling->run, set);
	struct text name = { 0 };
	char from[NAME_MAX_BYTES];

	if (!shared.is_measured)
		return;
	shared_name(telling->run->requests, set, &name);
	snprintf(from, sizeof from, "%s, %s%zu", request->benchmark, request->step, set->count);
	telling->tell(telling->data,
		      &(struct anatomy_line){ text_peek(&name),
					      { true, -shared.max_bytes, -shared.min_bytes },
					      "taken once",
					      from });
	text_free(&name);
}

/* Of all sets of two or more: bit k of a number says whether the k-th is one of them. */
static void tell_all_shared(const struct telling *telling)
{
	size_t terms[SHARED_TERMS_MAX], chosen[SHARED_TERMS_MAX];
	size_t count = sharing_terms(telling->run->requests, terms);

	for (size_t number = 1; number < (size_t)1 << count; number++) {
		struct term_set set = { chosen, 0 };

		for (size_t k = 0; k < count; k++)
			if (number & (size_t)1 << k)
				chosen[set.count++] = terms[k];
		if (set.count > 1)
			tell_shared(telling, &set);
	}
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
