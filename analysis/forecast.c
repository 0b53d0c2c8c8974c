/* SPDX-License-Identifier: MIT */
#include "analysis/forecast.h"

#include <errno.h>
#include <string.h>

const struct term_request *forecast_term(const struct forecast *forecast, size_t i)
{
	return &forecast->run->requests->terms[i];
}

size_t forecast_term_count(const struct forecast *forecast)
{
	return forecast->run->requests->term_count;
}

size_t forecast_find(const struct forecast *forecast, const char *option)
{
	size_t i = 0;

	while (i < forecast_term_count(forecast) &&
	       strcmp(forecast_term(forecast, i)->option, option))
		i++;
	return i;
}

static bool is_about_another(const struct term_request *term)
{
	return term->join == TERM_SETS || term->join == TERM_RAISES;
}

/* The amount where none is wished for. */
int forecast_usual(const struct forecast *forecast, const struct term_request *term,
		   int64_t *ret_amount, struct err *reterr)
{
	const struct samples *samples = run_samples(forecast->run, term->benchmark);

	*ret_amount = 0;
	if (!term->usual_reading)
		return 0;
	for (size_t i = 0; samples && i < samples->count; i++)
		if (samples_matches(samples, i, term->usual_where) &&
		    samples_value(samples, i, term->usual_reading, ret_amount))
			return 0;
	return err_set(reterr, ENODATA,
		       "--%s: %s does not say what the limit is by default; `cuctx run %s` "
		       "measures it",
		       term->option, forecast->run->dir, term->benchmark);
}

static int open_law(const struct forecast *forecast, const struct term_request *term,
		    struct estimator *estimator, struct err *reterr)
{
	const struct fitted_law *fitted =
		laws_find(forecast->laws, term->benchmark, term->component);
	int r;

	if (!fitted)
		return err_set(reterr, ENODATA, "--%s: there is no law %s, %s", term->option,
			       term->benchmark, term->component);
	r = estimator_open(estimator, forecast->run, fitted, term->option, reterr);
	if (!r)
		estimator->extrapolates = forecast->wish->extrapolates;
	return r;
}

/* Else it is there or not, and its law is a constant. */
static bool has_amount(const struct term_request *term)
{
	return term->argument || term->usual_reading;
}

int forecast_ask(const struct forecast *forecast, struct term_amount asked,
		 struct estimate *ret_estimate, struct text *from, struct err *reterr)
{
	const struct term_request *term = forecast_term(forecast, asked.term);
	struct estimator estimator;
	int r = open_law(forecast, term, &estimator, reterr);

	if (r < 0)
		return r;
	if (!has_amount(term))
		asked.amount = estimator_lowest(&estimator);
	r = estimator_at(&estimator, asked.amount, ret_estimate, reterr);
	if (!r && from)
		estimator_text(&estimator, from);
	estimator_close(&estimator);
	return r;
}

/* ---- what follows from wishes ---- */

/* The wish that the wish for such a term is about; NULL when this is none, or not wished for. */
static struct term_wish *wish_about(const struct forecast *forecast, size_t i, enum term_join join)
{
	const struct term_request *term = forecast_term(forecast, i);

	if (!forecast->terms[i].is_chosen || term->join != join)
		return NULL;
	return &forecast->terms[forecast_find(forecast, term->of)];
}

static void sets(const struct forecast *forecast, size_t i)
{
	struct term_wish *wish = wish_about(forecast, i, TERM_SETS);

	if (wish)
		*wish = forecast->terms[i];
}

static void raises(const struct forecast *forecast, size_t i)
{
	struct term_wish *wish = wish_about(forecast, i, TERM_RAISES);

	if (wish && forecast->terms[i].amount > wish->amount)
		wish->amount = forecast->terms[i].amount;
}

static int fill_amount(struct forecast *forecast, size_t i, struct err *reterr)
{
	const struct term_request *term = forecast_term(forecast, i);
	struct term_wish *wish = &forecast->terms[i];

	if (term->times && wish->is_chosen &&
	    !forecast->terms[forecast_find(forecast, term->times)].is_chosen)
		return err_set(reterr, EINVAL, "--%s is about --%s, which is not given",
			       term->option, term->times);
	wish->is_chosen = wish->is_chosen || term->join == TERM_BASE;
	if (!wish->is_chosen || wish->has_amount || is_about_another(term))
		return 0;
	return forecast_usual(forecast, term, &wish->amount, reterr);
}

int forecast_follow(struct forecast *forecast, struct err *reterr)
{
	int r = 0;

	for (size_t i = 0; i < forecast_term_count(forecast); i++)
		sets(forecast, i);
	for (size_t i = 0; i < forecast_term_count(forecast) && !r; i++)
		r = fill_amount(forecast, i, reterr);
	for (size_t i = 0; i < forecast_term_count(forecast) && !r; i++)
		raises(forecast, i);
	return r;
}

void forecast_name(const struct forecast *forecast, size_t i, struct text *name)
{
	const struct term_request *term = forecast_term(forecast, i);

	text_add(name, term->name);
	if (has_amount(term))
		text_format(name, ": %lld", (long long)forecast->terms[i].amount);
}

bool forecast_is_of_total(const struct forecast *forecast, size_t i)
{
	const struct term_request *term = forecast_term(forecast, i);

	return laws_find(forecast->laws, term->benchmark, term->component)->request->is_total;
}
