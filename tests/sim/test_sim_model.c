/* SPDX-License-Identifier: MIT */
#include "tests/sim/profiles.h"

#include "base/array.h"
#include "sim/model.h"

#define MIB UINT64_C(1048576)

static const struct model_traits plain = { 0 };
static const struct model_traits printing = { .prints = true };
static const struct model_traits allocating = { .allocates = true };

static struct model_context fresh(const struct profile *profile)
{
	struct model_context context;

	model_create(&context, profile);
	return context;
}

/* ---- what was recorded on an H200 ---- */

static void h200_context(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);

	(void)state;
	assert_int_equal(model_context_bytes(&context, &p), 548995072);
	assert_int_equal(context.limit_bytes[MODEL_STACK], 1024);
	assert_int_equal(context.limit_bytes[MODEL_FIFO], 8650752);
	assert_int_equal(context.limit_bytes[MODEL_HEAP], 8388608);
}

static void h200_stack(void **state)
{
	/* Recorded one after the other in one context. */
	static const struct {
		uint64_t request, granted;
		int64_t delta;
	} steps[] = {
		{ 0, 0, -276824064 },
		{ 1, 16, 4194304 },
		{ 16, 16, 0 },
		{ 512, 512, 134217728 },
		{ 1024, 1024, 138412032 },
		{ 1025, 1040, 4194304 },
		{ 2048, 2048, 272629760 },
		{ 4096, 4096, 553648128 },
		{ 8192, 8192, 1107296256 },
		{ 16384, 16384, 2214592512 },
		{ 32768, 32768, 4429185024 },
		{ 65536, 65536, 8858370048 },
		{ 131072, 131072, 17716740096 },
		{ 262144, 262144, 35433480192 },
		{ 400000, 400000, 37266391040 },
		{ 500000, 500000, 27034386432 },
		{ 65536, 65536, -117450997760 },
		{ 1024, 1024, -17439916032 },
		{ 0, 0, -276824064 },
	};
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(steps); i++) {
		uint64_t before = model_context_bytes(&context, &p);

		assert_true(model_set_limit(&context, &p, MODEL_STACK, steps[i].request));
		assert_int_equal(context.limit_bytes[MODEL_STACK], steps[i].granted);
		assert_int_equal(model_context_bytes(&context, &p) - before, steps[i].delta);
	}
	assert_int_equal(model_context_bytes(&context, &p), 272171008);
}

static void expect_granted(const char *path, enum model_limit limit, uint64_t request,
			   uint64_t granted)
{
	struct profile p = shipped(path);
	struct model_context context = fresh(&p), before = context;

	assert_true(model_set_limit(&context, &p, limit, request));
	assert_int_equal(context.limit_bytes[limit], granted);
	assert_int_equal(model_context_bytes(&context, &p), model_context_bytes(&before, &p));
}

static void expect_refused(const char *path, enum model_limit limit, uint64_t request)
{
	struct profile p = shipped(path);
	struct model_context context = fresh(&p), before = context;

	assert_false(model_set_limit(&context, &p, limit, request));
	assert_memory_equal(&context, &before, sizeof before);
}

static void h200_limits(void **state)
{
	(void)state;
	expect_refused(H200, MODEL_STACK, 524288);
	expect_refused(H200, MODEL_STACK, 1048576);
	expect_refused(H200, MODEL_STACK, UINT64_MAX);
	expect_granted(H200, MODEL_FIFO, 0, 524288);
	expect_granted(H200, MODEL_FIFO, 65536, 524288);
	expect_granted(H200, MODEL_FIFO, 1048576, 1048576);
	expect_granted(H200, MODEL_FIFO, 1048577, 1048832);
	expect_granted(H200, MODEL_FIFO, 1073741824, 1073741824);
	expect_granted(H200, MODEL_FIFO, 4294967296, 2147483648);
	expect_granted(H200, MODEL_FIFO, UINT64_MAX, 2147483648);
	expect_granted(H200, MODEL_HEAP, 0, 4194304);
	expect_granted(H200, MODEL_HEAP, 8388609, 8454144);
	expect_granted(H200, MODEL_HEAP, 17179869184, 17179869184);
	expect_granted(H200, MODEL_HEAP, 68719476736, 17681179680);
	expect_granted(H200, MODEL_HEAP, 214748364800, 17681179680);
}

