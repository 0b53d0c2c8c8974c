/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "sim/fault.h"
#include "sim/result.h"

static bool is_symbol(const char *symbol)
{
	return !strcmp(symbol, "cuInit") || !strcmp(symbol, "cuCtxCreate_v2");
}

static struct fault_list parsed(const char *text)
{
	struct fault_list list = { 0 };
	struct err err = { "" };

	if (fault_list_parse(&list, text, is_symbol, &err) < 0)
		fail_msg("%s", err.text);
	return list;
}

static struct fault_identity sample(uint64_t number, uint64_t attempt)
{
	return (struct fault_identity){ .process = number, .attempt = attempt };
}

static void kinds_and_values_are_read(void **state)
{
	static const struct {
		const char *text;
		enum fault_kind kind;
		uint64_t value;
	} cases[] = {
		{ "refuse@1:1", FAULT_REFUSE, 1 },
		{ "refuse=801@1:1", FAULT_REFUSE, 801 },
		{ "refuse=CUDA_ERROR_NOT_SUPPORTED@1:1", FAULT_REFUSE, 801 },
		{ "oom@1:1", FAULT_OOM, 0 },
		{ "hang@1:1", FAULT_HANG, 0 },
		{ "abort@1:1", FAULT_ABORT, 0 },
		{ "stranger=12345@1:1", FAULT_STRANGER, 12345 },
		{ "stranger=64M@1:1", FAULT_STRANGER, 67108864 },
		{ "stranger-free=1K@1:1", FAULT_STRANGER_FREE, 1024 },
		{ "stranger-blink=2G@1:1", FAULT_STRANGER_BLINK, UINT64_C(2147483648) },
		{ "slow-release=250@1:1", FAULT_SLOW_RELEASE, 250 },
		{ "quiet-nvml@1:1", FAULT_QUIET_NVML, 0 },
		{ "foreign-pids@1:1", FAULT_FOREIGN_PIDS, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct fault_list list = parsed(cases[i].text);

		assert_int_equal(list.count, 1);
		assert_int_equal(list.faults[0].kind, cases[i].kind);
		assert_int_equal(list.faults[0].value, cases[i].value);
		fault_list_free(&list);
	}
}

static void bad_faults_are_named(void **state)
{
	static const char *const cases[] = {
		"refuse",
		"refuse@1",
		"refuse:1",
		"refuse:1@1",
		"@1:1",
		"@:",
		"explode@1:1",
		"refuse=CUDA_SUCCESS@1:1",
		"refuse=0@1:1",
		"refuse=12345@1:1",
		"refuse=CUDA_ERROR_NOPE@1:1",
		"refuse=@1:1",
		"oom=1@1:1",
		"oom=@1:1",
		"hang=5@1:1",
		"stranger@1:1",
		"stranger=@1:1",
		"stranger=-1@1:1",
		"stranger=many@1:1",
		"slow-release=1K@1:1",
		"oom@0:1",
		"oom@-1:1",
		"oom@ 1:1",
		"oom@watcher:1",
		"oom@1.0:1",
		"oom@1.:1",
		"oom@1.x:1",
		"oom@1:0",
		"oom@1:",
		"oom@1:cuNothing",
		"oom@1:cuInit#",
		"oom@1:cuInit#0",
		"oom@1:cuInit#x",
		"oom@1:*",
		"oom@1:99999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct fault_list list = { .count = 77 };
		struct err err = { "" };
		char text[128];

		/* A good neighbour does not save it. */
		snprintf(text, sizeof text, "oom@1:1;%s", cases[i]);
		if (fault_list_parse(&list, text, is_symbol, &err) != -EINVAL)
			fail_msg("\"%s\" is accepted", cases[i]);
		assert_int_equal(list.count, 77);
		assert_non_null(strstr(err.text, cases[i]));
	}
}

static void an_empty_list_is_one(void **state)
{
	struct fault_list list = parsed("");

	(void)state;
	assert_int_equal(list.count, 0);
	fault_list_free(&list);
	list = parsed("oom@1:1;;hang@2:2;");
	assert_int_equal(list.count, 2);
	fault_list_free(&list);
}

static bool meets(const char *text, struct fault_identity identity, const char *symbol,
		  uint64_t call)
{
	struct fault_list list = parsed(text);
	bool does = fault_meets(&list.faults[0], &identity, symbol, call);

	fault_list_free(&list);
	return does;
}

static void process_and_attempt_are_told_apart(void **state)
{
	const struct fault_identity observer = sample(FAULT_OBSERVER, 1);
	const struct fault_identity nobody = sample(FAULT_NOBODY, 1);

	(void)state;
	assert_true(meets("oom@2:1", sample(2, 1), "cuInit", 1));
	assert_false(meets("oom@2:1", sample(1, 1), "cuInit", 1));
	assert_false(meets("oom@2:1", sample(2, 2), "cuInit", 1));
	assert_true(meets("oom@2.2:1", sample(2, 2), "cuInit", 1));
	assert_true(meets("oom@2.*:1", sample(2, 9), "cuInit", 1));
	assert_true(meets("oom@*.*:1", sample(7, 9), "cuInit", 1));
	assert_false(meets("oom@*:1", sample(7, 9), "cuInit", 1));
	assert_true(meets("oom@*:1", observer, "cuInit", 1));
	assert_true(meets("oom@observer:1", observer, "cuInit", 1));
	assert_false(meets("oom@observer:1", sample(1, 1), "cuInit", 1));
	assert_false(meets("oom@1:1", observer, "cuInit", 1));
	assert_true(meets("oom@*:1", nobody, "cuInit", 1));
	assert_false(meets("oom@1:1", nobody, "cuInit", 1));
}

static void calls_are_counted(void **state)
{
	struct fault_identity one = sample(1, 1);
	struct fault_list list = parsed("oom@1:cuCtxCreate_v2#2;oom@1:cuCtxCreate_v2;oom@1:4");
	/* What each fault does at each call. */
	static const struct {
		const char *symbol;
		bool meets[3];
	} calls[] = {
		{ "cuInit", { false, false, false } },
		{ "cuCtxCreate_v2", { false, true, false } },
		{ "cuCtxCreate_v2", { true, true, false } },
		{ "cuInit", { false, false, true } },
		{ "cuCtxCreate_v2", { false, true, false } },
	};

	(void)state;
	for (size_t call = 0; call < ARRAY_COUNT(calls); call++)
		for (size_t i = 0; i < list.count; i++)
			assert_int_equal(
				fault_meets(&list.faults[i], &one, calls[call].symbol, call + 1),
				calls[call].meets[i]);
	fault_list_free(&list);
}

static void identities_are_read(void **state)
{
	struct fault_identity identity;

	(void)state;
	assert_int_equal(fault_identity_parse(&identity, NULL, NULL, NULL), 0);
	assert_true(identity.process == FAULT_NOBODY && identity.attempt == 1);
	assert_int_equal(fault_identity_parse(&identity, "observer", NULL, NULL), 0);
	assert_true(identity.process == FAULT_OBSERVER);
	assert_int_equal(fault_identity_parse(&identity, "12", "3", NULL), 0);
	assert_true(identity.process == 12 && identity.attempt == 3);
	assert_int_equal(fault_identity_parse(&identity, "0", NULL, NULL), -EINVAL);
	assert_int_equal(fault_identity_parse(&identity, "*", NULL, NULL), -EINVAL);
	assert_int_equal(fault_identity_parse(&identity, "", NULL, NULL), -EINVAL);
	assert_int_equal(fault_identity_parse(&identity, "1", "0", NULL), -EINVAL);
	assert_int_equal(fault_identity_parse(&identity, "1", "*", NULL), -EINVAL);
}

static void results_have_names(void **state)
{
	int result = -1;

	(void)state;
	assert_string_equal(result_name(0), "CUDA_SUCCESS");
	assert_string_equal(result_name(2), "CUDA_ERROR_OUT_OF_MEMORY");
	assert_null(result_name(-1));
	assert_null(result_name(12345));
	assert_int_equal(result_parse("CUDA_ERROR_INVALID_CONTEXT", &result), 0);
	assert_int_equal(result, 201);
	assert_int_equal(result_parse("201x", &result), -EINVAL);
	assert_int_equal(result_parse("", &result), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_and_values_are_read),
		cmocka_unit_test(bad_faults_are_named),
		cmocka_unit_test(an_empty_list_is_one),
		cmocka_unit_test(process_and_attempt_are_told_apart),
		cmocka_unit_test(calls_are_counted),
		cmocka_unit_test(identities_are_read),
		cmocka_unit_test(results_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
