/* SPDX-License-Identifier: MIT */
#include "harness/demangle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "base/array.h"
#include "harness/clock.h"
#include "harness/library.h"

#define MANGLED_PREFIX "_Z"
#define NAME_CPU_US    300000       /* of the processor, for one name */
#define ANSWER_WAIT_NS 60000000000u /* by the clock, where others have the processor */
#define NO_ANSWER      '\0'         /* for what is no mangled name; no demangled one begins so */
#define READY          '\1'

static const char *const library_names[] = { "libstdc++.so.6", "libc++abi.so.1", NULL };

static const struct library cxx_runtime = { .what = "the C++ runtime",
					    .variable = "CUCTX_LIBSTDCXX",
					    .names = library_names,
					    .help = "names of kernels stay mangled" };

struct cxx_table {
	char *(*demangle)(const char *mangled, char *buffer, size_t *size, int *ret_status);
};

static const struct library_entry cxx_entries[] = {
	{ "__cxa_demangle", offsetof(struct cxx_table, demangle), true }
};

/* ---- the child ---- */

/* The signal that ends the time is not caught: it ends the child. */
static void allow_time(void)
{
	struct itimerval time = { .it_value.tv_usec = NAME_CPU_US };

	setitimer(ITIMER_PROF, &time, NULL);
}

static bool answer(int socket, const struct cxx_table *cxx, const char *mangled)
{
	static const char none = NO_ANSWER;
	char *name = cxx->demangle(mangled, NULL, NULL, NULL);
	size_t length = name ? strlen(name) : 0;
	bool sent = length && length < DEMANGLE_BYTES_MAX ? socket_send(socket, name, length)
							  : socket_send(socket, &none, sizeof none);

	free(name);
	return sent;
}

static void demangle_all(int socket, void *data)
{
	static const char ready = READY;
	struct rlimit no_core = { 0, 0 };
	char *mangled = malloc(DEMANGLE_BYTES_MAX);
	struct cxx_table cxx;
	void *handle;
	size_t length;

	(void)data;
	setrlimit(RLIMIT_CORE, &no_core);
	if (!mangled || library_open(&cxx_runtime, &handle, NULL) < 0 ||
	    library_fill(handle, cxx_entries, ARRAY_COUNT(cxx_entries), &cxx) ||
	    !socket_send(socket, &ready, sizeof ready))
		goto free_name;
	while ((length = socket_receive_some(socket, mangled, DEMANGLE_BYTES_MAX - 1))) {
		mangled[length] = '\0';
		allow_time();
		if (!answer(socket, &cxx, mangled))
			break;
	}
free_name:
	free(mangled);
}

/* ---- the parent ---- */

static void end(struct demangler *demangler)
{
	struct child_exit how;

	if (demangler->is_running)
		child_end(&demangler->child, 0, &how);
	demangler->is_running = false;
}

static size_t receive(struct demangler *demangler)
{
	int got = child_receive(&demangler->child, demangler->answer, DEMANGLE_BYTES_MAX,
				clock_ns() + ANSWER_WAIT_NS, NULL);

	return got > 0 ? (size_t)got : 0;
}

/* False where there is nobody who could demangle. */
static bool start(struct demangler *demangler)
{
	if (demangler->is_running)
		return true;
	if (demangler->failure_count >= DEMANGLE_FAILURES_MAX)
		return false;
	if (!demangler->answer)
		demangler->answer = malloc(DEMANGLE_BYTES_MAX);
	demangler->is_running =
		demangler->answer && child_start(&demangler->child, demangle_all, NULL, NULL) == 0;
	if (demangler->is_running && receive(demangler) == 1)
		return true;
	end(demangler);
	demangler->failure_count = DEMANGLE_FAILURES_MAX;
	return false;
}

/* Its length; 0 where the name stays as it is. */
static size_t ask(struct demangler *demangler, const char *mangled, size_t length)
{
	size_t got;

	if (!start(demangler))
		return 0;
	got = child_send(&demangler->child, mangled, length) < 0 ? 0 : receive(demangler);
	if (!got) {
		end(demangler);
		demangler->failure_count++;
	}
	return got && demangler->answer[0] != NO_ANSWER ? got : 0;
}

void demangler_init(struct demangler *demangler)
{
	*demangler = (struct demangler){ 0 };
}

char *demangler_name(struct demangler *demangler, const char *mangled)
{
	size_t length = strlen(mangled), got = 0;

	if (!strncmp(mangled, MANGLED_PREFIX, strlen(MANGLED_PREFIX)) &&
	    length < DEMANGLE_BYTES_MAX)
		got = ask(demangler, mangled, length);
	return got ? strndup(demangler->answer, got) : strdup(mangled);
}

void demangler_free(struct demangler *demangler)
{
	end(demangler);
	free(demangler->answer);
	*demangler = (struct demangler){ 0 };
}
