/* SPDX-License-Identifier: MIT */
/*
 * A comparison of two runs that were made up, in each format. tests/golden/changed-run is the other
 * one, with 4 bytes for each granted byte of the pool instead of 3, a granule more for each base,
 * another refusal, and no copies. After a wanted change, CUCTX_TEST_UPDATE=1 writes the files anew.
 */
#include "tests/unit/golden.h"

#include <errno.h>

#include "analysis/compare.h"
#include "analysis/compare_document.h"
#include "analysis/compare_groups.h"
#include "analysis/compare_stream.h"
#include "tests/unit/fail_memory.h"

/* ---- both kinds of output ---- */

static int append(void *context, const char *bytes, size_t count)
{
	struct text *text = context;

	text_add_bytes(text, bytes, count);
	return text->failed ? -ENOMEM : 0;
}

static int stream(const struct compare_sources *sources, const struct compare_options *options,
		  bool is_json, struct text *text, struct err *reterr)
{
	struct compare_stream stream = {
		.sources = sources, .write = append, .context = text, .is_json = is_json
	};
	struct compare_sink sink = compare_stream_sink(&stream);
	struct compare_result result;
	int r = compare_stream_begin(&stream, reterr);

	if (!r)
		r = compare_run(sources, options, &sink, &result, reterr);
	if (!r) {
		r = compare_stream_end(&stream, &result, reterr);
		text_free(&result.notes);
	}
	compare_stream_free(&stream);
	return r;
}

static int document(const struct compare_sources *sources, const struct compare_options *options,
		    bool is_markdown, struct text *text, struct err *reterr)
{
	struct compare_result result = { 0 };
	struct compare_groups groups;
	struct compare_findings findings = { sources, &groups, &result };
	struct compare_sink sink = compare_groups_sink(&groups);
	char *rendered;
	int r = compare_groups_init(&groups, sources->count);

	if (r < 0)
		return r;
	r = compare_run(sources, options, &sink, &result, reterr);
	if (!r) {
		r = compare_document_render(&findings,
					    is_markdown ? DOCUMENT_MARKDOWN : DOCUMENT_TEXT,
					    &rendered, reterr);
		text_free(&result.notes);
	}
	if (!r) {
		text_add(text, rendered);
		free(rendered);
	}
	compare_groups_free(&groups);
	return r;
}

static const struct format {
	const char *file;
	int (*print)(const struct compare_sources *sources, const struct compare_options *options,
		     bool second, struct text *text, struct err *reterr);
	bool second;
} formats[] = {
	{ "compare.txt", document, false },
	{ "compare.md", document, true },
	{ "compare.csv", stream, false },
	{ "compare.json", stream, true },
};

static int compare(const struct format *format, struct text *text)
{
	static const struct compare_options options = { .requests = &golden_requests };
	static const char *const arguments[] = { "before=" GOLDEN_RUN, "changed-run" };
	struct compare_sources sources;
	struct err err;
	int r = compare_sources_open(&sources, arguments, 2, &err);

	if (r < 0)
		return r;
	r = format->print(&sources, &options, format->second, text, &err);
	compare_sources_free(&sources);
	return r;
}

/* ---- golden ---- */

static char *read_whole(const char *path)
{
	FILE *file = fopen(path, "re");
	char *bytes = calloc(1, 1 << 20);

	assert_non_null(bytes);
	if (file) {
		assert_true(fread(bytes, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
		fclose(file);
	}
	return bytes;
}

static void test_formats(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
		struct text text = { 0 };
		char *wanted;

		assert_int_equal(compare(&formats[i], &text), 0);
		if (getenv("CUCTX_TEST_UPDATE")) {
			FILE *file = fopen(formats[i].file, "we");

			assert_non_null(file);
			assert_true(fputs(text_peek(&text), file) >= 0);
			assert_int_equal(fclose(file), 0);
		}
		wanted = read_whole(formats[i].file);
		if (strcmp(text_peek(&text), wanted) != 0)
			fail_msg("tests/golden/%s is another one", formats[i].file);
		free(wanted);
		text_free(&text);
	}
}

/* Each allocation in turn; nothing is lost, and nothing half done is taken for whole. */
static void test_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
		struct text whole = { 0 };
		unsigned int call = 1;
		bool failed = true;

		assert_int_equal(compare(&formats[i], &whole), 0);
		/* Many are alike: one of seven. */
		for (; failed; call += call < 100 ? 1 : 7 + call / 8) {
			struct text text = { 0 };
			int r;

			fail_memory_at(call);
			r = compare(&formats[i], &text);
			failed = fail_memory_end();
			if (r == 0 && strcmp(text_peek(&text), text_peek(&whole)) != 0)
				fail_msg("%s, allocation %u: half of it", formats[i].file, call);
			if (r != 0 && r != -ENOMEM)
				fail_msg("%s, allocation %u: %d", formats[i].file, call, r);
			text_free(&text);
		}
		text_free(&whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, golden_enter, NULL);
}
