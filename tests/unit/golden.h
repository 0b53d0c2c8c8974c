/* SPDX-License-Identifier: MIT */
/*
 * The run in tests/golden/simulated-run and what is asked about it. It was made up: three
 * benchmarks that do not exist, with a refused limit, a disturbed attempt, a point that has no such
 * mode, a repeat that differs, and texts that mean something in HTML, Markdown and a terminal.
 *
 * Truth: base costs 112288 bytes for each of its `count`; pool costs 100000 bytes and 3 bytes for
 * each granted byte, rounded up to granules of 4096 bytes; a copy takes its code and 40 bytes,
 * rounded up to slots of 64, in chunks of 4096 bytes, of which the first 500 cost nothing.
 */
#ifndef TESTS_UNIT_GOLDEN_H
#define TESTS_UNIT_GOLDEN_H

#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/requests.h"
#include "base/array.h"

#define GOLDEN_RUN "simulated-run"

static const struct benchmark_request golden_benchmarks[] = {
	{ "base", "What does one cost?", "create-1", NULL, NULL },
	{ "pool", "What does the pool cost, and does a smaller one cost less?", "set", NULL, NULL },
	{ "copies", "What is a copy rounded up to?", "load-to-edge", NULL, NULL },
	{ "absent", "Was this part of the run?", "set", NULL, NULL },
};

static const struct law_request golden_laws[] = {
	{ "base", "base", "count", "create-{count}", true, NULL, false, NULL, NULL, NULL },
	{ "pool", "pool", "granted_bytes", "launch", true, "api=driver,mode=on", false, NULL, NULL,
	  NULL },
	{ "pool", "pool-set", "size_bytes", "set", false, "mode=on", false, NULL, NULL, NULL },
	{ "pool", "pool-off", "size_bytes", "launch", true, "api=driver,mode=off", false, NULL,
	  NULL, NULL },
	{ "absent", "absent", "count", "set", true, NULL, false, NULL, NULL, NULL },
	{ "copies", "copies", "text_bytes", "load-to-edge", false, NULL, false, "loaded_copies",
	  NULL, NULL },
	/* As if all had as much code as there are copies. */
	{ "copies", "copies-alike", "copies", "load-to-edge", false, NULL, false, "loaded_copies",
	  NULL, NULL },
	/* So few sizes leave more than one slot. */
	{ "copies", "copies-of-8", "text_bytes", "load-to-edge", false, "text_size=8", false,
	  "loaded_copies", NULL, NULL },
	{ "copies", "copies-of-300", "text_bytes", "load-to-edge", false, "text_size=300", false,
	  "loaded_copies", NULL, NULL },
	/* What is no matter of bytes. */
	{ "copies", "copies-to-edge", "text_bytes", "load-to-edge", false, NULL, false, NULL,
	  "loaded_copies", NULL },
	{ "base", "base-index", "count", "create-1", false, NULL, false, NULL, "step_index", NULL },
};

static const struct component_request golden_components[] = {
	{ "base", "all of it", "create-1", "count=1", NULL, NULL, "creation" },
	{ "pool", "pool at its default", "launch", "size_bytes=1000,api=driver,mode=on",
	  "size_bytes=0,api=driver,mode=on", NULL, "creation" },
	{ "pool", "pool of twenty thousand", "launch", "size_bytes=20000,api=driver,mode=off",
	  "size_bytes=0,api=driver,mode=off", NULL, "first launch" },
	{ "pool", "pool beyond its default", "launch", "size_bytes=20000,api=driver,mode=on", NULL,
	  "create", "setting" },
	{ "absent", "something else", "set", "count=1", NULL, NULL, "later" },
};

static const struct saving_request golden_savings[] = {
	{ "pool", "set the pool to 0", "set", "size_bytes=0,api=driver,mode=on", NULL,
	  "somebody draws from it" },
	{ "pool", "take 70000 rather than 20000", "launch", "size_bytes=70000,api=driver,mode=on",
	  "size_bytes=20000,api=driver,mode=on", NULL },
};

static const struct claim_request golden_claims[] = {
	{ .name = "cheap",
	  .sentence = "One more costs <i>nothing</i>",
	  .figures = { { "one", FIGURE_VALUE, "base", "create-1", .column = "delta_bytes" },
		       { "the second", FIGURE_VALUE, "base", "create-2",
			 .column = "delta_bytes" } },
	  .checks = { { "the second", CHECK_LESS, .right = "one" } } },
	{ .name = "granted",
	  .sentence = "The default is *never* more than 1,000",
	  .figures = { { "largest default", FIGURE_MAX, "pool", "get-default",
			 .column = "default_bytes" } },
	  .checks = { { "largest default", CHECK_AT_MOST, .constant = 1000 } } },
	{ .name = "one-repeat-differs",
	  .sentence = "A launch takes nothing | in that mode",
	  .figures = { { "most", FIGURE_MAX, "pool", "launch", .column = "delta_bytes",
			 .where = "mode=off" } },
	  .checks = { { "most", .relation = CHECK_EQUAL } } },
	{ .name = "absent",
	  .sentence = "What was not part of the run is free",
	  .figures = { { "all of it", FIGURE_SUM, "absent", "set", .column = "delta_bytes",
			 .where = "count=1,size=@granted" } },
	  .checks = { { "all of it", .relation = CHECK_EQUAL } } },
};

static const struct requests golden_requests = {
	.benchmarks = golden_benchmarks,
	.benchmark_count = ARRAY_COUNT(golden_benchmarks),
	.laws = golden_laws,
	.law_count = ARRAY_COUNT(golden_laws),
	.components = golden_components,
	.component_count = ARRAY_COUNT(golden_components),
	.savings = golden_savings,
	.saving_count = ARRAY_COUNT(golden_savings),
	.claims = golden_claims,
	.claim_count = ARRAY_COUNT(golden_claims),
};

/* Makes GOLDEN_RUN a path: reports name the directory as they were given it. */
static inline int golden_enter(void **state)
{
	const char *source = getenv("CUCTX_SOURCE");
	char path[4096];

	(void)state;
	snprintf(path, sizeof path, "%s/tests/golden", source ? source : ".");
	if (!chdir(path))
		return 0;
	fprintf(stderr,
		"%s: %s; start this in the root of the sources, or name that in CUCTX_SOURCE\n",
		path, strerror(errno));
	return -1;
}

#endif
