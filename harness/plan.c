/* SPDX-License-Identifier: MIT */
#include "harness/plan.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "harness/axis.h"
#include "harness/plan_words.h"

/* Any odd constant would do; it is fixed so that the order is the same in every run. */
#define SHUFFLE_SEED 0x9e3779b97f4a7c15u

/* The values of one axis, whichever kind it is. */
struct axis_span {
	struct axis_numbers numbers;
	struct axis_words words;
	size_t count;
};

struct builder {
	struct plan *plan;
	const struct plan_request *request;
	const struct modules *modules;
	const regex_t *filter; /* NULL: all */
	struct axis_span spans[BENCH_AXES_MAX];
};

static void spans_free(struct builder *builder)
{
	for (size_t i = 0; i < BENCH_AXES_MAX; i++) {
		axis_numbers_free(&builder->spans[i].numbers);
		axis_words_free(&builder->spans[i].words);
		builder->spans[i].count = 0;
	}
}

static const char *override_of(const struct plan_request *request, const char *axis)
{
	for (size_t i = 0; i < request->override_count; i++)
		if (!strcmp(request->overrides[i].axis, axis))
			return request->overrides[i].values;
	return NULL;
}

/* All sizes that the modules of the family have, ascending. */
static int sizes_of_family(const struct modules *modules, const struct bench_axis *axis,
			   struct axis_numbers *numbers, struct err *reterr)
{
	for (size_t i = 0; modules && i < modules->count; i++)
		if (module_is_in_family(&modules->list[i], axis->module_family) &&
		    axis_numbers_add(numbers, modules->list[i].instructions) < 0)
			return err_set(reterr, ENOMEM, "axis %s: out of memory", axis->name);
	if (!numbers->count)
		return err_set(reterr, ENOENT, "axis %s: no module %s-* is built", axis->name,
			       axis->module_family);
	return 0;
}

static uint64_t nearest(const struct axis_numbers *numbers, uint64_t wanted)
{
	uint64_t best = numbers->values[0];

	for (size_t i = 1; i < numbers->count; i++) {
		uint64_t value = numbers->values[i];
		uint64_t away = value > wanted ? value - wanted : wanted - value;

		if (away < (best > wanted ? best - wanted : wanted - best))
			best = value;
	}
	return best;
}

/* What instructions are found depends on the architecture, so of each number in `text` the nearest.
 */
static int keep_nearest(struct axis_numbers *numbers, const char *text, const char *axis,
			struct err *reterr)
{
	struct axis_numbers wanted = { 0 }, kept = { 0 };
	int r = axis_numbers_parse(&wanted, text, axis, reterr);

	for (size_t i = 0; !r && i < wanted.count; i++)
		if (axis_numbers_add(&kept, nearest(numbers, wanted.values[i])) < 0)
			r = err_set(reterr, ENOMEM, "axis %s: out of memory", axis);
	axis_numbers_free(&wanted);
	if (r < 0) {
		axis_numbers_free(&kept);
		return r;
	}
	axis_numbers_free(numbers);
	*numbers = kept;
	return 0;
}

static int check_sizes(const struct modules *modules, const struct bench_axis *axis,
		       const struct axis_numbers *numbers, struct err *reterr)
{
	for (size_t i = 0; i < numbers->count; i++)
		if (!modules ||
		    !modules_find_sized(modules, axis->module_family, numbers->values[i]))
			return err_set(reterr, EINVAL,
				       "axis %s: no module %s-* has %llu instructions; "
				       "kernels.csv lists those that are built",
				       axis->name, axis->module_family,
				       (unsigned long long)numbers->values[i]);
	return 0;
}

static int span_sizes(struct builder *builder, const struct bench_axis *axis, const char *given,
		      struct axis_numbers *numbers, struct err *reterr)
{
	int r;

	if (given) {
		r = axis_numbers_parse(numbers, given, axis->name, reterr);
		return r < 0 ? r : check_sizes(builder->modules, axis, numbers, reterr);
	}
	r = sizes_of_family(builder->modules, axis, numbers, reterr);
	if (!r && builder->request->quick && axis->quick_values)
		r = keep_nearest(numbers, axis->quick_values, axis->name, reterr);
	return r;
}

static int span_axis(struct builder *builder, const struct bench_axis *axis, struct axis_span *span,
		     struct err *reterr)
{
	const char *given = override_of(builder->request, axis->name);
	const char *text = given                                           ? given
			   : builder->request->quick && axis->quick_values ? axis->quick_values
									   : axis->values;
	int r;

	if (axis->kind == AXIS_WORD) {
		r = axis_words_parse(&span->words, text, axis->is_open ? NULL : axis->values,
				     axis->name, reterr);
		span->count = span->words.count;
		return r;
	}
	r = axis->module_family ? span_sizes(builder, axis, given, &span->numbers, reterr)
				: axis_numbers_parse(&span->numbers, text, axis->name, reterr);
	span->count = span->numbers.count;
	return r;
}

