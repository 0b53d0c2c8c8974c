/* SPDX-License-Identifier: MIT */
/* What gives back what a component took, and that its lines add up. */
#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>

#include "analysis/anatomy.h"
#include "base/array.h"
#include "tests/unit/toy_folder.h"

#define ENVIRONMENT "key,value\nrun,r\nsimulated,no\ngranule_bytes,10\n"
#define HEADER                                                                                     \
	"run,benchmark,device,size,repeat,attempt,step_index,step,status,error,delta_bytes,total_" \
	"bytes,note\n"
#define STEP(size, index, step, delta, total) \
	"r,toy,0," size ",1,1," index "," step ",ok,," delta "," total ",\n"

/* Without the component; the context is there from create to destroy. */
static const char without[] =
	/* clang-format off */
	STEP("0", "0", "start", "0", "0")
	STEP("0", "1", "create", "1000", "1000")
	STEP("0", "2", "take", "0", "1000")
	STEP("0", "3", "raise", "300", "1300")
	STEP("0", "4", "unload", "0", "1300")
	STEP("0", "5", "destroy", "-1300", "0")
	STEP("0", "6", "exit", "0", "0");
/* clang-format on */

static const struct benchmark_request toys[] = { { "toy", "Is it one?", "take", NULL, NULL } };

/* A repeat that failed at the step that takes, of either point. */
#define FAILED(size)                                                 \
	"r,toy,0," size ",2,1,0,start,ok,,0,0,\n"                    \
	"r,toy,0," size ",2,1,1,create,ok,,1000,1000,\n"             \
	"r,toy,0," size ",2,1,2,take,failed,CUDA_ERROR_UNKNOWN,,,\n" \
	"r,toy,0," size ",2,1,3,exit,ok,,-1000,0,\n"

static const char *failed = "";

/* What is said of a component of 500 bytes of a sample that ends with these rows. */
static void says(const char *rows, const char *minus, const char *words)
{
	const struct component_request component = { .benchmark = "toy",
						     .name = "it",
						     .step = "take",
						     .with = "size=1",
						     .minus = minus,
						     .since = minus ? NULL : "create",
						     .when = "later" };
	const struct requests requests = { .benchmarks = toys,
					   .benchmark_count = 1,
					   .components = &component,
					   .component_count = 1 };
	struct text returns = { 0 };
	struct anatomy anatomy;
	struct run run;
	struct err err;
	char text[4096];

	snprintf(text, sizeof text, "%s%s%s%s%s%s%s", HEADER, failed, without,
		 STEP("1", "0", "start", "0", "0"), STEP("1", "1", "create", "1000", "1000"),
		 STEP("1", "2", "take", "500", "1500"), rows);
	toy_put("environment.csv", ENVIRONMENT);
	toy_put("toy.csv", text);
	assert_int_equal(run_read(&run, toy_folder, &requests, &err), 0);
	assert_int_equal(anatomy_measure(&anatomy, &run, &err), 0);
	assert_true(anatomy.components[0].is_measured);
	assert_int_equal(anatomy.components[0].min_bytes, 500);
	assert_int_equal(anatomy.components[0].max_bytes, 500);
	anatomy_returns(&run, 0, &returns);
	assert_string_equal(text_peek(&returns), words);
	text_free(&returns);
	anatomy_free(&anatomy);
	run_free(&run);
}

#define EXIT(index, delta) STEP("1", index, "exit", delta, "0")

static void since_a_step(void **state)
{
	(void)state;
	says(STEP("1", "3", "destroy", "-1500", "0") EXIT("4", "0"), NULL, "destroy: all of it");
	says(STEP("1", "3", "unload", "-200", "1300") STEP("1", "4", "destroy", "-1300", "0")
		     EXIT("5", "0"),
	     NULL, "unload: 200 B, destroy: the rest");
	/* What is taken again later is none of it. */
	says(STEP("1", "3", "free", "-500", "1000") STEP("1", "4", "again", "500", "1500")
		     STEP("1", "5", "destroy", "-1500", "0") EXIT("6", "0"),
	     NULL, "free: all of it");
	says(STEP("1", "3", "again", "500", "2000") STEP("1", "4", "destroy", "-2000", "0")
		     EXIT("5", "0"),
	     NULL, "");
	/* A part outlives the context. */
	says(STEP("1", "3", "unload", "-100", "1400") STEP("1", "4", "destroy", "-1000", "400")
		     STEP("1", "5", "again", "1000", "1400") STEP("1", "6", "destroy", "-1400", "0")
			     EXIT("7", "0"),
	     NULL, "unload: 100 B, not by the end of the context: 400 B");
	says(STEP("1", "3", "destroy", "-1100", "400") EXIT("4", "-400"), NULL,
	     "destroy: 100 B, exit: the rest");
}

/* What both samples give back or take is none of the component's. */
static void less_another_sample(void **state)
{
	(void)state;
	says(STEP("1", "3", "raise", "300", "1800") STEP("1", "4", "unload", "-200", "1600")
		     STEP("1", "5", "destroy", "-1600", "0") EXIT("6", "0"),
	     "size=0", "unload: 200 B, destroy: the rest");
	says(STEP("1", "3", "raise", "300", "1800") STEP("1", "4", "unload", "0", "1800")
		     STEP("1", "5", "destroy", "-1800", "0") EXIT("6", "0"),
	     "size=0", "destroy: all of it");
}

static void a_repeat_that_failed_says_nothing(void **state)
{
	failed = FAILED("1");
	since_a_step(state);
	failed = FAILED("0") FAILED("1");
	less_another_sample(state);
	failed = "";
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(since_a_step),
					    cmocka_unit_test(less_another_sample),
					    cmocka_unit_test(a_repeat_that_failed_says_nothing) };

	return cmocka_run_group_tests(tests, toy_enter, toy_leave);
}
