/* SPDX-License-Identifier: MIT */
/*
 * What `cuctx inspect` makes of a program with planted images. After a wanted change,
 * CUCTX_TEST_UPDATE=1 writes tests/golden/inspect.* anew.
 */
#include "tests/unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inspect/contents.h"
#include "inspect/report.h"
#include "inspect/selection.h"
#include "tests/unit/fail_memory.h"
#include "tests/unit/fake_program.h"
#include "tests/unit/scratch.h"

/* A name that is longer than any table shows. */
#define LONG_NAME                                                                             \
	"void add<a_template_argument_whose_name_is_long, another_one_whose_name_is_longer, " \
	"and_so_on>(float*)"

static char *name(void *context, const char *mangled)
{
	(void)context;
	return strdup(strcmp(mangled, FAKE_ADD) != 0 ? mangled : LONG_NAME);
}

static const struct contents_namer namer = { name, NULL };

static int read_bytes(struct contents *contents, const void *bytes, size_t size)
{
	struct scratch scratch = scratch_open();
	struct err err;
	int r;

	scratch_fill(&scratch, bytes, size);
	r = contents_read(contents, scratch.path, &namer, &err);
	scratch_close(&scratch);
	if (!r)
		contents->path = "it|em.o";
	return r;
}

static struct contents read_program(void)
{
	struct contents contents;
	struct fake_cubin fake;
	size_t size = fake_program(&fake);

	assert_int_equal(read_bytes(&contents, fake.bytes, size), 0);
	return contents;
}

static void every_image_is_listed(void **state)
{
	static const struct {
		enum device_image_kind kind;
		unsigned int architecture;
		size_t fatbin, kernel_count;
		const char *trouble;
	} expected[] = { { IMAGE_CUBIN, 90, 1, 2, NULL },
			 { IMAGE_CUBIN, 80, 1, 1, NULL },
			 { IMAGE_PTX, 90, 1, 0, NULL },
			 { IMAGE_OTHER, 90, 2, 0, NULL },
			 { IMAGE_CUBIN, 90, 2, 0, "not understood" },
			 { IMAGE_CUBIN, 90, 2, 0, "damaged" } };
	struct contents contents = read_program();

	(void)state;
	assert_int_equal(contents.fatbin_count, 2);
	assert_int_equal(contents.kernel_count, 3);
	assert_int_equal(contents.trouble_count, 2);
	assert_int_equal(contents.count, ARRAY_COUNT(expected));
	for (size_t i = 0; i < contents.count; i++) {
		const struct device_image *image = &contents.images[i];

		assert_int_equal(image->kind, expected[i].kind);
		assert_int_equal(image->architecture, expected[i].architecture);
		assert_int_equal(image->fatbin, expected[i].fatbin);
		assert_int_equal(image->cubin.kernel_count, expected[i].kernel_count);
		if (expected[i].trouble)
			assert_non_null(strstr(image->trouble, expected[i].trouble));
		else
			assert_null(image->trouble);
	}
	assert_int_equal(contents.images[2].file_bytes, 6);
	assert_int_equal(contents.images[2].image_bytes, 5);
	contents_free(&contents);
}

/* ---- selections ---- */

static struct selection make(const struct contents *contents, const struct selection_wish *wish)
{
	struct selection selection;

	assert_int_equal(selection_make(&selection, contents, wish, NULL), 0);
	return selection;
}

static void the_largest_come_first(void **state)
{
	static const struct selection_wish all = { 0 };
	struct contents contents = read_program();
	struct selection selection = make(&contents, &all);

	(void)state;
	assert_int_equal(selection.kernel_count, 3);
	assert_int_equal(selection.kernels[0].kernel->text_bytes, 0x300);
	assert_int_equal(selection.kernels[0].image_number, 1);
	assert_int_equal(selection.kernels[1].kernel->text_bytes, 0x200);
	assert_int_equal(selection.kernels[1].image_number, 2);
	assert_int_equal(selection.kernels[2].kernel->text_bytes, 0x180);
	assert_int_equal(selection.sum_count, 4);
	assert_int_equal(selection.sums[0].architecture, 80);
	assert_int_equal(selection.sums[1].image_count, 3);
	assert_int_equal(selection.sums[1].text_bytes, 0x480);
	assert_int_equal(selection.sums[1].function_bytes, 0x80);
	assert_int_equal(selection.sums[1].constant_bytes, 0x210);
	assert_int_equal(selection.sums[1].static_bytes, 96);
	selection_free(&selection);
	contents_free(&contents);
}

static void only_those_that_are_wished_for(void **state)
{
	static const struct {
		unsigned int architecture;
		const char *pattern;
		size_t most, matches, sums;
	} cases[] = { { 90, NULL, 0, 2, 3 },        { 80, NULL, 0, 1, 1 },
		      { 70, NULL, 0, 0, 0 },        { 0, "^_Z3add", 0, 2, 4 },
		      { 0, "^void add<", 0, 2, 4 }, { 90, "add", 0, 1, 3 },
		      { 0, "nothing", 0, 0, 4 },    { 0, NULL, 1, 3, 4 },
		      { 0, NULL, 99, 3, 4 } };
	struct contents contents = read_program();
	regex_t pattern;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct selection_wish wish = { cases[i].architecture, NULL, cases[i].most };
		struct selection selection;
		size_t shown = cases[i].matches;

		if (cases[i].pattern) {
			assert_int_equal(regcomp(&pattern, cases[i].pattern, REG_EXTENDED), 0);
			wish.pattern = &pattern;
		}
		if (cases[i].most && cases[i].most < shown)
			shown = cases[i].most;
		selection = make(&contents, &wish);
		assert_int_equal(selection.match_count, cases[i].matches);
		assert_int_equal(selection.kernel_count, shown);
		assert_int_equal(selection.sum_count, cases[i].sums);
		selection_free(&selection);
		if (cases[i].pattern)
			regfree(&pattern);
	}
	contents_free(&contents);
}

