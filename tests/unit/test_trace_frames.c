/* SPDX-License-Identifier: MIT */
/* Planted traces: whose stack it is that a frame made grow. */
#include "tests/unit/scratch.h"

#include <string.h>

#include "analysis/trace_parts.h"
#include "base/array.h"
#include "base/text.h"

#define HEADER                                                                         \
	"time_ns,process,device,event,kind,call,kernel,object,delta_bytes,used_bytes," \
	"local_bytes,stack_limit_bytes,error\n"

/* process, device, call, bytes */
#define CONTEXT(process, device, call, bytes) \
	"1," process "," device ",call,context," call ",,0x1," bytes ",0,,1024,\n"
/* process, device, kernel, bytes, frame, limit, error */
#define LAUNCH(process, device, kernel, bytes, frame, limit, error)                               \
	"2," process "," device ",launch,launch,cuLaunchKernel," kernel ",0x2," bytes ",0," frame \
	"," limit "," error "\n"
#define LIMIT(process, device, bytes) \
	"3," process "," device ",call,limit,cuCtxSetLimit,,stack," bytes ",0,,,\n"

#define RETAIN "cuDevicePrimaryCtxRetain"
#define RESET  "cuDevicePrimaryCtxReset_v2"
#define CREATE "cuCtxCreate_v4"

/* What is wanted of a trace's end: bytes of frames and of other launches on a device. */
static void launches_are(const char *rows, int64_t device_index, int64_t frame_bytes,
			 int64_t other_bytes)
{
	struct scratch scratch = scratch_open();
	struct trace_device devices[4];
	struct trace_parts parts;
	struct trace_rows trace;
	struct err err;
	size_t count;

	scratch_fill(&scratch, rows, strlen(rows));
	assert_int_equal(trace_rows_read(&trace, scratch.path, &err), 0);
	count = trace_devices(&trace, devices, ARRAY_COUNT(devices));
	for (size_t i = 0; i < count; i++) {
		if (devices[i].index != device_index)
			continue;
		assert_int_equal(trace_parts_sum(&parts, &trace, &devices[i],
						 trace_end_row(&trace, &devices[i])),
				 0);
		assert_int_equal(trace_parts_bytes(&parts, TRACE_PART_LOCAL, NULL, NULL),
				 frame_bytes);
		assert_int_equal(trace_parts_bytes(&parts, TRACE_PART_LAUNCH, NULL, NULL),
				 other_bytes);
		trace_parts_free(&parts);
	}
	assert_true(count > 0);
	trace_rows_free(&trace);
	scratch_close(&scratch);
}

static void a_frame_on_each_device(void **state)
{
	static const char rows[] = HEADER CONTEXT("7", "0", RETAIN, "1000")
		CONTEXT("7", "1", RETAIN, "1000") LAUNCH("7", "0", "k", "500", "16384", "1024", "")
			LAUNCH("7", "1", "k", "600", "16384", "1024", "");

	(void)state;
	launches_are(rows, 0, 500, 0);
	launches_are(rows, 1, 600, 0);
}

static void a_frame_in_each_context_and_process(void **state)
{
	(void)state;
	launches_are(HEADER CONTEXT("7", "0", CREATE, "1000")
			     LAUNCH("7", "0", "k", "500", "16384", "1024", "")
				     CONTEXT("7", "0", CREATE, "1000")
					     LAUNCH("7", "0", "k", "600", "16384", "1024", ""),
		     0, 1100, 0);
	launches_are(HEADER CONTEXT("7", "0", RETAIN, "1000")
			     LAUNCH("7", "0", "k", "500", "16384", "1024", "")
				     CONTEXT("8", "0", RETAIN, "1000")
					     LAUNCH("8", "0", "k", "600", "16384", "1024", ""),
		     0, 1100, 0);
}

