/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kernels/device_parts.h"
#include "tests/unit/fail_memory.h"
#include "tests/unit/fake_cubin.h"
#include "tests/unit/fake_fatbin.h"

#define EM_HOST EM_X86_64

/* On the heap and of exactly this size; the parts point into it. */
static void *find(struct device_parts *parts, const void *image, size_t size, int expected)
{
	void *copy = malloc(size ? size : 1);
	struct err err = { "" };

	assert_non_null(copy);
	memcpy(copy, image, size);
	*parts = (struct device_parts){ 0 };
	assert_int_equal(device_parts_find(parts, copy, size, "a.out", &err), expected);
	if (expected)
		assert_non_null(strstr(err.text, "a.out"));
	return copy;
}

static void refuses(const void *image, size_t size)
{
	struct device_parts parts;

	free(find(&parts, image, size, -EBADMSG));
	assert_int_equal(parts.count, 0);
}

/* An object of a host with so many sections of fat binaries. */
static size_t fake_host(struct fake_cubin *fake, unsigned int section_count)
{
	static const char *const names[] = { ".nv_fatbin", "__nv_relfatbin" };

	fake_start(fake, 90, 8);
	fake->header.e_machine = EM_HOST;
	fake_section(fake, ".text", SHT_PROGBITS, "text", 4);
	for (unsigned int i = 0; i < section_count; i++)
		fake_section(fake, names[i % 2], SHT_PROGBITS, "fatbins!", 8);
	fake_section(fake, ".nv_fatbin", SHT_NOBITS, NULL, 1000);
	fake_section(fake, ".nvFatBinSegment", SHT_PROGBITS, "pointers", 8);
	return fake_finish(fake);
}

static void a_cubin_and_a_fat_binary_are_their_only_part(void **state)
{
	struct device_parts parts;
	struct fake_fatbin fatbin;
	struct fake_cubin cubin;
	void *copy;

	(void)state;
	fake_start(&cubin, 90, 8);
	copy = find(&parts, cubin.bytes, fake_finish(&cubin), 0);
	assert_int_equal(parts.count, 1);
	assert_true(parts.items[0].is_cubin);
	assert_ptr_equal(parts.items[0].bytes, copy);
	assert_int_equal(parts.items[0].size, cubin.used);
	device_parts_free(&parts);
	free(copy);

	fake_fatbin_start(&fatbin);
	copy = find(&parts, fatbin.bytes, fatbin.used, 0);
	assert_int_equal(parts.count, 1);
	assert_false(parts.items[0].is_cubin);
	assert_int_equal(parts.items[0].size, 16);
	device_parts_free(&parts);
	free(copy);
}

static void a_program_has_those_of_its_sections(void **state)
{
	struct device_parts parts;
	struct fake_cubin fake;

	(void)state;
	for (unsigned int count = 0; count < 6; count++) {
		size_t size = fake_host(&fake, count);
		void *copy = find(&parts, fake.bytes, size, 0);

		assert_int_equal(parts.count, count);
		for (size_t i = 0; i < count; i++) {
			assert_false(parts.items[i].is_cubin);
			assert_null(parts.items[i].member);
			assert_int_equal(parts.items[i].is_unlinked, i % 2);
			assert_int_equal(parts.items[i].size, 8);
			assert_memory_equal(parts.items[i].bytes, "fatbins!", 8);
		}
		device_parts_free(&parts);
		free(copy);
	}
}

/* ---- archives ---- */

struct archive {
	unsigned char bytes[65536];
	size_t used;
};

static void archive_add(struct archive *archive, const char *name, const void *bytes, size_t size)
{
	char header[61];

	snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name, 0, 0, 0, "100644",
		 size);
	assert_true(archive->used + 60 + size + 1 <= sizeof archive->bytes);
	memcpy(archive->bytes + archive->used, header, 60);
	memcpy(archive->bytes + archive->used + 60, bytes, size);
	archive->used += 60 + size;
	if (size % 2)
		archive->bytes[archive->used++] = '\n';
}

static void archive_start(struct archive *archive)
{
	memcpy(archive->bytes, "!<arch>\n", 8);
	archive->used = 8;
}

