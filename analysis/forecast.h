/* SPDX-License-Identifier: MIT */
/* A prediction while it is being made; shared by the files that make it. See predict.h. */
#ifndef ANALYSIS_FORECAST_H
#define ANALYSIS_FORECAST_H

#include "analysis/predict.h"

struct forecast {
	struct prediction *prediction;
	const struct run *run;
	const struct laws *laws;
	const struct wish *wish;
	struct term_wish *terms; /* as wished, and what follows from that; owned by predict() */
	int64_t granule_bytes;
	struct estimate context; /* as it is without wishes; part of laws that are of totals */
};

size_t forecast_term_count(const struct forecast *forecast);
const struct term_request *forecast_term(const struct forecast *forecast, size_t i);
/* Number of the term with that option; behind the last when there is none. */
size_t forecast_find(const struct forecast *forecast, const char *option);

/* The amount of a term where none is wished for. */
int forecast_usual(const struct forecast *forecast, const struct term_request *term,
		   int64_t *ret_amount, struct err *reterr);

/* Puts into `terms` what follows from wishes: usual amounts, terms that another chooses. */
int forecast_follow(struct forecast *forecast, struct err *reterr);

struct term_amount {
	size_t term;
	int64_t amount;
};

/* What the law of a term says for an amount and, unless `from` is NULL, where that is from. */
int forecast_ask(const struct forecast *forecast, struct term_amount asked,
		 struct estimate *ret_estimate, struct text *from, struct err *reterr);
bool forecast_is_of_total(const struct forecast *forecast, size_t i);

/* "device-side malloc, heap limit: 8388608" */
void forecast_name(const struct forecast *forecast, size_t i, struct text *name);

/* ---- analysis/predict_pool.c ---- */

/* Adds the line for what comes out of one pool, if there is any. */
int forecast_pool(struct forecast *forecast, struct err *reterr);

/* ---- analysis/predict_code.c ---- */

/* Adds the line for the kernels that are wished for, if there are any. */
int forecast_code(struct forecast *forecast, struct err *reterr);

/* Adds a line; takes over both texts, and empties them. */
int forecast_add(struct forecast *forecast, struct text *name, struct text *from,
		 struct estimate bytes, struct err *reterr);

#endif
