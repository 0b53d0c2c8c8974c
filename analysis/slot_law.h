/* SPDX-License-Identifier: MIT */
/* The law of what copies are rounded up to, from the samples that loaded them: see slots.h. */
#ifndef ANALYSIS_SLOT_LAW_H
#define ANALYSIS_SLOT_LAW_H

#include "analysis/law.h"
#include "analysis/requests.h"
#include "analysis/samples.h"

/* The errors of slots_fit(). */
int slot_law_fit(const struct samples *samples, const struct law_request *request,
		 struct law *ret_law);

/* The first row whose numbers slots_fit() does not take; SAMPLES_NO_ROW when there is none. */
size_t slot_law_find_beyond(const struct samples *samples, const struct law_request *request);

#endif
