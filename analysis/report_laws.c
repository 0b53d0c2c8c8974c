/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "analysis/report_parts.h"
#include "base/array.h"
#include "base/size.h"

static void add_bytes(struct text *text, struct fraction bytes)
{
	char number[FRACTION_TEXT_MAX];

	text_add(text, fraction_text(bytes, number, sizeof number));
}

static void add_slope(struct text *text, const struct fitted_law *fitted)
{
	add_bytes(text, fitted->law.per_unit);
	text_format(text, " x %s", fitted->request->axis);
}

static bool rounds_down(const struct law *law)
{
	/* slack + 1 / denominator is the granule: see choose_offset() */
	int128 slack = law->slack_bytes.numerator *
		       (law->per_unit.denominator / law->slack_bytes.denominator);

	return slack + 1 == law->granule_bytes * law->per_unit.denominator;
}

static void add_staircase(struct text *text, const struct fitted_law *fitted)
{
	const struct law *law = &fitted->law;
	bool is_plain = !law->slack_bytes.numerator || rounds_down(law);
	char granule[SIZE_TEXT_MAX];

	add_bytes(text, law->intercept_bytes);
	text_add(text, is_plain ? " + " : " + (");
	add_slope(text, fitted);
	if (!is_plain) {
		text_add(text, law->slack_bytes.numerator < 0 ? " + " : " - ");
		add_bytes(text, fraction_magnitude(law->slack_bytes));
		text_add(text, ")");
	}
	text_format(text, ", rounded %s to %s", rounds_down(law) ? "down" : "up",
		    law_is_in_bytes(fitted->request)
			    ? size_format(law->granule_bytes, granule, sizeof granule)
			    : "a whole number");
	if (law->has_free)
		text_format(text, "; nothing more up to %lld", (long long)law->free_until);
}

static void add_ends(struct text *text, const struct law *law)
{
	if (law->has_floor)
		text_format(text, ", at least %lld", (long long)law->floor_bytes);
	if (law->has_cap)
		text_format(text, ", at most %lld", (long long)law->cap_bytes);
}

static double decimal(struct fraction value)
{
	return (double)value.numerator / (double)value.denominator;
}

static void add_range(struct text *text, const char *words, struct slot_range range,
		      const char *with)
{
	text_format(text, "%s %lld", words, (long long)range.value);
	if (range.low != range.high)
		text_format(text, " (%lld to %lld%s)", (long long)range.low, (long long)range.high,
			    with);
}

/* In parentheses what the edges allow, where they leave a choice. */
static void add_slots(struct text *text, const struct fitted_law *fitted)
{
	const struct slots *slots = &fitted->law.slots;
	bool is_decided = slots->slot.low == slots->slot.high;
	const char *with = is_decided ? "" : " with that slot";
	char chunk[SIZE_TEXT_MAX];

	if (!slots->holds) {
		text_format(text, "no slot meets all edges; nearest is %s %c %lld",
			    fitted->request->axis, slots->overhead.value < 0 ? '-' : '+',
			    llabs(slots->overhead.value));
		return;
	}
	text_add(text, fitted->request->axis);
	add_range(text, " + overhead", slots->overhead, with);
	add_range(text, ", rounded up to a slot of", slots->slot, " are possible");
	if (slots->chunk_bytes)
		text_format(text, ", in chunks of %s that no copy crosses",
			    size_format(slots->chunk_bytes, chunk, sizeof chunk));
	else
		text_add(text, ", one behind the other");
	add_range(text, "; of all copies, the first", slots->slack, with);
	text_add(text, " bytes cost nothing");
}

