/* SPDX-License-Identifier: MIT */
/* What a column of a CSV is counted in: its name says it. */
#ifndef ANALYSIS_UNIT_H
#define ANALYSIS_UNIT_H

#define UNIT_BYTES "bytes"

/* "bytes" of a name in _bytes, "ns" of one in _ns; NULL: it counts what it is called after. */
const char *unit_of_column(const char *column);

#endif
