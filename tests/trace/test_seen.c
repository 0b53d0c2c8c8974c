/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <pthread.h>
#include <stdatomic.h>

#include "trace/seen.h"

#define KEYS    20000
#define THREADS 4

static struct seen seen;
static _Atomic int new_count;

static void a_key_is_new_once(void **state)
{
	uint64_t key = seen_key(7, 8);

	(void)state;
	seen_clear(&seen);
	assert_false(seen_add(&seen, key));
	assert_true(seen_add(&seen, key));
	assert_false(seen_add(&seen, seen_key(8, 7)));
	assert_int_not_equal(seen_key(0, 0), 0);
	seen_clear(&seen);
	assert_false(seen_add(&seen, key));
}

static void *add_all(void *unused)
{
	(void)unused;
	for (uint64_t i = 0; i < KEYS; i++)
		if (!seen_add(&seen, seen_key(i, 1)))
			new_count++;
	return NULL;
}

static void threads_agree_on_who_was_first(void **state)
{
	pthread_t threads[THREADS];

	(void)state;
	seen_clear(&seen);
	new_count = 0;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, add_all, NULL), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(new_count, KEYS);
}

static void a_full_set_takes_everything_for_seen(void **state)
{
	int added = 0;

	(void)state;
	seen_clear(&seen);
	for (uint64_t i = 0; i < UINT64_C(64) * SEEN_MAX; i++)
		added += !seen_add(&seen, seen_key(i, 2));
	/* Keys are spread over all places, so that none stays free. */
	assert_int_equal(added, SEEN_MAX);
	for (uint64_t i = 0; i < SEEN_MAX; i++)
		assert_true(seen_add(&seen, seen_key(i, 3)));
	seen_clear(&seen);
	assert_false(seen_add(&seen, seen_key(0, 3)));
}

/* A set that others clear meanwhile may forget; it never invents, nor waits. */
static _Atomic bool is_over;

static void *clear_again_and_again(void *unused)
{
	(void)unused;
	while (!is_over)
		seen_clear(&seen);
	return NULL;
}

static void a_set_can_be_cleared_while_others_add(void **state)
{
	pthread_t clearing;

	(void)state;
	is_over = false;
	seen_clear(&seen);
	assert_int_equal(pthread_create(&clearing, NULL, clear_again_and_again, NULL), 0);
	for (uint64_t i = 0; i < KEYS; i++)
		assert_false(seen_add(&seen, seen_key(i, 4)));
	is_over = true;
	pthread_join(clearing, NULL);
	seen_clear(&seen);
	assert_false(seen_add(&seen, seen_key(0, 4)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_is_new_once),
		cmocka_unit_test(threads_agree_on_who_was_first),
		cmocka_unit_test(a_full_set_takes_everything_for_seen),
		cmocka_unit_test(a_set_can_be_cleared_while_others_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