static void h200_printf(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);
	struct model_spot text;

	(void)state;
	model_load_module(&context, &p, printing);
	assert_true(model_set_limit(&context, &p, MODEL_FIFO, 64 * MIB));
	text = model_place_data(&context, &p, 1); /* the text that is printed */
	assert_int_equal(model_context_bytes(&context, &p), 548995072 + 67108864);
	assert_true(model_launch(&context, &p, printing, 0));
	assert_int_equal(model_context_bytes(&context, &p), 548995072 + 67108864);
	assert_int_equal(context.fifo_host_bytes, 64 * MIB);
	assert_false(model_set_limit(&context, &p, MODEL_FIFO, MIB));
	model_unload_module(&context, printing);
	model_remove(&context, &p, &text, true);
	assert_int_equal(model_context_bytes(&context, &p), 614006784);
}

/* It is shown among the device's memory, but as nobody's. */
static void h200_page_tables(void **state)
{
	static const struct {
		uint64_t limit, tables;
	} cases[] = {
		{ 256 * MIB, 0 },
		{ 1024 * MIB - 256, 0 },
		{ 1024 * MIB, 2 * MIB },
		{ 2048 * MIB, 4 * MIB },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);
		uint64_t before, hidden = model_hidden_bytes(&context, &p);

		assert_int_equal(hidden, 5832704);
		model_set_limit(&context, &p, MODEL_FIFO, cases[i].limit);
		model_load_module(&context, &p, printing);
		before = model_context_bytes(&context, &p);
		assert_true(model_launch(&context, &p, printing, 0));
		assert_true(model_launch(&context, &p, printing, 0));
		assert_int_equal(model_context_bytes(&context, &p) - before, cases[i].tables);
		assert_int_equal(model_hidden_bytes(&context, &p) - hidden, cases[i].tables);
	}
}

static void no_page_tables(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);
	uint64_t created = model_context_bytes(&context, &p);

	(void)state;
	p.fifo_host_page_table_divisor = 0;
	model_set_limit(&context, &p, MODEL_FIFO, 2048 * MIB);
	assert_true(model_launch(&context, &p, printing, 0));
	assert_int_equal(context.fifo_host_bytes, 2048 * MIB);
	assert_int_equal(model_context_bytes(&context, &p), created);
}

static void h200_malloc(void **state)
{
	static const struct {
		uint64_t limit, launch;
	} cases[] = {
		{ 1024, 6291456 },      { 8388608, 10485760 },        { 8388609, 10485760 },
		{ 64 * MIB, 69206016 }, { 68719476736, 17683185664 },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);

		model_load_module(&context, &p, allocating);
		assert_true(model_set_limit(&context, &p, MODEL_HEAP, cases[i].limit));
		assert_int_equal(model_context_bytes(&context, &p), 548995072 + 144703488);
		assert_true(model_launch(&context, &p, allocating, 0));
		assert_true(model_launch(&context, &p, allocating, 0));
		assert_int_equal(model_context_bytes(&context, &p),
				 548995072 + 144703488 + cases[i].launch);
		assert_false(model_set_limit(&context, &p, MODEL_HEAP, 1048576));
		model_unload_module(&context, allocating);
		assert_int_equal(model_context_bytes(&context, &p),
				 548995072 + 144703488 + cases[i].launch);
	}
}

/* ---- the other side of every switch, on the odd device ---- */

