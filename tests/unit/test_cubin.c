/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <string.h>

#include "kernels/cubin.h"
#include "tests/unit/fail_memory.h"
#include "tests/unit/fake_cubin.h"
#include "tests/unit/scratch.h"

/* A record of .nv.info with two words: format 4, attribute, 8 bytes. */
struct info_record {
	uint8_t format;
	uint8_t attribute;
	uint16_t value_bytes;
	uint32_t symbol;
	uint32_t value;
};

/*
 * Two kernels and a device function between them, every number different:
 *   alpha  0x100 bytes of code, banks of 0x210 and 0x18, frame 40, with what
 *          it calls 104, 77 registers, 0x440 shared
 *   beta   0x380 bytes of code, bank of 0x220, frame 0
 *   module 100 + 36 + 5 bytes of variables, and 16 of their addresses
 */
static size_t fake_two_kernels(struct fake_cubin *fake, unsigned int architecture,
			       unsigned char abi)
{
	struct info_record info[5] = { { 4, 0x2f, 8, 0, 77 },
				       { 4, 0x11, 8, 0, 40 },
				       { 4, 0x11, 8, 0, 999 },
				       { 4, 0x12, 8, 0, 104 },
				       { 4, 0x13, 8, 0, 555 } };
	uint16_t alpha, beta, helper;

	fake_start(fake, architecture, abi);
	beta = fake_section(fake, ".text.beta", SHT_PROGBITS, NULL, 0x380);
	helper = fake_section(fake, ".text.helper", SHT_PROGBITS, NULL, 0x80);
	alpha = fake_section(fake, ".text.alpha", SHT_PROGBITS, NULL, 0x100);
	fake->sections[fake_section(fake, ".nv.constant0.alpha", SHT_PROGBITS, NULL, 0x210)]
		.sh_info = alpha;
	fake->sections[fake_section(fake, ".nv.constant2.alpha", SHT_PROGBITS, NULL, 0x18)]
		.sh_info = alpha;
	fake->sections[fake_section(fake, ".nv.constant0.beta", SHT_PROGBITS, NULL, 0x220)]
		.sh_info = beta;
	fake->sections[fake_section(fake, ".nv.shared.alpha", SHT_NOBITS, NULL, 0x440)].sh_info =
		alpha;
	fake_section(fake, ".nv.shared.reserved.0", SHT_NOBITS, NULL, 0x400);
	fake_section(fake, ".nv.constant3", SHT_PROGBITS, NULL, 100);
	fake_section(fake, ".nv.constant4", SHT_PROGBITS, NULL, 16);
	fake_section(fake, ".nv.global", SHT_NOBITS, NULL, 36);
	fake_section(fake, ".nv.global.init", SHT_PROGBITS, NULL, 5);
	fake_symbol(fake, "beta", beta, FAKE_STO_ENTRY);
	info[2].symbol = fake_symbol(fake, "helper", helper, 0);
	info[4].symbol = info[3].symbol = info[1].symbol = info[0].symbol =
		fake_symbol(fake, "alpha", alpha, FAKE_STO_ENTRY);
	fake_symbol(fake, "vprintf", 0, 0);
	fake_section(fake, ".nv.info", 0x70000000, info, sizeof info);
	return fake_finish(fake);
}

/* On the heap and of exactly this size, so that a sanitizer sees a read behind the end. */
static int read_copy(struct cubin *cubin, const void *image, size_t size, struct err *err)
{
	void *copy = malloc(size ? size : 1);
	int r;

	assert_non_null(copy);
	memcpy(copy, image, size);
	r = cubin_read(cubin, copy, size, "fake.cubin", err);
	free(copy);
	return r;
}

