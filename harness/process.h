/* SPDX-License-Identifier: MIT */
/*
 * Child processes: the one place that forks. A child talks to its parent over a socket that keeps
 * message boundaries, dies with its parent, and leaves its standard output to nobody (device-side
 * printf would otherwise end up among our data).
 *
 * child_start() -> child_receive()/child_send() -> child_end() exactly once.
 */
#ifndef HARNESS_PROCESS_H
#define HARNESS_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct child {
	pid_t pid;
	int socket; /* the parent's end */
};

/* Runs `body` in a fresh process, which ends by _exit(0) when `body` returns. */
int child_start(struct child *child, void (*body)(int socket, void *data), void *data,
		struct err *reterr);

/*
 * One message, waiting until `deadline_ns` on the monotonic clock. Returns its size, 0 when the
 * child has closed its end, -ETIMEDOUT, or -EINTR once *interrupted is set (may be NULL).
 */
int child_receive(const struct child *child, void *message, size_t size, uint64_t deadline_ns,
		  const volatile sig_atomic_t *interrupted);

/* 0, or -errno when the child is gone. */
int child_send(const struct child *child, const void *message, size_t size);

/* The child's side: blocking; false when the parent is gone. */
bool socket_receive(int socket, void *message, size_t size);
/* A message of up to `size` bytes: how many it has, 0 when the parent is gone. */
size_t socket_receive_some(int socket, void *message, size_t size);
bool socket_send(int socket, const void *message, size_t size);

struct child_exit {
	int signal;         /* 0: it ended by itself … */
	int exit_code;      /* … with this */
	bool was_late;      /* it did not end in time and was killed */
	uint64_t reaped_ns; /* when the system had taken it apart */
};

/*
 * Waits until `deadline_ns` for the child to end by itself, then kills it (SIGKILL) and waits on.
 * Returns 0, or -ETIMEDOUT when even a killed child does not go away (stuck inside the kernel
 * driver).
 */
int child_end(struct child *child, uint64_t deadline_ns, struct child_exit *ret_exit);

#endif
