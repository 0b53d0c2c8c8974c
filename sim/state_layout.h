/* SPDX-License-Identifier: MIT */
/* What the file of sim/state.h contains; for its implementation only. */
#ifndef SIM_STATE_LAYOUT_H
#define SIM_STATE_LAYOUT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/process.h"
#include "sim/profile.h"
#include "sim/state.h"

#define STATE_MAGIC    UINT64_C(0x31305f7873637563) /* "cucsx_01" */
#define STATE_LATE_MAX 64

enum state_kind {
	STATE_NOBODY, /* zero, so that a fresh file is an empty list */
	STATE_PROCESS,
	STATE_STRANGER,
};

struct state_entry {
	enum state_kind kind;
	struct process_id id;
	uint64_t used_bytes;
	uint64_t hidden_bytes; /* of these, from NVML */
	uint64_t context_count;
	uint64_t delay_ns;       /* of what it gives back */
	struct process_id owner; /* of a stranger that blinks; pid 0: it stays */
};

/* Given back, but not free yet. */
struct state_late {
	uint64_t bytes;
	uint64_t due_ns; /* CLOCK_MONOTONIC, which all processes share */
};

struct state {
	uint64_t magic; /* written last */
	struct profile profile;
	pthread_mutex_t lock;
	bool is_quiet;
	bool has_foreign_pids;
	uint64_t managed_pool_bytes; /* taken of the device, and not handed out yet */
	struct state_entry entries[STATE_PROCESSES_MAX];
	struct state_late late[STATE_LATE_MAX];
};

/* Locks, and takes the dead and what has become free off the lists. */
void state_lock(struct state *state);
void state_unlock(struct state *state);

/* The following want the lock. */

uint64_t state_sum_bytes(const struct state *state);
/* -ENOSPC when the list is full. */
int state_add(struct state *state, const struct state_entry *entry, state_slot *ret_slot);
/* Ends an entry; what it held becomes free after its delay. */
void state_remove(struct state *state, struct state_entry *entry);

#endif
