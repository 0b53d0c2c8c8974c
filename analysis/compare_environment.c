/* SPDX-License-Identifier: MIT */
#include "analysis/compare_environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* No two runs have them alike, or they are results: they say nothing about what was measured. */
static const char *const never_count[] = {
	"run", /* these are names and times */
	"started_utc",
	"command",
	"host",
	"device", /* one of several of a kind */
	"gpu_uuid",
	"pci_bus_id",
	"baseline_free_bytes",    /* what happened to be free */
	"observer_context_bytes", /* a result, which the rows have, too */
	"foreign_bytes",
};

static bool counts(const char *key)
{
	for (size_t i = 0; i < ARRAY_COUNT(never_count); i++)
		if (!strcmp(never_count[i], key))
			return false;
	return true;
}

static bool differs(const struct compare_sources *sources, const char *key)
{
	const char *first = NULL;

	for (size_t i = 0; i < sources->count; i++) {
		const char *value = compare_source_fact(&sources->items[i], key);

		if (!sources->items[i].has_environment)
			continue;
		if (first && strcmp(first, value))
			return true;
		first = value;
	}
	return false;
}

static bool is_listed(const struct compare_facts *facts, const char *key)
{
	for (size_t i = 0; i < facts->count; i++)
		if (!strcmp(facts->keys[i], key))
			return true;
	return false;
}

static int add(struct compare_facts *facts, const char *key)
{
	const char **keys = realloc(facts->keys, (facts->count + 1) * sizeof *keys);

	if (!keys)
		return -ENOMEM;
	facts->keys = keys;
	keys[facts->count++] = key;
	return 0;
}

int compare_environment_find(struct compare_facts *facts, const struct compare_sources *sources,
			     struct err *reterr)
{
	struct compare_facts found = { 0 };
	int r = 0;

	for (size_t i = 0; i < sources->count && !r; i++) {
		const struct environment *environment = &sources->items[i].environment;

		if (!sources->items[i].has_environment)
			continue;
		for (size_t row = 0; row < environment->table.row_count && !r; row++) {
			const char *key =
				csv_table_cell(&environment->table, row, environment->key);

			if (counts(key) && differs(sources, key) && !is_listed(&found, key))
				r = add(&found, key);
		}
	}
	if (r < 0) {
		compare_environment_free(&found);
		return err_errno(reterr, -r, "environment");
	}
	*facts = found;
	return 0;
}

bool compare_environment_differs(const struct compare_sources *sources, const char *key,
				 size_t source)
{
	const struct compare_source *base = &sources->items[0], *newer = &sources->items[source];

	return base->has_environment && newer->has_environment &&
	       strcmp(compare_source_fact(base, key), compare_source_fact(newer, key)) != 0;
}

void compare_environment_free(struct compare_facts *facts)
{
	free(facts->keys);
	*facts = (struct compare_facts){ 0 };
}
