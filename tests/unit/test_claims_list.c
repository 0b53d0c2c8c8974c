/* SPDX-License-Identifier: MIT */
/* bench/claims.def speaks of what there is: benchmarks, axes and their words, columns, figures. */
#include "tests/unit/check.h"

#include <stdio.h>
#include <string.h>

#include "analysis/requests.h"
#include "base/array.h"
#include "bench/benches.h"
#include "harness/plan.h"

static const struct claim_request claims[] = {
#define CLAIM(...) { __VA_ARGS__ },
#include "bench/claims.def"
#undef CLAIM
};

/* What every benchmark's file has, and what stands for a status. */
static const char *const shared_columns[] = {
	"delta_bytes",         "total_bytes",     "self_free_bytes",
	"observer_free_bytes", "nvml_used_bytes", "nvml_process_bytes",
	"host_rss_bytes",      "elapsed_ns",      "refused",
};

static const struct bench *bench_named(const char *name)
{
	for (size_t i = 0; i < benches_count; i++)
		if (!strcmp(benches[i]->name, name))
			return benches[i];
	return NULL;
}

static const struct bench_axis *axis_named(const struct bench *bench, const char *name)
{
	for (size_t i = 0; i < bench_axis_count(bench); i++)
		if (!strcmp(bench->axes[i].name, name))
			return &bench->axes[i];
	return NULL;
}

static bool has_reading(const struct bench *bench, const char *name)
{
	for (size_t i = 0; i < BENCH_READINGS_MAX && bench->readings[i].name; i++)
		if (!strcmp(bench->readings[i].name, name))
			return true;
	return false;
}

static bool has_column(const struct bench *bench, const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(shared_columns); i++)
		if (!strcmp(shared_columns[i], name))
			return true;
	return axis_named(bench, name) || has_reading(bench, name);
}

/* Whether it is one of the words "a,b,c". */
static bool is_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncmp(at, word, length) && (!at[length] || at[length] == ','))
			return true;
	return false;
}

static void check_condition(const struct bench *bench, char *condition)
{
	char *equals = strchr(condition, '=');
	const struct bench_axis *axis;

	assert_non_null(equals);
	*equals = '\0';
	axis = axis_named(bench, condition);
	if (!axis) {
		fail_msg("%s has no axis %s", bench->name, condition);
		return;
	}
	if (equals[1] == '@')
		assert_true(has_reading(bench, equals + 2));
	else if (axis->kind == AXIS_WORD && !is_word(axis->values, equals + 1))
		fail_msg("%s: %s is never %s", bench->name, condition, equals + 1);
	else if (axis->kind == AXIS_NUMBER)
		assert_true(equals[1] && !equals[1 + strspn(equals + 1, "0123456789")]);
}

static void check_figure(const struct figure_request *figure)
{
	const struct bench *bench = bench_named(figure->benchmark);
	char where[256], *rest = where;

	if (!strcmp(figure->benchmark, FIGURE_ENVIRONMENT)) {
		assert_string_equal(figure->column, "granule_bytes");
		return;
	}
	if (!bench) {
		fail_msg("there is no benchmark %s", figure->benchmark);
		return;
	}
	assert_true(*figure->step);
	if (!has_column(bench, figure->column))
		fail_msg("%s has no column %s", bench->name, figure->column);
	assert_true(!figure->where || strlen(figure->where) < sizeof where);
	snprintf(where, sizeof where, "%s", figure->where ? figure->where : "");
	while (*where && rest)
		check_condition(bench, strsep(&rest, ","));
}

static bool has_figure(const struct claim_request *claim, const char *name)
{
	for (size_t i = 0; i < CLAIM_FIGURES_MAX && claim->figures[i].name; i++)
		if (!strcmp(claim->figures[i].name, name))
			return true;
	return false;
}

static void figures_are_of_what_there_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(claims); i++) {
		assert_non_null(claims[i].figures[0].name);
		for (size_t k = 0; k < CLAIM_FIGURES_MAX && claims[i].figures[k].name; k++)
			check_figure(&claims[i].figures[k]);
	}
}

static void checks_are_of_the_figures(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(claims); i++) {
		size_t deciding_count = 0;

		for (size_t k = 0; k < CLAIM_CHECKS_MAX && claims[i].checks[k].left; k++) {
			const struct check_request *check = &claims[i].checks[k];

			if (!has_figure(&claims[i], check->left) ||
			    (check->right && !has_figure(&claims[i], check->right)))
				fail_msg("%s: a check is of no figure", claims[i].name);
			deciding_count += !check->is_condition && !check->is_evidence;
		}
		assert_true(deciding_count > 0);
	}
}

static void each_is_a_sentence_of_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(claims); i++) {
		const char *name = claims[i].name, *sentence = claims[i].sentence;

		assert_true(*name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz-")]);
		assert_true(sentence[0] >= 'A' && sentence[0] <= 'Z');
		/* Reports put it into a table. */
		assert_null(strpbrk(sentence, ".;\n"));
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(name, claims[k].name);
			assert_string_not_equal(sentence, claims[k].sentence);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_of_what_there_is),
		cmocka_unit_test(checks_are_of_the_figures),
		cmocka_unit_test(each_is_a_sentence_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
