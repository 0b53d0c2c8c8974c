/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/process.h"

#define SECOND_NS 1000000000u
#define SOON_NS   50000000u

#define MESSAGE_BYTES 32

static void say_hello(int socket, void *data)
{
	socket_send(socket, data, strlen(data) + 1);
}

static void echo(int socket, void *data)
{
	char message[MESSAGE_BYTES];

	(void)data;
	while (socket_receive(socket, message, sizeof message))
		socket_send(socket, message, sizeof message);
}

static void sleep_long(int socket, void *data)
{
	(void)socket;
	(void)data;
	clock_sleep_ns(60 * (uint64_t)SECOND_NS);
}

static void leave(int socket, void *data)
{
	(void)socket;
	_exit(*(int *)data);
}

static void get_signal(int socket, void *data)
{
	(void)socket;
	signal(*(int *)data, SIG_DFL);
	raise(*(int *)data);
	for (;;)
		pause();
}

/* Whether standard output leads to nobody, and which group this is. */
static void tell_about_itself(int socket, void *data)
{
	struct {
		char output[32];
		pid_t group;
	} message = { "", getpgrp() };
	ssize_t length = readlink("/proc/self/fd/1", message.output, sizeof message.output - 1);

	(void)data;
	message.output[length > 0 ? length : 0] = '\0';
	socket_send(socket, &message, sizeof message);
}

static struct child start(void (*body)(int socket, void *data), void *data)
{
	struct child child;

	assert_int_equal(child_start(&child, body, data, NULL), 0);
	return child;
}

static struct child_exit end(struct child *child, uint64_t patience_ns)
{
	struct child_exit how;

	assert_int_equal(child_end(child, clock_ns() + patience_ns, &how), 0);
	assert_int_equal(child->socket, -1);
	return how;
}

static void a_message_arrives_whole_and_then_the_end(void **state)
{
	char text[] = "hello", message[64];
	struct child child = start(say_hello, text);
	struct child_exit how;
	uint64_t deadline_ns = clock_ns() + 10 * (uint64_t)SECOND_NS;

	(void)state;
	assert_int_equal(child_receive(&child, message, sizeof message, deadline_ns, NULL), 6);
	assert_string_equal(message, "hello");
	assert_int_equal(child_receive(&child, message, sizeof message, deadline_ns, NULL), 0);
	how = end(&child, SECOND_NS);
	assert_int_equal(how.signal, 0);
	assert_int_equal(how.exit_code, 0);
	assert_false(how.was_late);
}

static void messages_keep_their_boundaries(void **state)
{
	struct child child = start(echo, NULL);
	char sent[MESSAGE_BYTES], got[2 * MESSAGE_BYTES];

	(void)state;
	for (int i = 0; i < 100; i++) {
		snprintf(sent, sizeof sent, "message %d", i);
		assert_int_equal(child_send(&child, sent, sizeof sent), 0);
		assert_int_equal(child_receive(&child, got, sizeof got,
					       clock_ns() + 10 * (uint64_t)SECOND_NS, NULL),
				 sizeof sent);
		assert_string_equal(got, sent);
	}
	end(&child, 0);
	assert_int_equal(child_send(&child, sent, sizeof sent) < 0, 1);
}

static void silence_ends_at_the_deadline(void **state)
{
	struct child child = start(sleep_long, NULL);
	uint64_t start_ns = clock_ns(), waited_ns;
	struct child_exit how;
	char message[8];

	(void)state;
	assert_int_equal(child_receive(&child, message, sizeof message, start_ns + SOON_NS, NULL),
			 -ETIMEDOUT);
	waited_ns = clock_ns() - start_ns;
	assert_true(waited_ns >= SOON_NS && waited_ns < 5 * (uint64_t)SECOND_NS);
	how = end(&child, SOON_NS);
	assert_int_equal(how.signal, SIGKILL);
	assert_true(how.was_late);
	assert_true(how.reaped_ns > start_ns + SOON_NS);
}

static void an_interrupt_ends_the_wait(void **state)
{
	volatile sig_atomic_t interrupted = 1;
	struct child child = start(sleep_long, NULL);
	char message[8];

	(void)state;
	assert_int_equal(child_receive(&child, message, sizeof message,
				       clock_ns() + 60 * (uint64_t)SECOND_NS, &interrupted),
			 -EINTR);
	end(&child, 0);
}

static void the_way_it_ended_is_told(void **state)
{
	static const int codes[] = { 0, 1, 77, 255 };
	static const int signals[] = { SIGABRT, SIGTERM, SIGKILL, SIGBUS };

	(void)state;
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
		int code = codes[i];
		struct child child = start(leave, &code);
		struct child_exit how = end(&child, 10 * (uint64_t)SECOND_NS);

		assert_int_equal(how.exit_code, code);
		assert_int_equal(how.signal, 0);
	}
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		int number = signals[i];
		struct child child = start(get_signal, &number);
		struct child_exit how = end(&child, 10 * (uint64_t)SECOND_NS);

		assert_int_equal(how.signal, number);
		assert_false(how.was_late);
	}
}

static void it_has_no_output_and_a_group_of_its_own(void **state)
{
	struct child child = start(tell_about_itself, NULL);
	struct {
		char output[32];
		pid_t group;
	} message;

	(void)state;
	assert_int_equal(child_receive(&child, &message, sizeof message,
				       clock_ns() + 10 * (uint64_t)SECOND_NS, NULL),
			 sizeof message);
	assert_string_equal(message.output, "/dev/null");
	assert_int_equal(message.group, child.pid);
	end(&child, SECOND_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_arrives_whole_and_then_the_end),
		cmocka_unit_test(messages_keep_their_boundaries),
		cmocka_unit_test(silence_ends_at_the_deadline),
		cmocka_unit_test(an_interrupt_ends_the_wait),
		cmocka_unit_test(the_way_it_ended_is_told),
		cmocka_unit_test(it_has_no_output_and_a_group_of_its_own),
	};

	return cmocka_run_group_tests_name("harness/process", tests, NULL, NULL);
}
