/* SPDX-License-Identifier: MIT */
/*
 * Build tool: writes the PTX of one module of variants.def.
 *
 *   generate BODY KERNEL_COUNT AMOUNT ARCHITECTURE OUTPUT
 *
 * PTX instead of CUDA C++ because every body must be exactly what its row says: nothing folds the
 * FMAs together, and no host compiler has to suit the toolkit. Every kernel takes one pointer,
 * which benchmarks leave null; with a null pointer none writes anything but its own variables.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* The oldest target that every toolkit from 11.8 to 13 assembles; for older GPUs their own. */
#define TARGET_NEWEST 75

struct module {
	unsigned long kernel_count;
	unsigned long amount;
	unsigned long architecture;
};

struct body {
	const char *name;
	const char *declarations; /* %lu in it is the amount */
	void (*write)(FILE *ptx, const struct module *module);
	bool is_numbered; /* kernels are called kernel_0, kernel_1 … instead of kernel */
};

/* What follows this runs only with a pointer that is not null. */
static const char *const skip_when_null = "\tld.param.u64 %pointer, [p];\n"
					  "\tsetp.eq.u64 %is_null, %pointer, 0;\n"
					  "\t@%is_null bra DONE;\n";

static const char *const registers = "\t.reg .f32 %a, %b;\n"
				     "\t.reg .u64 %pointer, %block;\n"
				     "\t.reg .pred %is_null;\n";

static void write_empty(FILE *ptx, const struct module *module)
{
	(void)ptx;
	(void)module;
}

/* The store keeps the chain of FMAs alive for an assembler that would drop unused results. */
static void write_fmas(FILE *ptx, const struct module *module)
{
	fputs("\tmov.f32 %a, 0f3F800000;\n"
	      "\tmov.f32 %b, 0f3F000000;\n",
	      ptx);
	for (unsigned long i = 0; i < module->amount; i++)
		fputs("\tfma.rn.f32 %a, %a, %b, %b;\n", ptx);
	fprintf(ptx, "%s\tst.global.f32 [%%pointer], %%a;\n", skip_when_null);
}

/* An empty text: the call goes all the way, and nothing appears on anybody's terminal. */
static void write_printf(FILE *ptx, const struct module *module)
{
	(void)module;
	fputs("\t{\n"
	      "\t.param .b64 format;\n"
	      "\t.param .b64 arguments;\n"
	      "\t.param .b32 length;\n"
	      "\tmov.u64 %block, text;\n"
	      "\tcvta.global.u64 %block, %block;\n"
	      "\tst.param.b64 [format], %block;\n"
	      "\tst.param.b64 [arguments], 0;\n"
	      "\tcall.uni (length), vprintf, (format, arguments);\n"
	      "\t}\n",
	      ptx);
}

static void write_printf_linked(FILE *ptx, const struct module *module)
{
	fputs(skip_when_null, ptx);
	write_printf(ptx, module);
}

static void write_malloc(FILE *ptx, const struct module *module)
{
	(void)module;
	fputs("\t{\n"
	      "\t.param .b64 size;\n"
	      "\t.param .b64 block;\n"
	      "\tst.param.b64 [size], 64;\n"
	      "\tcall.uni (block), malloc, (size);\n"
	      "\tld.param.b64 %block, [block];\n"
	      "\t}\n"
	      "\t{\n"
	      "\t.param .b64 block;\n"
	      "\tst.param.b64 [block], %block;\n"
	      "\tcall.uni free, (block);\n"
	      "\t}\n",
	      ptx);
}

static void write_malloc_linked(FILE *ptx, const struct module *module)
{
	fputs(skip_when_null, ptx);
	write_malloc(ptx, module);
}