static void what_was_planted_is_found(void **state)
{
	struct fake_cubin fake;
	size_t size = fake_two_kernels(&fake, 90, 8);
	struct cubin cubin;
	struct err err;

	(void)state;
	assert_int_equal(read_copy(&cubin, fake.bytes, size, &err), 0);
	assert_int_equal(cubin.architecture, 90);
	assert_int_equal(cubin.cubin_bytes, size);
	assert_int_equal(cubin.static_bytes, 100 + 36 + 5);
	assert_int_equal(cubin.function_bytes, 0x80);
	assert_true(cubin.uses_printf);
	assert_false(cubin.uses_malloc);
	assert_int_equal(cubin.kernel_count, 2);
	assert_string_equal(cubin.kernels[0].name, "beta");
	assert_int_equal(cubin.kernels[0].text_bytes, 0x380);
	assert_int_equal(cubin.kernels[0].instructions, 0x38);
	assert_int_equal(cubin.kernels[0].constant_bytes, 0x220);
	assert_int_equal(cubin.kernels[0].local_bytes, 0);
	assert_string_equal(cubin.kernels[1].name, "alpha");
	assert_int_equal(cubin.kernels[0].register_count, 0);
	assert_int_equal(cubin.kernels[0].shared_bytes, 0);
	assert_int_equal(cubin.kernels[1].register_count, 77);
	assert_int_equal(cubin.kernels[1].shared_bytes, 0x40);
	assert_int_equal(cubin.kernels[1].text_bytes, 0x100);
	assert_int_equal(cubin.kernels[1].instructions, 0x10);
	assert_int_equal(cubin.kernels[1].constant_bytes, 0x210 + 0x18);
	assert_int_equal(cubin.kernels[1].local_bytes, 40);
	assert_int_equal(cubin.kernels[1].stack_bytes, 104);
	assert_int_equal(cubin.kernels[0].stack_bytes, 0);
	cubin_free(&cubin);
	assert_int_equal(cubin.kernel_count, 0);
	cubin_free(&cubin);
}

/* Before it is linked, nothing of the system's is in shared memory. */
static void what_is_to_be_linked_has_all_it_declares(void **state)
{
	struct fake_cubin fake;
	size_t size = fake_two_kernels(&fake, 90, 8);
	struct cubin cubin;

	(void)state;
	((Elf64_Ehdr *)(void *)fake.bytes)->e_type = ET_REL;
	assert_int_equal(read_copy(&cubin, fake.bytes, size, NULL), 0);
	assert_int_equal(cubin.kernels[1].shared_bytes, 0x440);
	cubin_free(&cubin);
}

static void registers_may_stand_with_the_code(void **state)
{
	struct fake_cubin fake;
	struct cubin cubin;
	uint16_t section;

	(void)state;
	fake_start(&fake, 75, 8);
	section = fake_section(&fake, ".text.k", SHT_PROGBITS, NULL, 16);
	fake.sections[section].sh_info = 250u << 24 | 5u;
	fake_symbol(&fake, "k", section, FAKE_STO_ENTRY);
	assert_int_equal(read_copy(&cubin, fake.bytes, fake_finish(&fake), NULL), 0);
	assert_int_equal(cubin.kernels[0].register_count, 250);
	cubin_free(&cubin);
}

static void managed_variables_are_told_from_others(void **state)
{
	struct fake_cubin fake;
	struct cubin cubin;
	struct err err;
	uint16_t section;
	size_t size;

	(void)state;
	for (int is_too_large = 0; is_too_large < 2; is_too_large++) {
		fake_start(&fake, 90, 8);
		section = fake_section(&fake, ".nv.global", SHT_NOBITS, NULL, 1000);
		fake_variable(&fake, "own", section, 300, 0);
		fake_variable(&fake, "one", section, 600, FAKE_STO_MANAGED);
		fake_variable(&fake, "two", section, 100u + (unsigned int)is_too_large * 301,
			      FAKE_STO_MANAGED);
		fake_variable(&fake, "elsewhere", 0, 5000, FAKE_STO_MANAGED);
		fake_symbol(&fake, "code", section, FAKE_STO_MANAGED); /* no variable */
		size = fake_finish(&fake);
		if (is_too_large) {
			assert_int_equal(read_copy(&cubin, fake.bytes, size, &err), -EBADMSG);
			assert_non_null(strstr(err.text, "managed"));
			continue;
		}
		assert_int_equal(read_copy(&cubin, fake.bytes, size, &err), 0);
		assert_int_equal(cubin.static_bytes, 1000);
		assert_int_equal(cubin.managed_bytes, 700);
		cubin_free(&cubin);
	}
}

