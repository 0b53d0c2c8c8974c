/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "harness/demangle.h"

static void expect(struct demangler *demangler, const char *mangled, const char *expected)
{
	char *name = demangler_name(demangler, mangled);

	assert_non_null(name);
	assert_string_equal(name, expected);
	free(name);
}

static bool has_cxx_runtime(struct demangler *demangler)
{
	char *name = demangler_name(demangler, "_Z1fv");
	bool has = !strcmp(name, "f()");

	free(name);
	return has;
}

/* _Z1f with n arguments, each of them a template of the one before, twice. */
static char *explosion(unsigned int levels)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct text text = { 0 };
	char *name;

	text_add(&text, "_Z1fI1AIiE");
	for (unsigned int i = 0; i < levels; i++)
		text_format(&text, "S0_IS%c_S%c_E", digits[i + 1], digits[i + 1]);
	text_add(&text, "EvT_");
	assert_int_equal(text_take(&text, &name, NULL), 0);
	return name;
}

static void names_are_as_in_the_source(void **state)
{
	struct demangler demangler;

	(void)state;
	demangler_init(&demangler);
	if (!has_cxx_runtime(&demangler)) {
		demangler_free(&demangler);
		skip();
	}
	expect(&demangler, "_Z3addPf", "add(float*)");
	expect(&demangler, "_Z4fillIfLi4EEvPT_", "void fill<float, 4>(float*)");
	expect(&demangler, "_ZN12_GLOBAL__N_11kEv", "(anonymous namespace)::k()");
	for (int i = 0; i < 1000; i++)
		expect(&demangler, "_Z3addPf", "add(float*)");
	demangler_free(&demangler);
}

static void what_is_not_mangled_stays(void **state)
{
	static const char *const names[] = {
		"",      "add",       "_",  "_Z",   "_Zzz",
		"_Z3ad", "__Z3addPf", "Pf", "a\nb", "_Z99999999999999999999x",
		"_Z\n"
	};
	struct demangler demangler;

	(void)state;
	demangler_init(&demangler);
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		expect(&demangler, names[i], names[i]);
	demangler_free(&demangler);
}

static void a_name_beyond_the_limit_stays(void **state)
{
	char *name = malloc(DEMANGLE_BYTES_MAX + 2);
	struct demangler demangler;

	(void)state;
	assert_non_null(name);
	demangler_init(&demangler);
	memset(name, 'Z', DEMANGLE_BYTES_MAX + 1);
	name[0] = '_';
	for (size_t length = DEMANGLE_BYTES_MAX + 1; length >= DEMANGLE_BYTES_MAX - 1; length--) {
		name[length] = '\0';
		expect(&demangler, name, name);
	}
	demangler_free(&demangler);
	free(name);
}

/* 2 to the 34th names in one: it is given up, and so are the names behind too many of these. */
static void a_name_that_explodes_costs_little(void **state)
{
	char *hostile = explosion(34), *large = explosion(13);
	struct demangler demangler;

	(void)state;
	demangler_init(&demangler);
	if (!has_cxx_runtime(&demangler))
		goto free_names;
	expect(&demangler, large, large);
	for (int i = 0; i < DEMANGLE_FAILURES_MAX; i++) {
		expect(&demangler, "_Z3addPf", "add(float*)");
		expect(&demangler, hostile, hostile);
	}
	expect(&demangler, "_Z3addPf", "_Z3addPf");
free_names:
	demangler_free(&demangler);
	free(hostile);
	free(large);
}

static void a_child_that_is_gone_is_replaced(void **state)
{
	struct demangler demangler;

	(void)state;
	demangler_init(&demangler);
	if (has_cxx_runtime(&demangler)) {
		kill(demangler.child.pid, SIGKILL);
		expect(&demangler, "_Z3addPf", "_Z3addPf");
		expect(&demangler, "_Z3addPf", "add(float*)");
	}
	demangler_free(&demangler);
}

static void without_the_cxx_runtime_names_stay(void **state)
{
	struct demangler demangler;

	(void)state;
	setenv("CUCTX_LIBSTDCXX", "/nonexistent/libstdc++.so.6", 1);
	demangler_init(&demangler);
	expect(&demangler, "_Z3addPf", "_Z3addPf");
	assert_false(demangler.is_running);
	expect(&demangler, "_Z3addPf", "_Z3addPf");
	demangler_free(&demangler);
	unsetenv("CUCTX_LIBSTDCXX");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_as_in_the_source),
		cmocka_unit_test(what_is_not_mangled_stays),
		cmocka_unit_test(a_name_beyond_the_limit_stays),
		cmocka_unit_test(a_name_that_explodes_costs_little),
		cmocka_unit_test(a_child_that_is_gone_is_replaced),
		cmocka_unit_test(without_the_cxx_runtime_names_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
