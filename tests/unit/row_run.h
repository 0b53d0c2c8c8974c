/* SPDX-License-Identifier: MIT */
/*
 * A run directory of one made-up benchmark, toy.csv, with the axes size and mode and the reading
 * granted_bytes: toy_put() writes its files anew, TOY_ROW() makes their rows.
 */
#ifndef TESTS_UNIT_ROW_RUN_H
#define TESTS_UNIT_ROW_RUN_H

#include "tests/unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/requests.h"
#include "base/array.h"

#define TOY_ENVIRONMENT "key,value\nrun,r\nsimulated,no\ngranule_bytes,10\n"

#define TOY_HEADER                                                                            \
	"run,benchmark,device,size,mode,repeat,attempt,step_index,step,status,error,granted_" \
	"bytes,"                                                                              \
	"delta_bytes,total_bytes,note\n"

/* "1,on,1,1" are size, mode, repeat and attempt; "0,set,ok" index, step and status; then error,
 * granted_bytes and delta_bytes, which is the total, too. */
#define TOY_ROW(sample, step, error, granted, delta) \
	"r,toy,0," sample "," step "," error "," granted "," delta "," delta ",\n"
#define TOY_STEP(sample, step, delta) TOY_ROW(sample, step, "", "", delta)
#define TOY_EXIT(sample, index)       TOY_ROW(sample, index ",exit,ok", "", "", "0")

static const struct benchmark_request toys[] = { { "toy", "Is it one?", "set", NULL, NULL } };
static const struct requests toy_requests = { .benchmarks = toys, .benchmark_count = 1 };

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
	static const char *const names[] = { "environment.csv", "toy.csv" };
	char path[96];

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		snprintf(path, sizeof path, "%s/%s", toy_folder, names[i]);
		unlink(path);
	}
	return rmdir(toy_folder);
}

#endif
