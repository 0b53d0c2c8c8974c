/* SPDX-License-Identifier: MIT */
/*
 * The laws of a run: laws_fit() reads the benchmarks' CSVs, laws_write() makes laws.csv, one row
 * per parameter of a law:
 *
 *   benchmark,component,law,parameter,value,unit,points,residual_max_bytes,holds,tested
 *
 * A law that does not hold has a parameter worst_at, the x at which it is missed most.
 *
 * A value is an integer or, where bytes per unit are not whole, a fraction such as 33/2.
 *
 * A law over a reading that is no matter of bytes has parameters without "bytes" in their names
 * (per_unit for bytes_per_unit, intercept for intercept_bytes, value for bytes). Its
 * residual_max_bytes are empty, and the residual is a parameter, residual_max.
 */
#ifndef ANALYSIS_LAWS_H
#define ANALYSIS_LAWS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/law.h"
#include "analysis/requests.h"
#include "analysis/run.h"
#include "base/err.h"

#define LAW_STEP_MAX 128

struct fitted_law {
	const struct law_request *request; /* the caller's */
	struct law law;
	bool is_measured;   /* false: no row of this run speaks of it, or … */
	bool is_beyond;     /* … some row speaks of more than LAW_VALUE_MAX … */
	size_t beyond_line; /* … namely the one in this line of the file; 0: not a row's fault */
};

struct laws {
	struct fitted_law *items; /* one per request; owned */
	size_t count;
};

/* "bytes", or what else its y are; a reading that has no unit is one itself. */
const char *law_unit(const struct law_request *request);
bool law_is_in_bytes(const struct law_request *request);

/* One law per request; those of a benchmark that was not part of the run are "not measured". */
int laws_fit(struct laws *laws, const struct run *run, struct err *reterr);
void laws_free(struct laws *laws);

/* Fits one request to samples that were read already. */
int laws_fit_one(const struct samples *samples, const struct law_request *request,
		 int64_t granule_bytes, struct fitted_law *ret_fitted, struct err *reterr);

/* Name of the step of that sample that the law is about. False where it has none. */
bool law_step(const struct samples *samples, size_t sample, const struct law_request *request,
	      char name[LAW_STEP_MAX]);

/*
 * What a sample says about a law, if it is one of `where`. Room for two points per row of the
 * sample; returns their number.
 */
size_t law_points(const struct samples *samples, size_t sample, const struct law_request *request,
		  struct law_point *points);

/*
 * The points that a law is to meet, by x, to be freed; without those that a law of slots is made
 * of. -ENOMEM.
 */
int law_all_points(const struct samples *samples, const struct law_request *request,
		   struct law_point **ret_points, size_t *ret_count);

/* The law of that benchmark and component; NULL when there is none. */
const struct fitted_law *laws_find(const struct laws *laws, const char *benchmark,
				   const char *component);

/* Replaces <dir>/laws.csv as a whole or not at all. */
int laws_write(const struct laws *laws, const char *dir, struct err *reterr);

#endif
