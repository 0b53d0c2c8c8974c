/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "kernels/fatbin.h"
#include "kernels/file.h"
#include "kernels/unzstd.h"
#include "tests/unit/fake_fatbin.h"

/* The payload of an entry, and its length. */
#define TEXT(literal) (literal), sizeof(literal) - 1

static void three_images(struct fake_fatbin *fake)
{
	fake_fatbin_start(fake);
	fake_fatbin_add(fake, (struct fake_entry){ KIND_PTX, 75, 0, TEXT(".version"), 0, 0 });
	fake_fatbin_add(fake, (struct fake_entry){ KIND_CUBIN, 80, 0, TEXT("eighty"), 0, 0 });
	fake_fatbin_add(fake, (struct fake_entry){ KIND_CUBIN, 86, 0, TEXT("eighty-six"), 0, 0 });
	fake_fatbin_add(fake,
			(struct fake_entry){ KIND_CUBIN, 90, FLAG_LZ4, TEXT("\x50hello"), 6, 5 });
}

/* On the heap and of exactly this size, so that a sanitizer sees a read behind the end. */
static int find(struct fatbin_image *found, const struct fake_fatbin *fake, size_t size,
		unsigned int architecture, void **ret_copy)
{
	*ret_copy = malloc(size);
	assert_non_null(*ret_copy);
	memcpy(*ret_copy, fake->bytes, size);
	return fatbin_find(found, *ret_copy, architecture, NULL);
}

static void finds(const struct fake_fatbin *fake, unsigned int architecture, const char *expected)
{
	struct fatbin_image found;
	void *copy;
	int r = find(&found, fake, fake->used, architecture, &copy);

	if (expected) {
		assert_int_equal(r, 0);
		assert_true(found.bytes >= strlen(expected));
		assert_memory_equal(found.image, expected, strlen(expected));
		fatbin_release(&found);
	} else {
		assert_int_equal(r, -ENOENT);
	}
	free(copy);
}

static void the_newest_that_runs_is_found(void **state)
{
	struct fake_fatbin fake;

	(void)state;
	three_images(&fake);
	assert_true(fatbin_is_one(fake.bytes));
	finds(&fake, 75, NULL);
	finds(&fake, 80, "eighty");
	finds(&fake, 85, "eighty");
	finds(&fake, 86, "eighty-six");
	finds(&fake, 89, "eighty-six");
	finds(&fake, 90, "hello");
	finds(&fake, 100, NULL);
}

static void all_are_walked_in_order(void **state)
{
	static const unsigned int architectures[] = { 75, 80, 86, 90 };
	struct fatbin_entry entry;
	struct fake_fatbin fake;
	struct fatbin_walk walk;

	(void)state;
	three_images(&fake);
	assert_int_equal(fatbin_open(&walk, fake.bytes, fake.used, NULL), 0);
	for (size_t i = 0; i < ARRAY_COUNT(architectures); i++) {
		assert_int_equal(fatbin_next(&walk, &entry, NULL), 1);
		assert_int_equal(entry.architecture, architectures[i]);
		assert_int_equal(entry.is_ptx, i == 0);
		assert_int_equal(entry.is_cubin, i > 0);
		assert_int_equal(entry.packing, i == 3 ? FATBIN_LZ4 : FATBIN_PLAIN);
	}
	assert_int_equal(entry.payload_bytes, 6);
	assert_int_equal(entry.plain_bytes, 5);
	assert_int_equal(fatbin_next(&walk, &entry, NULL), 0);
	assert_ptr_equal(walk.at, fake.bytes + fake.used);
}

/* On the heap and of exactly this size. */
static void one_that_is_cut_is_not_opened(void **state)
{
	struct fake_fatbin fake;
	struct fatbin_walk walk;

	(void)state;
	three_images(&fake);
	for (size_t cut = 0; cut < fake.used; cut++) {
		void *copy = malloc(cut ? cut : 1);

		assert_non_null(copy);
		memcpy(copy, fake.bytes, cut);
		assert_int_equal(fatbin_open(&walk, copy, cut, NULL), -EBADMSG);
		free(copy);
	}
}

static void an_empty_one_has_nothing(void **state)
{
	struct fake_fatbin fake;

	(void)state;
	fake_fatbin_start(&fake);
	finds(&fake, 90, NULL);
	fake.bytes[0] ^= 1;
	assert_false(fatbin_is_one(fake.bytes));
	assert_int_equal(fatbin_find(&(struct fatbin_image){ 0 }, fake.bytes, 90, NULL), -EBADMSG);
}

static void is_answered(const struct fake_entry *entry, int expected)
{
	struct fake_fatbin fake;
	struct fatbin_image found;
	void *copy;

	fake_fatbin_start(&fake);
	fake_fatbin_add(&fake, *entry);
	assert_int_equal(find(&found, &fake, fake.used, 90, &copy), expected);
	free(copy);
}

