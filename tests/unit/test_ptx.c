/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "kernels/ptx.h"
#include "tests/unit/fail_memory.h"

#define HEAD ".version 6.3\n.target sm_75, debug\n.address_size 64\n"

static const char two_kernels[] = "/* a comment; with { marks */ // and another\n" HEAD
				  ".visible .entry alpha(.param .u64 p, .param .u64 q)\n"
				  "{\n"
				  "\t.reg .f32 %a, %b;\n"
				  "\t.reg .pred %p;\n"
				  "\tmov.f32 %a, 0f3F800000; mov.f32 %b, %a;\n"
				  "\t{\n"
				  "\t.param .b64 size;\n"
				  "\tst.param.b64 [size], 64;\n"
				  "\t}\n"
				  "\t@%p bra DONE;\n"
				  "\t// fma.rn.f32 %a, %a, %b, %b;\n"
				  "DONE:\n"
				  "\tret;\n"
				  "}\n"
				  ".entry beta(.param .u64 p) { ret; }\n";

static void kernels_and_their_instructions_are_found(void **state)
{
	struct cubin cubin;

	(void)state;
	assert_true(ptx_is_one(two_kernels));
	assert_int_equal(ptx_read(&cubin, two_kernels, NULL), 0);
	assert_int_equal(cubin.architecture, 75);
	assert_int_equal(cubin.kernel_count, 2);
	assert_string_equal(cubin.kernels[0].name, "alpha");
	assert_int_equal(cubin.kernels[0].instructions, 5);
	assert_string_equal(cubin.kernels[1].name, "beta");
	assert_int_equal(cubin.kernels[1].instructions, 1);
	cubin_free(&cubin);
}

static void what_wants_a_compiler_is_not_supported(void **state)
{
	static const char *const texts[] = {
		HEAD ".visible .global .align 1 .b8 data[4];\n",
		HEAD ".const .b8 data[4];\n",
		HEAD ".extern .func (.param .b64 block) malloc (.param .b64 size);\n",
		HEAD ".entry k() { .local .align 16 .b8 frame[16]; ret; }",
		HEAD ".entry k() { .shared .b8 tile[16]; ret; }",
	};
	struct cubin cubin;
	struct err err;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		assert_int_equal(ptx_read(&cubin, texts[i], &err), -ENOTSUP);
	assert_non_null(strstr(err.text, ".shared"));
}

static void what_is_no_ptx_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"\x7f"
		"ELF",
		"version 6.3",
		"/* .version */",
		"// no end",
		"/* no end",
		".version 6.3\n.entry k() { ret; }",
		".version 6.3\n.target",
		HEAD "}",
		HEAD "{ ret; }",
		HEAD ".entry k() {",
		HEAD ".entry k() { ret",
		HEAD ".entry k() { DONE:",
		HEAD ".entry k() { ret; } }",
	};
	struct cubin cubin;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		assert_int_equal(ptx_read(&cubin, texts[i], NULL), -EBADMSG);
}

/* On the heap and of exactly this size, so that a sanitizer sees a read behind the end. */
static void text_that_is_cut_is_survived(void **state)
{
	size_t refused = 0;

	(void)state;
	for (size_t cut = 0; cut < sizeof two_kernels - 1; cut++) {
		char *text = strndup(two_kernels, cut);
		struct cubin cubin;

		assert_non_null(text);
		if (!ptx_read(&cubin, text, NULL))
			cubin_free(&cubin);
		else
			refused++;
		free(text);
	}
	assert_true(refused > sizeof two_kernels / 2);
}

static void without_memory_nothing_is_left_behind(void **state)
{
	unsigned int call = 0;
	struct cubin cubin;
	bool failed;
	int r;

	(void)state;
	do {
		fail_memory_at(++call);
		r = ptx_read(&cubin, two_kernels, NULL);
		failed = fail_memory_end();
		assert_int_equal(r, failed ? -ENOMEM : 0);
	} while (failed);
	cubin_free(&cubin);
	assert_int_equal(call, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_and_their_instructions_are_found),
		cmocka_unit_test(what_wants_a_compiler_is_not_supported),
		cmocka_unit_test(what_is_no_ptx_is_refused),
		cmocka_unit_test(text_that_is_cut_is_survived),
		cmocka_unit_test(without_memory_nothing_is_left_behind),
	};

	return cmocka_run_group_tests_name("kernels/ptx", tests, NULL, NULL);
}
