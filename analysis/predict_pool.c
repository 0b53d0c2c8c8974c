/* SPDX-License-Identifier: MIT */
#include "analysis/forecast.h"

#include <errno.h>

/* Beyond it, products would no longer fit. */
#define AMOUNT_MAX ((int64_t)1 << 24)

/* Exact, until it is rounded. */
struct pool {
	struct fraction low;
	struct fraction bytes;
	struct fraction high;
	/* What was measured: the largest share alone is the least that all take, and where there is
	 * only one, the most. */
	struct estimate alone;
	size_t count;
};

static struct fraction plus(struct fraction a, struct fraction b)
{
	return fraction_make(a.numerator * b.denominator + b.numerator * a.denominator,
			     a.denominator * b.denominator);
}

static struct fraction times(struct fraction a, int64_t factor, int64_t divisor)
{
	return fraction_make(a.numerator * factor, a.denominator * divisor);
}

/* So many things with so much each by the law. */
static void pool_things(const struct forecast *forecast, struct pool *pool, size_t i,
			struct estimate alone)
{
	const struct term_request *term = forecast_term(forecast, i);
	const struct law *law = &laws_find(forecast->laws, term->benchmark, term->component)->law;
	int64_t amount = forecast->terms[i].amount;

	if (forecast_is_of_total(forecast, i))
		alone = estimate_difference(alone, forecast->context);
	pool->low = plus(pool->low, times(law->per_unit_low, amount, 1));
	pool->bytes = plus(pool->bytes, times(law->per_unit, amount, 1));
	pool->high = plus(pool->high, times(law->per_unit_high, amount, 1));
	if (!pool->count || alone.low_bytes > pool->alone.low_bytes)
		pool->alone.low_bytes = alone.low_bytes;
	pool->alone.high_bytes = alone.high_bytes;
	pool->count++;
}

/* What each of the things has more than those that the law of `times` is of. */
static void pool_more(const struct forecast *forecast, struct pool *pool, size_t i,
		      struct estimate more)
{
	const struct term_request *term = forecast_term(forecast, i);
	int64_t count = forecast->terms[forecast_find(forecast, term->times)].amount;

	pool->low = plus(pool->low, times(fraction_whole(more.low_bytes), count, term->law_count));
	pool->bytes = plus(pool->bytes, times(fraction_whole(more.bytes), count, term->law_count));
	pool->high =
		plus(pool->high, times(fraction_whole(more.high_bytes), count, term->law_count));
	pool->count++;
}

static int pool_term(struct forecast *forecast, struct pool *pool, size_t i, struct text *from,
		     struct err *reterr)
{
	const struct term_request *term = forecast_term(forecast, i);
	struct estimate bytes = { 0 }, free_bytes = { 0 };
	int r;

	if (forecast->terms[i].amount > AMOUNT_MAX)
		return err_set(reterr, EINVAL, "--%s: %lld is too many", term->option,
			       (long long)forecast->terms[i].amount);
	if (pool->count)
		text_add(from, "; ");
	r = forecast_ask(forecast, (struct term_amount){ i, forecast->terms[i].amount }, &bytes,
			 from, reterr);
	if (!r && term->times)
		r = forecast_ask(forecast, (struct term_amount){ i, term->free_count }, &free_bytes,
				 NULL, reterr);
	if (r < 0)
		return r;
	if (term->times)
		pool_more(forecast, pool, i, estimate_difference(bytes, free_bytes));
	else
		pool_things(forecast, pool, i, bytes);
	return 0;
}

/* Of more than any device has, no more than that is told. */
static int64_t whole_granules(struct fraction bytes, int64_t granule_bytes)
{
	int128 whole = floor_divide(bytes.numerator, bytes.denominator * granule_bytes);

	whole *= granule_bytes;
	return whole > LAW_VALUE_MAX ? LAW_VALUE_MAX + 1 : (int64_t)whole;
}

static struct estimate pool_estimate(const struct forecast *forecast, const struct pool *pool)
{
	int64_t granule = forecast->granule_bytes ? forecast->granule_bytes : 1;
	struct estimate estimate = { whole_granules(pool->low, granule),
				     whole_granules(pool->bytes, granule),
				     whole_granules(pool->high, granule) + granule };

	int64_t low = whole_granules(fraction_whole(pool->alone.low_bytes), granule);
	int64_t high =
		whole_granules(fraction_whole(pool->alone.high_bytes + granule - 1), granule);

	if (low > estimate.low_bytes)
		estimate.low_bytes = low;
	if (pool->count == 1 && high < estimate.high_bytes)
		estimate.high_bytes = high;
	return estimate_clamped(estimate);
}

int forecast_pool(struct forecast *forecast, struct err *reterr)
{
	struct pool pool = { .low = fraction_whole(0),
			     .bytes = fraction_whole(0),
			     .high = fraction_whole(0) };
	struct text name = { 0 }, from = { 0 };
	int r = 0;

	for (size_t i = 0; i < forecast_term_count(forecast) && !r; i++) {
		if (forecast_term(forecast, i)->join != TERM_POOLED ||
		    !forecast->terms[i].is_chosen)
			continue;
		text_add(&name, pool.count ? ", " : "");
		forecast_name(forecast, i, &name);
		r = pool_term(forecast, &pool, i, &from, reterr);
	}
	if (!r && pool.count)
		return forecast_add(forecast, &name, &from, pool_estimate(forecast, &pool), reterr);
	text_free(&name);
	text_free(&from);
	return r;
}
