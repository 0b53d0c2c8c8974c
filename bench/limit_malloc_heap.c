/* SPDX-License-Identifier: MIT */
#include "bench/limit.h"
#include "bench/need.h"

static void limit_malloc_heap_run(struct sample *s)
{
	struct limit_question question = { .limit = CU_LIMIT_MALLOC_HEAP_SIZE,
					   .limit_bytes =
						   sample_number(s, "malloc_heap_limit_bytes"),
					   .module = "empty" };

	if (sample_word_is(s, "module", "linked"))
		question.module = "malloc-linked";
	if (sample_word_is(s, "module", "called"))
		question.module = "malloc-called";
	limit_run(s, &question);
}

static uint64_t limit_malloc_heap_need_bytes(const struct bench *bench,
					     const struct bench_point *point,
					     const struct device_info *device)
{
	uint64_t limit_bytes = bench_number(bench, point, "malloc_heap_limit_bytes");

	(void)device;
	return need_sum(bench_word_is(bench, point, "module", "none") ? NEED_LITTLE_BYTES
								      : NEED_MALLOC_BYTES,
			limit_bytes);
}

const struct bench limit_malloc_heap = {
	.name = "limit-malloc-heap",
	.question =
		"What does device-side malloc cost, when does the heap appear, and what does its "
		"limit change?",
	.axes = { { .name = "malloc_heap_limit_bytes",
		    .values = "0,1,4M,8M,8388609,16M,64M,256M,1G,4G,16G,64G",
		    .quick_values = "0,8M,64M" },
		  { .name = "module", .kind = AXIS_WORD, .values = "none,linked,called" },
		  { .name = "api", .kind = AXIS_WORD, .values = "driver,runtime" } },
	.readings = { { "default_bytes" }, { "granted_bytes" } },
	.laws = { { .component = "heap-called",
		    .axis = "granted_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "api=driver,module=called" },
		  { .component = "heap-linked",
		    .axis = "granted_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "api=driver,module=linked" } },
	.components = { { .name = "device malloc, once a kernel that links it is launched",
			  .step = "launch-2",
			  .with = "malloc_heap_limit_bytes=@default_bytes,module=linked,api=driver",
			  .minus = "malloc_heap_limit_bytes=@default_bytes,module=none,api=driver",
			  .when = "module load and first launch" } },
	.savings = { { .advice = "link no device-side malloc",
		       .step = "launch-2",
		       .with = "malloc_heap_limit_bytes=@default_bytes,module=none,api=driver",
		       .minus = "malloc_heap_limit_bytes=@default_bytes,module=linked,api="
				"driver",
		       .caveat = "printf or launches in device code may need a part of it" } },
	.headline_step = "launch-1",
	.wants = limit_wants,
	.need_bytes = limit_malloc_heap_need_bytes,
	.run = limit_malloc_heap_run,
};
