/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

static void the_value_is_minus_errno(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(err_set(&err, EINVAL, "no such axis: %s", "stak"), -EINVAL);
	assert_string_equal(err.text, "no such axis: stak");
	assert_int_equal(err_errno(&err, ENOENT, "%s", "a.csv"), -ENOENT);
	assert_string_equal(err.text, "a.csv: No such file or directory");
}

static void nobody_has_to_listen(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, EIO, "%s", "x"), -EIO);
	assert_int_equal(err_errno(NULL, EIO, "%s", "x"), -EIO);
}

/* The text ends up on a terminal and in a CSV: a hostile file name must not steer either. */
static void the_text_is_one_harmless_line(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, EINVAL, "a\nb\r\nc\td\x1b[31m\x7f and 5 µs");
	assert_string_equal(err.text, "a b  c d [31m  and 5 µs");
}

/* The reason matters more than the far end of a path. */
static void a_long_path_does_not_hide_the_reason(void **state)
{
	const char *reason = ": No space left on device";
	char path[4096];
	struct err err;

	(void)state;
	memset(path, 'x', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	assert_int_equal(err_errno(&err, ENOSPC, "%s", path), -ENOSPC);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
	assert_string_equal(err.text + strlen(err.text) - strlen(reason), reason);
	assert_non_null(strstr(err.text, "xxx...: No"));
	err_set(&err, EINVAL, "%s", path);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
	assert_string_equal(err.text + sizeof err.text - 5, "x...");
}

static void a_text_can_be_put_into_itself(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, EINVAL, "inner");
	err_set(&err, EINVAL, "outer: %s", err.text);
	assert_string_equal(err.text, "outer: inner");
	err_errno(&err, EIO, "outermost: %s", err.text);
	assert_string_equal(err.text, "outermost: outer: inner: Input/output error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_value_is_minus_errno),
		cmocka_unit_test(nobody_has_to_listen),
		cmocka_unit_test(the_text_is_one_harmless_line),
		cmocka_unit_test(a_long_path_does_not_hide_the_reason),
		cmocka_unit_test(a_text_can_be_put_into_itself),
	};

	return cmocka_run_group_tests_name("base/err", tests, NULL, NULL);
}
