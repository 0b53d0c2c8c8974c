/* SPDX-License-Identifier: MIT */
#include "analysis/compare_law_lines.h"

#include <stdio.h>
#include <string.h>

#include "analysis/law_parameters.h"
#include "base/array.h"

static const struct law_parameter *find(const struct law_parameters *parameters, const char *name)
{
	for (size_t i = 0; i < parameters->count; i++)
		if (!strcmp(parameters->items[i].name, name))
			return &parameters->items[i];
	return NULL;
}

static bool ends_in(const char *text, const char *ending)
{
	size_t length = strlen(text), ending_length = strlen(ending);

	return length >= ending_length && !strcmp(text + length - ending_length, ending);
}

/* The end of what the points leave open, or the value itself. */
static struct fraction end_of(const struct law_parameters *parameters,
			      const struct law_parameter *parameter, const char *ending)
{
	char name[PARAMETER_MAX + 8];
	const struct law_parameter *end;

	snprintf(name, sizeof name, "%s%s", parameter->name, ending);
	end = find(parameters, name);
	return end ? end->value : parameter->value;
}

/* A slope that the points leave open may come out otherwise and be the same. */
static enum verdict compare_parameter(const struct law_parameters *base,
				      const struct law_parameters *newer, const char *name)
{
	const struct law_parameter *a = find(base, name), *b = find(newer, name);

	if (!a || !b)
		return a ? VERDICT_ONLY_IN_BASE : b ? VERDICT_ONLY_IN_NEW : VERDICT_SAME;
	if (fraction_compare(end_of(newer, b, "_low"), end_of(base, a, "_high")) <= 0 &&
	    fraction_compare(end_of(base, a, "_low"), end_of(newer, b, "_high")) <= 0)
		return VERDICT_SAME;
	if (!strstr(name, "bytes") || strstr(name, "slack"))
		return VERDICT_CHANGED;
	return fraction_compare(a->value, b->value) < 0 ? VERDICT_MORE : VERDICT_LESS;
}

static bool is_bound(const char *name)
{
	return ends_in(name, "_low") || ends_in(name, "_high");
}

/* What hangs on the other parameters, and on where the points happen to be. */
static bool is_secondary(const char *name)
{
	static const char *const names[] = { "slack", "first_edge", "residual_max" };

	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool any_changed(const struct law_parameters *base, const struct law_parameters *newer,
			bool wants_secondary)
{
	const struct law_parameters *const both[] = { base, newer };

	for (size_t i = 0; i < ARRAY_COUNT(both); i++)
		for (size_t k = 0; k < both[i]->count; k++) {
			const char *name = both[i]->items[k].name;

			if (!is_bound(name) && is_secondary(name) == wants_secondary &&
			    compare_parameter(base, newer, name) != VERDICT_SAME)
				return true;
		}
	return false;
}

/* A line through two points always holds. */
static bool is_tested(const struct fitted_law *fitted)
{
	return fitted->is_measured && fitted->law.holds && law_is_tested(&fitted->law);
}

bool compare_law_changed(const struct fitted_law *base, const struct fitted_law *newer)
{
	struct law_parameters base_list, new_list;

	if (!is_tested(base) || !is_tested(newer))
		return false;
	law_parameters_list(&base_list, base);
	law_parameters_list(&new_list, newer);
	return base->law.shape != newer->law.shape || any_changed(&base_list, &new_list, false) ||
	       any_changed(&base_list, &new_list, true);
}

/* ---- lines ---- */

struct law_lists {
	struct law_parameters items[COMPARE_SOURCES_MAX];
	/* Of that NEW, parameters of the other sort are told. */
	bool tells_secondary[COMPARE_SOURCES_MAX];
};

static struct compare_line line_of(const struct law_telling *telling, const char *parameter)
{
	struct compare_line line = { .kind = COMPARE_LAW,
				     .benchmark = telling->benchmark,
				     .axes = "",
				     .step = telling->fitted[0].request->component,
				     .column = parameter,
				     .source_count = telling->source_count,
				     .follow_count = telling->follow_count };

	for (size_t i = 0; i < line.source_count; i++) {
		line.sides[i] = (struct compare_line_side){ .word = "", .error = "" };
		line.sides[i].range = compare_range_none();
	}
	return line;
}

static bool is_whole(struct fraction value)
{
	return value.denominator == 1 && value.numerator >= INT64_MIN &&
	       value.numerator <= INT64_MAX;
}

static int tell_parameter(const struct law_telling *telling, const struct law_lists *lists,
			  const char *name, const struct compare_visitor *visitor,
			  struct err *reterr)
{
	char words[COMPARE_SOURCES_MAX][FRACTION_TEXT_MAX];
	struct compare_line line = line_of(telling, name);
	struct compare_origin origin = { SIZE_MAX, SIZE_MAX, 0 };

	for (size_t i = 0; i < telling->source_count; i++) {
		const struct law_parameter *parameter = find(&lists->items[i], name);
		struct compare_line_side *side = &line.sides[i];

		side->is_there = parameter != NULL;
		if (parameter) {
			side->word = fraction_text(parameter->value, words[i], sizeof words[i]);
			if (is_whole(parameter->value))
				compare_range_add(&side->range,
						  (int64_t)parameter->value.numerator);
		}
		if (i && telling->has_changed[i] && is_secondary(name) == lists->tells_secondary[i])
			side->judgement.verdict =
				compare_parameter(&lists->items[0], &lists->items[i], name);
	}
	return compare_line_is_told(&line) ? visitor->line(visitor->context, &line, &origin, reterr)
					   : 0;
}

static int tell_shape(const struct law_telling *telling, const struct compare_visitor *visitor,
		      struct err *reterr)
{
	struct compare_line line = line_of(telling, "law");
	struct compare_origin origin = { SIZE_MAX, SIZE_MAX, 0 };

	for (size_t i = 0; i < telling->source_count; i++) {
		const struct fitted_law *fitted = &telling->fitted[i];

		line.sides[i].is_there = fitted->is_measured;
		if (fitted->is_measured)
			line.sides[i].word = law_shape_text(fitted->law.shape);
		if (i && telling->has_changed[i] &&
		    fitted->law.shape != telling->fitted[0].law.shape)
			line.sides[i].judgement.verdict = VERDICT_CHANGED;
	}
	return compare_line_is_told(&line) ? visitor->line(visitor->context, &line, &origin, reterr)
					   : 0;
}

/* Whether no source before this one has a parameter of that name. */
static bool is_first(const struct law_lists *lists, size_t source, const char *name)
{
	for (size_t i = 0; i < source; i++)
		if (find(&lists->items[i], name))
			return false;
	return true;
}

int compare_law_tell(const struct law_telling *telling, const struct compare_visitor *visitor,
		     struct err *reterr)
{
	struct law_lists lists = { 0 };
	int r = tell_shape(telling, visitor, reterr);

	for (size_t i = 0; i < telling->source_count; i++) {
		if (telling->fitted[i].is_measured)
			law_parameters_list(&lists.items[i], &telling->fitted[i]);
		lists.tells_secondary[i] = telling->has_changed[i] &&
					   !any_changed(&lists.items[0], &lists.items[i], false);
	}
	for (size_t i = 0; i < telling->source_count; i++)
		for (size_t k = 0; k < lists.items[i].count && !r; k++) {
			const char *name = lists.items[i].items[k].name;

			if (!is_bound(name) && is_first(&lists, i, name))
				r = tell_parameter(telling, &lists, name, visitor, reterr);
		}
	return r;
}
