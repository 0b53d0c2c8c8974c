/* SPDX-License-Identifier: MIT */
#include "tests/sim/profiles.h"

#include <errno.h>
#include <time.h>

#include "sim/process.h"
#include "sim/state.h"
#include "sim/state_layout.h"
#include "tests/sim/children.h"

#define MS_AS_NS   UINT64_C(1000000)
#define FIRST      UINT64_C(3407872)
#define LATE_MS    300
#define TABLE_FILL (STATE_PROCESSES_MAX - 1)

/* One device for each test, and this process's place in it. */
struct device {
	struct scratch file;
	struct profile profile;
	struct state *state;
	struct process_id self;
	state_slot slot;
};

static int device_make(void **state)
{
	struct device *device = calloc(1, sizeof *device);

	assert_non_null(device);
	device->file = scratch_open();
	device->profile = shipped(H200);
	assert_int_equal(state_open(&device->state, device->file.path, &device->profile, NULL), 0);
	assert_int_equal(process_self(&device->self), 0);
	assert_int_equal(state_join(device->state, &device->self, &device->slot), 0);
	*state = device;
	return 0;
}

static int device_drop(void **state)
{
	struct device *device = *state;

	state_close(device->state);
	scratch_close(&device->file);
	free(device);
	return 0;
}

/* What a child holds. */
struct share {
	const struct device *device;
	int64_t bytes;
	int contexts;
	uint64_t delay_ms;
};

static bool hold(const void *argument)
{
	const struct share *share = argument;
	struct process_id self;
	struct state *state;
	state_slot slot;

	if (state_open(&state, share->device->file.path, &share->device->profile, NULL) < 0 ||
	    process_self(&self) < 0 || state_join(state, &self, &slot) < 0)
		return false;
	state_delay_release(state, slot, share->delay_ms * MS_AS_NS);
	return !state_adjust(
		state, slot,
		(struct state_change){ .bytes = share->bytes, .contexts = share->contexts });
}

static void a_new_device_is_empty(void **state)
{
	struct device *device = *state;
	struct state_holder holders[STATE_PROCESSES_MAX];

	assert_int_equal(state_used_bytes(device->state), 0);
	assert_int_equal(state_holders(device->state, holders), 0);
	assert_false(state_is_quiet(device->state));
}

static void the_first_context_costs_more(void **state)
{
	struct device *device = *state;
	struct state_change one = { .bytes = 1000, .contexts = 1 },
			    back = { .bytes = -1000, .contexts = -1 };

	assert_int_equal(state_adjust(device->state, device->slot, one), 0);
	assert_int_equal(state_used_bytes(device->state), 1000 + FIRST);
	assert_int_equal(state_adjust(device->state, device->slot, one), 0);
	assert_int_equal(state_used_bytes(device->state), 2000 + FIRST);
	assert_int_equal(state_adjust(device->state, device->slot, back), 0);
	assert_int_equal(state_adjust(device->state, device->slot, back), 0);
	assert_int_equal(state_used_bytes(device->state), 0);
}

static void what_does_not_fit_changes_nothing(void **state)
{
	struct device *device = *state;
	int64_t total = (int64_t)device->profile.total_bytes, first = (int64_t)FIRST;

	assert_int_equal(
		state_adjust(device->state, device->slot,
			     (struct state_change){ .bytes = total - first + 1, .contexts = 1 }),
		-ENOMEM);
	assert_int_equal(state_used_bytes(device->state), 0);
	assert_int_equal(
		state_adjust(device->state, device->slot,
			     (struct state_change){ .bytes = total - first, .contexts = 1 }),
		0);
	assert_int_equal(
		state_adjust(device->state, device->slot, (struct state_change){ .bytes = 1 }),
		-ENOMEM);
	assert_int_equal(state_used_bytes(device->state), total);
}

