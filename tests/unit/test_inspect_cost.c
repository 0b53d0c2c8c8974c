/* SPDX-License-Identifier: MIT */
/* What device code takes by the laws of a run that is made up, whose device is an sm_86. */
#include "tests/unit/foretold.h"

#include "inspect/cost.h"
#include "inspect/report.h"
#include "tests/unit/fail_memory.h"

#define IMAGES_MAX 8

/* An image with so many kernels, all alike: 56 bytes of code, pieces of 128. */
static struct device_image image_of(enum device_image_kind kind, unsigned int architecture,
				    size_t fatbin, size_t kernel_count)
{
	struct device_image image = { .kind = kind,
				      .architecture = architecture,
				      .fatbin = fatbin,
				      .cubin.kernel_count = kernel_count };

	image.cubin.kernels = calloc(kernel_count + 1, sizeof *image.cubin.kernels);
	image.names = calloc(kernel_count + 1, sizeof *image.names);
	assert_non_null(image.cubin.kernels);
	assert_non_null(image.names);
	for (size_t i = 0; i < kernel_count; i++)
		image.cubin.kernels[i] =
			(struct cubin_kernel){ .text_bytes = 56, .instructions = 14 };
	return image;
}

static void free_images(struct device_image *images, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(images[i].cubin.kernels);
		free(images[i].names);
	}
}

static const struct {
	struct {
		enum device_image_kind kind;
		unsigned int architecture;
		size_t fatbin;
	} images[IMAGES_MAX];
	size_t count;
	unsigned int picked; /* a bit for each */
	size_t compiled, useless;
} picks[] = {
	{ { { IMAGE_CUBIN, 86, 0 } }, 1, 1, 0, 0 },
	{ { { IMAGE_CUBIN, 80, 0 } }, 1, 1, 0, 0 },
	{ { { IMAGE_CUBIN, 87, 0 } }, 1, 0, 0, 1 },
	{ { { IMAGE_CUBIN, 75, 0 } }, 1, 0, 0, 1 },
	{ { { IMAGE_CUBIN, 90, 0 } }, 1, 0, 0, 1 },
	{ { { IMAGE_CUBIN, 80, 1 }, { IMAGE_CUBIN, 86, 1 }, { IMAGE_CUBIN, 90, 1 } }, 3, 2, 0, 0 },
	{ { { IMAGE_CUBIN, 86, 1 }, { IMAGE_CUBIN, 80, 1 }, { IMAGE_PTX, 86, 1 } }, 3, 1, 0, 0 },
	{ { { IMAGE_CUBIN, 90, 1 }, { IMAGE_PTX, 80, 1 } }, 2, 0, 1, 0 },
	{ { { IMAGE_CUBIN, 90, 1 }, { IMAGE_PTX, 90, 1 } }, 2, 0, 0, 1 },
	{ { { IMAGE_OTHER, 86, 1 } }, 1, 0, 0, 1 },
	/* One of each of two, and one by itself. */
	{ { { IMAGE_CUBIN, 80, 1 },
	    { IMAGE_CUBIN, 86, 1 },
	    { IMAGE_CUBIN, 86, 2 },
	    { IMAGE_PTX, 70, 3 },
	    { IMAGE_CUBIN, 86, 0 },
	    { IMAGE_CUBIN, 86, 0 } },
	  6,
	  2 | 4 | 16 | 32,
	  1,
	  0 },
};

static void the_image_is_the_one_that_the_driver_takes(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_COUNT(picks); i++) {
		struct device_image images[IMAGES_MAX];
		struct contents contents = { .images = images, .count = picks[i].count };
		struct inspect_cost cost;

		for (size_t k = 0; k < picks[i].count; k++)
			images[k] =
				image_of(picks[i].images[k].kind, picks[i].images[k].architecture,
					 picks[i].images[k].fatbin, 1);
		assert_int_equal(
			inspect_cost_make(&cost, &contents, &fixture->run, &fixture->laws, NULL),
			0);
		assert_int_equal(cost.architecture, 86);
		for (size_t k = 0; k < picks[i].count; k++)
			assert_int_equal(cost.is_picked[k], picks[i].picked >> k & 1);
		assert_int_equal(cost.compiled_count, picks[i].compiled);
		assert_int_equal(cost.useless_count, picks[i].useless);
		assert_int_equal(cost.is_predicted, picks[i].picked != 0);
		inspect_cost_free(&cost);
		free_images(images, picks[i].count);
	}
}

static void what_is_for_the_linker_is_not_loaded(void **state)
{
	struct device_image images[2] = { image_of(IMAGE_CUBIN, 86, 1, 1),
					  image_of(IMAGE_PTX, 86, 1, 0) };
	struct contents contents = { .images = images, .count = 2 };
	struct fixture *fixture = *state;
	struct inspect_cost cost;

	images[0].is_unlinked = images[1].is_unlinked = true;
	assert_int_equal(inspect_cost_make(&cost, &contents, &fixture->run, &fixture->laws, NULL),
			 0);
	assert_int_equal(cost.picked_count, 0);
	assert_int_equal(cost.compiled_count, 0);
	assert_int_equal(cost.unlinked_count, 1);
	inspect_cost_free(&cost);
	free_images(images, 2);
}