#define ODD_THREADS UINT64_C(26112)
#define ODD_GRANULE UINT64_C(65536)
/* What is fixed, and what the defaults of other limits take. */
#define ODD_FIXED                                                                    \
	(98765431 + odd_round(6 * UINT64_C(65536)) + odd_round(1000 * UINT64_C(3)) + \
	 odd_round(96 * UINT64_C(777)))

static uint64_t odd_round(uint64_t bytes)
{
	return (bytes + ODD_GRANULE - 1) / ODD_GRANULE * ODD_GRANULE;
}

static void odd_stack_waits_and_stays(void **state)
{
	struct profile p = shipped(ODD);
	struct model_context context = fresh(&p);
	uint64_t created = model_context_bytes(&context, &p);

	(void)state;
	assert_int_equal(created, ODD_FIXED + odd_round(ODD_THREADS * 1584));
	assert_true(model_set_limit(&context, &p, MODEL_STACK, 5000));
	assert_int_equal(context.limit_bytes[MODEL_STACK], 5040);
	assert_int_equal(model_context_bytes(&context, &p), created);
	assert_true(model_launch(&context, &p, plain, 0));
	assert_int_equal(model_context_bytes(&context, &p),
			 ODD_FIXED + odd_round(ODD_THREADS * 5040));
	assert_true(model_set_limit(&context, &p, MODEL_STACK, 0));
	assert_true(model_launch(&context, &p, plain, 0));
	assert_int_equal(model_context_bytes(&context, &p),
			 ODD_FIXED + odd_round(ODD_THREADS * 5040));
}

/* Recorded one in each context, a limit of 1024 being set behind it. */
static void h200_frames(void **state)
{
	static const struct {
		uint64_t frame, limit, mib;
	} cases[] = {
		{ 0, 1024, 0 },         { 1024, 1024, 0 },       { 1025, 1040, 4 },
		{ 1040, 1040, 4 },      { 2048, 2048, 264 },     { 4096, 4096, 792 },
		{ 16384, 16384, 3960 }, { 65536, 65536, 16632 }, { 262144, 262144, 67320 },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);

		for (int launch = 0; launch < 2; launch++) {
			assert_true(model_launch(&context, &p, plain, cases[i].frame));
			assert_true(model_launch(&context, &p, plain, 0));
			assert_int_equal(context.limit_bytes[MODEL_STACK], cases[i].limit);
			assert_int_equal(model_context_bytes(&context, &p),
					 548995072 + cases[i].mib * MIB);
		}
		assert_true(model_set_limit(&context, &p, MODEL_STACK, 1024));
		assert_int_equal(model_context_bytes(&context, &p), 548995072);
		assert_false(model_launch(&context, &p, plain, 524288));
		assert_int_equal(context.limit_bytes[MODEL_STACK], 1024);
	}
}

static void a_deep_frame_may_grow_the_pool_alone(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context;

	(void)state;
	p.frame_raises = FRAME_RAISES_POOL;
	context = fresh(&p);
	assert_true(model_launch(&context, &p, plain, 1025));
	assert_int_equal(context.limit_bytes[MODEL_STACK], 1024);
	assert_int_equal(model_context_bytes(&context, &p), 548995072 + 4194304);
	assert_true(model_set_limit(&context, &p, MODEL_STACK, 16));
	assert_int_equal(model_context_bytes(&context, &p), 548995072 + 4194304);
}

/* ---- limits that are no more than that ---- */

static void h200_other_limits(void **state)
{
	(void)state;
	expect_granted(H200, MODEL_PENDING_LAUNCH, 0, 32);
	expect_granted(H200, MODEL_PENDING_LAUNCH, 2049, 2049);
	expect_granted(H200, MODEL_PENDING_LAUNCH, 1048576, 599186);
	expect_granted(H200, MODEL_L2_FETCH, 0, 0);
	expect_granted(H200, MODEL_L2_FETCH, 25, 25);
	expect_granted(H200, MODEL_L2_FETCH, 128, 128);
	expect_refused(H200, MODEL_L2_FETCH, 2048);
	expect_granted(H200, MODEL_L2_PERSISTING, 0, 0);
	expect_granted(H200, MODEL_L2_PERSISTING, 1, 3932160);
	expect_granted(H200, MODEL_L2_PERSISTING, 33554432, 35389440);
	expect_refused(H200, MODEL_L2_PERSISTING, 67108864);
}