static void processes_share_the_device(void **state)
{
	struct device *device = *state;
	struct share share = { device, 5000, 2, 0 };
	struct state_holder holders[STATE_PROCESSES_MAX];
	pid_t pid = child_start(hold, &share);

	assert_int_equal(state_used_bytes(device->state), 5000 + FIRST);
	assert_int_equal(state_holders(device->state, holders), 1);
	assert_int_equal(holders[0].pid, pid);
	assert_int_equal(holders[0].used_bytes, 5000);
	assert_false(holders[0].is_stranger);
	child_end(pid);
	assert_int_equal(state_used_bytes(device->state), 0);
	assert_int_equal(state_holders(device->state, holders), 0);
}

static void a_killed_process_gives_back(void **state)
{
	struct device *device = *state;
	struct share share = { device, 7000, 1, 0 };
	pid_t pid = child_start(hold, &share);

	assert_int_equal(state_used_bytes(device->state), 7000 + FIRST);
	child_kill(pid);
	/* Nobody has asked for its status yet: a zombie. */
	assert_int_equal(state_used_bytes(device->state), 0);
	child_reap(pid);
	assert_int_equal(state_used_bytes(device->state), 0);
}

static void a_number_that_is_somebody_else_is_dead(void **state)
{
	struct device *device = *state;
	struct process_id older = device->self;
	state_slot slot;

	assert_true(process_is_alive(&device->self));
	older.start_ticks--;
	assert_false(process_is_alive(&older));
	state_lock(device->state);
	assert_int_equal(state_add(device->state,
				   &(struct state_entry){
					   .kind = STATE_PROCESS, .id = older, .used_bytes = 99 },
				   &slot),
			 0);
	state_unlock(device->state);
	assert_int_equal(state_used_bytes(device->state), 0);
}

static bool die_with_the_lock(const void *argument)
{
	const struct device *device = argument;

	state_lock(device->state);
	return true;
}

static void whoever_dies_with_the_lock_leaves_it(void **state)
{
	struct device *device = *state;
	pid_t pid = child_start(die_with_the_lock, device);

	child_kill(pid);
	child_reap(pid);
	assert_int_equal(state_used_bytes(device->state), 0);
	assert_int_equal(state_used_bytes(device->state), 0);
}

