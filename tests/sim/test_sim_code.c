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

/* Whether one of these lies in that chunk. */
static bool is_in_use(uint64_t chunk, const struct model_spot *spots, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (spots[i].chunk == chunk)
			return true;
	return false;
}

/* From the first to the last. */
static void remove_all(struct model_context *context, const struct profile *profile,
		       const struct model_spot *spots, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		model_remove(context, profile, &spots[i],
			     !is_in_use(spots[i].chunk, &spots[i + 1], count - i - 1));
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
		struct model_spot spots[512];

		for (uint64_t kernel = 0; kernel < cases[i].kernels; kernel++)
			spots[kernel] = model_place_kernel(&context, &p, cases[i].text_bytes);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT + cases[i].mib * MIB);
		remove_all(&context, &p, spots, cases[i].kernels);
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
			for (; copies < cases[i].copies; copies++)
				model_place_kernel(&context, &p, text_bytes[size]);
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
		struct model_spot spot = model_place_data(&context, &p, cases[i].static_bytes);

		assert_int_equal(model_context_bytes(&context, &p), CONTEXT + cases[i].mib * MIB);
		assert_int_equal(context.slack_left_bytes, p.code_slack_bytes);
		model_remove(&context, &p, &spot, true);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT);
	}
}

#define HELD 1000

/* A thousand kernels of 1024 instructions, half of them removed in this order, then the rest. */
static void h200_holes(void **state)
{
	static const struct {
		uint64_t stride, granules_half;
	} cases[] = { { 1, 5 }, { HELD - 1, 5 }, { 637, 9 } };
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);
		struct model_spot spots[HELD], ordered[HELD];

		for (uint64_t k = 0; k < HELD; k++)
			spots[k] = model_place_kernel(&context, &p, 16384);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 18 * MIB);
		for (uint64_t k = 0; k < HELD; k++)
			ordered[k] = spots[(k + 1) * cases[i].stride % HELD];
		for (uint64_t k = 0; k < HELD; k++) {
			if (k == HELD / 2)
				assert_int_equal(model_context_bytes(&context, &p),
						 CONTEXT + cases[i].granules_half * 2 * MIB);
			model_remove(&context, &p, &ordered[k],
				     !is_in_use(ordered[k].chunk, &ordered[k + 1], HELD - k - 1));
		}
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

		assert_int_equal(model_place_kernel(&context, &p, cases[i].bytes).packed_bytes,
				 cases[i].kernel);
		assert_int_equal(model_place_data(&context, &p, cases[i].bytes).packed_bytes,
				 cases[i].data);
		assert_int_equal(context.packed_bytes, cases[i].kernel + cases[i].data);
	}
}

/* One behind the other, across granules; only what does not fit into the slack takes any. */
static void a_pool_wastes_nothing(void **state)
{
	struct profile p = round_profile();
	struct model_context context;
	struct model_spot spots[4];

	(void)state;
	p.code_packing = CODE_IN_POOL;
	context = fresh(&p);
	spots[0] = model_place(&context, &p, 300);
	assert_int_equal(context.chunk_bytes, 0);
	spots[1] = model_place(&context, &p, 600);
	spots[2] = model_place(&context, &p, 400);
	assert_int_equal(context.chunk_bytes, 1000);
	spots[3] = model_place(&context, &p, 1);
	assert_int_equal(context.chunk_bytes, 2000);
	model_remove(&context, &p, &spots[0], false);
	model_remove(&context, &p, &spots[2], false);
	assert_int_equal(context.chunk_bytes, 1000);
	p.code_returns = 0;
	model_remove(&context, &p, &spots[1], false);
	model_remove(&context, &p, &spots[3], false);
	assert_int_equal(context.chunk_bytes, 1000);
	assert_int_equal(context.packed_bytes, 0);
}

static void the_first_place_with_room_is_taken(void **state)
{
	/* In this order, with a slack of 300 and a granule of 1000. */
	static const struct {
		uint64_t piece, slack_left, chunk_left, granules, chunk;
	} steps[] = {
		{ 0, 300, 0, 0, 0 },     /* nothing is nowhere */
		{ 200, 100, 0, 0, 0 },   /* the slack */
		{ 101, 100, 899, 1, 1 }, /* too much for what it has left */
		{ 99, 1, 899, 1, 0 },    /* it is still used */
		{ 899, 1, 0, 1, 1 },     /* the chunk to its last byte */
		{ 700, 1, 300, 2, 2 },   /* what is left is too little */
		{ 1001, 1, 300, 4, 3 },  /* as many granules as it takes, and all of them its own */
		{ 300, 1, 0, 4, 2 },     /* so that the newest is the one before */
		{ 1000, 1, 0, 5, 4 },    /* a granule is not more than one */
		{ 1, 0, 0, 5, 0 },       /* the slack to its last byte */
		{ 400, 0, 600, 6, 5 },
		{ 601, 0, 399, 7,
		  6 }, /* a chunk made since leaves the rest of the last one unused */
	};
	struct profile p = round_profile();
	struct model_context context = fresh(&p);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(steps); i++) {
		struct model_spot spot = model_place(&context, &p, steps[i].piece);

		assert_int_equal(context.slack_left_bytes, steps[i].slack_left);
		assert_int_equal(context.chunk_left_bytes, steps[i].chunk_left);
		assert_int_equal(context.chunk_bytes, steps[i].granules * 1000);
		assert_int_equal(spot.chunk, steps[i].chunk);
		assert_int_equal(spot.slack_bytes, spot.chunk ? 0 : steps[i].piece);
	}
}

