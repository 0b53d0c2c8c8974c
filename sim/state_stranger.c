/* SPDX-License-Identifier: MIT */
#include "sim/state.h"

#include "base/array.h"
#include "sim/state_layout.h"

static uint64_t what_is_left(const struct state *state, uint64_t bytes)
{
	uint64_t used_bytes = state_sum_bytes(state);
	uint64_t total_bytes = state->profile.total_bytes;
	uint64_t left = used_bytes < total_bytes ? total_bytes - used_bytes : 0;

	return bytes < left ? bytes : left;
}

static struct state_entry *find_staying(struct state *state)
{
	for (size_t i = 0; i < ARRAY_COUNT(state->entries); i++) {
		struct state_entry *entry = &state->entries[i];

		if (entry->kind == STATE_STRANGER && !entry->owner.pid)
			return entry;
	}
	return NULL;
}

static int add_stranger(struct state *state, struct process_id owner, state_slot *ret_slot)
{
	struct state_entry entry = { .kind = STATE_STRANGER, .owner = owner };
	int r = state_add(state, &entry, ret_slot);

	if (!r)
		state->entries[*ret_slot].id.pid = STATE_STRANGER_PID_FIRST + (pid_t)*ret_slot;
	return r;
}

int state_stranger_take(struct state *state, uint64_t bytes)
{
	struct state_entry *stranger;
	state_slot slot;
	int r = 0;

	state_lock(state);
	stranger = find_staying(state);
	if (!stranger) {
		r = add_stranger(state, (struct process_id){ 0 }, &slot);
		stranger = r < 0 ? NULL : &state->entries[slot];
	}
	if (stranger)
		stranger->used_bytes += what_is_left(state, bytes);
	state_unlock(state);
	return r;
}

void state_stranger_give(struct state *state, uint64_t bytes)
{
	struct state_entry *stranger;

	state_lock(state);
	stranger = find_staying(state);
	if (stranger)
		stranger->used_bytes -= bytes < stranger->used_bytes ? bytes : stranger->used_bytes;
	state_unlock(state);
}

int state_blink_begin(struct state *state, uint64_t bytes, state_slot owner, state_slot *ret_slot)
{
	int r;

	state_lock(state);
	r = add_stranger(state, state->entries[owner].id, ret_slot);
	if (!r)
		state->entries[*ret_slot].used_bytes = what_is_left(state, bytes);
	state_unlock(state);
	return r;
}

void state_blink_end(struct state *state, state_slot slot)
{
	state_lock(state);
	state_remove(state, &state->entries[slot]);
	state_unlock(state);
}
