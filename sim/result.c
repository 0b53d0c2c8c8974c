/* SPDX-License-Identifier: MIT */
#include "sim/result.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define DRIVER_RESULT(name, number) { #name, number },
static const struct {
	const char *name;
	int number;
} results[] = {
#include "sim/result.def"
};
#undef DRIVER_RESULT

const char *result_name(int result)
{
	for (size_t i = 0; i < ARRAY_COUNT(results); i++)
		if (results[i].number == result)
			return results[i].name;
	return NULL;
}

int result_parse(const char *text, int *ret_result)
{
	char *end;
	long number = strtol(text, &end, 10);
	bool is_number = end != text && !*end;

	for (size_t i = 0; i < ARRAY_COUNT(results); i++) {
		if (is_number ? results[i].number != number : strcmp(results[i].name, text) != 0)
			continue;
		*ret_result = results[i].number;
		return 0;
	}
	return -EINVAL;
}
