/* SPDX-License-Identifier: MIT */
#include "analysis/estimate.h"

#include <errno.h>
#include <stdlib.h>

struct estimate estimate_sum(struct estimate a, struct estimate b)
{
	return (struct estimate){ a.low_bytes + b.low_bytes, a.bytes + b.bytes,
				  a.high_bytes + b.high_bytes };
}

struct estimate estimate_difference(struct estimate a, struct estimate b)
{
	return (struct estimate){ a.low_bytes - b.high_bytes, a.bytes - b.bytes,
				  a.high_bytes - b.low_bytes };
}

struct estimate estimate_clamped(struct estimate estimate)
{
	if (estimate.high_bytes < estimate.low_bytes)
		estimate.high_bytes = estimate.low_bytes;
	if (estimate.bytes < estimate.low_bytes)
		estimate.bytes = estimate.low_bytes;
	if (estimate.bytes > estimate.high_bytes)
		estimate.bytes = estimate.high_bytes;
	return estimate;
}

int estimator_open(struct estimator *estimator, const struct run *run,
		   const struct fitted_law *fitted, const char *option, struct err *reterr)
{
	const struct law_request *request = fitted->request;
	const struct samples *samples = run_samples(run, request->benchmark);
	struct estimator opened = { .fitted = fitted, .option = option };

	if (!samples || !fitted->is_measured)
		return err_set(reterr, ENODATA,
			       "--%s: %s has no rows for the law %s, %s; `cuctx run %s` measures "
			       "them",
			       option, run->dir, request->benchmark, request->component,
			       request->benchmark);
	if (!fitted->law.holds)
		return err_set(reterr, EDOM,
			       "--%s: the law %s, %s does not hold in %s: it misses a point by "
			       "%lld bytes, and nothing follows from it",
			       option, request->benchmark, request->component, run->dir,
			       (long long)fitted->law.residual_max_bytes);
	if (law_all_points(samples, request, &opened.points, &opened.count) < 0)
		return err_errno(reterr, ENOMEM, "%s", run->dir);
	*estimator = opened;
	return 0;
}

void estimator_close(struct estimator *estimator)
{
	free(estimator->points);
	*estimator = (struct estimator){ 0 };
}

int64_t estimator_lowest(const struct estimator *estimator)
{
	return estimator->points[0].x;
}

static int64_t highest(const struct estimator *estimator)
{
	return estimator->points[estimator->count - 1].x;
}

static int check_reach(const struct estimator *estimator, int64_t x, struct err *reterr)
{
	const struct law_request *request = estimator->fitted->request;

	if (x < 0 || x > LAW_VALUE_MAX)
		return err_set(reterr, EINVAL, "--%s: %lld is more than anything has",
			       estimator->option, (long long)x);
	if (estimator->extrapolates ||
	    (x >= estimator_lowest(estimator) && x <= highest(estimator)))
		return 0;
	return err_set(reterr, EINVAL,
		       "--%s: %lld is outside of what was measured, %lld to %lld (%s, %s); with "
		       "--extrapolate its law goes beyond",
		       estimator->option, (long long)x, (long long)estimator_lowest(estimator),
		       (long long)highest(estimator), request->benchmark, request->component);
}

static struct fraction with_slope(const struct law *law, struct fraction per_unit, int64_t x)
{
	struct law other = *law;

	other.per_unit = per_unit;
	return law_value(&other, x);
}

/* Of more than anything has, no more than that is told. */
static int64_t down(struct fraction bytes)
{
	int128 whole = floor_divide(bytes.numerator, bytes.denominator);

	return whole > LAW_VALUE_MAX ? LAW_VALUE_MAX + 1 : (int64_t)whole;
}

static void raise_to(struct estimate *estimate, int64_t least_bytes)
{
	if (estimate->low_bytes < least_bytes)
		estimate->low_bytes = least_bytes;
	if (estimate->high_bytes < least_bytes)
		estimate->high_bytes = least_bytes;
}

static void lower_to(struct estimate *estimate, int64_t most_bytes)
{
	if (estimate->low_bytes > most_bytes)
		estimate->low_bytes = most_bytes;
	if (estimate->high_bytes > most_bytes)
		estimate->high_bytes = most_bytes;
}

/* The nearest amounts that were measured say between which bytes it is. */
static void bound(const struct estimator *estimator, int64_t x, struct estimate *estimate)
{
	bool has_below = false, has_above = false;
	int64_t below = 0, above = 0;

	for (size_t i = 0; i < estimator->count; i++) {
		int64_t y = estimator->points[i].y;

		if (estimator->points[i].x <= x && (!has_below || y > below)) {
			has_below = true;
			below = y;
		}
		if (estimator->points[i].x >= x && (!has_above || y < above)) {
			has_above = true;
			above = y;
		}
	}
	if (has_below)
		raise_to(estimate, below);
	if (has_above)
		lower_to(estimate, above);
}

int estimator_at(const struct estimator *estimator, int64_t x, struct estimate *ret_estimate,
		 struct err *reterr)
{
	const struct law *law = &estimator->fitted->law;
	struct estimate estimate;
	int r = check_reach(estimator, x, reterr);

	if (r < 0)
		return r;
	estimate = (struct estimate){ .low_bytes = down(with_slope(law, law->per_unit_low, x)),
				      .bytes = down(law_value(law, x)),
				      .high_bytes = down(with_slope(law, law->per_unit_high, x)) };
	if (estimate.bytes > LAW_VALUE_MAX || estimate.high_bytes > LAW_VALUE_MAX)
		return err_set(reterr, EINVAL, "--%s: for %lld, that is more than any device has",
			       estimator->option, (long long)x);
	if (law->shape == LAW_CONSTANT)
		estimate.low_bytes = estimate.high_bytes = estimate.bytes;
	if (law->per_unit.numerator >= 0)
		bound(estimator, x, &estimate);
	*ret_estimate = estimate_clamped(estimate);
	return 0;
}

void estimator_text(const struct estimator *estimator, struct text *ret_text)
{
	const struct law_request *request = estimator->fitted->request;

	text_format(ret_text, "%s, %s: %lld to %lld %s", request->benchmark, request->component,
		    (long long)estimator_lowest(estimator), (long long)highest(estimator),
		    request->axis);
}
