/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"

static volatile sig_atomic_t program_pid;

static void pass_on(int number)
{
	int error = errno;

	if (program_pid > 0)
		kill((pid_t)program_pid, number);
	errno = error;
}

/*
 * What is done with signals while the program runs. SIGXFSZ is ignored here always: the program has
 * to have it as anybody does.
 */
static const struct {
	int number;
	bool is_passed_on; /* else it comes to the whole group by itself, and we go on */
} signals[] = { { SIGINT, false }, { SIGQUIT, false }, { SIGTERM, true },
		{ SIGHUP, true },  { SIGUSR1, true },  { SIGUSR2, true } };

/* Fills `ret_defaults` with those that the program is to have as they are by default. */
static void catch_signals(struct sigaction before[], sigset_t *ret_defaults)
{
	sigemptyset(ret_defaults);
	sigaddset(ret_defaults, SIGXFSZ);
	for (size_t i = 0; i < ARRAY_COUNT(signals); i++) {
		struct sigaction action = { .sa_handler =
						    signals[i].is_passed_on ? pass_on : SIG_IGN };

		sigaction(signals[i].number, NULL, &before[i]);
		if (before[i].sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i].number, &action, NULL);
		sigaddset(ret_defaults, signals[i].number);
	}
}

static void leave_signals(const struct sigaction before[])
{
	for (size_t i = 0; i < ARRAY_COUNT(signals); i++)
		sigaction(signals[i].number, &before[i], NULL);
}

static bool is_named(const char *entry, const char *variable)
{
	size_t length = (size_t)(strchr(variable, '=') - variable) + 1;

	return !strncmp(entry, variable, length);
}

static bool is_replaced(const char *entry, const char *const *variables)
{
	for (size_t i = 0; variables[i]; i++)
		if (is_named(entry, variables[i]))
			return true;
	return false;
}

/* The environment with the variables in it; the texts are not copied. */
static char **make_environment(const char *const *variables)
{
	size_t count = 0, used = 0;
	char **made;

	while (environ[count])
		count++;
	for (size_t i = 0; variables[i]; i++)
		count++;
	made = calloc(count + 1, sizeof *made);
	for (size_t i = 0; made && environ[i]; i++)
		if (!is_replaced(environ[i], variables))
			made[used++] = environ[i];
	for (size_t i = 0; made && variables[i]; i++)
		memcpy(&made[used++], &variables[i], sizeof *made);
	return made;
}

/* How the program begins: these signals as by default, and this mask. */
struct beginning {
	sigset_t defaults;
	sigset_t mask;
};

static int spawn(const struct program *program, const struct beginning *beginning, pid_t *ret_pid)
{
	char **made = make_environment(program->variables);
	posix_spawnattr_t attributes;
	int error;

	if (!made)
		return ENOMEM;
	error = posix_spawnattr_init(&attributes);
	if (error) {
		free(made);
		return error;
	}
	posix_spawnattr_setsigdefault(&attributes, &beginning->defaults);
	posix_spawnattr_setsigmask(&attributes, &beginning->mask);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	error = posix_spawnp(ret_pid, program->argv[0], NULL, &attributes, program->argv, made);
	posix_spawnattr_destroy(&attributes);
	free(made);
	return error;
}

static struct program_end wait_for(pid_t pid)
{
	struct program_end end = { 0 };
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		end.signal = WTERMSIG(status);
	else
		end.exit_code = WEXITSTATUS(status);
	return end;
}

int program_run(const struct program *program, struct program_end *ret_end, struct err *reterr)
{
	struct sigaction before[ARRAY_COUNT(signals)];
	struct beginning beginning;
	sigset_t all;
	pid_t pid;
	int error;

	/* A signal that comes before we know the program is for the program. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &beginning.mask);
	catch_signals(before, &beginning.defaults);
	error = spawn(program, &beginning, &pid);
	program_pid = error ? 0 : pid;
	sigprocmask(SIG_SETMASK, &beginning.mask, NULL);
	if (!error) {
		*ret_end = wait_for(pid);
		program_pid = 0;
	}
	leave_signals(before);
	return error ? err_errno(reterr, error, "%s", program->argv[0]) : 0;
}

int program_end_like(const struct program_end *end)
{
	if (end->signal) {
		/* One core file is enough. */
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		signal(end->signal, SIG_DFL);
		kill(getpid(), end->signal);
		return 128 + end->signal;
	}
	return end->exit_code;
}
