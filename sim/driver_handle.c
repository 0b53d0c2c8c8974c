/* SPDX-License-Identifier: MIT */
/* Handles of streams, events, graphs, arrays and other objects: numbers in a list, which no program
 * can break. */
#include "sim/driver.h"

#include <stdlib.h>
#include <string.h>

/* The smallest ones have a meaning of their own: CU_STREAM_LEGACY, CU_STREAM_PER_THREAD. */
#define FIRST_NUMBER 256
#define FIRST_COUNT  64

/* No number is given twice, so that a handle that is no longer good is found out. */
struct handle {
	enum handle_kind kind;
	struct CUctx_st *context; /* with which it ends; NULL: with none */
	void *object;
};

static struct {
	struct handle *handles;
	size_t count;
	size_t room;
} list;

static int grow(void)
{
	size_t room = list.room ? 2 * list.room : FIRST_COUNT;
	struct handle *handles = reallocarray(list.handles, room, sizeof *handles);

	if (!handles)
		return -1;
	list.handles = handles;
	list.room = room;
	return 0;
}

void *handle_add(enum handle_kind kind, struct CUctx_st *context, void *object)
{
	if (list.count == list.room && grow() < 0)
		return NULL;
	list.handles[list.count] = (struct handle){ kind, context, object };
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): nobody follows it */
	return (void *)(uintptr_t)(FIRST_NUMBER + list.count++);
}

static struct handle *find(enum handle_kind kind, const void *handle)
{
	/* What is smaller becomes too large. */
	size_t i = (uintptr_t)handle - FIRST_NUMBER;

	return i < list.count && list.handles[i].kind == kind ? &list.handles[i] : NULL;
}

bool handle_find(enum handle_kind kind, const void *handle, struct CUctx_st **ret_context,
		 void *ret_object)
{
	const struct handle *found = find(kind, handle);

	if (!found)
		return false;
	if (ret_context)
		*ret_context = found->context;
	if (ret_object)
		memcpy(ret_object, &found->object, sizeof found->object);
	return true;
}

void handle_remove(enum handle_kind kind, const void *handle)
{
	struct handle *found = find(kind, handle);

	if (found)
		*found = (struct handle){ .kind = HANDLE_NONE };
}

void handles_remove_nodes(const void *graph)
{
	for (size_t i = 0; i < list.count; i++)
		if (list.handles[i].kind == HANDLE_NODE && list.handles[i].object == graph)
			list.handles[i] = (struct handle){ .kind = HANDLE_NONE };
}

static void end_object(const struct handle *handle)
{
	struct CUctx_st *green;

	switch (handle->kind) {
	case HANDLE_EXECUTABLE:
		graph_free(handle->object);
		break;
	case HANDLE_ARRAY:
		array_free(handle->object);
		break;
	case HANDLE_GREEN:
		green = handle->object;
		green->is_alive = false;
		break;
	default:
		break;
	}
}

void handles_end(const struct CUctx_st *context)
{
	for (size_t i = 0; i < list.count; i++) {
		struct handle *handle = &list.handles[i];

		if (handle->kind == HANDLE_NONE || handle->context != context)
			continue;
		end_object(handle);
		*handle = (struct handle){ .kind = HANDLE_NONE };
	}
}