static void which_limits_there_are(void **state)
{
	struct profile h200 = shipped(H200), odd = shipped(ODD);

	(void)state;
	for (int i = 0; i < MODEL_LIMIT_COUNT; i++) {
		assert_int_equal(model_knows_limit(&h200, (enum model_limit)i),
				 i != MODEL_SYNC_DEPTH);
		assert_int_equal(model_knows_limit(&odd, (enum model_limit)i),
				 i != MODEL_L2_PERSISTING);
	}
}

static void a_limit_may_cost_bytes_for_each_unit(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context;
	uint64_t without;

	(void)state;
	context = fresh(&p);
	without = model_context_bytes(&context, &p);
	p.l2_fetch_each_bytes = 65536;
	context = fresh(&p);
	assert_int_equal(model_context_bytes(&context, &p), without + 4 * MIB);
	assert_true(model_set_limit(&context, &p, MODEL_L2_FETCH, 65));
	assert_int_equal(model_context_bytes(&context, &p), without + 6 * MIB);
	assert_true(model_set_limit(&context, &p, MODEL_L2_FETCH, 0));
	assert_int_equal(model_context_bytes(&context, &p), without);
	/* One that there is not costs nothing, whatever the profile says of it. */
	p.sync_depth_default_count = p.sync_depth_max_count = 7;
	p.sync_depth_each_bytes = 65536;
	context = fresh(&p);
	assert_int_equal(model_context_bytes(&context, &p), without + 4 * MIB);
}

static void odd_fifo_is_on_the_device(void **state)
{
	struct profile p = shipped(ODD);
	struct model_context context = fresh(&p);
	uint64_t created = model_context_bytes(&context, &p);
	uint64_t taken = 7340033 + 131072 + odd_round(2000000);

	(void)state;
	assert_true(model_set_limit(&context, &p, MODEL_FIFO, 1999999));
	model_load_module(&context, &p, printing);
	assert_int_equal(model_context_bytes(&context, &p), created + taken);
	assert_false(model_set_limit(&context, &p, MODEL_FIFO, 3000));
	assert_true(model_launch(&context, &p, printing, 0));
	assert_int_equal(model_context_bytes(&context, &p), created + taken);
	assert_int_equal(context.fifo_host_bytes, 0);
	model_load_module(&context, &p, printing);
	assert_int_equal(model_context_bytes(&context, &p), created + taken + 131072);
	expect_refused(ODD, MODEL_FIFO, 300000001);
	expect_granted(ODD, MODEL_FIFO, 1, 3000);
}

/* Locked by the launch, and not by one that is refused. */
static void a_limit_may_be_locked_late(void **state)
{
	struct profile p = shipped(ODD);
	struct model_context context = fresh(&p);
	uint64_t loaded;

	(void)state;
	p.fifo_when = TAKEN_AT_LAUNCH;
	p.fifo_locks_at = LOCKED_AT_LAUNCH;
	model_load_module(&context, &p, printing);
	loaded = model_context_bytes(&context, &p);
	assert_false(model_launch(&context, &p, printing, UINT64_C(1) << 32));
	assert_true(model_set_limit(&context, &p, MODEL_FIFO, 1999999));
	assert_true(model_launch(&context, &p, printing, 0));
	assert_int_equal(model_context_bytes(&context, &p), loaded + odd_round(2000000));
	assert_false(model_set_limit(&context, &p, MODEL_FIFO, 3000));
}