static void add_formula(struct document *document, const struct fitted_law *fitted)
{
	const struct law *law = &fitted->law;
	struct text text = { 0 };

	if (law->shape == LAW_SLOTS) {
		add_slots(&text, fitted);
		document_cell_text(document, &text);
		return;
	}
	if (fitted->request->reading)
		text_format(&text, "%s = ", fitted->request->reading);
	if (law->is_staircase) {
		add_staircase(&text, fitted);
	} else {
		add_bytes(&text, law->intercept_bytes);
		if (law->shape != LAW_CONSTANT) {
			text_add(&text, " + ");
			add_slope(&text, fitted);
		}
	}
	add_ends(&text, law);
	if (fraction_compare(law->per_unit_low, law->per_unit_high))
		text_format(&text, " (per unit, the points allow %.10g to %.10g)",
			    decimal(law->per_unit_low), decimal(law->per_unit_high));
	document_cell_text(document, &text);
}

/* Slots that cannot be told apart all meet the edges, so that one of them holds is not the whole.
 */
static void add_verdict(struct document *document, const struct law *law)
{
	const struct slot_range *slot = &law->slots.slot;

	if (!law->holds)
		document_cell(document, "no");
	else if (!law_is_tested(law))
		document_cell(document, "yes, untested: too few points");
	else if (law->shape == LAW_SLOTS && slot->low != slot->high)
		document_cell(document, "yes, but other slots do, too");
	else
		document_cell(document, "yes");
}

static void add_law(struct document *document, const struct fitted_law *fitted)
{
	bool is_in_bytes = law_is_in_bytes(fitted->request);
	struct text residual = { 0 };

	document_cell(document, fitted->request->component);
	document_cell(document, law_shape_text(fitted->law.shape));
	add_formula(document, fitted);
	document_cell_format(document, "%zu", fitted->law.point_count);
	text_format(&residual, "%lld%s%s", (long long)fitted->law.residual_max_bytes,
		    is_in_bytes ? "" : " ", is_in_bytes ? "" : law_unit(fitted->request));
	if (!fitted->law.holds && fitted->law.shape != LAW_SLOTS)
		text_format(&residual, " at %s %lld", fitted->request->axis,
			    (long long)fitted->law.worst_x);
	document_cell_text(document, &residual);
	add_verdict(document, &fitted->law);
}

/* Damaged files and devices that nobody has. */
static void add_beyond(struct document *document, const struct fitted_law *fitted)
{
	document_cell(document, fitted->request->component);
	document_cell(document, "none");
	if (fitted->beyond_line)
		document_cell_format(document, "line %zu of %s.csv has a number beyond 16 TiB",
				     fitted->beyond_line, fitted->request->benchmark);
	else
		document_cell(document, "there is a number beyond 16 TiB");
	for (int i = 0; i < 3; i++)
		document_cell(document, "");
}

static bool is_about(const struct fitted_law *fitted, const char *benchmark)
{
	return (fitted->is_measured || fitted->is_beyond) &&
	       !strcmp(fitted->request->benchmark, benchmark);
}

void report_laws(struct document *document, const struct laws *laws, const char *benchmark)
{
	static const char *const headers[] = { "Points", "Largest residual", "Holds" };
	bool any = false, all_in_bytes = true;

	for (size_t i = 0; i < laws->count; i++) {
		if (!is_about(&laws->items[i], benchmark))
			continue;
		any = true;
		all_in_bytes = all_in_bytes && law_is_in_bytes(laws->items[i].request);
	}
	if (!any)
		return;
	document_add(document, BLOCK_SUBSECTION, "Laws");
	document_table(document, 6, "lllrrl");
	document_cell(document, "Of");
	document_cell(document, "Law");
	document_cell(document, all_in_bytes ? "Bytes" : "Bytes, or what is named");
	for (size_t i = 0; i < ARRAY_COUNT(headers); i++)
		document_cell(document, headers[i]);
	for (size_t i = 0; i < laws->count; i++)
		if (is_about(&laws->items[i], benchmark) && laws->items[i].is_beyond)
			add_beyond(document, &laws->items[i]);
		else if (is_about(&laws->items[i], benchmark))
			add_law(document, &laws->items[i]);
}
