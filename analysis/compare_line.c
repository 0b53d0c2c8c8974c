/* SPDX-License-Identifier: MIT */
#include "analysis/compare_line.h"

#include <inttypes.h>
#include <string.h>

bool compare_line_tells(const struct compare_line *line, size_t source)
{
	const struct compare_line_side *side = &line->sides[source];

	return side->judgement.verdict != VERDICT_SAME && !side->follows && !side->is_explained;
}

void compare_line_point(const struct compare_line *line, struct text *ret_text)
{
	for (const char *axis = line->axes; *axis; axis += strlen(axis) + 1)
		text_format(ret_text, "%s%s", axis == line->axes ? "" : " ", axis);
}

void compare_line_step(const struct compare_line *line, struct text *ret_text)
{
	text_add(ret_text, line->step);
	if (line->step_number)
		text_format(ret_text, " #%" PRIu64, (uint64_t)line->step_number + 1);
}

static void add_range(struct compare_range range, struct text *text)
{
	if (!compare_range_is_taken(range))
		return;
	text_format(text, "%" PRId64, range.low);
	if (range.high != range.low)
		text_format(text, " to %" PRId64, range.high);
}

void compare_line_value(const struct compare_line *line, size_t source, struct text *ret_text)
{
	const struct compare_line_side *side = &line->sides[source];

	if (!side->is_there)
		return;
	if (line->kind == COMPARE_NUMBER) {
		add_range(side->range, ret_text);
		return;
	}
	if (line->kind == COMPARE_POINT || line->kind == COMPARE_BENCHMARK) {
		text_add(ret_text, "measured");
		return;
	}
	text_add(ret_text, side->is_torn ? "repeats differ, one is " : "");
	text_add(ret_text, side->word);
	if (*side->error)
		text_format(ret_text, ": %s", side->error);
}

bool compare_line_difference(const struct compare_line *line, size_t source, int128 *ret_low,
			     int128 *ret_high)
{
	const struct compare_line_side *base = &line->sides[0], *newer = &line->sides[source];

	if ((line->kind != COMPARE_NUMBER && line->kind != COMPARE_LAW) || !base->is_there ||
	    !newer->is_there || !compare_range_is_taken(base->range) ||
	    !compare_range_is_taken(newer->range))
		return false;
	*ret_low = (int128)newer->range.low - base->range.low;
	*ret_high = (int128)newer->range.high - base->range.high;
	return true;
}

void compare_number_text(int128 value, bool has_plus, struct text *ret_text)
{
	char digits[48];
	size_t at = sizeof digits;
	bool is_negative = value < 0;

	digits[--at] = '\0';
	do {
		int digit = (int)(value % 10);

		digits[--at] = (char)('0' + (digit < 0 ? -digit : digit));
		value /= 10;
	} while (value);
	if (is_negative)
		digits[--at] = '-';
	else if (has_plus)
		digits[--at] = '+';
	text_add(ret_text, &digits[at]);
}

bool compare_line_percent(const struct compare_line *line, size_t source, double *ret_percent)
{
	int64_t base = line->sides[0].range.low;
	int128 low, high;
	double percent;

	if (!compare_line_difference(line, source, &low, &high) || low != high || !base)
		return false;
	percent = (double)low / (double)base * 100;
	/* More is more, also of what is given back. */
	*ret_percent = (percent < 0) == (low < 0) ? percent : -percent;
	return true;
}

void compare_percent_text(double percent, struct text *ret_text)
{
	text_format(ret_text, percent > -0.01 && percent < 0.01 ? "%+.1g" : "%+.2f", percent);
}