/* ---- what unloading gives back ---- */

static void a_chunk_stays_while_anything_is_in_it(void **state)
{
	struct profile p = round_profile();
	struct model_context context = fresh(&p);
	struct model_spot spots[4];

	(void)state;
	spots[0] = model_place(&context, &p, 250);
	spots[1] = model_place(&context, &p, 600);
	spots[2] = model_place(&context, &p, 400);
	spots[3] = model_place(&context, &p, 700);
	assert_int_equal(context.chunk_bytes, 2000);
	assert_true(spots[1].chunk == spots[2].chunk && spots[2].chunk != spots[3].chunk);
	model_remove(&context, &p, &spots[1], false);
	assert_int_equal(context.chunk_bytes, 2000);
	model_remove(&context, &p, &spots[0], false);
	assert_int_equal(context.slack_left_bytes, 300);
	/* Not the newest chunk, so its rest stays. */
	model_remove(&context, &p, &spots[2], true);
	assert_int_equal(context.chunk_bytes, 1000);
	assert_int_equal(context.chunk_left_bytes, 300);
	/* Nor is the one that holds a large piece alone. */
	spots[0] = model_place(&context, &p, 1500);
	assert_int_equal(context.chunk_bytes, 3000);
	model_remove(&context, &p, &spots[0], true);
	assert_int_equal(context.chunk_left_bytes, 300);
	model_remove(&context, &p, &spots[3], true);
	assert_int_equal(context.chunk_bytes, 0);
	assert_int_equal(context.chunk_left_bytes, 0);
}

static void chunks_may_stay(void **state)
{
	struct profile p = round_profile();
	struct model_context context = fresh(&p);
	struct model_spot spots[2];

	(void)state;
	p.code_returns = 0;
	spots[0] = model_place(&context, &p, 250);
	spots[1] = model_place(&context, &p, 600);
	model_remove(&context, &p, &spots[0], false);
	model_remove(&context, &p, &spots[1], true);
	assert_int_equal(context.chunk_bytes, 1000);
	assert_int_equal(context.slack_left_bytes, 300);
	/* What it left can be had, what it had cannot. */
	model_place(&context, &p, 400);
	assert_int_equal(context.chunk_bytes, 1000);
	model_place(&context, &p, 600);
	assert_int_equal(context.chunk_bytes, 2000);
}

/* ---- what holds for any number ---- */

#define PIECES 64

/* Of chunks with something in them. */
static uint64_t sum_of_chunks(const struct model_spot spots[PIECES])
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < PIECES; i++)
		if (spots[i].chunk && !is_in_use(spots[i].chunk, &spots[i + 1], PIECES - i - 1))
			bytes += spots[i].chunk_bytes;
	return bytes;
}

static void what_is_removed_is_what_was_placed(void **state)
{
	struct dice dice = dice_start();
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);
	struct model_spot spots[PIECES] = { { 0 } };

	(void)state;
	for (int i = 0; i < 100000; i++) {
		struct model_spot *spot = &spots[dice_below(&dice, PIECES)];
		struct model_spot was = *spot;
		uint64_t slack_bytes = 0;

		*spot = (struct model_spot){ 0 };
		model_remove(&context, &p, &was, !is_in_use(was.chunk, spots, PIECES));
		if (dice_below(&dice, 4))
			*spot = model_place(&context, &p, dice_below(&dice, 3 * MIB));
		for (size_t j = 0; j < PIECES; j++)
			slack_bytes += spots[j].slack_bytes;
		assert_int_equal(context.slack_left_bytes + slack_bytes, p.code_slack_bytes);
		assert_int_equal(context.chunk_bytes, sum_of_chunks(spots));
		assert_int_equal(context.chunk_bytes % p.granule_bytes, 0);
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
		cmocka_unit_test(h200_holes),
		cmocka_unit_test(pieces_are_rounded),
		cmocka_unit_test(a_pool_wastes_nothing),
		cmocka_unit_test(the_first_place_with_room_is_taken),
		cmocka_unit_test(a_chunk_stays_while_anything_is_in_it),
		cmocka_unit_test(chunks_may_stay),
		cmocka_unit_test(what_is_removed_is_what_was_placed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
