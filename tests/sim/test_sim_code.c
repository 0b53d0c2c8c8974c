/* SPDX-License-Identifier: MIT */
#include "tests/sim/profiles.h"

#include "base/array.h"
#include "sim/model.h"

#define MIB     UINT64_C(1048576)
#define CONTEXT UINT64_C(548995072) /* of the h200 */

static struct model_context fresh(const struct profile *profile)
{
	struct model_context context;

	model_create(&context, profile);
	return context;
}

static struct profile round_profile(void)
{
	struct profile p = shipped(H200);

	p.granule_bytes = 1000;
	p.code_slack_bytes = 300;
	return p;
}

/* ---- what was recorded on an H200 ---- */

static void h200_moments(void **state)
{
	static const struct model_traits plain = { 0 };
	static const struct model_traits printing = { .prints = true },
					 allocating = { .allocates = true };
	struct profile p = shipped(H200);

	(void)state;
	assert_int_equal(model_kernel_moment(&p, false, plain), MODEL_AT_GET);
	assert_int_equal(model_kernel_moment(&p, true, plain), MODEL_AT_LOAD);
	assert_int_equal(model_kernel_moment(&p, false, printing), MODEL_AT_LOAD);
	assert_int_equal(model_kernel_moment(&p, false, allocating), MODEL_AT_LOAD);
	p.lazy_when = LAZY_AT_LAUNCH;
	assert_int_equal(model_kernel_moment(&p, false, plain), MODEL_AT_LAUNCH);
}

static void h200_code(void **state)
{
	static const struct {
		uint64_t kernels, text_bytes, mib;
	} cases[] = {
		{ 1, 256, 0 },       { 1, 262144, 0 },    { 1, 524288, 2 },    { 1, 2072576, 2 },
		{ 1, 2095104, 4 },   { 1, 2097152, 4 },   { 1, 3145728, 4 },   { 1, 4192256, 6 },
		{ 1, 16000640, 16 }, { 1, 16777216, 18 }, { 1, 33554432, 34 }, { 16, 16384, 0 },
		{ 32, 16384, 2 },    { 64, 16384, 2 },    { 128, 16384, 2 },   { 256, 16384, 6 },
		{ 512, 16384, 10 },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);
		struct model_share share = { 0 };

		for (uint64_t kernel = 0; kernel < cases[i].kernels; kernel++)
			model_place_kernel(&context, &p, &share, cases[i].text_bytes);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT + cases[i].mib * MIB);
		model_unload_code(&context, &p, share);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT);
	}
}

/* Copies of kernels of 40, 256, 1024 and 4096 instructions, and the granules that they took. */
static void h200_copies(void **state)
{
	static const uint64_t text_bytes[] = { 640, 4096, 16384, 65536 };
	static const struct {
		uint64_t copies, granules[ARRAY_COUNT(text_bytes)];
	} cases[] = {
		{ 1, { 0, 0, 0, 0 } },      { 64, { 0, 1, 1, 2 } },
		{ 128, { 0, 1, 1, 5 } },    { 256, { 1, 1, 3, 9 } },
		{ 512, { 1, 2, 5, 17 } },   { 640, { 1, 2, 6, 22 } },
		{ 768, { 1, 3, 7, 26 } },   { 896, { 2, 3, 8, 30 } },
		{ 1024, { 2, 3, 9, 34 } },  { 1536, { 2, 5, 14, 52 } },
		{ 2048, { 3, 7, 19, 69 } }, { 4096, { 6, 13, 37, 137 } },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t size = 0; size < ARRAY_COUNT(text_bytes); size++) {
		struct model_context context = fresh(&p);
		uint64_t copies = 0;

		for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
			for (; copies < cases[i].copies; copies++) {
				struct model_share share = { 0 };

				model_place_kernel(&context, &p, &share, text_bytes[size]);
			}
			assert_int_equal(model_context_bytes(&context, &p) - CONTEXT,
					 cases[i].granules[size] * 2 * MIB);
		}
	}
}

static void h200_data(void **state)
{
	static const struct {
		uint64_t static_bytes, mib;
	} cases[] = { { 0, 0 },       { 1, 2 },           { 65536, 2 },
		      { 2 * MIB, 2 }, { 2 * MIB + 1, 4 }, { 256 * MIB, 256 } };
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_share share = { 0 };

		model_place_data(&context, &p, &share, cases[i].static_bytes);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT + cases[i].mib * MIB);
		assert_int_equal(context.slack_left_bytes, p.code_slack_bytes);
		model_unload_code(&context, &p, share);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT);
	}
}

/* ---- where a piece goes ---- */

static void pieces_are_rounded(void **state)
{
	static const struct {
		uint64_t bytes, kernel, data;
	} cases[] = { { 0, 512, 0 },
		      { 416, 512, 512 },
		      { 417, 1024, 512 },
		      { 512, 1024, 512 },
		      { 513, 1024, 1024 } };
	struct profile p = shipped(ODD);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);
		struct model_share kernel = { 0 }, data = { 0 };

		model_place_kernel(&context, &p, &kernel, cases[i].bytes);
		assert_int_equal(kernel.packed_bytes, cases[i].kernel);
		model_place_data(&context, &p, &data, cases[i].bytes);
		assert_int_equal(data.packed_bytes, cases[i].data);
		assert_int_equal(context.packed_bytes, cases[i].kernel + cases[i].data);
	}
}

