/* SPDX-License-Identifier: MIT */
/*
 * When the memory goes: the bytes that each step took, over all samples of a benchmark, apart for
 * how it ended: what is refused may keep or give back memory, too. Numbers on an axis give a range;
 * words (switches such as loading=lazy) give a column each, and columns that say the same are
 * merged, so that what makes no difference does not take space.
 */
#ifndef ANALYSIS_STEPS_H
#define ANALYSIS_STEPS_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/anatomy.h"
#include "analysis/samples.h"
#include "base/err.h"
#include "base/text.h"

#define STEP_SWITCHES_MAX 8

struct step_group {
	uint32_t words[STEP_SWITCHES_MAX]; /* per switch, which of its words are in this column */
	struct byte_range *cells;          /* one per line; owned */
};

/* A step and one of the ways in which it ended. */
struct step_line {
	const char *step;
	const char *status;
	bool has_gap; /* of some row it is not known what it took */
};

struct step_switch {
	size_t column;
	const char *words[32]; /* in order of appearance */
	size_t word_count;
};

struct step_table {
	/* In the order of the samples, those of one step beside each other; owned, the texts are
	 * the samples'. */
	struct step_line *lines;
	size_t line_count;
	struct step_switch switches[STEP_SWITCHES_MAX];
	size_t switch_count;
	struct step_group *groups; /* owned */
	size_t group_count;
};

int step_table_make(struct step_table *table, const struct samples *samples, struct err *reterr);
void step_table_free(struct step_table *table);

/* Whether any column shows bytes in this line. */
bool step_table_moves(const struct step_table *table, size_t line);

/* Whether a step is known to have moved no bytes, in whatever way it ended. */
bool step_table_is_still(const struct step_table *table, const char *step);

/*
 * The words of one sample, of what was merged from several, and how they are named:
 * "module=linked|called, api=driver"; what holds for every word is left out.
 */
void step_words_of(const struct step_table *table, const struct samples *samples, size_t sample,
		   uint32_t ret_words[STEP_SWITCHES_MAX]);
int step_words_compare(const uint32_t *a, const uint32_t *b);
/* What differs in one switch stays a product of words when it is put together. */
bool step_words_differ_in_one(const struct step_table *table, const uint32_t *a, const uint32_t *b);
void step_words_merge(uint32_t *words, const uint32_t *more);
void step_words_label(const struct step_table *table, const struct samples *samples,
		      const uint32_t *words, struct text *ret_label);

#endif
