/* SPDX-License-Identifier: MIT */
#include "harness/status.h"

#include <cuda.h>
#include <string.h>

#include "harness/abi_green.h"

static const struct {
	const char *text;
	bool is_failure;
} statuses[] = {
#define STATUS(symbol, text, is_failure, meaning) [STATUS_##symbol] = { text, is_failure },
#include "harness/status.def"
#undef STATUS
};

const char *status_text(enum status status)
{
	return statuses[status].text;
}

bool status_parse(const char *text, enum status *ret_status)
{
	for (int i = 0; i < STATUS_COUNT; i++) {
		if (strcmp(statuses[i].text, text) != 0)
			continue;
		*ret_status = (enum status)i;
		return true;
	}
	return false;
}

bool status_is_failure(enum status status)
{
	return statuses[status].is_failure;
}

bool error_is_refusal(int error)
{
	switch (error) {
#define REFUSAL(number) case number:
#include "harness/refusals.def"
#undef REFUSAL
		return true;
	default:
		return false;
	}
}