static void an_archive_has_those_of_its_members(void **state)
{
	struct device_parts parts;
	struct archive archive;
	struct fake_cubin fake;
	void *copy;

	(void)state;
	archive_start(&archive);
	archive_add(&archive, "none.o/", fake.bytes, fake_host(&fake, 0));
	archive_add(&archive, "text/", "hello", 5);
	archive_add(&archive, "two.o/", fake.bytes, fake_host(&fake, 2));
	archive_add(&archive, "one.o/", fake.bytes, fake_host(&fake, 1));
	copy = find(&parts, archive.bytes, archive.used, 0);
	assert_int_equal(parts.count, 3);
	assert_string_equal(parts.items[0].member, "two.o");
	assert_string_equal(parts.items[1].member, "two.o");
	assert_string_equal(parts.items[2].member, "one.o");
	for (size_t i = 0; i < parts.count; i++)
		assert_memory_equal(parts.items[i].bytes, "fatbins!", 8);
	device_parts_free(&parts);
	free(copy);
}

/* ---- what nobody would write ---- */

static void what_is_none_of_these_is_refused(void **state)
{
	static const char zeros[4096];

	(void)state;
	refuses("", 0);
	refuses("#!/bin/sh\n", 10);
	refuses(ELFMAG, SELFMAG);
	refuses(zeros, sizeof zeros);
	refuses("!<arch>\n", 7);
}

static void a_cut_program_is_refused_wherever_it_is_cut(void **state)
{
	struct fake_cubin fake;
	size_t size = fake_host(&fake, 2);

	(void)state;
	for (size_t cut = 0; cut < size; cut++)
		refuses(fake.bytes, cut);
}

/* 32 bits, or the other way round: such hosts have no CUDA, and a header may say anything. */
static void other_hosts_have_nothing(void **state)
{
	struct device_parts parts;
	struct fake_cubin fake;
	Elf32_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32,
					   ELFDATA2LSB, EV_CURRENT },
			      .e_type = ET_REL,
			      .e_machine = EM_386,
			      .e_version = EV_CURRENT,
			      .e_ehsize = sizeof header };

	(void)state;
	free(find(&parts, &header, sizeof header, 0));
	assert_int_equal(parts.count, 0);
	fake_host(&fake, 2);
	fake.bytes[EI_DATA] = ELFDATA2MSB;
	refuses(fake.bytes, fake.used);
}

static void damage_anywhere_is_survived(void **state)
{
	struct dice dice = dice_start();
	struct archive archive, hurt;
	struct device_parts parts;
	struct fake_cubin fake;

	(void)state;
	archive_start(&archive);
	archive_add(&archive, "two.o/", fake.bytes, fake_host(&fake, 2));
	archive_add(&archive, "one.o/", fake.bytes, fake_host(&fake, 1));
	for (unsigned int round = 0; round < 5000; round++) {
		size_t skip = round % 2 ? 0 : 68; /* the archive, or its first member alone */
		size_t size = round % 2 ? archive.used : fake.used;
		int r;

		hurt = archive;
		for (uint64_t flips = 1 + dice_below(&dice, 8); flips; flips--)
			hurt.bytes[skip + dice_below(&dice, size)] ^=
				(unsigned char)(1 + dice_below(&dice, 255));
		r = device_parts_find(&parts, hurt.bytes + skip, size, "a.out", NULL);
		assert_true(r == 0 || r == -EBADMSG);
		if (r)
			continue;
		for (size_t i = 0; i < parts.count; i++) {
			const unsigned char *bytes = parts.items[i].bytes;

			assert_true(bytes >= hurt.bytes + skip &&
				    bytes + parts.items[i].size <= hurt.bytes + skip + size);
		}
		device_parts_free(&parts);
	}
}

static void without_memory_nothing_is_left_behind(void **state)
{
	struct device_parts parts = { 0 };
	struct archive archive;
	struct fake_cubin fake;
	unsigned int call = 0;
	bool failed;
	int r;

	(void)state;
	archive_start(&archive);
	archive_add(&archive, "two.o/", fake.bytes, fake_host(&fake, 2));
	do {
		fail_memory_at(++call);
		r = device_parts_find(&parts, archive.bytes, archive.used, "a.a", NULL);
		failed = fail_memory_end();
		assert_int_equal(r, failed ? -ENOMEM : 0);
	} while (failed);
	assert_true(call > 2);
	device_parts_free(&parts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cubin_and_a_fat_binary_are_their_only_part),
		cmocka_unit_test(a_program_has_those_of_its_sections),
		cmocka_unit_test(an_archive_has_those_of_its_members),
		cmocka_unit_test(what_is_none_of_these_is_refused),
		cmocka_unit_test(a_cut_program_is_refused_wherever_it_is_cut),
		cmocka_unit_test(other_hosts_have_nothing),
		cmocka_unit_test(damage_anywhere_is_survived),
		cmocka_unit_test(without_memory_nothing_is_left_behind),
	};

	return cmocka_run_group_tests_name("kernels/device_parts", tests, NULL, NULL);
}