static void the_architecture_is_where_the_abi_says(void **state)
{
	static const struct {
		unsigned int architecture;
		unsigned char abi;
		unsigned int instruction_bytes;
	} cases[] = { { 52, 7, 8 },  { 61, 7, 8 },  { 70, 7, 16 },
		      { 90, 7, 16 }, { 90, 8, 16 }, { 120, 8, 16 } };
	struct fake_cubin fake;
	struct cubin cubin;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		size_t size = fake_two_kernels(&fake, cases[i].architecture, cases[i].abi);

		assert_int_equal(read_copy(&cubin, fake.bytes, size, NULL), 0);
		assert_int_equal(cubin.architecture, cases[i].architecture);
		assert_int_equal(cubin.kernels[0].instructions, 0x380 / cases[i].instruction_bytes);
		assert_int_equal(cubin.kernels[1].shared_bytes,
				 cases[i].architecture >= 90 ? 0x40 : 0x440);
		cubin_free(&cubin);
	}
}

static void imports_tell_what_the_driver_must_add(void **state)
{
	static const struct {
		const char *name;
		bool uses_printf, uses_malloc, uses_device_runtime;
	} cases[] = { { "vprintf", true, false, false },
		      { "malloc", false, true, false },
		      { "free", false, true, false },
		      { "__cuda_syscall_cnpv2LaunchDeviceV2", false, false, true },
		      { "vprintf2", false, false, false },
		      { "__cuda_syscall_valist", false, false, false },
		      { "__assertfail", false, false, false } };
	struct fake_cubin fake;
	struct cubin cubin;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		fake_start(&fake, 90, 8);
		fake_symbol(&fake, cases[i].name, 0, 0);
		assert_int_equal(read_copy(&cubin, fake.bytes, fake_finish(&fake), NULL), 0);
		assert_int_equal(cubin.uses_printf, cases[i].uses_printf);
		assert_int_equal(cubin.uses_malloc, cases[i].uses_malloc);
		assert_int_equal(cubin.uses_device_runtime, cases[i].uses_device_runtime);
		assert_int_equal(cubin.kernel_count, 0);
		cubin_free(&cubin);
	}
}