/* One thread of `child`, by the calls that a compiler makes of <<<1, 1>>>. */
static void write_launch(FILE *ptx, const struct module *module)
{
	(void)module;
	fputs("\t{\n"
	      "\t.param .b64 function;\n"
	      "\t.param .align 4 .b8 grid[12];\n"
	      "\t.param .align 4 .b8 threads[12];\n"
	      "\t.param .b32 shared;\n"
	      "\t.param .b64 arguments;\n"
	      "\tmov.u64 %block, child;\n"
	      "\tst.param.b64 [function], %block;\n"
	      "\tst.param.b32 [grid+0], 1;\n"
	      "\tst.param.b32 [grid+4], 1;\n"
	      "\tst.param.b32 [grid+8], 1;\n"
	      "\tst.param.b32 [threads+0], 1;\n"
	      "\tst.param.b32 [threads+4], 1;\n"
	      "\tst.param.b32 [threads+8], 1;\n"
	      "\tst.param.b32 [shared], 0;\n"
	      "\tcall.uni (arguments), __cudaCDP2GetParameterBufferV2, "
	      "(function, grid, threads, shared);\n"
	      "\tld.param.b64 %block, [arguments];\n"
	      "\t}\n"
	      "\tst.u64 [%block], 0;\n"
	      "\t{\n"
	      "\t.param .b64 arguments;\n"
	      "\t.param .b64 stream;\n"
	      "\t.param .b32 error;\n"
	      "\tst.param.b64 [arguments], %block;\n"
	      "\tst.param.b64 [stream], 0;\n"
	      "\tcall.uni (error), __cudaCDP2LaunchDeviceV2, (arguments, stream);\n"
	      "\t}\n",
	      ptx);
}

static void write_launch_linked(FILE *ptx, const struct module *module)
{
	fputs(skip_when_null, ptx);
	write_launch(ptx, module);
}

/* A stack frame: local memory at an address that only the argument decides, so that it stays. */
static void write_frame(FILE *ptx, const struct module *module)
{
	if (!module->amount)
		return;
	fprintf(ptx,
		"\t.local .align 16 .b8 frame[%lu];\n"
		"%s"
		"\trem.u64 %%block, %%pointer, %lu;\n"
		"\tmov.u64 %%pointer, frame;\n"
		"\tadd.u64 %%pointer, %%pointer, %%block;\n"
		"\tst.local.u8 [%%pointer], 1;\n",
		module->amount, skip_when_null, module->amount);
}

/* A byte of every page of the smallest size that there is, whatever the argument. */
static void write_managed(FILE *ptx, const struct module *module)
{
	fprintf(ptx,
		"\tmov.u64 %%block, data;\n"
		"\tadd.u64 %%pointer, %%block, %lu;\n"
		"TOUCH:\n"
		"\tst.global.u8 [%%block], 1;\n"
		"\tadd.u64 %%block, %%block, 4096;\n"
		"\tsetp.lt.u64 %%is_null, %%block, %%pointer;\n"
		"\t@%%is_null bra TOUCH;\n",
		module->amount);
}

/* As many nested calls as the argument says. */
static void write_recursion(FILE *ptx, const struct module *module)
{
	(void)module;
	fprintf(ptx,
		"%s"
		"\t{\n"
		"\t.param .b64 calls;\n"
		"\tst.param.b64 [calls], %%pointer;\n"
		"\tcall.uni descend, (calls);\n"
		"\t}\n",
		skip_when_null);
}

/*
 * Writes to its array before and after the call within, so that every call needs one of its own.
 * The place is the array's first byte, but no assembler knows that the count has no higher bits.
 */
#define RECURSION_DECLARATIONS                 \
	".func descend(.param .u64 calls)\n"   \
	"{\n"                                  \
	"\t.local .align 8 .b8 array[%lu];\n"  \
	"\t.reg .u64 %left, %place, %array;\n" \
	"\t.reg .pred %is_last;\n"             \
	"\tld.param.u64 %left, [calls];\n"     \
	"\tshr.u64 %place, %left, 32;\n"       \
	"\tmov.u64 %array, array;\n"           \
	"\tadd.u64 %place, %place, %array;\n"  \
	"\tst.local.u8 [%place], 1;\n"         \
	"\tsetp.le.u64 %is_last, %left, 1;\n"  \
	"\t@%is_last bra DONE;\n"              \
	"\tsub.u64 %left, %left, 1;\n"         \
	"\t{\n"                                \
	"\t.param .b64 rest;\n"                \
	"\tst.param.b64 [rest], %left;\n"      \
	"\tcall.uni descend, (rest);\n"        \
	"\t}\n"                                \
	"\tst.local.u8 [%place], 2;\n"         \
	"DONE:\n"                              \
	"\tret;\n"                             \
	"}\n"

#define PRINTF_DECLARATIONS                                                            \
	".extern .func (.param .b32 length) vprintf (.param .b64 format, .param .b64 " \
	"arguments);\n"                                                                \
	".global .align 1 .b8 text[1];\n"
#define MALLOC_DECLARATIONS                                              \
	".extern .func (.param .b64 block) malloc (.param .b64 size);\n" \
	".extern .func free (.param .b64 block);\n"

