/* SPDX-License-Identifier: MIT */
/*
 * Processes that do something, then wait to be ended: child_start() returns when the child has done
 * it -> child_end(), or child_kill() and child_reap() to look in between.
 */
#ifndef TESTS_SIM_CHILDREN_H
#define TESTS_SIM_CHILDREN_H

#include "tests/unit/check.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* `act` returns whether all went well. The child stops itself behind it. */
static inline pid_t child_start(bool (*act)(const void *argument), const void *argument)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid) {
		if (!act(argument))
			_exit(1);
		raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	if (!WIFSTOPPED(status))
		fail_msg("the child ended: status %#x", (unsigned int)status);
	return pid;
}

static inline void child_reap(pid_t pid)
{
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Returns when the process is a zombie. */
static inline void child_kill(pid_t pid)
{
	siginfo_t info;

	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

/* Lets it leave in good order. */
static inline void child_end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGCONT), 0);
	child_reap(pid);
}

/* Runs `act` to its end in a process of its own; fails unless that went well. */
static inline void child_run(bool (*act)(const void *argument), const void *argument)
{
	child_end(child_start(act, argument));
}

#endif
