/* SPDX-License-Identifier: MIT */
#include "analysis/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int values_add(struct values *values, const char *text)
{
	const char **items;

	for (size_t i = 0; i < values->count; i++)
		if (!strcmp(values->items[i], text))
			return 0;
	items = realloc(values->items, (values->count + 1) * sizeof *items);
	if (!items)
		return -ENOMEM;
	values->items = items;
	items[values->count++] = text;
	return 0;
}

void values_free(struct values *values)
{
	free(values->items);
	*values = (struct values){ 0 };
}

/* Shorter numbers first makes integers stand in order, and words are in some order, too. */
int values_compare(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	size_t x_length = strlen(*x), y_length = strlen(*y);

	if (x_length != y_length)
		return x_length < y_length ? -1 : 1;
	return strcmp(*x, *y);
}

void values_sort(struct values *values)
{
	if (values->count)
		qsort(values->items, values->count, sizeof *values->items, values_compare);
}

bool values_equal(const struct values *a, const struct values *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->items[i], b->items[i]))
			return false;
	return true;
}

void values_list(const struct values *values, struct text *ret_text)
{
	if (values->count > VALUES_SHOWN_MAX) {
		text_format(ret_text, "%s ... %s (%zu values)", values->items[0],
			    values->items[values->count - 1], values->count);
		return;
	}
	for (size_t i = 0; i < values->count; i++)
		text_format(ret_text, "%s%s", i ? ", " : "", values->items[i]);
}