#define LAUNCH_DECLARATIONS                                                                     \
	".extern .func (.param .b64 arguments) __cudaCDP2GetParameterBufferV2 (.param .b64 "    \
	"function, .param .align 4 .b8 grid[12], .param .align 4 .b8 threads[12], .param .b32 " \
	"shared);\n"                                                                            \
	".extern .func (.param .b32 error) __cudaCDP2LaunchDeviceV2 (.param .b64 arguments, "   \
	".param .b64 stream);\n"                                                                \
	".visible .entry child(.param .u64 p)\n{\n\tret;\n}\n"

static const struct body bodies[] = {
	{ "EMPTY", "", write_empty, false },
	{ "FMA", "", write_fmas, false },
	{ "FMA_NUMBERED", "", write_fmas, true },
	{ "PRINTF_CALLED", PRINTF_DECLARATIONS, write_printf, false },
	{ "PRINTF_LINKED", PRINTF_DECLARATIONS, write_printf_linked, false },
	{ "MALLOC_CALLED", MALLOC_DECLARATIONS, write_malloc, false },
	{ "MALLOC_LINKED", MALLOC_DECLARATIONS, write_malloc_linked, false },
	{ "LAUNCH_CALLED", LAUNCH_DECLARATIONS, write_launch, false },
	{ "LAUNCH_LINKED", LAUNCH_DECLARATIONS, write_launch_linked, false },
	{ "STATIC", ".visible .global .align 1 .b8 data[%lu];\n", write_empty, false },
	{ "MANAGED", ".visible .global .attribute(.managed) .align 1 .b8 data[%lu];\n",
	  write_managed, false },
	{ "CONSTANT", ".visible .const .align 1 .b8 data[%lu];\n", write_empty, false },
	{ "FRAME", "", write_frame, false },
	{ "RECURSE", RECURSION_DECLARATIONS, write_recursion, false },
};

static const struct body *body_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(bodies); i++)
		if (!strcmp(bodies[i].name, name))
			return &bodies[i];
	return NULL;
}

static void write_kernel(FILE *ptx, const struct module *module, const struct body *body,
			 const char *name)
{
	fprintf(ptx, "\n.visible .entry %s(.param .u64 p)\n{\n%s", name, registers);
	body->write(ptx, module);
	fputs("DONE:\n\tret;\n}\n", ptx);
}

/* The declarations with the amount put in, where they have a place for it. */
static void write_declarations(FILE *ptx, const struct module *module, const struct body *body)
{
	const char *place = strstr(body->declarations, "%lu");

	if (!place) {
		fputs(body->declarations, ptx);
		return;
	}
	fprintf(ptx, "%.*s%lu%s", (int)(place - body->declarations), body->declarations,
		module->amount, place + strlen("%lu"));
}

static void write_module(FILE *ptx, const struct module *module, const struct body *body)
{
	unsigned long target =
		module->architecture < TARGET_NEWEST ? module->architecture : TARGET_NEWEST;
	char name[32];

	fprintf(ptx, ".version 6.3\n.target sm_%lu\n.address_size 64\n", target);
	write_declarations(ptx, module, body);
	if (!body->is_numbered) {
		write_kernel(ptx, module, body, "kernel");
		return;
	}
	for (unsigned long i = 0; i < module->kernel_count; i++) {
		snprintf(name, sizeof name, "kernel_%lu", i);
		write_kernel(ptx, module, body, name);
	}
}

static bool parse_count(const char *text, unsigned long *ret_count)
{
	char *end;

	errno = 0;
	*ret_count = strtoul(text, &end, 10);
	return !errno && end != text && !*end;
}

int main(int argc, char **argv)
{
	struct module module;
	const struct body *body;
	FILE *ptx;
	bool failed;

	if (argc != 6 || !(body = body_named(argv[1])) ||
	    !parse_count(argv[2], &module.kernel_count) || !parse_count(argv[3], &module.amount) ||
	    !parse_count(argv[4], &module.architecture)) {
		fputs("usage: generate BODY KERNEL_COUNT AMOUNT ARCHITECTURE OUTPUT\n", stderr);
		return 2;
	}
	ptx = fopen(argv[5], "w");
	if (!ptx) {
		perror(argv[5]);
		return 1;
	}
	write_module(ptx, &module, body);
	failed = ferror(ptx) != 0;
	failed |= fclose(ptx) != 0;
	if (failed)
		perror(argv[5]);
	return failed;
}
