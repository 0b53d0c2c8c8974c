/* SPDX-License-Identifier: MIT */
#include "analysis/unit.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

static const struct {
	const char *ending;
	const char *unit;
} units[] = { { "_bytes", UNIT_BYTES }, { "_ns", "ns" } };

const char *unit_of_column(const char *column)
{
	size_t length = strlen(column);

	for (size_t i = 0; i < ARRAY_COUNT(units); i++) {
		size_t ending = strlen(units[i].ending);

		if (length > ending && !strcmp(column + length - ending, units[i].ending))
			return units[i].unit;
	}
	return NULL;
}
