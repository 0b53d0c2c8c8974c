/* SPDX-License-Identifier: MIT */
/* What cuModuleLoadData() takes besides a cubin. */
#include "tests/sim/libraries.h"

#include "tests/unit/fake_cubin.h"
#include "tests/unit/fake_fatbin.h"

#define H200 TEST_PROFILES "/h200.csv"
#define ODD  TEST_PROFILES "/odd.csv"

#define GRANULE UINT64_C(65536)

static struct driver_table cu;

static bool start(void)
{
	CUcontext context;

	REQUIRE(driver_load(&cu));
	REQUIRE(!cu.cuInit(0) && !cu.cuCtxCreate_v2(&context, 0, 0));
	return true;
}

static uint64_t used(void)
{
	size_t left, total;

	return cu.cuMemGetInfo_v2(&left, &total) ? UINT64_MAX : total - left;
}

/* Two kernels, which in the profile "odd" are a piece of 5,120 bytes each: the slack has room for
 * one. */
static size_t two_kernels(struct fake_cubin *fake, unsigned int architecture)
{
	uint16_t section;

	fake_start(fake, architecture, 8);
	section = fake_section(fake, ".text.one", SHT_PROGBITS, NULL, 4900);
	fake_symbol(fake, "one", section, FAKE_STO_ENTRY);
	section = fake_section(fake, ".text.two", SHT_PROGBITS, NULL, 4900);
	fake_symbol(fake, "two", section, FAKE_STO_ENTRY);
	return fake_finish(fake);
}

/* Two kernels of so many instructions each. */
static void write_ptx(char *text, size_t size, const char *target, int instructions)
{
	size_t at = 0;

	at += (size_t)snprintf(text, size, ".version 6.3\n.target %s\n.address_size 64\n", target);
	for (int kernel = 0; kernel < 2; kernel++) {
		at += (size_t)snprintf(text + at, size - at, ".visible .entry %s()\n{\n",
				       kernel ? "two" : "one");
		for (int i = 0; i < instructions; i++)
			at += (size_t)snprintf(text + at, size - at, "\tret;\n");
		at += (size_t)snprintf(text + at, size - at, "}\n");
	}
}

/* 24 bytes of code per instruction and 1,000 more: from 147 on, two pieces are too much for the
 * slack. */
static bool act_ptx(const void *unused)
{
	CUjit_option option = CU_JIT_OPTIMIZATION_LEVEL;
	void *level = NULL;
	uint64_t before;
	CUmodule module;
	char text[8192];

	(void)unused;
	REQUIRE(start());
	before = used();
	write_ptx(text, sizeof text, "sm_75", 146);
	REQUIRE(!cu.cuModuleLoadData(&module, text) && used() == before);
	REQUIRE(!cu.cuModuleUnload(module));
	write_ptx(text, sizeof text, "sm_90", 147);
	REQUIRE(!cu.cuModuleLoadDataEx(&module, text, 1, &option, &level));
	REQUIRE(used() == before + GRANULE);
	return true;
}

static bool write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	REQUIRE(file);
	REQUIRE(fputs(text, file) != EOF);
	REQUIRE(!fclose(file));
	return true;
}

/* The same text from a file and from memory takes the same. */
static bool act_file(const void *path)
{
	CUfunction function;
	uint64_t before;
	CUmodule module;
	char text[8192];

	REQUIRE(start());
	before = used();
	write_ptx(text, sizeof text, "sm_75", 147);
	REQUIRE(write_file(path, text));
	REQUIRE(!cu.cuModuleLoad(&module, path) && used() == before + GRANULE);
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "two"));
	REQUIRE(!cu.cuModuleUnload(module));
	return true;
}

static bool act_bad_file(const void *path)
{
	CUmodule module;

	REQUIRE(start());
	REQUIRE(write_file(path, ""));
	REQUIRE(cu.cuModuleLoad(&module, path) == CUDA_ERROR_INVALID_IMAGE);
	REQUIRE(write_file(path,
			   "no module, and long enough to look like the header of an ELF file"));
	REQUIRE(cu.cuModuleLoad(&module, path) == CUDA_ERROR_INVALID_IMAGE);
	REQUIRE(cu.cuModuleLoad(&module, "/nowhere/module.cubin") == CUDA_ERROR_FILE_NOT_FOUND);
	REQUIRE(cu.cuModuleLoad(&module, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuModuleLoad(NULL, path) == CUDA_ERROR_INVALID_VALUE);
	return true;
}

static bool act_kernels_of_ptx(const void *unused)
{
	CUfunction function;
	CUmodule module;
	char text[8192];
	void *parameters[] = { NULL };

	(void)unused;
	REQUIRE(start());
	write_ptx(text, sizeof text, "sm_75", 3);
	REQUIRE(!cu.cuModuleLoadDataEx(&module, text, 0, NULL, NULL));
	REQUIRE(cu.cuModuleGetFunction(&function, module, "three") == CUDA_ERROR_NOT_FOUND);
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "two"));
	REQUIRE(!cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
	REQUIRE(!cu.cuModuleUnload(module));
	return true;
}

