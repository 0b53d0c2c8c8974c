/* SPDX-License-Identifier: MIT */
#include "analysis/trace_live.h"

#include <errno.h>
#include <search.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct trace_item {
	int64_t process;
	const char *object;
	int64_t asked_bytes;
	struct trace_item *before;
	struct trace_item *next;
};

static int by_place(const void *a, const void *b)
{
	const struct trace_item *first = a, *second = b;

	if (first->process != second->process)
		return first->process < second->process ? -1 : 1;
	return strcmp(first->object, second->object);
}

int trace_live_add(struct trace_live *live, int64_t process, const char *object,
		   int64_t asked_bytes)
{
	struct trace_item *item = malloc(sizeof *item), **found;

	if (!item)
		return -ENOMEM;
	*item = (struct trace_item){ process, object, asked_bytes, NULL, live->first };
	found = tsearch(item, &live->tree, by_place);
	if (!found || *found != item) {
		free(item);
		return found ? 0 : -ENOMEM;
	}
	if (live->first)
		live->first->before = item;
	live->first = item;
	return 1;
}

static void take_out(struct trace_live *live, struct trace_item *item)
{
	tdelete(item, &live->tree, by_place);
	if (item->before)
		item->before->next = item->next;
	else
		live->first = item->next;
	if (item->next)
		item->next->before = item->before;
	free(item);
}

bool trace_live_take(struct trace_live *live, int64_t process, const char *object,
		     int64_t *ret_asked_bytes)
{
	const struct trace_item key = { .process = process, .object = object };
	struct trace_item **found = tfind(&key, &live->tree, by_place);

	if (!found)
		return false;
	*ret_asked_bytes = (*found)->asked_bytes;
	take_out(live, *found);
	return true;
}

void trace_live_forget(struct trace_live *live, int64_t process)
{
	struct trace_item *next;

	for (struct trace_item *item = live->first; item; item = next) {
		next = item->next;
		if (item->process == process)
			take_out(live, item);
	}
}

void trace_live_free(struct trace_live *live)
{
	while (live->first)
		take_out(live, live->first);
}