/* One behind the other, across granules; only what does not fit into the slack takes any. */
static void a_pool_wastes_nothing(void **state)
{
	struct profile p = round_profile();
	struct model_context context;
	struct model_share one = { 0 }, two = { 0 };

	(void)state;
	p.code_packing = CODE_IN_POOL;
	context = fresh(&p);
	model_place(&context, &p, &one, 300);
	assert_int_equal(context.chunk_bytes, 0);
	model_place(&context, &p, &two, 600);
	model_place(&context, &p, &one, 400);
	assert_int_equal(context.chunk_bytes, 1000);
	model_place(&context, &p, &two, 1);
	assert_int_equal(context.chunk_bytes, 2000);
	model_unload_code(&context, &p, one);
	assert_int_equal(context.chunk_bytes, 1000);
	p.code_returns = 0;
	model_unload_code(&context, &p, two);
	assert_int_equal(context.chunk_bytes, 1000);
	assert_int_equal(context.packed_bytes, 0);
}

static void the_first_place_with_room_is_taken(void **state)
{
	/* In this order, with a slack of 300 and a granule of 1000. */
	static const struct {
		uint64_t piece, slack_left, chunk_left, chunks;
	} steps[] = {
		{ 0, 300, 0, 0 },     /* nothing is nowhere */
		{ 200, 100, 0, 0 },   /* the slack */
		{ 101, 100, 899, 1 }, /* too much for what it has left */
		{ 99, 1, 899, 1 },    /* it is still used */
		{ 899, 1, 0, 1 },     /* the chunk to its last byte */
		{ 1001, 1, 999, 3 },  /* as many granules as it takes */
		{ 1000, 1, 0, 4 }, /* a chunk made since leaves the rest of the last one unused */
		{ 1, 0, 0, 4 },    /* the slack to its last byte */
		{ 1, 0, 999, 5 },
	};
	struct profile p = round_profile();
	struct model_context context = fresh(&p);
	struct model_share share = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(steps); i++) {
		model_place(&context, &p, &share, steps[i].piece);
		assert_int_equal(context.slack_left_bytes, steps[i].slack_left);
		assert_int_equal(context.chunk_left_bytes, steps[i].chunk_left);
		assert_int_equal(context.chunk_bytes, steps[i].chunks * 1000);
	}
	assert_int_equal(share.slack_bytes, 300);
	assert_int_equal(share.chunk_bytes, 5000);
}

/* ---- what unloading gives back ---- */

static void chunks_go_with_the_module_that_made_them(void **state)
{
	struct profile p = round_profile();
	struct model_context context = fresh(&p);
	struct model_share one = { 0 }, guest = { 0 }, two = { 0 };

	(void)state;
	model_place(&context, &p, &one, 250);
	model_place(&context, &p, &one, 600);
	model_place(&context, &p, &guest, 400);
	model_place(&context, &p, &two, 700);
	assert_int_equal(context.chunk_bytes, 2000);
	model_unload_code(&context, &p, guest);
	assert_int_equal(context.chunk_bytes, 2000);
	/* Not the newest chunk, so its rest stays. */
	model_unload_code(&context, &p, one);
	assert_int_equal(context.chunk_bytes, 1000);
	assert_int_equal(context.chunk_left_bytes, 300);
	assert_int_equal(context.slack_left_bytes, 300);
	model_unload_code(&context, &p, two);
	assert_int_equal(context.chunk_bytes, 0);
	assert_int_equal(context.chunk_left_bytes, 0);
}

static void chunks_may_stay(void **state)
{
	struct profile p = round_profile();
	struct model_context context = fresh(&p);
	struct model_share one = { 0 }, two = { 0 };

	(void)state;
	p.code_returns = 0;
	model_place(&context, &p, &one, 250);
	model_place(&context, &p, &one, 600);
	model_unload_code(&context, &p, one);
	assert_int_equal(context.chunk_bytes, 1000);
	assert_int_equal(context.slack_left_bytes, 300);
	/* What it left can be had, what it had cannot. */
	model_place(&context, &p, &two, 400);
	assert_int_equal(context.chunk_bytes, 1000);
	model_place(&context, &p, &two, 600);
	assert_int_equal(context.chunk_bytes, 2000);
}

/* ---- what holds for any number ---- */

#define MODULES 8

static void what_is_unloaded_is_what_was_loaded(void **state)
{
	struct dice dice = dice_start();
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);
	struct model_share shares[MODULES] = { { 0 } };

	(void)state;
	for (int i = 0; i < 100000; i++) {
		struct model_share *share = &shares[dice_below(&dice, MODULES)];
		uint64_t slack_bytes, chunk_bytes = 0;

		if (dice_below(&dice, 8)) {
			model_place(&context, &p, share, dice_below(&dice, 3 * MIB));
		} else {
			model_unload_code(&context, &p, *share);
			*share = (struct model_share){ 0 };
		}
		slack_bytes = context.slack_left_bytes;
		for (size_t j = 0; j < MODULES; j++) {
			slack_bytes += shares[j].slack_bytes;
			chunk_bytes += shares[j].chunk_bytes;
		}
		assert_int_equal(slack_bytes, p.code_slack_bytes);
		assert_int_equal(chunk_bytes, context.chunk_bytes);
		assert_int_equal(chunk_bytes % p.granule_bytes, 0);
		assert_true(context.chunk_left_bytes <= context.chunk_bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(h200_moments),
		cmocka_unit_test(h200_code),
		cmocka_unit_test(h200_copies),
		cmocka_unit_test(h200_data),
		cmocka_unit_test(pieces_are_rounded),
		cmocka_unit_test(a_pool_wastes_nothing),
		cmocka_unit_test(the_first_place_with_room_is_taken),
		cmocka_unit_test(chunks_go_with_the_module_that_made_them),
		cmocka_unit_test(chunks_may_stay),
		cmocka_unit_test(what_is_unloaded_is_what_was_loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
