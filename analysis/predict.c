/* SPDX-License-Identifier: MIT */
#include "analysis/predict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast.h"
#include "analysis/shared.h"

int wish_init(struct wish *wish, const struct requests *requests, struct err *reterr)
{
	*wish = (struct wish){ .process_count = 1 };
	wish->terms = calloc(requests->term_count + 1, sizeof *wish->terms);
	return wish->terms ? 0 : err_set(reterr, ENOMEM, "out of memory");
}

int wish_add_code(struct wish *wish, struct code_wish code, struct err *reterr)
{
	size_t size = wish->code_size ? wish->code_size * 2 : 4;

	if (wish->code_count == wish->code_size) {
		struct code_wish *codes = realloc(wish->codes, size * sizeof *codes);

		if (!codes)
			return err_set(reterr, ENOMEM, "out of memory");
		wish->codes = codes;
		wish->code_size = size;
	}
	wish->codes[wish->code_count++] = code;
	return 0;
}

void wish_free(struct wish *wish)
{
	free(wish->terms);
	free(wish->codes);
	*wish = (struct wish){ 0 };
}

void prediction_free(struct prediction *prediction)
{
	for (size_t i = 0; i < prediction->count; i++) {
		free(prediction->lines[i].name);
		free(prediction->lines[i].from);
	}
	*prediction = (struct prediction){ 0 };
}

int forecast_add(struct forecast *forecast, struct text *name, struct text *from,
		 struct estimate bytes, struct err *reterr)
{
	struct prediction *prediction = forecast->prediction;
	struct predicted_line line = { .bytes = bytes };
	int r = prediction->count < PREDICTED_LINES_MAX
			? text_take(name, &line.name, reterr)
			: err_set(reterr, EINVAL, "that is more than a table can hold");

	if (!r)
		r = text_take(from, &line.from, reterr);
	if (r < 0) {
		free(line.name);
		text_free(name);
		text_free(from);
		return r;
	}
	prediction->lines[prediction->count++] = line;
	prediction->process = estimate_sum(prediction->process, bytes);
	return 0;
}

/* ---- lines ---- */

/* No less than what terms have by themselves. */
static struct estimate raised_base(const struct forecast *forecast, struct estimate base)
{
	for (size_t i = 0; i < forecast_term_count(forecast); i++) {
		int64_t least =
			forecast->terms[i].is_chosen ? shared_base_bytes(forecast->run, i) : 0;

		if (base.bytes < least)
			base.bytes = least;
		if (base.low_bytes < least)
			base.low_bytes = least;
	}
	return estimate_clamped(base);
}

static int add_base(struct forecast *forecast, size_t i, struct err *reterr)
{
	const struct term_request *term = forecast_term(forecast, i);
	int64_t amount = forecast->terms[i].amount, usual;
	struct estimate bare = { 0 }, whole = { 0 };
	struct text name = { 0 }, from = { 0 }, bare_name = { 0 }, bare_from = { 0 };
	int r = forecast_usual(forecast, term, &usual, reterr);

	if (!r)
		r = forecast_ask(forecast, (struct term_amount){ i, usual }, &forecast->context,
				 NULL, reterr);
	if (!r)
		r = forecast_ask(forecast, (struct term_amount){ i, 0 }, &bare, &bare_from, reterr);
	if (!r)
		r = forecast_ask(forecast, (struct term_amount){ i, amount }, &whole, &from,
				 reterr);
	if (r < 0) {
		text_free(&bare_from);
		text_free(&from);
		return r;
	}
	text_add(&bare_name, term->without);
	forecast_name(forecast, i, &name);
	r = forecast_add(forecast, &bare_name, &bare_from, bare, reterr);
	if (r < 0) {
		text_free(&name);
		text_free(&from);
		return r;
	}
	return forecast_add(forecast, &name, &from,
			    raised_base(forecast, estimate_difference(whole, bare)), reterr);
}

