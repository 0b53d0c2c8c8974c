/* SPDX-License-Identifier: MIT */
/*
 * When the memory goes: the bytes that each step took, over all samples of a benchmark. Numbers on
 * an axis give a range; words (switches such as loading=lazy) give a column each, and columns that
 * say the same are merged, so that what makes no difference does not take space.
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
	struct byte_range *cells;          /* one per step; owned */
};

struct step_switch {
	size_t column;
	const char *words[32]; /* in order of appearance */
	size_t word_count;
};

struct step_table {
	const char **steps; /* in the order of the samples; owned, the texts are the samples' */
	size_t step_count;
	struct step_switch switches[STEP_SWITCHES_MAX];
	size_t switch_count;
	struct step_group *groups; /* owned */
	size_t group_count;
};

int step_table_make(struct step_table *table, const struct samples *samples, struct err *reterr);
void step_table_free(struct step_table *table);

/* Whether any column shows bytes at this step. */
bool step_table_moves(const struct step_table *table, size_t step);

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
