/* SPDX-License-Identifier: MIT */
/*
 * A run directory of one made-up benchmark, toy.csv, with the axes size and mode and the reading
 * granted_bytes: toy_put() writes its files anew, TOY_ROW() makes their rows.
 */
#ifndef TESTS_UNIT_ROW_RUN_H
#define TESTS_UNIT_ROW_RUN_H

#include "tests/unit/check.h"

#include <string.h>

#include "analysis/requests.h"
#include "tests/unit/toy_folder.h"

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

#endif
