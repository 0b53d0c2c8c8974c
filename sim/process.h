/* SPDX-License-Identifier: MIT */
/*
 * Is a process that was seen before still alive? A number alone can be given to somebody else, so a
 * process is its number and the moment it started.
 */
#ifndef SIM_PROCESS_H
#define SIM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_id {
	pid_t pid;
	uint64_t start_ticks; /* since boot, as /proc/PID/stat has it */
};

/* Of the calling process. Returns 0 or -errno when /proc cannot be read. */
int process_self(struct process_id *ret_id);

/* A zombie is dead: its memory is gone, only its exit status waits. */
bool process_is_alive(const struct process_id *id);

#endif
