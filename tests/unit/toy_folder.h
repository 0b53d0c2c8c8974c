/* SPDX-License-Identifier: MIT */
/* A folder for a made-up run: toy_enter() -> toy_put() its files, as often as needed ->
 * toy_leave(). */
#ifndef TESTS_UNIT_TOY_FOLDER_H
#define TESTS_UNIT_TOY_FOLDER_H

#include "tests/unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"

static char toy_folder[] = "/tmp/cuctx-toy-XXXXXX";

static inline void toy_put(const char *name, const char *text)
{
	char path[96];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", toy_folder, name);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static inline int toy_enter(void **state)
{
	(void)state;
	return mkdtemp(toy_folder) ? 0 : -1;
}

static inline int toy_leave(void **state)
{
	static const char *const names[] = { "environment.csv", "toy.csv", "plan.csv" };
	char path[96];

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		snprintf(path, sizeof path, "%s/%s", toy_folder, names[i]);
		unlink(path);
	}
	return rmdir(toy_folder);
}

#endif