/* The point with this running number: the last axis turns fastest. */
static int point_at(struct builder *builder, const struct bench *bench, size_t index,
		    struct bench_point *ret_point, struct err *reterr)
{
	*ret_point = (struct bench_point){ 0 };
	for (size_t i = bench_axis_count(bench); i-- > 0;) {
		struct axis_span *span = &builder->spans[i];
		size_t digit;

		if (!span->count)
			return err_set(reterr, EINVAL, "axis %s: no values", bench->axes[i].name);
		digit = index % span->count;
		index /= span->count;
		if (bench->axes[i].kind == AXIS_NUMBER) {
			ret_point->values[i].number = span->numbers.values[digit];
			continue;
		}
		ret_point->values[i].word = plan_word(builder->plan, span->words.words[digit]);
		if (!ret_point->values[i].word)
			return err_set(reterr, ENOMEM, "out of memory");
	}
	return 0;
}

static bool is_wanted(const struct builder *builder, const struct plan_sample *sample)
{
	const struct bench *bench = sample->bench;
	char text[PLAN_TEXT_MAX];

	if (bench->wants && !bench->wants(bench, &sample->point))
		return false;
	return !builder->filter ||
	       !regexec(builder->filter, plan_sample_text(sample, text, sizeof text), 0, NULL, 0);
}

static int add_bench(struct builder *builder, const struct bench *bench, unsigned int repeat,
		     struct err *reterr)
{
	size_t point_count = 1;
	int r = 0;

	for (size_t i = 0; !r && i < bench_axis_count(bench); i++) {
		r = span_axis(builder, &bench->axes[i], &builder->spans[i], reterr);
		point_count *= builder->spans[i].count;
	}
	if (!r && point_count * builder->request->repeats > PLAN_SAMPLES_MAX)
		r = err_set(reterr, EINVAL,
			    "%s: %zu points, %u times each, are more than %d samples", bench->name,
			    point_count, builder->request->repeats, PLAN_SAMPLES_MAX);
	for (size_t i = 0; !r && i < point_count; i++) {
		struct plan_sample sample = { .bench = bench, .repeat = repeat };

		r = point_at(builder, bench, i, &sample.point, reterr);
		if (!r && is_wanted(builder, &sample) && plan_add(builder->plan, &sample) < 0)
			r = err_set(reterr, ENOMEM, "out of memory");
	}
	spans_free(builder);
	return r;
}

/* Fisher-Yates over samples [first, count) with a xorshift generator (Marsaglia 2003). */
static void shuffle(struct plan *plan, size_t first, uint64_t seed)
{
	struct plan_sample *samples = plan->samples + first;

	for (size_t left = plan->count - first; left > 1; left--) {
		struct plan_sample kept = samples[left - 1];
		size_t other;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		other = seed % left;
		samples[left - 1] = samples[other];
		samples[other] = kept;
	}
}

static bool has_axis(const struct plan_request *request, const char *axis)
{
	for (size_t i = 0; i < request->bench_count; i++)
		for (size_t j = 0; j < bench_axis_count(request->benches[i]); j++)
			if (!strcmp(request->benches[i]->axes[j].name, axis))
				return true;
	return false;
}

static int check_overrides(const struct plan_request *request, struct err *reterr)
{
	for (size_t i = 0; i < request->override_count; i++) {
		const char *axis = request->overrides[i].axis;

		if (!has_axis(request, axis))
			return err_set(reterr, EINVAL,
				       "axis %s: no chosen benchmark has it; `cuctx list` names "
				       "the axes",
				       axis);
		if (override_of(request, axis) != request->overrides[i].values)
			return err_set(reterr, EINVAL,
				       "axis %s: it is given twice; put its values into one list",
				       axis);
	}
	return 0;
}

static int add_all(struct builder *builder, struct err *reterr)
{
	const struct plan_request *request = builder->request;
	int r = 0;

	for (unsigned int repeat = 1; !r && repeat <= request->repeats; repeat++) {
		size_t first = builder->plan->count;

		for (size_t i = 0; !r && i < request->bench_count; i++)
			r = add_bench(builder, request->benches[i], repeat, reterr);
		if (!r)
			shuffle(builder->plan, first, SHUFFLE_SEED * repeat);
	}
	if (!r && !builder->plan->count)
		r = err_set(reterr, EINVAL, "no point is left to measure%s%s",
			    request->filter ? " by the filter " : "",
			    request->filter ? request->filter : "");
	return r;
}

int plan_make(struct plan *plan, const struct plan_request *request, const struct modules *modules,
	      struct err *reterr)
{
	struct plan made = { 0 };
	struct builder builder = { .plan = &made, .request = request, .modules = modules };
	regex_t filter;
	int r;

	r = check_overrides(request, reterr);
	if (r < 0)
		return r;
	if (request->filter) {
		if (regcomp(&filter, request->filter, REG_EXTENDED | REG_NOSUB))
			return err_set(reterr, EINVAL, "filter '%s': not a regular expression",
				       request->filter);
		builder.filter = &filter;
	}
	r = add_all(&builder, reterr);
	if (request->filter)
		regfree(&filter);
	if (r < 0) {
		plan_free(&made);
		return r;
	}
	*plan = made;
	return 0;
}
