/* SPDX-License-Identifier: MIT */
#include "harness/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/clock.h"

/* Signals reach us between polls, so none waits longer than this. */
#define POLL_SLICE_MS    100
#define REAP_POLL_NS     200000u
#define KILLED_WAIT_NS   30000000000u
#define EXIT_CODE_ORPHAN 126

static void silence_stdout(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		close(null);
	}
}

static void child_main(pid_t parent, int socket, void (*body)(int socket, void *data), void *data)
{
	static const int reset[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

	/* A group of its own, so that an interrupt at the terminal reaches the parent alone. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_CODE_ORPHAN);
	for (size_t i = 0; i < sizeof reset / sizeof reset[0]; i++)
		signal(reset[i], SIG_DFL);
	silence_stdout();
	body(socket, data);
	_exit(0);
}

int child_start(struct child *child, void (*body)(int socket, void *data), void *data,
		struct err *reterr)
{
	pid_t parent = getpid(), pid;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(reterr, errno, "socketpair");
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return err_errno(reterr, errno, "fork");
	}
	if (!pid) {
		close(ends[0]);
		child_main(parent, ends[1], body, data);
	}
	close(ends[1]);
	*child = (struct child){ .pid = pid, .socket = ends[0] };
	return 0;
}

static int slice_ms(uint64_t deadline_ns)
{
	uint64_t now_ns = clock_ns();
	uint64_t left_ms = now_ns < deadline_ns ? (deadline_ns - now_ns + 999999) / 1000000 : 0;

	return left_ms < POLL_SLICE_MS ? (int)left_ms : POLL_SLICE_MS;
}

int child_receive(const struct child *child, void *message, size_t size, uint64_t deadline_ns,
		  const volatile sig_atomic_t *interrupted)
{
	struct pollfd poll_for = { .fd = child->socket, .events = POLLIN };

	for (;;) {
		int wait_ms = slice_ms(deadline_ns);
		int ready = poll(&poll_for, 1, wait_ms);
		ssize_t got;

		if (interrupted && *interrupted)
			return -EINTR;
		if (!ready && !wait_ms)
			return -ETIMEDOUT;
		if (ready <= 0)
			continue;
		got = recv(child->socket, message, size, 0);
		return got < 0 ? 0 : (int)got;
	}
}

int child_send(const struct child *child, const void *message, size_t size)
{
	return send(child->socket, message, size, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

size_t socket_receive_some(int socket, void *message, size_t size)
{
	ssize_t got;

	do
		got = recv(socket, message, size, 0);
	while (got < 0 && errno == EINTR);
	return got > 0 ? (size_t)got : 0;
}

bool socket_receive(int socket, void *message, size_t size)
{
	return socket_receive_some(socket, message, size) == size;
}

bool socket_send(int socket, const void *message, size_t size)
{
	return send(socket, message, size, MSG_NOSIGNAL) == (ssize_t)size;
}

/* True when it has been reaped. */
static bool try_reap(pid_t pid, uint64_t deadline_ns, int *ret_status)
{
	pid_t reaped;

	while (!(reaped = waitpid(pid, ret_status, WNOHANG)) && clock_ns() < deadline_ns)
		clock_sleep_ns(REAP_POLL_NS);
	return reaped == pid;
}

int child_end(struct child *child, uint64_t deadline_ns, struct child_exit *ret_exit)
{
	int status = 0;
	bool reaped = try_reap(child->pid, deadline_ns, &status), was_late = !reaped;

	if (was_late) {
		kill(child->pid, SIGKILL);
		reaped = try_reap(child->pid, clock_ns() + KILLED_WAIT_NS, &status);
	}
	close(child->socket);
	child->socket = -1;
	if (!reaped)
		return -ETIMEDOUT;
	*ret_exit = (struct child_exit){ .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
					 .exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
					 .was_late = was_late,
					 .reaped_ns = clock_ns() };
	return 0;
}
