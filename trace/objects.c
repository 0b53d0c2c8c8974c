/* SPDX-License-Identifier: MIT */
#include "trace/objects.h"

#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/library.h"

static struct {
	pthread_mutex_t lock;
	void *by_handle; /* tree of struct trace_object, as tsearch() has it */
	void *names;     /* tree of texts, each there once */
	unsigned int image_count;
} objects = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int compare_handles(const void *a, const void *b)
{
	const struct trace_object *first = a, *second = b;

	return (first->handle > second->handle) - (first->handle < second->handle);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The one copy of a text; NULL for lack of memory. With the lock held. */
static const char *keep(const char *text)
{
	void *found = text ? tfind(text, &objects.names, compare_texts) : NULL;
	char *copy;

	if (!text)
		return NULL;
	if (found)
		return *(char **)found;
	copy = strdup(text);
	if (copy && !tsearch(copy, &objects.names, compare_texts)) {
		free(copy);
		copy = NULL;
	}
	return copy;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

const char *trace_file_name(const char *path)
{
	const char *name;

	pthread_mutex_lock(&objects.lock);
	name = keep(base_of(path));
	pthread_mutex_unlock(&objects.lock);
	return name;
}

const char *trace_image_name(const void *image)
{
	char numbered[32];
	const char *path = library_of(image), *name;

	if (path)
		return trace_file_name(path);
	pthread_mutex_lock(&objects.lock);
	snprintf(numbered, sizeof numbered, "image %u", ++objects.image_count);
	name = keep(numbered);
	pthread_mutex_unlock(&objects.lock);
	return name;
}

static void put(const struct trace_object *object)
{
	void *found = tfind(object, &objects.by_handle, compare_handles);
	struct trace_object *kept = found ? *(struct trace_object **)found : malloc(sizeof *kept);

	if (!kept)
		return;
	*kept = *object;
	kept->module = keep(object->module);
	kept->name = keep(object->name);
	if (!found && !tsearch(kept, &objects.by_handle, compare_handles))
		free(kept);
}

void trace_object_put(const struct trace_object *object)
{
	pthread_mutex_lock(&objects.lock);
	put(object);
	pthread_mutex_unlock(&objects.lock);
}

bool trace_object_find(uint64_t handle, struct trace_object *ret_object)
{
	const struct trace_object key = { .handle = handle };
	void *found;

	pthread_mutex_lock(&objects.lock);
	found = tfind(&key, &objects.by_handle, compare_handles);
	if (found)
		*ret_object = **(struct trace_object **)found;
	pthread_mutex_unlock(&objects.lock);
	return found != NULL;
}
