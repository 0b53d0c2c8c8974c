/* SPDX-License-Identifier: MIT */
/* The conditions "axis=value,axis=@reading" one by one; samples_matches() says what they mean. */
#ifndef ANALYSIS_WHERE_H
#define ANALYSIS_WHERE_H

#include <stdbool.h>
#include <stddef.h>

struct where_part {
	const char *axis; /* not terminated */
	size_t axis_length;
	const char *value;
	size_t value_length;
};

/* Takes the next one off `*where`; false where there is none. */
bool where_next(const char **where, struct where_part *ret_part);

/* Whether the value is one that stands in a reading. */
bool where_is_reading(const struct where_part *part);

bool where_axis_is(const struct where_part *part, const char *axis);
bool where_value_is(const struct where_part *part, const char *value);

/* Whether one of the conditions gives this axis a value. */
bool where_fixes(const char *where, const char *axis);

#endif
