/* SPDX-License-Identifier: MIT */
/* The model of what printf, malloc and launches from kernels share, and of the device runtime. */
#include "tests/sim/profiles.h"

#include <errno.h>

#include "base/array.h"
#include "sim/model.h"

#define CONTEXT UINT64_C(548995072) /* of the h200 */
#define MIB     UINT64_C(1048576)

static const struct model_traits printing = { .prints = true }, allocating = { .allocates = true },
				 launching = { .launches = true };

/* Loads a module and launches its kernel, as the recorded benchmark does. */
static void use(struct model_context *context, const struct profile *p, struct model_traits traits)
{
	model_load_module(context, p, traits);
	/* The text that is printed, and what the device runtime brings along. */
	model_place_data(context, p, traits.prints ? 1 : traits.launches ? 13181 : 0);
	assert_true(model_launch(context, p, traits, 0));
}

static uint64_t taken_by(const struct profile *p, const struct model_traits *kinds, size_t count)
{
	struct model_context context;

	model_create(&context, p);
	for (size_t i = 0; i < count; i++)
		use(&context, p, kinds[i]);
	return model_context_bytes(&context, p) - CONTEXT;
}

static void h200_pairs(void **state)
{
	const struct {
		struct model_traits kinds[2];
		uint64_t alone, both;
	} cases[] = {
		{ { printing, printing }, 64, 64 },      { { printing, allocating }, 64, 150 },
		{ { printing, launching }, 64, 100 },    { { allocating, allocating }, 148, 148 },
		{ { allocating, printing }, 148, 150 },  { { allocating, launching }, 148, 170 },
		{ { launching, launching }, 100, 100 },  { { launching, printing }, 100, 100 },
		{ { launching, allocating }, 100, 170 },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		assert_int_equal(taken_by(&p, cases[i].kinds, 1), cases[i].alone * MIB);
		assert_int_equal(taken_by(&p, cases[i].kinds, 2), cases[i].both * MIB);
	}
}

static void h200_all_three_in_every_order(void **state)
{
	const struct model_traits orders[][3] = {
		{ printing, allocating, launching }, { printing, launching, allocating },
		{ allocating, printing, launching }, { allocating, launching, printing },
		{ launching, printing, allocating }, { launching, allocating, printing },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(orders); i++)
		assert_int_equal(taken_by(&p, orders[i], 3), 170 * MIB);
}

/* The limit that is found, and one that is set afterwards. */
static void h200_pending_launches(void **state)
{
	static const struct {
		uint64_t before, after, mib;
	} cases[] = { { 2048, 0, 100 },    { 8192, 0, 154 },     { 32768, 0, 376 },
		      { 131072, 0, 1254 }, { 262144, 0, 2426 },  { 2048, 1, 82 },
		      { 2048, 1024, 92 },  { 2048, 32768, 376 }, { 32768, 2048, 100 } };
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context;

		model_create(&context, &p);
		assert_true(model_set_limit(&context, &p, MODEL_PENDING_LAUNCH, cases[i].before));
		use(&context, &p, launching);
		if (cases[i].after)
			assert_true(model_set_limit(&context, &p, MODEL_PENDING_LAUNCH,
						    cases[i].after));
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT + cases[i].mib * MIB);
	}
}

/* A kernel without a frame needs a stack where it launches others. */
static void h200_launching_needs_a_stack(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context;
	uint64_t without;

	(void)state;
	model_create(&context, &p);
	assert_true(model_set_limit(&context, &p, MODEL_STACK, 0));
	without = model_context_bytes(&context, &p);
	use(&context, &p, printing);
	use(&context, &p, launching);
	assert_int_equal(context.limit_bytes[MODEL_STACK], 16);
	assert_int_equal(model_context_bytes(&context, &p) - without, 104 * MIB);
	assert_true(model_set_limit(&context, &p, MODEL_STACK, 0));
	assert_int_equal(model_context_bytes(&context, &p) - without, 100 * MIB);
}

/* ---- what no row tells ---- */

static void the_device_runtime_may_keep_the_limit_that_it_found(void **state)
{
	struct profile p = shipped(ODD);
	struct model_context context;
	uint64_t before, taken;

	(void)state;
	p.pending_launch_each_bytes = 0;
	model_create(&context, &p);
	before = model_context_bytes(&context, &p);
	model_load_module(&context, &p, launching);
	taken = model_context_bytes(&context, &p) - before;
	assert_int_equal(
		taken,
		model_round_up(7654321 + 1001 * p.pending_launch_default_count, p.granule_bytes) +
			model_round_up(333 * p.pending_launch_default_count, p.granule_bytes));
	assert_true(model_set_limit(
		&context, &p, MODEL_PENDING_LAUNCH,
		model_round_down(p.pending_launch_max_count, p.pending_launch_step_count)));
	model_load_module(&context, &p, launching);
	assert_int_equal(model_context_bytes(&context, &p) - before, taken);
}

/* (key, value, the key that is named): no part of a set may have less than nothing. */
static void more_shared_than_there_is(void **state)
{
	static const struct {
		const char *key, *value, *named;
	} cases[] = {
		{ "printf_malloc_shared_bytes", "65011713", "printf_fixed_bytes" },
		{ "printf_device_runtime_shared_bytes", "65011713", "printf_fixed_bytes" },
		{ "malloc_device_runtime_shared_bytes", "81788929", "device_runtime_fixed_bytes" },
		{ "malloc_fixed_bytes", "81788927", "malloc_fixed_bytes" },
		{ "device_runtime_fixed_bytes", "79691776", "device_runtime_fixed_bytes" },
		{ "printf_malloc_device_runtime_shared_bytes", "65011713",
		  "printf_malloc_device_runtime_shared_bytes" },
		{ "printf_malloc_shared_bytes", "65011711",
		  "printf_malloc_device_runtime_shared_bytes" },
		{ "printf_malloc_device_runtime_shared_bytes", "65011711", "printf_fixed_bytes" },
	};
	struct scratch scratch = scratch_open();
	struct err err = { "" };
	struct profile p;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		changed(&scratch, H200, cases[i].key, cases[i].value);
		assert_int_equal(profile_read(&p, scratch.path, &err), -EBADMSG);
		assert_non_null(strstr(err.text, cases[i].named));
	}
	/* In whole granules there is just enough. */
	changed(&scratch, H200, "device_runtime_fixed_bytes", "79691777");
	assert_int_equal(profile_read(&p, scratch.path, &err), 0);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(h200_pairs),
		cmocka_unit_test(h200_all_three_in_every_order),
		cmocka_unit_test(h200_pending_launches),
		cmocka_unit_test(h200_launching_needs_a_stack),
		cmocka_unit_test(the_device_runtime_may_keep_the_limit_that_it_found),
		cmocka_unit_test(more_shared_than_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