static void one_that_could_not_be_read_is_none(void **state)
{
	char trouble[] = "damaged";
	struct device_image image = image_of(IMAGE_CUBIN, 86, 1, 0);
	struct contents contents = { .images = &image, .count = 1 };
	struct fixture *fixture = *state;
	struct inspect_cost cost;

	image.trouble = trouble;
	assert_int_equal(inspect_cost_make(&cost, &contents, &fixture->run, &fixture->laws, NULL),
			 0);
	assert_int_equal(cost.picked_count, 0);
	inspect_cost_free(&cost);
	free_images(&image, 1);
}

/* The frame replaces the room of 10, and three pieces of 128 lie in the 500 that are free. */
static void the_sum_is_what_the_laws_say(void **state)
{
	static const struct {
		size_t kernel_count;
		uint64_t frame_bytes;
		int64_t low_bytes, bytes;
	} cases[] = { { 1, 0, CONTEXT, CONTEXT },
		      { 3, 5, CONTEXT, CONTEXT },
		      { 3, 70, 12000, 12000 },
		      { 4, 0, CONTEXT + 1000, CONTEXT + 1000 },
		      { 11, 70, 13000, 14000 } }; /* 8 beyond, of which 7 fit unless one is split */
	char name[] = "kernel";
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct device_image image = image_of(IMAGE_CUBIN, 86, 0, cases[i].kernel_count);
		struct contents contents = { .images = &image, .count = 1 };
		struct inspect_cost cost;
		int64_t piece;

		image.cubin.kernels[0].stack_bytes = cases[i].frame_bytes;
		image.names[0] = name;
		assert_int_equal(
			inspect_cost_make(&cost, &contents, &fixture->run, &fixture->laws, NULL),
			0);
		assert_int_equal(cost.without.bytes, CONTEXT);
		assert_int_equal(cost.with.process.bytes, cases[i].bytes);
		assert_int_equal(cost.with.process.low_bytes, cases[i].low_bytes);
		assert_int_equal(cost.with.process.high_bytes, cases[i].bytes);
		assert_null(cost.beyond);
		assert_int_equal(cost.stack_bytes, cases[i].frame_bytes);
		assert_ptr_equal(cost.stack_kernel, cases[i].frame_bytes ? name : NULL);
		assert_true(inspect_cost_piece(&cost, 1, &image.cubin.kernels[0], &piece));
		assert_int_equal(piece, 128);
		inspect_cost_free(&cost);
		free_images(&image, 1);
	}
}

static void beyond_what_was_measured_it_says_so(void **state)
{
	struct device_image image = image_of(IMAGE_CUBIN, 86, 0, 401);
	struct contents contents = { .images = &image, .count = 1 };
	struct fixture *fixture = *state;
	struct inspect_cost cost;

	assert_int_equal(inspect_cost_make(&cost, &contents, &fixture->run, &fixture->laws, NULL),
			 0);
	assert_true(cost.is_predicted);
	assert_non_null(strstr(cost.beyond, "401 kernels"));
	inspect_cost_free(&cost);
	free_images(&image, 1);
}

/* Sections may say so of memory that is not in the file. */
static void absurd_sizes_do_no_harm(void **state)
{
	struct device_image images[2] = { image_of(IMAGE_CUBIN, 86, 0, 1),
					  image_of(IMAGE_CUBIN, 86, 0, 1) };
	struct contents contents = { .images = images, .count = 2 };
	struct fixture *fixture = *state;
	struct inspect_cost cost;
	struct err err;

	images[0].cubin.kernels[0].stack_bytes = UINT32_MAX;
	images[0].cubin.static_bytes = images[1].cubin.static_bytes = UINT64_MAX - 7;
	assert_int_equal(inspect_cost_make(&cost, &contents, &fixture->run, &fixture->laws, &err),
			 0);
	assert_non_null(cost.beyond);
	inspect_cost_free(&cost);
	free_images(images, 2);
}

static void without_memory_nothing_is_left_behind(void **state)
{
	struct device_image image = image_of(IMAGE_CUBIN, 86, 0, 401);
	struct contents contents = { .images = &image, .count = 1 };
	struct fixture *fixture = *state;
	struct document document = { 0 };
	struct inspect_cost cost;
	unsigned int call = 0;
	bool failed;
	int r;

	do {
		fail_memory_at(++call);
		r = inspect_cost_make(&cost, &contents, &fixture->run, &fixture->laws, NULL);
		if (!r)
			inspect_cost_add(&cost, &document);
		failed = fail_memory_end();
		assert_true(r == 0 || (failed && r == -ENOMEM));
		assert_true(!failed || r || document.failed);
		if (!r)
			inspect_cost_free(&cost);
		document_free(&document);
	} while (failed);
	assert_true(call > 10);
	free_images(&image, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_whole, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_image_is_the_one_that_the_driver_takes),
		TEST(what_is_for_the_linker_is_not_loaded),
		TEST(one_that_could_not_be_read_is_none),
		TEST(the_sum_is_what_the_laws_say),
		TEST(beyond_what_was_measured_it_says_so),
		TEST(absurd_sizes_do_no_harm),
		TEST(without_memory_nothing_is_left_behind),
	};

	return cmocka_run_group_tests_name("inspect/cost", tests, NULL, NULL);
}