static bool act_bad_ptx(const void *unused)
{
	CUjit_option option = CU_JIT_OPTIMIZATION_LEVEL;
	uint64_t before;
	CUmodule module;
	char text[8192];

	(void)unused;
	REQUIRE(start());
	before = used();
	write_ptx(text, sizeof text, "sm_100", 3);
	REQUIRE(cu.cuModuleLoadData(&module, text) == CUDA_ERROR_NO_BINARY_FOR_GPU);
	write_ptx(text, sizeof text, "sm_75", 3);
	REQUIRE(cu.cuModuleLoadDataEx(&module, text, 1, NULL, NULL) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(cu.cuModuleLoadDataEx(&module, text, 1, &option, NULL) == CUDA_ERROR_INVALID_VALUE);
	*strrchr(text, '}') = '\0';
	REQUIRE(cu.cuModuleLoadData(&module, text) == CUDA_ERROR_INVALID_PTX);
	REQUIRE(cu.cuModuleLoadData(&module, ".version 6.3\n.target sm_75\n.global .b8 x[4];\n") ==
		CUDA_ERROR_INVALID_PTX);
	REQUIRE(used() == before);
	return true;
}

static bool act_fatbin(const void *unused)
{
	static struct fake_fatbin fatbin;
	static struct fake_cubin cubin;
	size_t bytes = two_kernels(&cubin, 90);
	struct fake_entry entry = { KIND_CUBIN, 90, 0, cubin.bytes, bytes, 0, 0 };
	CUfunction function;
	uint64_t before;
	CUmodule module;

	(void)unused;
	REQUIRE(start());
	before = used();
	fake_fatbin_start(&fatbin);
	fake_fatbin_add(&fatbin, entry);
	REQUIRE(!cu.cuModuleLoadData(&module, fatbin.bytes));
	REQUIRE(used() == before + GRANULE);
	REQUIRE(!cu.cuModuleGetFunction(&function, module, "two"));
	return true;
}

static bool act_bad_fatbin(const void *unused)
{
	static struct fake_fatbin fatbin;
	static struct fake_cubin cubin;
	size_t bytes = two_kernels(&cubin, 80);
	struct fake_entry other = { KIND_CUBIN, 80, 0, cubin.bytes, bytes, 0, 0 };
	struct fake_entry cut = { KIND_CUBIN, 90, 0, cubin.bytes, bytes / 2, 0, 0 };
	uint64_t before;
	CUmodule module;

	(void)unused;
	REQUIRE(start());
	before = used();
	fake_fatbin_start(&fatbin);
	fake_fatbin_add(&fatbin, other);
	REQUIRE(cu.cuModuleLoadData(&module, fatbin.bytes) == CUDA_ERROR_NO_BINARY_FOR_GPU);
	fake_fatbin_add(&fatbin, cut);
	REQUIRE(cu.cuModuleLoadData(&module, fatbin.bytes) == CUDA_ERROR_INVALID_IMAGE);
	REQUIRE(used() == before);
	return true;
}

static void ptx_is_compiled_by_the_profile(void **state)
{
	(void)state;
	scene_run(ODD, act_ptx);
}

static void kernels_of_ptx_have_their_names(void **state)
{
	(void)state;
	scene_run(H200, act_kernels_of_ptx);
}

static void bad_ptx_is_refused(void **state)
{
	(void)state;
	scene_run(H200, act_bad_ptx);
}

static void a_fat_binary_is_what_is_in_it(void **state)
{
	(void)state;
	scene_run(ODD, act_fatbin);
}

static void bad_fat_binaries_are_refused(void **state)
{
	(void)state;
	scene_run(H200, act_bad_fatbin);
}

/* Runs one actor on a device of its own, with a place for a file. */
static void run_with_file(const char *profile, bool (*act)(const void *))
{
	struct scratch state, file = scratch_open();

	scene_open(&state, profile);
	child_run(act, file.path);
	scratch_close(&state);
	scratch_close(&file);
}

static void a_file_is_as_its_content(void **state)
{
	(void)state;
	run_with_file(ODD, act_file);
}

static void bad_files_are_refused(void **state)
{
	(void)state;
	run_with_file(H200, act_bad_file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ptx_is_compiled_by_the_profile),
		cmocka_unit_test(kernels_of_ptx_have_their_names),
		cmocka_unit_test(bad_ptx_is_refused),
		cmocka_unit_test(a_fat_binary_is_what_is_in_it),
		cmocka_unit_test(bad_fat_binaries_are_refused),
		cmocka_unit_test(a_file_is_as_its_content),
		cmocka_unit_test(bad_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