static void odd_heap_comes_with_the_module(void **state)
{
	struct profile p = shipped(ODD);
	struct model_context context = fresh(&p);
	uint64_t created = model_context_bytes(&context, &p);
	uint64_t heap = odd_round(5000000) + 77777;

	(void)state;
	model_load_module(&context, &p, allocating);
	assert_int_equal(model_context_bytes(&context, &p), created + 11111111 + 196608 + heap);
	assert_false(model_set_limit(&context, &p, MODEL_HEAP, 8000000));
	assert_true(model_launch(&context, &p, allocating, 0));
	assert_int_equal(model_context_bytes(&context, &p), created + 11111111 + 196608 + heap);
	assert_false(model_set_limit(&context, &p, MODEL_HEAP, 8000000));
	model_unload_module(&context, allocating);
	assert_int_equal(model_context_bytes(&context, &p), created + 11111111 + heap);
	expect_refused(ODD, MODEL_HEAP, 1000000001);
	expect_granted(ODD, MODEL_HEAP, 1000000000, 1000000000);
}

/* ---- what holds for any number ---- */

static void granted_is_a_fixed_point(void **state)
{
	const struct profile profiles[] = { shipped(H200), shipped(ODD) };
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 100000; i++) {
		const struct profile *p = &profiles[i % 2];
		struct model_context context = fresh(p), again;
		enum model_limit limit = (enum model_limit)dice_below(&dice, MODEL_LIMIT_COUNT);

		if (!model_set_limit(&context, p, limit, dice_any(&dice)))
			continue;
		again = context;
		assert_true(model_set_limit(&again, p, limit, context.limit_bytes[limit]));
		assert_memory_equal(&again, &context, sizeof context);
	}
}

static void rounding_up_never_wraps(void **state)
{
	struct dice dice = dice_start();

	(void)state;
	assert_int_equal(model_round_up(UINT64_MAX, 2), UINT64_MAX);
	for (int i = 0; i < 100000; i++) {
		uint64_t bytes = dice_any(&dice), unit = 1 + dice_below(&dice, 1 << 22);
		uint64_t up = model_round_up(bytes, unit);

		assert_true(up >= bytes);
		assert_true(up == UINT64_MAX || (up % unit == 0 && up - bytes < unit));
	}
}

static void what_is_freed_is_what_was_allocated(void **state)
{
	struct dice dice = dice_start();
	struct profile p = shipped(ODD);
	struct model_context context = fresh(&p);
	uint64_t created = model_context_bytes(&context, &p), requests[100];

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(requests); i++) {
		requests[i] = 1 + dice_below(&dice, 1 << 30);
		model_allocate(&context, &p, requests[i]);
		assert_true(model_context_bytes(&context, &p) >= created + requests[i]);
	}
	for (size_t i = 0; i < ARRAY_COUNT(requests); i++)
		model_release(&context, &p, requests[i]);
	assert_int_equal(model_context_bytes(&context, &p), created);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(h200_context),
		cmocka_unit_test(h200_stack),
		cmocka_unit_test(h200_limits),
		cmocka_unit_test(h200_printf),
		cmocka_unit_test(h200_page_tables),
		cmocka_unit_test(no_page_tables),
		cmocka_unit_test(h200_malloc),
		cmocka_unit_test(odd_stack_waits_and_stays),
		cmocka_unit_test(h200_frames),
		cmocka_unit_test(a_deep_frame_may_grow_the_pool_alone),
		cmocka_unit_test(h200_other_limits),
		cmocka_unit_test(which_limits_there_are),
		cmocka_unit_test(a_limit_may_cost_bytes_for_each_unit),
		cmocka_unit_test(odd_fifo_is_on_the_device),
		cmocka_unit_test(a_limit_may_be_locked_late),
		cmocka_unit_test(odd_heap_comes_with_the_module),
		cmocka_unit_test(granted_is_a_fixed_point),
		cmocka_unit_test(rounding_up_never_wraps),
		cmocka_unit_test(what_is_freed_is_what_was_allocated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
