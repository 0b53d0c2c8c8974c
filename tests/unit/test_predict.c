/* SPDX-License-Identifier: MIT */
/* The truth is in foretold.h, and what follows from it was reckoned by hand. */
#include "tests/unit/foretold.h"

static struct wish wish_nothing(void)
{
	struct wish wish;
	struct err err;

	assert_int_equal(wish_init(&wish, &requests, &err), 0);
	return wish;
}

static void choose(struct wish *wish, int term, int64_t amount)
{
	wish->terms[term] = (struct term_wish){ true, terms[term].argument != NULL, amount };
}

static void add_code(struct wish *wish, int64_t instructions, int64_t copies)
{
	assert_int_equal(wish_add_code(wish, (struct code_wish){ instructions, copies, 0 }, NULL),
			 0);
}

/* All is measured exactly, or follows exactly. Empties the wish. */
static void assert_process(void **state, struct wish *wish, int64_t bytes)
{
	struct fixture *fixture = *state;
	struct prediction prediction;
	struct err err = { "" };
	int64_t sum = 0;

	assert_int_equal(predict(&prediction, &fixture->run, &fixture->laws, wish, &err), 0);
	assert_int_equal(prediction.process.bytes, bytes);
	assert_in_range(bytes, prediction.process.low_bytes, prediction.process.high_bytes);
	for (size_t i = 0; i < prediction.count; i++)
		sum += prediction.lines[i].bytes.bytes;
	assert_int_equal(sum, bytes);
	prediction_free(&prediction);
	wish_free(wish);
}

static void assert_refused(void **state, struct wish *wish, int error, const char *words)
{
	struct fixture *fixture = *state;
	struct prediction prediction;
	struct err err = { "" };

	assert_int_equal(predict(&prediction, &fixture->run, &fixture->laws, wish, &err), -error);
	assert_non_null(strstr(err.text, words));
	wish_free(wish);
}

static void a_wish_for_nothing_is_a_context(void **state)
{
	struct wish wish = wish_nothing();

	assert_process(state, &wish, CONTEXT);
}

static void a_base_takes_what_its_law_says(void **state)
{
	struct wish wish = wish_nothing();

	choose(&wish, ROOM, 70);
	assert_process(state, &wish, 12000);
	wish = wish_nothing();
	choose(&wish, ROOM, 0);
	assert_process(state, &wish, 5000);
}

static void what_raises_replaces_less_and_not_more(void **state)
{
	static const struct {
		int64_t room, frame, bytes;
	} cases[] = { { 70, 30, 12000 }, { 30, 70, 12000 }, { -1, 5, 6000 }, { -1, 70, 12000 } };

	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct wish wish = wish_nothing();

		if (cases[i].room >= 0)
			choose(&wish, ROOM, cases[i].room);
		choose(&wish, FRAME, cases[i].frame);
		assert_process(state, &wish, cases[i].bytes);
	}
}

static void what_is_added_is_its_law_less_the_context(void **state)
{
	struct wish wish = wish_nothing();

	choose(&wish, EXTRA, 0); /* of the usual size */
	assert_process(state, &wish, CONTEXT + 2700);
	wish = wish_nothing();
	choose(&wish, SIZE, 300); /* chooses the extra */
	assert_process(state, &wish, CONTEXT + 4100);
	wish = wish_nothing();
	choose(&wish, ROOM, 0); /* does not change what is added */
	choose(&wish, MATE, 0);
	assert_process(state, &wish, 5000 + 4000);
}

static void a_term_may_have_a_base_of_its_own(void **state)
{
	struct wish wish = wish_nothing();

	choose(&wish, EXTRA, 0);
	choose(&wish, ROOM, 0);
	assert_process(state, &wish, 5000 + 300 + 2700);
	wish = wish_nothing();
	choose(&wish, EXTRA, 0);
	choose(&wish, ROOM, 16);
	assert_process(state, &wish, 5000 + 1600 + 2700);
}