/* The stack is as small as at first, so that a smaller frame makes it grow anew. */
static void a_frame_after_what_gave_the_stack_back(void **state)
{
	(void)state;
	launches_are(HEADER CONTEXT("7", "0", RETAIN, "1000") LAUNCH("7", "0", "k", "500", "16384",
								     "1024", "")
			     CONTEXT("7", "0", RESET, "-1500") CONTEXT("7", "0", RETAIN, "1000")
				     LAUNCH("7", "0", "m", "300", "8192", "1024", ""),
		     0, 300, 0);
	launches_are(HEADER CONTEXT("7", "0", RETAIN, "1000")
			     LAUNCH("7", "0", "k", "500", "16384", "1024", "")
				     LIMIT("7", "0", "-500")
					     LAUNCH("7", "0", "m", "300", "8192", "1024", ""),
		     0, 300, 0);
}

/* Bytes of a launch whose frame fits are something else, whether the limit tells of frames before
 * or does not. */
static void a_frame_that_fits(void **state)
{
	(void)state;
	launches_are(HEADER CONTEXT("7", "0", RETAIN, "1000")
			     LAUNCH("7", "0", "k", "500", "16384", "1024", "")
				     LAUNCH("7", "0", "m", "300", "8192", "16384", ""),
		     0, 500, 300);
	launches_are(HEADER CONTEXT("7", "0", RETAIN, "1000")
			     LAUNCH("7", "0", "k", "500", "16384", "1024", "")
				     LAUNCH("7", "0", "m", "300", "8192", "1024", ""),
		     0, 500, 300);
	launches_are(HEADER CONTEXT("7", "0", RETAIN, "1000")
			     LAUNCH("7", "0", "k", "500", "16384", "", "")
				     LAUNCH("7", "0", "m", "300", "8192", "", ""),
		     0, 500, 300);
}

static void a_frame_that_was_refused(void **state)
{
	(void)state;
	launches_are(HEADER CONTEXT("7", "0", RETAIN, "1000")
			     LAUNCH("7", "0", "k", "0", "16384", "1024", "CUDA_ERROR_OUT_OF_MEMORY")
				     LAUNCH("7", "0", "m", "300", "8192", "1024", ""),
		     0, 300, 0);
}

/* Parts move as there are more of them, and are found all the same. */
static void each_name_is_a_part(void **state)
{
	enum { NAMES = 3000 };
	struct scratch scratch = scratch_open();
	struct trace_device device;
	struct text text = { 0 };
	struct trace_parts parts;
	struct trace_rows trace;
	struct err err;

	(void)state;
	text_add(&text, HEADER);
	for (int i = 0; i < 2 * NAMES; i++)
		text_format(&text, "%d,7,0,launch,launch,cuLaunchKernel,k%d,0x2,%d,0,%d,1024,\n", i,
			    i % NAMES, 1 + i % NAMES, 2048 + i);
	scratch_fill(&scratch, text_peek(&text), strlen(text_peek(&text)));
	assert_int_equal(trace_rows_read(&trace, scratch.path, &err), 0);
	assert_int_equal(trace_devices(&trace, &device, 1), 1);
	assert_int_equal(trace_parts_sum(&parts, &trace, &device, (size_t)2 * NAMES), 0);
	for (int i = 0; i < NAMES; i++) {
		char name[16];
		int64_t count;

		snprintf(name, sizeof name, "k%d", i);
		assert_int_equal(trace_parts_bytes(&parts, TRACE_PART_LOCAL, name, &count),
				 2 * (1 + i));
		assert_int_equal(count, 2);
	}
	assert_int_equal(parts.lost_bytes, NAMES * (NAMES + 1));
	trace_parts_free(&parts);
	trace_rows_free(&trace);
	text_free(&text);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_on_each_device),
		cmocka_unit_test(a_frame_in_each_context_and_process),
		cmocka_unit_test(a_frame_after_what_gave_the_stack_back),
		cmocka_unit_test(a_frame_that_fits),
		cmocka_unit_test(a_frame_that_was_refused),
		cmocka_unit_test(each_name_is_a_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
