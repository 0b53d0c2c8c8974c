/* SPDX-License-Identifier: MIT */
#include "tests/unit/fail_memory.h"

#include <errno.h>
#include <stddef.h>

static unsigned int first_left; /* as fail_memory_at() was told */
static unsigned int calls_left; /* 0: nothing is to fail */
static bool has_failed;

/* NAME(parameters) becomes __wrap_NAME, which calls __real_NAME unless it is its turn. */
#define FAILING(type, name, parameters, arguments)                 \
	type __real_##name parameters;                             \
	type __wrap_##name parameters;                             \
	type __wrap_##name parameters                              \
	{                                                          \
		return is_turn() ? NULL : __real_##name arguments; \
	}

static bool is_turn(void)
{
	if (!calls_left || --calls_left)
		return false;
	has_failed = true;
	errno = ENOMEM;
	return true;
}

FAILING(void *, malloc, (size_t size), (size))
FAILING(void *, calloc, (size_t count, size_t size), (count, size))
FAILING(void *, realloc, (void *pointer, size_t size), (pointer, size))
FAILING(char *, strdup, (const char *text), (text))
FAILING(char *, strndup, (const char *text, size_t length), (text, length))

void fail_memory_at(unsigned int call)
{
	first_left = call;
	calls_left = call;
	has_failed = false;
}

unsigned int fail_memory_calls(void)
{
	return first_left - calls_left;
}

bool fail_memory_end(void)
{
	calls_left = 0;
	return has_failed;
}