static void wait_ms(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void late_memory_is_used_until_then(void **state)
{
	struct device *device = *state;
	struct state_change take = { .bytes = 4000, .contexts = 1 };
	struct state_change give = { .bytes = -4000, .contexts = -1 };

	assert_int_equal(state_adjust(device->state, device->slot, take), 0);
	state_delay_release(device->state, device->slot, LATE_MS * MS_AS_NS);
	assert_int_equal(state_adjust(device->state, device->slot, give), 0);
	assert_int_equal(state_used_bytes(device->state), 4000 + FIRST);
	wait_ms(LATE_MS + 20);
	assert_int_equal(state_used_bytes(device->state), 0);
}

static void the_dead_give_back_late_as_well(void **state)
{
	struct device *device = *state;
	struct share share = { device, 6000, 1, LATE_MS };
	pid_t pid = child_start(hold, &share);

	child_kill(pid);
	child_reap(pid);
	assert_int_equal(state_used_bytes(device->state), 6000 + FIRST);
	wait_ms(LATE_MS + 20);
	assert_int_equal(state_used_bytes(device->state), 0);
}

/* More pieces than the table has places: nothing may be lost. */
static void many_late_pieces_are_all_kept(void **state)
{
	struct device *device = *state;
	int64_t count = INT64_C(3) * STATE_LATE_MAX;

	assert_int_equal(
		state_adjust(device->state, device->slot, (struct state_change){ .bytes = count }),
		0);
	state_delay_release(device->state, device->slot, LATE_MS * MS_AS_NS);
	for (int64_t i = 0; i < count; i++)
		state_adjust(device->state, device->slot, (struct state_change){ .bytes = -1 });
	assert_int_equal(state_used_bytes(device->state), count);
	wait_ms(LATE_MS + 20);
	assert_int_equal(state_used_bytes(device->state), 0);
}

static void a_stranger_stays(void **state)
{
	struct device *device = *state;
	struct state_holder holders[STATE_PROCESSES_MAX];

	assert_int_equal(state_stranger_take(device->state, 300), 0);
	assert_int_equal(state_stranger_take(device->state, 30), 0);
	assert_int_equal(state_used_bytes(device->state), 330);
	assert_int_equal(state_holders(device->state, holders), 1);
	assert_true(holders[0].is_stranger && holders[0].pid >= STATE_STRANGER_PID_FIRST);
	assert_int_equal(holders[0].used_bytes, 330);
	state_stranger_give(device->state, 100);
	assert_int_equal(state_used_bytes(device->state), 230);
	state_stranger_give(device->state, 1000);
	assert_int_equal(state_used_bytes(device->state), 0);
	assert_int_equal(state_holders(device->state, holders), 0);
	assert_int_equal(state_stranger_take(device->state, UINT64_MAX), 0);
	assert_int_equal(state_used_bytes(device->state), device->profile.total_bytes);
}

static bool blink(const void *argument)
{
	const struct device *device = argument;
	struct process_id self;
	state_slot slot, stranger;

	return !process_self(&self) && !state_join(device->state, &self, &slot) &&
	       !state_blink_begin(device->state, 500, slot, &stranger);
}

static void a_blink_ends_with_its_owner(void **state)
{
	struct device *device = *state;
	state_slot stranger;
	pid_t pid;

	assert_int_equal(state_blink_begin(device->state, 50, device->slot, &stranger), 0);
	pid = child_start(blink, device);
	assert_int_equal(state_used_bytes(device->state), 550);
	child_kill(pid);
	assert_int_equal(state_used_bytes(device->state), 50);
	state_blink_end(device->state, stranger);
	assert_int_equal(state_used_bytes(device->state), 0);
	child_reap(pid);
}

static void a_full_house_takes_nobody_in(void **state)
{
	struct device *device = *state;
	state_slot slot;

	for (int i = 0; i < TABLE_FILL; i++)
		assert_int_equal(state_join(device->state, &device->self, &slot), 0);
	assert_int_equal(state_join(device->state, &device->self, &slot), -ENOSPC);
	assert_int_equal(state_stranger_take(device->state, 1), -ENOSPC);
}

static void a_state_belongs_to_one_profile(void **state)
{
	struct device *device = *state;
	struct profile odd = shipped(ODD);
	struct err err = { "" };
	struct state *other = NULL;

	assert_int_equal(state_open(&other, device->file.path, &odd, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "another profile"));
	assert_null(other);
}

static void any_other_file_is_refused(void **state)
{
	struct device *device = *state;
	struct scratch file = scratch_open();
	static char garbage[sizeof(struct state)];
	struct err err = { "" };
	struct state *other;

	scratch_fill(&file, "hello", 5);
	assert_int_equal(state_open(&other, file.path, &device->profile, &err), -EBADMSG);
	memset(garbage, 'x', sizeof garbage);
	scratch_fill(&file, garbage, sizeof garbage);
	assert_int_equal(state_open(&other, file.path, &device->profile, &err), -EBADMSG);
	assert_int_equal(state_open(&other, "/nowhere/state", &device->profile, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/state"));
	scratch_close(&file);
}

#define DEVICE_TEST(test) cmocka_unit_test_setup_teardown(test, device_make, device_drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DEVICE_TEST(a_new_device_is_empty),
		DEVICE_TEST(the_first_context_costs_more),
		DEVICE_TEST(what_does_not_fit_changes_nothing),
		DEVICE_TEST(processes_share_the_device),
		DEVICE_TEST(a_killed_process_gives_back),
		DEVICE_TEST(a_number_that_is_somebody_else_is_dead),
		DEVICE_TEST(whoever_dies_with_the_lock_leaves_it),
		DEVICE_TEST(late_memory_is_used_until_then),
		DEVICE_TEST(the_dead_give_back_late_as_well),
		DEVICE_TEST(many_late_pieces_are_all_kept),
		DEVICE_TEST(a_stranger_stays),
		DEVICE_TEST(a_blink_ends_with_its_owner),
		DEVICE_TEST(a_full_house_takes_nobody_in),
		DEVICE_TEST(a_state_belongs_to_one_profile),
		DEVICE_TEST(any_other_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