/* A mangled name of a template has no bound. */
static void a_long_name_is_kept_whole(void **state)
{
	struct fake_cubin fake;
	struct cubin cubin;
	char name[600];

	(void)state;
	memset(name, 'k', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	fake_start(&fake, 90, 8);
	fake_symbol(&fake, name, fake_section(&fake, ".text.k", SHT_PROGBITS, NULL, 16),
		    FAKE_STO_ENTRY);
	assert_int_equal(read_copy(&cubin, fake.bytes, fake_finish(&fake), NULL), 0);
	assert_string_equal(cubin.kernels[0].name, name);
	cubin_free(&cubin);
}

static void the_length_is_found_without_being_told(void **state)
{
	struct fake_cubin fake;
	size_t size = fake_two_kernels(&fake, 90, 8);

	(void)state;
	assert_int_equal(cubin_image_bytes(fake.bytes), size);
	/* ptxas puts the program headers last. */
	fake.header.e_phoff = size + 32;
	fake.header.e_phnum = 3;
	fake.header.e_phentsize = sizeof(Elf64_Phdr);
	memcpy(fake.bytes, &fake.header, sizeof fake.header);
	assert_int_equal(cubin_image_bytes(fake.bytes), size + 32 + 3 * sizeof(Elf64_Phdr));
	fake.bytes[0] = 'x';
	assert_int_equal(cubin_image_bytes(fake.bytes), 0);
}

static void a_cut_file_is_damaged_wherever_it_is_cut(void **state)
{
	struct fake_cubin fake;
	size_t size = fake_two_kernels(&fake, 90, 8);
	struct cubin cubin;
	struct err err;

	(void)state;
	for (size_t cut = 0; cut < size; cut++) {
		err.text[0] = '\0';
		assert_int_equal(read_copy(&cubin, fake.bytes, cut, &err), -EBADMSG);
		assert_non_null(strstr(err.text, "fake.cubin: "));
	}
}

/* Whatever is in the file, it is read or refused. What is read must lie inside it. */
static void damage_anywhere_is_survived(void **state)
{
	struct dice dice = dice_start();
	struct fake_cubin fake, hurt;
	size_t size = fake_two_kernels(&fake, 90, 8);
	unsigned int read_count = 0;
	struct cubin cubin;

	(void)state;
	for (unsigned int round = 0; round < 20000; round++) {
		uint64_t flips = 1 + dice_below(&dice, 8);
		int r;

		hurt = fake;
		while (flips--)
			hurt.bytes[dice_below(&dice, size)] ^=
				(unsigned char)(1 + dice_below(&dice, 255));
		r = read_copy(&cubin, hurt.bytes, size, NULL);
		assert_true(r == 0 || r == -EBADMSG);
		if (r)
			continue;
		for (size_t i = 0; i < cubin.kernel_count; i++)
			assert_true(cubin.kernels[i].text_bytes <= size && *cubin.kernels[i].name);
		cubin_free(&cubin);
		read_count++;
	}
	/* Most flips hit code, which nobody looks at: those files are fine. */
	assert_in_range(read_count, 1000, 19000);
}

/* The fields that steer the reader, each set to every value that is off by one somewhere. */
static void hostile_headers_are_survived(void **state)
{
	static const uint64_t values[] = { 0,
					   1,
					   0x7f,
					   0xff00,
					   0xffff,
					   0x7fffffff,
					   0xffffffff,
					   0x7fffffffffffffff,
					   0xffffffffffffffc0,
					   UINT64_MAX };
	struct fake_cubin fake, hurt;
	size_t size = fake_two_kernels(&fake, 90, 8);
	size_t table = fake.header.e_shoff;
	struct cubin cubin;

	(void)state;
	for (size_t at = 0; at < size; at = at == sizeof fake.header ? table : at + 2) {
		for (size_t i = 0; i < ARRAY_COUNT(values); i++) {
			size_t width = size - at < sizeof values[i] ? size - at : sizeof values[i];

			hurt = fake;
			memcpy(hurt.bytes + at, &values[i], width);
			if (!read_copy(&cubin, hurt.bytes, size, NULL))
				cubin_free(&cubin);
		}
	}
}

static void what_is_no_cubin_is_called_by_name(void **state)
{
	struct fake_cubin fake;
	size_t size = fake_two_kernels(&fake, 90, 8);
	struct scratch scratch = scratch_open();
	struct cubin cubin;
	struct err err;

	(void)state;
	assert_int_equal(cubin_read_file(&cubin, "/nonexistent/a.cubin", &err), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/a.cubin: No such file or directory");
	assert_int_equal(cubin_read_file(&cubin, "/", &err), -EBADMSG);
	assert_int_equal(cubin_read_file(&cubin, scratch.path, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "empty"));
	assert_int_equal(cubin_read_file(&cubin, "/proc/self/exe", &err), -EBADMSG);
	scratch_fill(&scratch, "module,kernel\n", 14);
	assert_int_equal(cubin_read_file(&cubin, scratch.path, &err), -EBADMSG);
	scratch_fill(&scratch, fake.bytes, size);
	assert_int_equal(cubin_read_file(&cubin, scratch.path, &err), 0);
	assert_int_equal(cubin.kernel_count, 2);
	cubin_free(&cubin);
	scratch_close(&scratch);
}

static void without_memory_nothing_is_left_behind(void **state)
{
	struct fake_cubin fake;
	size_t size = fake_two_kernels(&fake, 90, 8);
	unsigned int call = 0;
	struct cubin cubin;
	struct err err;
	bool failed;
	int r;

	(void)state;
	do {
		fail_memory_at(++call);
		r = cubin_read(&cubin, fake.bytes, size, "fake.cubin", &err);
		failed = fail_memory_end();
		assert_int_equal(r, failed ? -ENOMEM : 0);
	} while (failed);
	cubin_free(&cubin);
	assert_true(call > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_planted_is_found),
		cmocka_unit_test(what_is_to_be_linked_has_all_it_declares),
		cmocka_unit_test(registers_may_stand_with_the_code),
		cmocka_unit_test(managed_variables_are_told_from_others),
		cmocka_unit_test(the_architecture_is_where_the_abi_says),
		cmocka_unit_test(imports_tell_what_the_driver_must_add),
		cmocka_unit_test(a_long_name_is_kept_whole),
		cmocka_unit_test(the_length_is_found_without_being_told),
		cmocka_unit_test(a_cut_file_is_damaged_wherever_it_is_cut),
		cmocka_unit_test(damage_anywhere_is_survived),
		cmocka_unit_test(hostile_headers_are_survived),
		cmocka_unit_test(what_is_no_cubin_is_called_by_name),
		cmocka_unit_test(without_memory_nothing_is_left_behind),
	};

	return cmocka_run_group_tests_name("kernels/cubin", tests, NULL, NULL);
}