static void what_is_shared_is_taken_once(void **state)
{
	struct wish wish = wish_nothing();

	choose(&wish, EXTRA, 0);
	choose(&wish, MATE, 0);
	assert_process(state, &wish, CONTEXT + 2700 + 4000 - 1500);
	wish = wish_nothing();
	choose(&wish, SIZE, 300); /* the same is shared */
	choose(&wish, MATE, 0);
	assert_process(state, &wish, CONTEXT + 4100 + 4000 - 1500);
}

static void without_rows_on_sharing_it_is_an_upper_bound(void **state)
{
	struct fixture *fixture = *state;
	struct wish wish = wish_nothing();
	struct prediction prediction;
	struct err err;

	choose(&wish, EXTRA, 0);
	choose(&wish, MATE, 0);
	assert_int_equal(predict(&prediction, &fixture->run, &fixture->laws, &wish, &err), 0);
	assert_int_equal(prediction.process.bytes, CONTEXT + 2700 + 4000);
	assert_true(prediction.is_upper_bound);
	prediction_free(&prediction);
	wish_free(&wish);
}

static void a_pool_is_rounded_once(void **state)
{
	struct wish wish = wish_nothing();

	choose(&wish, THINGS, 5);  /* 1500 */
	choose(&wish, OTHERS, 10); /* 1500 */
	assert_process(state, &wish, CONTEXT + 3000);
	wish = wish_nothing();
	choose(&wish, THINGS, 6);
	assert_process(state, &wish, CONTEXT + 1000);
	wish = wish_nothing();
	choose(&wish, OTHERS, 50); /* 7500, and 50 x 29 x 10 */
	choose(&wish, NODES, 30);
	assert_process(state, &wish, CONTEXT + 22000);
}

static void kernels_lie_where_the_edges_say(void **state)
{
	static const struct {
		struct code_wish codes[3];
		size_t count;
		int64_t bytes;
	} cases[] = {
		{ { { 14, 3, 0 } }, 1, 0 },     /* 128 bytes each, in what is free */
		{ { { 14, 4, 0 } }, 1, 1000 },  /* the fourth is beyond */
		{ { { 14, 10, 0 } }, 1, 1000 }, /* 3 free, 7 in a chunk */
		{ { { 14, 11, 0 } }, 1, 2000 },
		{ { { 512, 1, 0 }, { 14, 3, 0 } },
		  2,
		  3000 }, /* 2112 bytes have chunks of their own */
		{ { { 14, 4, 0 }, { 512, 2, 0 }, { 14, 6, 0 } }, 3, 7000 },
		/* Of code that is known, the law of text is not asked. */
		{ { { 1, 3, 56 } }, 1, 0 },
		{ { { 1, 4, 56 } }, 1, 1000 },
		{ { { 14, 1, 2048 }, { 14, 3, 56 } }, 2, 3000 },
	};

	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct wish wish = wish_nothing();

		for (size_t k = 0; k < cases[i].count; k++)
			assert_int_equal(wish_add_code(&wish, cases[i].codes[k], NULL), 0);
		assert_process(state, &wish, CONTEXT + cases[i].bytes);
	}
}

static void nothing_is_said_beyond_what_was_measured(void **state)
{
	struct wish wish = wish_nothing();

	choose(&wish, ROOM, 1001);
	assert_refused(state, &wish, EINVAL, "--room: 1001 is outside of what was measured");
	wish = wish_nothing();
	choose(&wish, FRAME, 1001);
	assert_refused(state, &wish, EINVAL, "1001 is outside");
	wish = wish_nothing();
	add_code(&wish, 14, 401);
	assert_refused(state, &wish, EINVAL, "--instructions: 401 kernels");
	wish = wish_nothing();
	add_code(&wish, 4097, 1);
	assert_refused(state, &wish, EINVAL, "--instructions: 4097 is outside");
	wish = wish_nothing();
	choose(&wish, NODES, 3);
	assert_refused(state, &wish, EINVAL, "--nodes is about --others");
}

