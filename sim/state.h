/* SPDX-License-Identifier: MIT */
/*
 * The device's memory as all processes of a run share it: a small file, mapped, that says who holds
 * how much. Whoever looks first takes the dead off the list, so that nothing depends on an orderly
 * end.
 *
 * state_open() -> state_join() to hold memory -> state_adjust() … -> state_close(). Every function
 * locks for itself; a process killed in the middle leaves a state that the next one can use, since
 * all sums are made anew from single fields.
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "sim/profile.h"

#define STATE_PROCESSES_MAX 128

struct process_id;
struct state;

/* A place in the list of processes. */
typedef size_t state_slot;

/*
 * Opens the file, or makes it where there is none. Returns 0, -errno of the file, or -EBADMSG when
 * it is no such file or belongs to a device of another profile.
 */
int state_open(struct state **ret_state, const char *path, const struct profile *profile,
	       struct err *reterr);
void state_close(struct state *state);

/* Enters a process. Returns 0, or -ENOSPC when STATE_PROCESSES_MAX are alive. */
int state_join(struct state *state, const struct process_id *id, state_slot *ret_slot);

/* By how much a process's share changes; negative: given back. */
struct state_change {
	int64_t bytes;
	int contexts;
	uint64_t spare_bytes; /* that must be free besides, where it grows */
	int64_t hidden_bytes; /* of these bytes, what NVML does not count as the process's */
	/* Likewise of managed memory, which comes out of a pool that is no process's. What is given
	 * back does not go there, but to the device. */
	int64_t managed_bytes;
};

/* All of it or, with -ENOMEM, nothing. */
int state_adjust(struct state *state, state_slot slot, struct state_change change);

/* Memory of the device that is not free, whoever holds it. */
uint64_t state_used_bytes(struct state *state);

/* From now on, what this process gives back, at its end too, is free only so much later. */
void state_delay_release(struct state *state, state_slot slot, uint64_t delay_ns);

/* From now on, and for all, NVML does not tell the bytes of single processes. */
void state_set_quiet(struct state *state);
bool state_is_quiet(struct state *state);

/* From now on, and for all, NVML knows processes by the numbers of another namespace. */
void state_set_foreign_pids(struct state *state);

struct state_holder {
	pid_t pid;
	uint64_t used_bytes;
	uint64_t hidden_bytes;
	bool is_stranger;
};

/* Added to numbers of another namespace: beyond those of strangers. */
#define STATE_FOREIGN_PID_OFFSET 8388608

/* Who has a context, or is a stranger that holds memory. Returns how many there are. */
size_t state_holders(struct state *state, struct state_holder holders[STATE_PROCESSES_MAX]);

/* ---- sim/state_stranger.c: processes that are not there ---- */

/*
 * A stranger is in no process table: its number is above the largest that Linux gives. It takes
 * what it asks for, or what is left. state_stranger_take() adds to the one that stays for the whole
 * run; state_blink_begin() makes another that ends with state_blink_end() or with its owner.
 */
#define STATE_STRANGER_PID_FIRST 4194305

int state_stranger_take(struct state *state, uint64_t bytes);
void state_stranger_give(struct state *state, uint64_t bytes);
int state_blink_begin(struct state *state, uint64_t bytes, state_slot owner, state_slot *ret_slot);
void state_blink_end(struct state *state, state_slot slot);

#endif
