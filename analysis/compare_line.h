/* SPDX-License-Identifier: MIT */
/* One difference, as every format tells it. */
#ifndef ANALYSIS_COMPARE_LINE_H
#define ANALYSIS_COMPARE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/compare_source.h"
#include "analysis/compare_verdict.h"
#include "base/err.h"
#include "base/text.h"

enum compare_line_kind {
	COMPARE_BENCHMARK, /* a benchmark that not all have */
	COMPARE_POINT,     /* a point that not all have */
	COMPARE_LAW,       /* a parameter of a law */
	COMPARE_STATUS,    /* what became of a step */
	COMPARE_NUMBER,    /* a number of a step */
};

struct compare_line_side {
	bool is_there;
	struct compare_range range; /* of COMPARE_NUMBER */
	const char *word;           /* of COMPARE_STATUS and COMPARE_LAW, else "" */
	const char *error;          /* the driver's answer; "" without one */
	bool is_torn;               /* repeats have different statuses */
	/* Against BASE; of BASE itself always VERDICT_SAME. */
	struct judgement judgement;
	/* Against BASE: it follows from another difference, which is told; or from a law's. */
	bool follows;
	bool is_explained;
};

struct compare_line {
	enum compare_line_kind kind;
	const char *benchmark;
	const char *axes; /* "name=value\0name=value\0\0"; "\0" where none are meant */
	const char *step; /* of a law its component; "" where none is meant */
	uint32_t step_number;
	const char *column; /* of a law its parameter; "" where none is meant */
	struct compare_line_side sides[COMPARE_SOURCES_MAX];
	size_t source_count;
	uint64_t sample_count; /* of all sources at this point */
	uint64_t follow_count; /* of a law: lines that are not told, as they follow from it */
};

/* "api=driver stack_limit_bytes=0" */
void compare_line_point(const struct compare_line *line, struct text *ret_text);

/* "load", "load #3" */
void compare_line_step(const struct compare_line *line, struct text *ret_text);

/* "2097152", "0 to 2097152", "refused: CUDA_ERROR_INVALID_VALUE"; "" where there is nothing. */
void compare_line_value(const struct compare_line *line, size_t source, struct text *ret_text);

/* NEW less BASE where both have a number: by their ends, which are equal where repeats agree. */
bool compare_line_difference(const struct compare_line *line, size_t source, int128 *ret_low,
			     int128 *ret_high);

/* The same in percent of BASE; false where repeats differ or BASE is nothing. */
bool compare_line_percent(const struct compare_line *line, size_t source, double *ret_percent);

/* "+0.38", "-0.003": two decimals, or a digit that is not zero. */
void compare_percent_text(double percent, struct text *ret_text);

/* Whether that NEW differs here, and it does not follow from another line. */
bool compare_line_tells(const struct compare_line *line, size_t source);

/* Decimal digits of it. */
void compare_number_text(int128 value, bool has_plus, struct text *ret_text);

/* What was found, per source. BASE has none. */
struct compare_counts {
	uint64_t verdicts[COMPARE_SOURCES_MAX][VERDICT_COUNT];
};

#endif