static void compression_is_understood_or_refused(void **state)
{
	(void)state;
	is_answered(&(struct fake_entry){ KIND_CUBIN, 90, FLAG_ZSTD, TEXT("xxxx"), 4, 9 },
		    unzstd_is_here() ? -EBADMSG : -ENOTSUP);
	is_answered(&(struct fake_entry){ KIND_CUBIN, 90, 0x1000, TEXT("xxxx"), 4, 9 }, -ENOTSUP);
	is_answered(&(struct fake_entry){ KIND_CUBIN, 90, FLAG_LZ4 | FLAG_ZSTD, TEXT("\x50hello"),
					  6, 5 },
		    -ENOTSUP);
	is_answered(&(struct fake_entry){ KIND_CUBIN, 90, FLAG_LZ4, TEXT("\x50hello"), 6, 0 },
		    -EBADMSG);
	is_answered(&(struct fake_entry){ KIND_CUBIN, 90, FLAG_LZ4, TEXT("\x50hello"), 6, 6 },
		    -EBADMSG);
	is_answered(&(struct fake_entry){ KIND_CUBIN, 90, FLAG_LZ4, TEXT("\x50hello"), 99, 5 },
		    -EBADMSG);
	is_answered(
		&(struct fake_entry){ KIND_CUBIN, 90, FLAG_LZ4, TEXT("\x50hello"), 6, SIZE_MAX },
		-EBADMSG);
}

/* A frame with its length, one block as it is; then with a length that is not so. */
static void zstandard_is_unpacked_to_the_byte(void **state)
{
	static const char frame[] = "\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello";
	const struct fatbin_entry whole = { .is_cubin = true,
					    .packing = FATBIN_ZSTD,
					    .payload = frame,
					    .payload_bytes = sizeof frame - 1,
					    .plain_bytes = 5 };
	struct fatbin_entry entry = whole;
	struct fatbin_image found;

	(void)state;
	if (!unzstd_is_here())
		skip();
	assert_int_equal(fatbin_unpack(&found, &entry, NULL), 0);
	assert_int_equal(found.bytes, 5);
	assert_memory_equal(found.image, "hello", 5);
	fatbin_release(&found);
	for (uint64_t bytes = 0; bytes < 10; bytes += bytes == 4 ? 2 : 1) {
		entry.plain_bytes = bytes;
		assert_int_equal(fatbin_unpack(&found, &entry, NULL), -EBADMSG);
	}
	entry.plain_bytes = FATBIN_PLAIN_BYTES_MAX + 1;
	assert_int_equal(fatbin_unpack(&found, &entry, NULL), -EBADMSG);
	entry = whole;
	while (entry.payload_bytes-- > 1)
		assert_int_equal(fatbin_unpack(&found, &entry, NULL), -EBADMSG);
}

/* Each length in turn too long, for the file or for a number. */
static void lengths_that_point_outside_are_refused(void **state)
{
	static const struct {
		size_t at;
		size_t width;
	} lengths[] = { { 16 + 4, 4 }, { 16 + 8, 8 } };
	struct fatbin_image found;
	struct fake_fatbin fake;
	void *copy;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(lengths); i++) {
		for (int which = 0; which < 2; which++) {
			three_images(&fake);
			fake_fatbin_put(&fake, lengths[i].at, lengths[i].width,
					which ? UINT64_MAX : 4096);
			assert_int_equal(find(&found, &fake, fake.used, 90, &copy), -EBADMSG);
			free(copy);
		}
	}
	three_images(&fake);
	fake_fatbin_put(&fake, 8, 8, fake.used - 16 - 1);
	assert_int_equal(find(&found, &fake, fake.used, 90, &copy), -EBADMSG);
	free(copy);
}

/* "…/source-31" of "…/source-31.cubin" and so on. */
static void assert_holds(const char *stem, const char *suffix)
{
	struct file_map cubin, fatbin;
	struct fatbin_image found;
	char path[4096];

	snprintf(path, sizeof path, "%s.cubin", stem);
	assert_int_equal(file_map(&cubin, path, NULL), 0);
	snprintf(path, sizeof path, "%s%s", stem, suffix);
	assert_int_equal(file_map(&fatbin, path, NULL), 0);
	assert_int_equal(fatbin_find(&found, fatbin.image, 90, NULL), 0);
	assert_true(found.bytes >= cubin.bytes && found.bytes < cubin.bytes + 8);
	assert_memory_equal(found.image, cubin.image, cubin.bytes);
	fatbin_release(&found);
	file_unmap(&fatbin);
	file_unmap(&cubin);
}

static int is_packed(const struct dirent *entry)
{
	return strstr(entry->d_name, ".compressed.fatbin") != NULL;
}

static void those_of_the_build_hold_their_cubins(void **state)
{
	const char *build = getenv("CUCTX_BUILD");
	struct dirent **found;
	char folder[2048], stem[4096];
	int count;

	(void)state;
	snprintf(folder, sizeof folder, "%s/share/cuctx/modules/sm_90", build ? build : ".");
	count = scandir(folder, &found, is_packed, alphasort);
	if (count < 0)
		skip();
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		*strchr(found[i]->d_name, '.') = '\0';
		snprintf(stem, sizeof stem, "%s/%s", folder, found[i]->d_name);
		assert_holds(stem, ".fatbin");
		assert_holds(stem, ".compressed.fatbin");
		free(found[i]);
	}
	free(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_that_runs_is_found),
		cmocka_unit_test(all_are_walked_in_order),
		cmocka_unit_test(one_that_is_cut_is_not_opened),
		cmocka_unit_test(an_empty_one_has_nothing),
		cmocka_unit_test(compression_is_understood_or_refused),
		cmocka_unit_test(zstandard_is_unpacked_to_the_byte),
		cmocka_unit_test(lengths_that_point_outside_are_refused),
		cmocka_unit_test(those_of_the_build_hold_their_cubins),
	};

	return cmocka_run_group_tests_name("kernels/fatbin", tests, NULL, NULL);
}
