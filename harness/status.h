/* SPDX-License-Identifier: MIT */
#ifndef HARNESS_STATUS_H
#define HARNESS_STATUS_H

#include <stdbool.h>

enum status {
#define STATUS(symbol, text, is_failure, meaning) STATUS_##symbol,
#include "harness/status.def"
#undef STATUS
	STATUS_COUNT,
};

const char *status_text(enum status status);
/* False when no status has this text. */
bool status_parse(const char *text, enum status *ret_status);
bool status_is_failure(enum status status);

/* Whether `error` (a CUresult or cudaError_t) is one of harness/refusals.def. */
bool error_is_refusal(int error);

#endif
