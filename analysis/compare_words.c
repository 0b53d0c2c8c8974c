/* SPDX-License-Identifier: MIT */
#include "analysis/compare_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hash.h"

#define FIRST_SLOTS 64

/* The slot that has the text, or the free one where it belongs. */
static size_t find_slot(const struct compare_words *words, const char *text)
{
	size_t mask = words->slot_count - 1, slot = (size_t)hash_text(text).low & mask;

	while (words->slots[slot] && strcmp(words->items[words->slots[slot] - 1], text) != 0)
		slot = (slot + 1) & mask;
	return slot;
}

static int grow_slots(struct compare_words *words)
{
	size_t slot_count = words->slot_count ? words->slot_count * 2 : FIRST_SLOTS;
	uint32_t *slots = calloc(slot_count, sizeof *slots);

	if (!slots)
		return -ENOMEM;
	free(words->slots);
	words->slots = slots;
	words->slot_count = slot_count;
	for (size_t i = 0; i < words->count; i++)
		slots[find_slot(words, words->items[i])] = (uint32_t)i + 1;
	return 0;
}

static int add(struct compare_words *words, const char *text)
{
	if (words->count == UINT32_MAX - 1)
		return -ENOMEM;
	if (words->count == words->size) {
		size_t size = words->size ? words->size * 2 : FIRST_SLOTS;
		char **items = realloc(words->items, size * sizeof *items);

		if (!items)
			return -ENOMEM;
		words->items = items;
		words->size = size;
	}
	words->items[words->count] = strdup(text);
	if (!words->items[words->count])
		return -ENOMEM;
	words->count++;
	return 0;
}

int compare_words_number(struct compare_words *words, const char *text, uint32_t *ret_number)
{
	size_t slot;
	int r = 0;

	/* Half of the slots stay free. */
	if (words->count * 2 >= words->slot_count)
		r = grow_slots(words);
	if (!r && !words->count) {
		r = add(words, "");
		if (!r)
			words->slots[find_slot(words, "")] = 1;
	}
	if (r < 0)
		return r;
	slot = find_slot(words, text);
	if (!words->slots[slot]) {
		r = add(words, text);
		if (r < 0)
			return r;
		words->slots[slot] = (uint32_t)words->count;
	}
	*ret_number = words->slots[slot] - 1;
	return 0;
}

const char *compare_words_text(const struct compare_words *words, uint32_t number)
{
	return number < words->count ? words->items[number] : "";
}

void compare_words_free(struct compare_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i]);
	free(words->items);
	free(words->slots);
	*words = (struct compare_words){ 0 };
}
