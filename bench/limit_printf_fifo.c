/* SPDX-License-Identifier: MIT */
#include "bench/limit.h"
#include "bench/need.h"

static void limit_printf_fifo_run(struct sample *s)
{
	struct limit_question question = { .limit = CU_LIMIT_PRINTF_FIFO_SIZE,
					   .limit_bytes =
						   sample_number(s, "printf_fifo_limit_bytes"),
					   .module = "empty" };

	if (sample_word_is(s, "module", "linked"))
		question.module = "printf-linked";
	if (sample_word_is(s, "module", "called"))
		question.module = "printf-called";
	limit_run(s, &question);
}

static uint64_t limit_printf_fifo_need_bytes(const struct bench *bench,
					     const struct bench_point *point,
					     const struct device_info *device)
{
	uint64_t limit_bytes = bench_number(bench, point, "printf_fifo_limit_bytes");

	(void)device;
	return need_sum(bench_word_is(bench, point, "module", "none") ? NEED_LITTLE_BYTES
								      : NEED_PRINTF_BYTES,
			limit_bytes);
}

const struct bench limit_printf_fifo = {
	.name = "limit-printf-fifo",
	.question =
		"What does device-side printf cost, is it linking or calling that costs it, and "
		"what does the FIFO limit change?",
	.axes = { { .name = "printf_fifo_limit_bytes",
		    .values = "0,1,64K,512K,1M,1048577,4M,16M,64M,256M,1G,2G,4G",
		    .quick_values = "0,1M,64M" },
		  { .name = "module", .kind = AXIS_WORD, .values = "none,linked,called" },
		  { .name = "api", .kind = AXIS_WORD, .values = "driver,runtime" } },
	.readings = { { "default_bytes" }, { "granted_bytes" } },
	.laws = { { .component = "printf-called",
		    .axis = "granted_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "api=driver,module=called" },
		  { .component = "printf-linked",
		    .axis = "granted_bytes",
		    .step = "launch-2",
		    .is_total = true,
		    .where = "api=driver,module=linked" } },
	.components = { { .name = "device printf, once a module links it",
			  .step = "launch-2",
			  .with = "printf_fifo_limit_bytes=1048576,module=linked,api=driver",
			  .minus = "printf_fifo_limit_bytes=1048576,module=none,api=driver",
			  .when = "module load" } },
	.savings = { { .advice = "link no device-side printf",
		       .step = "launch-2",
		       .with = "printf_fifo_limit_bytes=1048576,module=none,api=driver",
		       .minus = "printf_fifo_limit_bytes=1048576,module=linked,api=driver",
		       .caveat = "malloc or launches in device code may need the same memory" } },
	.headline_step = "load",
	.wants = limit_wants,
	.need_bytes = limit_printf_fifo_need_bytes,
	.run = limit_printf_fifo_run,
};
