/* SPDX-License-Identifier: MIT */
/* The memory of a plan: its samples, and the words that their points refer to. */
#ifndef HARNESS_PLAN_WORDS_H
#define HARNESS_PLAN_WORDS_H

#include "harness/plan.h"

/* The plan's own copy of a word, made when it is new; NULL when memory runs out. */
const char *plan_word(struct plan *plan, const char *word);

/* 0 or -ENOMEM. */
int plan_add(struct plan *plan, const struct plan_sample *sample);

#endif
