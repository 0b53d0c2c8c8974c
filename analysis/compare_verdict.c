/* SPDX-License-Identifier: MIT */
#include "analysis/compare_verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

#define SURE_ENOUGH      0.01
#define SETTLE_COUNT_MAX 1000000

const char *verdict_text(enum verdict verdict)
{
	static const char *const texts[VERDICT_COUNT] = {
		[VERDICT_SAME] = "same",
		[VERDICT_MORE] = "more",
		[VERDICT_LESS] = "less",
		[VERDICT_AMBIGUOUS] = "ambiguous",
		[VERDICT_CHANGED] = "changed",
		[VERDICT_ONLY_IN_BASE] = "only-in-base",
		[VERDICT_ONLY_IN_NEW] = "only-in-new",
	};

	return texts[verdict];
}

void compare_range_add(struct compare_range *range, int64_t value)
{
	if (value < range->low)
		range->low = value;
	if (value > range->high)
		range->high = value;
	range->count++;
}

/* ---- thresholds ---- */

/* "12", "0.5": digits and at most one point among them. */
static bool read_decimal(const char *text, size_t length, struct fraction *ret_value)
{
	int128 numerator = 0, denominator = 1;
	bool has_point = false;

	if (!length || length > 15 || text[0] == '.' || text[length - 1] == '.')
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '.' && !has_point) {
			has_point = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9')
			return false;
		numerator = numerator * 10 + (text[i] - '0');
		denominator *= has_point ? 10 : 1;
	}
	*ret_value = fraction_make(numerator, denominator);
	return true;
}

int compare_threshold_parse(const char *text, struct compare_threshold *ret_threshold,
			    struct err *reterr)
{
	struct compare_threshold threshold = { .percent = fraction_whole(0) };
	size_t length = strlen(text);
	uint64_t bytes;
	int r;

	if (length && text[length - 1] == '%') {
		if (!read_decimal(text, length - 1, &threshold.percent))
			return err_set(reterr, EINVAL, "'%s' is no percentage", text);
	} else {
		r = size_parse(text, &bytes, reterr);
		if (r < 0)
			return r;
		if (bytes > INT64_MAX)
			return err_set(reterr, EINVAL, "'%s' is too large", text);
		threshold.bytes = (int64_t)bytes;
	}
	*ret_threshold = threshold;
	return 0;
}

static int128 magnitude(int128 value)
{
	return value < 0 ? -value : value;
}

static bool is_within(int128 difference, int128 base, const struct compare_threshold *threshold)
{
	struct fraction percent = threshold->percent;

	difference = magnitude(difference);
	if (difference <= threshold->bytes)
		return true;
	/* All below 2^127: bytes below 2^64, a hundred, and 15 digits. */
	return percent.denominator && percent.numerator &&
	       difference * 100 * percent.denominator <= magnitude(base) * percent.numerator;
}

/* ---- ranges ---- */

static bool is_exact(struct compare_range range)
{
	return range.low == range.high;
}

static double distance(int64_t a, int64_t b)
{
	return a < b ? (double)b - (double)a : (double)a - (double)b;
}

/* How many values it takes that one of them is sure enough to lie within that share of the range.
 */
static uint64_t count_to_meet(double share)
{
	double missed = 1 - share;
	uint64_t count = 1;

	while (missed > SURE_ENOUGH && count < SETTLE_COUNT_MAX) {
		missed *= 1 - share;
		count++;
	}
	return count;
}

static uint64_t settle_count(struct compare_range base, struct compare_range newer,
			     const struct compare_rule *rule)
{
	int64_t low = base.low < newer.low ? base.low : newer.low;
	int64_t high = base.high > newer.high ? base.high : newer.high;
	double at_low = distance(base.low, newer.low), at_high = distance(base.high, newer.high);
	double gap = at_low > at_high ? at_low : at_high;
	double step = rule->granule ? (double)rule->granule : 1;
	uint64_t taken = base.count < newer.count ? base.count : newer.count;
	uint64_t count = count_to_meet(gap / (distance(low, high) + step));

	return count > taken && count < SETTLE_COUNT_MAX ? count : 0;
}

static enum verdict direction(struct compare_range base, struct compare_range newer,
			      const struct compare_rule *rule)
{
	int128 at_low = (int128)newer.low - base.low, at_high = (int128)newer.high - base.high;
	int64_t low = base.low > newer.low ? base.low : newer.low;
	int64_t high = base.high < newer.high ? base.high : newer.high;
	int128 overlap = (int128)high - low;
	int64_t allowed = is_exact(base) && is_exact(newer) ? 0 : rule->granule;

	if ((is_within(at_low, base.low, &rule->threshold) || !at_low) &&
	    (is_within(at_high, base.high, &rule->threshold) || !at_high))
		return VERDICT_SAME;
	if (at_low > 0 && at_high > 0 && overlap <= allowed)
		return VERDICT_MORE;
	if (at_low < 0 && at_high < 0 && overlap <= allowed)
		return VERDICT_LESS;
	return VERDICT_AMBIGUOUS;
}

struct judgement compare_ranges(struct compare_range base, struct compare_range newer,
				const struct compare_rule *rule)
{
	bool in_base = compare_range_is_taken(base), in_new = compare_range_is_taken(newer);
	struct judgement judgement = { VERDICT_SAME, 0 };

	if (in_base != in_new)
		judgement.verdict = in_base ? VERDICT_ONLY_IN_BASE : VERDICT_ONLY_IN_NEW;
	else if (in_base)
		judgement.verdict = direction(base, newer, rule);
	if (judgement.verdict == VERDICT_AMBIGUOUS)
		judgement.settle_count = settle_count(base, newer, rule);
	return judgement;
}
