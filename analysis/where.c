/* SPDX-License-Identifier: MIT */
#include "analysis/where.h"

#include <string.h>

bool where_next(const char **where, struct where_part *ret_part)
{
	const char *at = *where;
	size_t length, axis_length, value_at;

	if (!at || !*at)
		return false;
	length = strcspn(at, ",");
	axis_length = strcspn(at, "=,");
	value_at = axis_length < length ? axis_length + 1 : length;
	*ret_part = (struct where_part){ at, axis_length, at + value_at, length - value_at };
	*where = at + length + (at[length] == ',');
	return true;
}

static bool is_text(const char *bytes, size_t length, const char *text)
{
	return strlen(text) == length && !memcmp(bytes, text, length);
}

bool where_is_reading(const struct where_part *part)
{
	return part->value_length && part->value[0] == '@';
}

bool where_axis_is(const struct where_part *part, const char *axis)
{
	return is_text(part->axis, part->axis_length, axis);
}

bool where_value_is(const struct where_part *part, const char *value)
{
	return is_text(part->value, part->value_length, value);
}

bool where_fixes(const char *where, const char *axis)
{
	struct where_part part;

	while (where_next(&where, &part))
		if (!where_is_reading(&part) && where_axis_is(&part, axis))
			return true;
	return false;
}