static int add_term(struct forecast *forecast, size_t i, struct err *reterr)
{
	struct text name = { 0 }, from = { 0 };
	struct estimate bytes = { 0 };
	int r = forecast_ask(forecast, (struct term_amount){ i, forecast->terms[i].amount }, &bytes,
			     &from, reterr);

	if (r < 0) {
		text_free(&from);
		return r;
	}
	if (forecast_is_of_total(forecast, i))
		bytes = estimate_difference(bytes, forecast->context);
	forecast_name(forecast, i, &name);
	return forecast_add(forecast, &name, &from, bytes, reterr);
}

/* ---- what is shared ---- */

static size_t sharing_terms(const struct forecast *forecast, size_t terms[SHARED_TERMS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < forecast_term_count(forecast); i++)
		if (forecast_term(forecast, i)->part && forecast->terms[i].is_chosen &&
		    count < SHARED_TERMS_MAX)
			terms[count++] = i;
	return count;
}

static int add_shared(struct forecast *forecast, struct err *reterr)
{
	const struct shared_request *request = &forecast->run->requests->shared;
	size_t terms[SHARED_TERMS_MAX];
	struct term_set set = { terms, sharing_terms(forecast, terms) };
	struct text name = { 0 }, from = { 0 };
	struct byte_range shared;

	if (set.count < 2)
		return 0;
	shared = shared_measure(forecast->run, &set);
	if (!shared.is_measured) {
		forecast->prediction->is_upper_bound = true;
		return 0;
	}
	shared_name(forecast->run->requests, &set, &name);
	text_format(&from, "rows of %s, with limits by default", request->benchmark);
	return forecast_add(
		forecast, &name, &from,
		(struct estimate){ -shared.max_bytes, -shared.min_bytes, -shared.min_bytes },
		reterr);
}

/* ---- all of it ---- */

static int add_lines(struct forecast *forecast, enum term_join join, struct err *reterr)
{
	int r = 0;

	for (size_t i = 0; i < forecast_term_count(forecast) && !r; i++) {
		if (forecast_term(forecast, i)->join != join || !forecast->terms[i].is_chosen)
			continue;
		r = join == TERM_BASE ? add_base(forecast, i, reterr)
				      : add_term(forecast, i, reterr);
	}
	return r;
}

static void count_processes(struct prediction *prediction)
{
	const struct environment *environment = &prediction->run->environment;
	int64_t room;

	/* The observer of the run had a context, which is nobody's otherwise. */
	prediction->device_bytes = environment_number(environment, "baseline_free_bytes") +
				   environment_number(environment, "observer_context_bytes");
	room = prediction->device_bytes - prediction->wish->beside_bytes;
	if (room > 0 && prediction->process.high_bytes > 0)
		prediction->fit_count = room / prediction->process.high_bytes;
}

static int forecast_all(struct forecast *forecast, struct err *reterr)
{
	int r = forecast_follow(forecast, reterr);

	if (!r)
		r = add_lines(forecast, TERM_BASE, reterr);
	if (!r)
		r = add_lines(forecast, TERM_ADDS, reterr);
	if (!r)
		r = add_shared(forecast, reterr);
	if (!r)
		r = forecast_code(forecast, reterr);
	if (!r)
		r = forecast_pool(forecast, reterr);
	if (!r && forecast->prediction->process.high_bytes > LAW_VALUE_MAX)
		r = err_set(reterr, EINVAL, "all of that is more than any device has");
	return r;
}

int predict(struct prediction *prediction, const struct run *run, const struct laws *laws,
	    const struct wish *wish, struct err *reterr)
{
	struct prediction predicted = { .run = run, .wish = wish };
	size_t count = run->requests->term_count;
	struct forecast forecast = { .prediction = &predicted,
				     .run = run,
				     .laws = laws,
				     .wish = wish,
				     .granule_bytes =
					     environment_number(&run->environment, "granule_bytes"),
				     .terms = calloc(count + 1, sizeof *forecast.terms) };
	int r;

	if (!forecast.terms)
		return err_errno(reterr, ENOMEM, "%s", run->dir);
	memcpy(forecast.terms, wish->terms, count * sizeof *forecast.terms);
	r = forecast_all(&forecast, reterr);
	free(forecast.terms);
	if (r < 0) {
		prediction_free(&predicted);
		return r;
	}
	count_processes(&predicted);
	*prediction = predicted;
	return 0;
}
