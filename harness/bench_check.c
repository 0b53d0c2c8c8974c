/* SPDX-License-Identifier: MIT */
#include "harness/bench_check.h"

#include <errno.h>
#include <string.h>

#include "harness/axis.h"
#include "harness/plan.h"

#define LOWER "abcdefghijklmnopqrstuvwxyz0123456789"

/* Only these letters, and at least one. */
static bool is_made_of(const char *text, const char *letters)
{
	return text && *text && !text[strspn(text, letters)];
}

static int check_values(const struct bench *bench, const struct bench_axis *axis,
			const char *values, struct err *reterr)
{
	struct axis_numbers numbers = { 0 };
	struct axis_words words = { 0 };
	struct err why;
	int r;

	if (axis->kind == AXIS_WORD)
		r = axis_words_parse(&words, values, axis->is_open ? NULL : axis->values,
				     axis->name, &why);
	else
		r = axis_numbers_parse(&numbers, values, axis->name, &why);
	axis_numbers_free(&numbers);
	axis_words_free(&words);
	return r < 0 ? err_set(reterr, EINVAL, "benchmark %s: %s", bench->name, why.text) : 0;
}

/* A row for a word that the axis does not have would never be used. */
static int check_settings(const struct bench *bench, const struct bench_axis *axis,
			  struct err *reterr)
{
	for (const struct bench_setting *row = axis->settings; row && row->variable; row++)
		if (axis->kind != AXIS_WORD || !row->word ||
		    check_values(bench, axis, row->word, reterr) < 0)
			return err_set(reterr, EINVAL,
				       "benchmark %s: axis %s: %s is set for no word of it",
				       bench->name, axis->name, row->variable);
	return 0;
}

static int check_axis(const struct bench *bench, const struct bench_axis *axis, struct err *reterr)
{
	int r;

	if (!is_made_of(axis->name, LOWER "_"))
		return err_set(reterr, EINVAL, "benchmark %s: axis name '%s'", bench->name,
			       axis->name);
	r = check_settings(bench, axis, reterr);
	if (r < 0)
		return r;
	if (!axis->values && !axis->module_family)
		return err_set(reterr, EINVAL, "benchmark %s: axis %s has no values", bench->name,
			       axis->name);
	if (axis->values)
		r = check_values(bench, axis, axis->values, reterr);
	if (!r && axis->quick_values)
		r = check_values(bench, axis, axis->quick_values, reterr);
	return r;
}

static int check_bench(const struct bench *bench, struct err *reterr)
{
	size_t length = bench->question ? strlen(bench->question) : 0;
	int r = 0;

	if (!is_made_of(bench->name, LOWER "-"))
		return err_set(reterr, EINVAL, "benchmark '%s': the name is not kebab-case",
			       bench->name ? bench->name : "");
	if (!length || bench->question[length - 1] != '?')
		return err_set(reterr, EINVAL, "benchmark %s: its question does not end in '?'",
			       bench->name);
	if (!bench->run || !bench->headline_step)
		return err_set(reterr, EINVAL, "benchmark %s: no run() or no headline step",
			       bench->name);
	if (!bench->laws[0].component != !!bench->no_law)
		return err_set(reterr, EINVAL, "benchmark %s: %s", bench->name,
			       bench->no_law ? "it has laws and says that none fits"
					     : "neither a law nor why none fits");
	for (size_t i = 0; !r && i < bench_axis_count(bench); i++)
		r = check_axis(bench, &bench->axes[i], reterr);
	for (size_t i = 0; !r && i < BENCH_READINGS_MAX && bench->readings[i].name; i++)
		if (!is_made_of(bench->readings[i].name, LOWER "_"))
			r = err_set(reterr, EINVAL, "benchmark %s: reading name '%s'", bench->name,
				    bench->readings[i].name);
	return r;
}

int benches_check(const struct bench *const *benches, size_t count, struct err *reterr)
{
	int r = 0;

	for (size_t i = 0; !r && i < count; i++) {
		r = check_bench(benches[i], reterr);
		for (size_t j = 0; !r && j < i; j++)
			if (!strcmp(benches[i]->name, benches[j]->name))
				r = err_set(reterr, EINVAL, "benchmark %s: the name is taken twice",
					    benches[i]->name);
	}
	return r;
}
