/* SPDX-License-Identifier: MIT */
/* A run of one benchmark that is made up row by row, and the verdict of a claim about it. */
#ifndef TESTS_UNIT_TOY_RUN_H
#define TESTS_UNIT_TOY_RUN_H

#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analysis/claims.h"
#include "base/array.h"
#include "tests/unit/toy_folder.h"

#define HEADER                                                                                \
	"run,benchmark,device,size,mode,repeat,attempt,step_index,step,status,error,granted_" \
	"bytes,"                                                                              \
	"delta_bytes,total_bytes,note\n"

/* Of size and mode: what repeats say of `set`, and the rows of a third column. */
#define ROW(size, mode, repeat, step, status, delta)                                              \
	"r,toy,0," size "," mode "," repeat ",1,1," step "," status ",," size "," delta "," delta \
	",\n"

#define TOY_ENVIRONMENT "key,value\nrun,r\nsimulated,no\n"

static inline int toy_make_folder(void **state)
{
	if (toy_enter(state))
		return -1;
	toy_put("environment.csv", TOY_ENVIRONMENT);
	return 0;
}

static const struct benchmark_request toys[] = { { "toy", "Is it one?", "set", NULL, NULL },
						 { "absent", "Is it there?", "set", NULL, NULL } };

/* The verdict of one claim about these rows; its figures have to say `words`. */
static inline enum claim_verdict judge(const char *rows, const struct claim_request *claim,
				       const char *words)
{
	const struct requests requests = { .benchmarks = toys,
					   .benchmark_count = ARRAY_COUNT(toys),
					   .claims = claim,
					   .claim_count = 1 };
	enum claim_verdict verdict;
	struct samples samples[ARRAY_COUNT(toys)] = { 0 };
	struct run run = { .dir = toy_folder, .requests = &requests, .samples = samples };
	struct claims claims;
	struct err err;
	char text[8192], path[96];

	snprintf(text, sizeof text, HEADER "%s", rows);
	toy_put("toy.csv", text);
	/* Not as a run's directory is read: these samples are no more than the rows in question. */
	snprintf(path, sizeof path, "%s/toy.csv", toy_folder);
	assert_int_equal(environment_read(&run.environment, toy_folder, &err), 0);
	assert_int_equal(samples_read(&samples[0], path, &err), 0);
	assert_int_equal(planned_read(&run.planned, toy_folder, &err), 0);
	planned_find_samples(&run.planned, "toy", &samples[0]);
	assert_int_equal(claims_judge(&claims, &run, &err), 0);
	assert_int_equal(claims.count, 1);
	verdict = claims.items[0].verdict;
	if (!strstr(claims.items[0].figures, words))
		fail_msg("'%s' is not in '%s'", words, claims.items[0].figures);
	claims_free(&claims);
	planned_free(&run.planned);
	samples_free(&samples[0]);
	environment_free(&run.environment);
	return verdict;
}

/* "it" is `reduction` of delta_bytes at `set` where `where`, and is to be so many. */
static inline struct claim_request claim_of(enum figure_reduction reduction, const char *where,
					    enum check_relation relation, int64_t constant)
{
	return (struct claim_request){
		.name = "it",
		.sentence = "It is so",
		.figures = { { "it", reduction, "toy", "set", .column = "delta_bytes",
			       .where = where } },
		.checks = { { "it", relation, .constant = constant } },
	};
}

#endif
