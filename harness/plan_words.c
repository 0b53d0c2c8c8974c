/* SPDX-License-Identifier: MIT */
#include "harness/plan_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *plan_word(struct plan *plan, const char *word)
{
	char **words, *copy;

	for (size_t i = 0; i < plan->word_count; i++)
		if (!strcmp(plan->words[i], word))
			return plan->words[i];
	words = realloc(plan->words, (plan->word_count + 1) * sizeof *words);
	if (!words)
		return NULL;
	plan->words = words;
	copy = strdup(word);
	if (copy)
		plan->words[plan->word_count++] = copy;
	return copy;
}

int plan_add(struct plan *plan, const struct plan_sample *sample)
{
	struct plan_sample *samples;

	/* Grows at powers of two. */
	if (!(plan->count & (plan->count - 1))) {
		size_t size = plan->count ? plan->count * 2 : 1;

		samples = realloc(plan->samples, size * sizeof *samples);
		if (!samples)
			return -ENOMEM;
		plan->samples = samples;
	}
	plan->samples[plan->count++] = *sample;
	return 0;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->word_count; i++)
		free(plan->words[i]);
	free(plan->words);
	free(plan->samples);
	*plan = (struct plan){ 0 };
}
