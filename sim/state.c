/* SPDX-License-Identifier: MIT */
#include "sim/state.h"

#include <errno.h>
#include <time.h>

#include "base/array.h"
#include "sim/model.h"
#include "sim/state_layout.h"

#define NS_PER_SECOND UINT64_C(1000000000)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

uint64_t state_sum_bytes(const struct state *state)
{
	uint64_t bytes = state->managed_pool_bytes, contexts = 0;

	for (size_t i = 0; i < ARRAY_COUNT(state->entries); i++) {
		if (state->entries[i].kind == STATE_NOBODY)
			continue;
		bytes += state->entries[i].used_bytes;
		contexts += state->entries[i].context_count;
	}
	for (size_t i = 0; i < ARRAY_COUNT(state->late); i++)
		bytes += state->late[i].bytes;
	return contexts ? bytes + state->profile.device_first_context_bytes : bytes;
}

/* When the table is full, the last to become free waits for the newcomer. */
static void give_late(struct state *state, uint64_t bytes, uint64_t due_ns)
{
	struct state_late *place = &state->late[0];

	for (size_t i = 0; i < ARRAY_COUNT(state->late); i++) {
		if (!state->late[i].bytes) {
			place = &state->late[i];
			break;
		}
		if (state->late[i].due_ns > place->due_ns)
			place = &state->late[i];
	}
	if (!place->bytes || place->due_ns < due_ns)
		place->due_ns = due_ns;
	place->bytes += bytes;
}

/* Keeps back what an entry has just given back, the sum having been `before_bytes`. */
static void delay(struct state *state, uint64_t delay_ns, uint64_t before_bytes)
{
	uint64_t after_bytes = state_sum_bytes(state);

	if (delay_ns && after_bytes < before_bytes)
		give_late(state, before_bytes - after_bytes, now_ns() + delay_ns);
}

void state_remove(struct state *state, struct state_entry *entry)
{
	uint64_t before_bytes = state_sum_bytes(state);
	uint64_t delay_ns = entry->delay_ns;

	*entry = (struct state_entry){ .kind = STATE_NOBODY };
	delay(state, delay_ns, before_bytes);
}

static bool is_over(const struct state_entry *entry)
{
	switch (entry->kind) {
	case STATE_PROCESS:
		return !process_is_alive(&entry->id);
	case STATE_STRANGER:
		return entry->owner.pid && !process_is_alive(&entry->owner);
	case STATE_NOBODY:
		break;
	}
	return false;
}

void state_lock(struct state *state)
{
	uint64_t now;

	if (pthread_mutex_lock(&state->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&state->lock);
	for (size_t i = 0; i < ARRAY_COUNT(state->entries); i++)
		if (is_over(&state->entries[i]))
			state_remove(state, &state->entries[i]);
	now = now_ns();
	for (size_t i = 0; i < ARRAY_COUNT(state->late); i++)
		if (state->late[i].due_ns <= now)
			state->late[i].bytes = 0;
}

void state_unlock(struct state *state)
{
	pthread_mutex_unlock(&state->lock);
}

int state_add(struct state *state, const struct state_entry *entry, state_slot *ret_slot)
{
	for (size_t i = 0; i < ARRAY_COUNT(state->entries); i++) {
		if (state->entries[i].kind != STATE_NOBODY)
			continue;
		state->entries[i] = *entry;
		*ret_slot = i;
		return 0;
	}
	return -ENOSPC;
}

int state_join(struct state *state, const struct process_id *id, state_slot *ret_slot)
{
	int r;

	state_lock(state);
	r = state_add(state, &(struct state_entry){ .kind = STATE_PROCESS, .id = *id }, ret_slot);
	state_unlock(state);
	return r;
}

static void take_managed(struct state *state, int64_t managed_bytes)
{
	uint64_t needed_bytes = managed_bytes > 0 ? (uint64_t)managed_bytes : 0;

	state->managed_pool_bytes +=
		model_managed_batches(&state->profile, state->managed_pool_bytes, needed_bytes);
	state->managed_pool_bytes -= needed_bytes;
}

int state_adjust(struct state *state, state_slot slot, struct state_change change)
{
	struct state_entry *entry = &state->entries[slot];
	struct state_entry was;
	uint64_t before_bytes, after_bytes, pool_bytes;
	int r = 0;

	state_lock(state);
	was = *entry;
	pool_bytes = state->managed_pool_bytes;
	before_bytes = state_sum_bytes(state);
	/* Two's complement: adding a negative number subtracts. */
	entry->used_bytes += (uint64_t)change.bytes;
	entry->hidden_bytes += (uint64_t)change.hidden_bytes;
	entry->context_count += (uint64_t)(int64_t)change.contexts;
	take_managed(state, change.managed_bytes);
	after_bytes = state_sum_bytes(state);
	if (after_bytes > before_bytes &&
	    after_bytes + change.spare_bytes > state->profile.total_bytes) {
		*entry = was;
		state->managed_pool_bytes = pool_bytes;
		r = -ENOMEM;
	} else {
		delay(state, entry->delay_ns, before_bytes);
	}
	state_unlock(state);
	return r;
}

uint64_t state_used_bytes(struct state *state)
{
	uint64_t bytes;

	state_lock(state);
	bytes = state_sum_bytes(state);
	state_unlock(state);
	return bytes;
}

void state_delay_release(struct state *state, state_slot slot, uint64_t delay_ns)
{
	state_lock(state);
	state->entries[slot].delay_ns = delay_ns;
	state_unlock(state);
}

void state_set_quiet(struct state *state)
{
	state_lock(state);
	state->is_quiet = true;
	state_unlock(state);
}

bool state_is_quiet(struct state *state)
{
	bool is_quiet;

	state_lock(state);
	is_quiet = state->is_quiet;
	state_unlock(state);
	return is_quiet;
}

void state_set_foreign_pids(struct state *state)
{
	state_lock(state);
	state->has_foreign_pids = true;
	state_unlock(state);
}

size_t state_holders(struct state *state, struct state_holder holders[STATE_PROCESSES_MAX])
{
	size_t count = 0;

	state_lock(state);
	for (size_t i = 0; i < ARRAY_COUNT(state->entries); i++) {
		const struct state_entry *entry = &state->entries[i];

		if (!entry->context_count && !(entry->kind == STATE_STRANGER && entry->used_bytes))
			continue;
		holders[count++] = (struct state_holder){
			.pid = entry->id.pid +
			       (state->has_foreign_pids ? STATE_FOREIGN_PID_OFFSET : 0),
			.used_bytes = entry->used_bytes,
			.hidden_bytes = entry->hidden_bytes,
			.is_stranger = entry->kind == STATE_STRANGER,
		};
	}
	state_unlock(state);
	return count;
}
