/* SPDX-License-Identifier: MIT */
/* What numbers in trace.csv can be, for those who write them and those who read them. */
#ifndef BASE_TRACE_LIMITS_H
#define BASE_TRACE_LIMITS_H

#include <stdint.h>

/* What clocks and programs say leaves room to add and subtract two of them. */
#define TRACE_NUMBER_MAX (INT64_MAX / 4)

#endif
