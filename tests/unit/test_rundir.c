/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "harness/clock.h"
#include "harness/process.h"
#include "harness/resume.h"
#include "harness/rundir.h"

static char folder[] = "/tmp/cuctx-test-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static const struct {
	const char *gpu;
	const char *driver;
	bool is_simulated;
	const char *name; /* less the time */
} names[] = {
	{ "NVIDIA H200", "580.159.04", false, "nvidia-h200_580.159.04_" },
	{ "NVIDIA H200", "580.159.04", true, "simulated-nvidia-h200_580.159.04_" },
	{ "  Odd (GPU)/../x, 17 SMs!  ", "777", false, "odd-gpu-..-x-17-sms_777_" },
	{ "NVIDIA RTX A6000", "", false, "nvidia-rtx-a6000_unknown-driver_" },
	{ "a_b", "1_2", false, "a-b_1-2_" }, /* underscores part the name */
};

static void assert_time(const char *text, const char *started)
{
	assert_int_equal(strlen(text), strlen("20260131T235959Z"));
	for (size_t i = 0; text[i]; i++)
		assert_true(i == 8    ? text[i] == 'T'
			    : i == 15 ? text[i] == 'Z'
				      : text[i] >= '0' && text[i] <= '9');
	assert_string_equal(text, started);
}

static void a_directory_is_named_after_what_was_measured(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct observer_facts facts = { .is_simulated = names[i].is_simulated };
		char started[RUNDIR_TIME_MAX];
		struct rundir rundir = { .out_lock = -1, .lock = -1 };
		size_t length = strlen(names[i].name);
		struct err err = { "" };

		snprintf(facts.device.name, sizeof facts.device.name, "%s", names[i].gpu);
		snprintf(facts.driver_release, sizeof facts.driver_release, "%s", names[i].driver);
		if (rundir_make(&rundir, folder, &facts, started, &err) < 0)
			fail_msg("%s: %s", names[i].gpu, err.text);
		if (strncmp(rundir.name, names[i].name, length) != 0)
			fail_msg("%s is not called %s", rundir.name, names[i].name);
		assert_time(rundir.name + length, started);
		assert_null(strchr(rundir.name, '/'));
		assert_int_equal(rmdir(rundir.path), 0);
		rundir_close(&rundir);
	}
}

static void the_same_second_makes_another_directory(void **state)
{
	struct observer_facts facts = { .device.name = "x", .driver_release = "1" };
	char first_started[RUNDIR_TIME_MAX], second_started[RUNDIR_TIME_MAX];
	struct rundir first = { .out_lock = -1, .lock = -1 }, second = first;

	(void)state;
	assert_int_equal(rundir_make(&first, folder, &facts, first_started, NULL), 0);
	assert_int_equal(rundir_make(&second, folder, &facts, second_started, NULL), 0);
	assert_string_not_equal(first.name, second.name);
	assert_string_not_equal(first_started, second_started);
	rmdir(first.path);
	rmdir(second.path);
	rundir_close(&first);
	rundir_close(&second);
}

static void one_run_at_a_time(void **state)
{
	struct rundir first, second, third;
	struct err err = { "" };

	(void)state;
	assert_int_equal(rundir_lock_out(&first, folder, NULL), 0);
	assert_int_equal(rundir_lock_out(&second, folder, &err), -EBUSY);
	assert_non_null(strstr(err.text, folder));
	rundir_close(&second);
	rundir_close(&first);
	assert_int_equal(rundir_lock_out(&second, folder, NULL), 0);
	rundir_close(&second);
	assert_int_equal(rundir_open(&first, folder, NULL), 0);
	assert_string_equal(first.path, folder);
	assert_string_equal(first.name, strrchr(folder, '/') + 1);
	assert_int_equal(rundir_open(&third, folder, &err), -EBUSY);
	rundir_close(&third);
	rundir_close(&first);
}

static void stay_a_while(int socket, void *data)
{
	(void)socket;
	(void)data;
	clock_sleep_ns(100000000u);
}

/* A run that was killed: what it had started holds the lock until it is gone. */
static void the_last_process_of_a_run_is_waited_for(void **state)
{
	struct rundir killed, next;
	struct child child;
	struct child_exit how;

	(void)state;
	assert_int_equal(rundir_lock_out(&killed, folder, NULL), 0);
	assert_int_equal(child_start(&child, stay_a_while, NULL, NULL), 0);
	rundir_close(&killed);
	assert_int_equal(rundir_lock_out(&next, folder, NULL), 0);
	assert_int_equal(child_end(&child, 0, &how), 0);
	rundir_close(&next);
}

static void what_is_above_is_made_too(void **state)
{
	char out[128], parent[64];
	struct rundir rundir;
	struct stat status;

	(void)state;
	snprintf(parent, sizeof parent, "%s/a b", folder);
	snprintf(out, sizeof out, "%s//c/", parent);
	assert_int_equal(rundir_lock_out(&rundir, out, NULL), 0);
	assert_int_equal(stat(out, &status), 0);
	rundir_close(&rundir);
	assert_int_equal(rmdir(out), 0);
	assert_int_equal(rmdir(parent), 0);
	assert_int_equal(rundir_lock_out(&rundir, "", NULL), -EINVAL);
	rundir_close(&rundir);
	assert_int_equal(rundir_open(&rundir, out, NULL), -ENOENT);
	rundir_close(&rundir);
}

static void some_commits_do_not_tell_what_was_built(void **state)
{
	(void)state;
	assert_true(resume_commit_is_telling("fecf0b2"));
	assert_true(resume_commit_is_telling("d"));
	assert_false(resume_commit_is_telling("fecf0b2-dirty"));
	assert_false(resume_commit_is_telling("-dirty"));
	assert_false(resume_commit_is_telling("unknown"));
	assert_false(resume_commit_is_telling(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_directory_is_named_after_what_was_measured),
		cmocka_unit_test(the_same_second_makes_another_directory),
		cmocka_unit_test(one_run_at_a_time),
		cmocka_unit_test(the_last_process_of_a_run_is_waited_for),
		cmocka_unit_test(what_is_above_is_made_too),
		cmocka_unit_test(some_commits_do_not_tell_what_was_built),
	};

	return cmocka_run_group_tests_name("harness/rundir", tests, make_folder, remove_folder);
}
