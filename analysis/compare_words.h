/* SPDX-License-Identifier: MIT */
/*
 * Texts by number, each kept once: names of steps, statuses and answers come again in every sample.
 * A zeroed struct has none. Number 0 is "".
 */
#ifndef ANALYSIS_COMPARE_WORDS_H
#define ANALYSIS_COMPARE_WORDS_H

#include <stddef.h>
#include <stdint.h>

struct compare_words {
	char **items; /* owned */
	size_t count;
	size_t size;
	uint32_t *slots; /* number + 1; 0: free; owned */
	size_t slot_count;
};

/* Returns 0 or -ENOMEM. */
int compare_words_number(struct compare_words *words, const char *text, uint32_t *ret_number);
const char *compare_words_text(const struct compare_words *words, uint32_t number);
void compare_words_free(struct compare_words *words);

#endif
