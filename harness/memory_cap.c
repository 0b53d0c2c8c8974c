/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "harness/run.h"

#define POLITE "polite"

static int parse_percent(const char *text, struct memory_cap *ret_cap, struct err *reterr)
{
	char *end;
	long percent = strtol(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || strcmp(end, "%") != 0 || percent < 1 || percent > 100)
		return err_set(reterr, EINVAL, "'%s' is not 1%% to 100%%", text);
	*ret_cap = (struct memory_cap){ MEMORY_CAP_PERCENT, (uint64_t)percent };
	return 0;
}

int memory_cap_parse(const char *text, struct memory_cap *ret_cap, struct err *reterr)
{
	size_t length = strlen(text);
	uint64_t bytes;
	int r;

	if (!strcmp(text, POLITE)) {
		*ret_cap = (struct memory_cap){ MEMORY_CAP_POLITE, 0 };
		return 0;
	}
	if (length && text[length - 1] == '%')
		return parse_percent(text, ret_cap, reterr);
	r = size_parse(text, &bytes, reterr);
	if (!r)
		*ret_cap = (struct memory_cap){ MEMORY_CAP_BYTES, bytes };
	return r;
}

const char *memory_cap_text(const struct memory_cap *cap, char buffer[MEMORY_CAP_TEXT_MAX])
{
	if (cap->kind == MEMORY_CAP_POLITE)
		return POLITE;
	snprintf(buffer, MEMORY_CAP_TEXT_MAX, "%" PRIu64 "%s", cap->amount,
		 cap->kind == MEMORY_CAP_PERCENT ? "%" : "");
	return buffer;
}