/* ---- output ---- */

static void print_document(const struct selection *selection, enum document_format format,
			   struct text *text)
{
	char *rendered;

	assert_int_equal(
		inspect_render(&(struct inspection){ selection, NULL }, format, &rendered, NULL),
		0);
	text_add(text, rendered);
	free(rendered);
}

static void print_text(const struct selection *selection, struct text *text)
{
	print_document(selection, DOCUMENT_TEXT, text);
}

static void print_markdown(const struct selection *selection, struct text *text)
{
	print_document(selection, DOCUMENT_MARKDOWN, text);
}

static void print_csv(const struct selection *selection, struct text *text)
{
	struct csv_row rows;

	csv_row_init(&rows);
	inspect_csv_header(&rows);
	inspect_csv(&(struct inspection){ selection, NULL }, &rows);
	assert_false(rows.failed);
	text_add_bytes(text, rows.bytes, rows.used);
	csv_row_free(&rows);
}

static void print_json(const struct selection *selection, struct text *text)
{
	inspect_json_begin(text);
	inspect_json(&(struct inspection){ selection, NULL }, true, text);
	inspect_json_end(text);
}

static const struct format {
	const char *file;
	void (*print)(const struct selection *selection, struct text *text);
} formats[] = { { "inspect.txt", print_text },
		{ "inspect.md", print_markdown },
		{ "inspect.csv", print_csv },
		{ "inspect.json", print_json } };

static void assert_golden(const char *file, const char *text)
{
	const char *source = getenv("CUCTX_SOURCE"), *update = getenv("CUCTX_TEST_UPDATE");
	char path[4096], expected[16384];
	size_t length;
	FILE *stream;

	snprintf(path, sizeof path, "%s/tests/golden/%s", source ? source : ".", file);
	stream = fopen(path, update ? "w+" : "r");
	if (!stream)
		fail_msg("%s cannot be opened (CUCTX_SOURCE names the source)", path);
	if (update)
		fwrite(text, 1, strlen(text), stream);
	rewind(stream);
	length = fread(expected, 1, sizeof expected - 1, stream);
	fclose(stream);
	expected[length] = '\0';
	assert_string_equal(text, expected);
}

static void each_format_is_as_it_was(void **state)
{
	static const struct selection_wish all = { .kernel_count_max = 2 };
	struct contents contents = read_program();
	struct selection selection = make(&contents, &all);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
		struct text text = { 0 };

		/* For programs all of them, for people two. */
		selection.kernel_count = i < 2 ? 2 : 3;
		formats[i].print(&selection, &text);
		assert_golden(formats[i].file, text_peek(&text));
		text_free(&text);
	}
	selection_free(&selection);
	contents_free(&contents);
}

/* ---- what nobody would write ---- */

static void what_is_left_of_a_cut_one_is_read(void **state)
{
	struct fake_fatbin first, second;
	struct contents contents;
	size_t read_count = 0;

	(void)state;
	fake_fatbins(&first, &second);
	for (size_t cut = 0; cut < first.used; cut++) {
		int r = read_bytes(&contents, first.bytes, cut);

		assert_true(r == 0 || r == -EBADMSG);
		if (r)
			continue;
		assert_true(contents.trouble_count > 0);
		contents_free(&contents);
		read_count++;
	}
	assert_true(read_count > 0);
}

static void damage_anywhere_is_survived(void **state)
{
	struct dice dice = dice_start();
	struct fake_cubin fake, hurt;
	size_t size = fake_program(&fake);
	struct contents contents;

	(void)state;
	for (unsigned int round = 0; round < 4000; round++) {
		int r;

		hurt = fake;
		for (uint64_t flips = 1 + dice_below(&dice, 8); flips; flips--)
			hurt.bytes[dice_below(&dice, size)] ^=
				(unsigned char)(1 + dice_below(&dice, 255));
		r = read_bytes(&contents, hurt.bytes, size);
		assert_true(r == 0 || r == -EBADMSG);
		if (!r)
			contents_free(&contents);
	}
}

static void without_memory_nothing_is_left_behind(void **state)
{
	static const struct selection_wish all = { 0 };
	struct scratch scratch = scratch_open();
	struct fake_cubin fake;
	struct contents contents = { 0 };
	struct selection selection = { 0 };
	unsigned int call = 0;
	char *text = NULL;
	bool failed;
	int r;

	(void)state;
	scratch_fill(&scratch, fake.bytes, fake_program(&fake));
	do {
		fail_memory_at(++call);
		r = contents_read(&contents, scratch.path, &namer, NULL);
		if (!r)
			r = selection_make(&selection, &contents, &all, NULL);
		if (!r)
			r = inspect_render(&(struct inspection){ &selection, NULL }, DOCUMENT_TEXT,
					   &text, NULL);
		failed = fail_memory_end();
		assert_int_equal(r, failed ? -ENOMEM : 0);
		free(text);
		text = NULL;
		selection_free(&selection);
		contents_free(&contents);
	} while (failed);
	assert_true(call > 100);
	scratch_close(&scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_image_is_listed),
		cmocka_unit_test(the_largest_come_first),
		cmocka_unit_test(only_those_that_are_wished_for),
		cmocka_unit_test(each_format_is_as_it_was),
		cmocka_unit_test(what_is_left_of_a_cut_one_is_read),
		cmocka_unit_test(damage_anywhere_is_survived),
		cmocka_unit_test(without_memory_nothing_is_left_behind),
	};

	return cmocka_run_group_tests_name("inspect", tests, NULL, NULL);
}