static void unless_it_is_asked_for(void **state)
{
	struct wish wish = wish_nothing();

	wish.extrapolates = true;
	choose(&wish, ROOM, 2000);
	assert_process(state, &wish, 205000);
	wish = wish_nothing();
	wish.extrapolates = true;
	choose(&wish, ROOM, INT64_MAX);
	assert_refused(state, &wish, EINVAL, "more than anything has");
	wish = wish_nothing();
	wish.extrapolates = true;
	choose(&wish, ROOM, (int64_t)1 << 43);
	assert_refused(state, &wish, EINVAL, "more than any device has");
	wish = wish_nothing();
	wish.extrapolates = true;
	choose(&wish, THINGS, (int64_t)1 << 30);
	assert_refused(state, &wish, EINVAL, "too many");
	wish = wish_nothing();
	wish.extrapolates = true;
	add_code(&wish, 14, INT32_MAX);
	assert_refused(state, &wish, EINVAL, "too many");
}

static void what_follows_no_law_is_not_predicted(void **state)
{
	struct wish wish = wish_nothing();

	choose(&wish, ODD, 3);
	assert_refused(state, &wish, EDOM, "--odd: the law odd, odd does not hold");
	wish = wish_nothing();
	choose(&wish, ABSENT, 3);
	assert_refused(state, &wish, ENODATA, "`cuctx run absent`");
}

static void processes_fit_beside_something(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		int64_t beside, fit;
	} cases[] = { { 0, 16 },    { 4000, 16 }, { 4001, 15 },
		      { 94000, 1 }, { 94001, 0 }, { INT64_MAX, 0 } };

	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct wish wish = wish_nothing();
		struct prediction prediction;
		struct err err;

		wish.beside_bytes = cases[i].beside;
		assert_int_equal(predict(&prediction, &fixture->run, &fixture->laws, &wish, &err),
				 0);
		assert_int_equal(prediction.fit_count, cases[i].fit);
		prediction_free(&prediction);
		wish_free(&wish);
	}
}

/* It is to be seen that nothing of it was measured, and what it would not have been measured on. */
static void what_is_told_says_what_it_is(void **state)
{
	static const enum document_format formats[] = { DOCUMENT_TEXT, DOCUMENT_MARKDOWN };
	struct fixture *fixture = *state;
	struct wish wish = wish_nothing();
	struct prediction prediction;
	struct csv_row rows;
	struct err err;
	char *text;

	assert_int_equal(predict(&prediction, &fixture->run, &fixture->laws, &wish, &err), 0);
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++) {
		assert_int_equal(predict_render(&prediction, formats[i], &text, &err), 0);
		assert_non_null(strstr(text, "SIMULATED"));
		assert_non_null(strstr(text, "Predicted, not measured"));
		assert_true((formats[i] == DOCUMENT_MARKDOWN) == !strstr(text, "<b>"));
		free(text);
	}
	csv_row_init(&rows);
	predict_csv(&prediction, &rows);
	text = strndup(rows.bytes, rows.used);
	assert_non_null(text);
	assert_non_null(strstr(text, "component,count,predicted_bytes,"));
	assert_non_null(strstr(text, "\nprocess,1,6000,6000,6000,,yes\n"));
	assert_non_null(strstr(text, "\nprocesses that fit,16,96000,96000,96000,,yes\n"));
	free(text);
	csv_row_free(&rows);
	prediction_free(&prediction);
	wish_free(&wish);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make_whole, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_wish_for_nothing_is_a_context),
		TEST(a_base_takes_what_its_law_says),
		TEST(what_raises_replaces_less_and_not_more),
		TEST(what_is_added_is_its_law_less_the_context),
		TEST(a_term_may_have_a_base_of_its_own),
		TEST(what_is_shared_is_taken_once),
		cmocka_unit_test_setup_teardown(without_rows_on_sharing_it_is_an_upper_bound,
						make_without_both, unmake),
		TEST(a_pool_is_rounded_once),
		TEST(kernels_lie_where_the_edges_say),
		TEST(nothing_is_said_beyond_what_was_measured),
		TEST(unless_it_is_asked_for),
		TEST(what_follows_no_law_is_not_predicted),
		TEST(processes_fit_beside_something),
		TEST(what_is_told_says_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
