/* SPDX-License-Identifier: MIT */
#include "harness/axis.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

#define ITEM_MAX   128
#define ITEM_SHOWN 24 /* of one that is longer */

int axis_numbers_add(struct axis_numbers *numbers, uint64_t value)
{
	uint64_t *values;

	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->values[i] == value)
			return 0;
	values = realloc(numbers->values, (numbers->count + 1) * sizeof *values);
	if (!values)
		return -ENOMEM;
	values[numbers->count++] = value;
	numbers->values = values;
	return 0;
}

static int add_checked(struct axis_numbers *numbers, uint64_t value, const char *axis,
		       struct err *reterr)
{
	if (numbers->count >= AXIS_VALUES_MAX)
		return err_set(reterr, EINVAL, "axis %s: more than %d values", axis,
			       AXIS_VALUES_MAX);
	if (axis_numbers_add(numbers, value) < 0)
		return err_set(reterr, ENOMEM, "axis %s: out of memory", axis);
	return 0;
}

struct range {
	uint64_t start;
	uint64_t stop;
	uint64_t step; /* or the factor */
	bool is_factor;
};

/* "start:stop:step", cut into its three parts in place. */
static int range_parse(struct range *range, char *text, const char *axis, struct err *reterr)
{
	char *stop = strchr(text, ':');
	char *step = stop ? strchr(stop + 1, ':') : NULL;
	struct err why;

	if (!step || strchr(step + 1, ':'))
		return err_set(reterr, EINVAL,
			       "axis %s: '%s' is not start:stop:step or start:stop:*factor", axis,
			       text);
	*stop++ = '\0';
	*step++ = '\0';
	range->is_factor = *step == '*';
	if (size_parse(text, &range->start, &why) < 0 || size_parse(stop, &range->stop, &why) < 0 ||
	    size_parse(step + (range->is_factor ? 1 : 0), &range->step, &why) < 0)
		return err_set(reterr, EINVAL, "axis %s: %s", axis, why.text);
	if (range->start > range->stop)
		return err_set(reterr, EINVAL, "axis %s: the range starts above its stop", axis);
	if (range->is_factor ? range->step < 2 || !range->start : !range->step)
		return err_set(reterr, EINVAL,
			       "axis %s: the range never ends (a step is at least 1; a factor at "
			       "least 2, from at least 1)",
			       axis);
	return 0;
}

static int add_range(struct axis_numbers *numbers, const struct range *range, const char *axis,
		     struct err *reterr)
{
	uint64_t value = range->start;
	bool overflow = false;
	int r;

	while (!overflow && value <= range->stop) {
		r = add_checked(numbers, value, axis, reterr);
		if (r < 0)
			return r;
		overflow = range->is_factor ? __builtin_mul_overflow(value, range->step, &value)
					    : __builtin_add_overflow(value, range->step, &value);
	}
	return 0;
}

static int add_item(struct axis_numbers *numbers, char *item, const char *axis, struct err *reterr)
{
	struct range range = { 0 };
	struct err why;
	uint64_t value;
	int r;

	if (strchr(item, ':')) {
		r = range_parse(&range, item, axis, reterr);
		return r < 0 ? r : add_range(numbers, &range, axis, reterr);
	}
	r = size_parse(item, &value, &why);
	if (r < 0)
		return err_set(reterr, EINVAL, "axis %s: %s", axis, why.text);
	return add_checked(numbers, value, axis, reterr);
}

/*
 * The next item of a comma-separated list into `item`; NULL text at the end. Of an item that is too
 * long its beginning and an ellipsis are left, which no axis accepts.
 */
static const char *next_item(const char *text, char *item)
{
	size_t length = strcspn(text, ",");

	snprintf(item, ITEM_MAX, "%.*s%s", (int)(length < ITEM_MAX ? length : ITEM_SHOWN), text,
		 length < ITEM_MAX ? "" : " ...");
	text += strcspn(text, ",");
	return *text ? text + 1 : NULL;
}

int axis_numbers_parse(struct axis_numbers *numbers, const char *text, const char *axis,
		       struct err *reterr)
{
	struct axis_numbers parsed = { 0 };
	char item[ITEM_MAX];
	int r;

	for (const char *rest = text; rest;) {
		rest = next_item(rest, item);
		r = add_item(&parsed, item, axis, reterr);
		if (r < 0) {
			axis_numbers_free(&parsed);
			return r;
		}
	}
	*numbers = parsed;
	return 0;
}

void axis_numbers_free(struct axis_numbers *numbers)
{
	free(numbers->values);
	*numbers = (struct axis_numbers){ 0 };
}

static bool is_listed(const char *list, const char *word)
{
	char item[ITEM_MAX];

	for (const char *rest = list; rest;) {
		rest = next_item(rest, item);
		if (!strcmp(item, word))
			return true;
	}
	return false;
}

static int add_word(struct axis_words *words, const char *word)
{
	char **grown, *copy;

	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->words[i], word))
			return 0;
	grown = realloc(words->words, (words->count + 1) * sizeof *grown);
	if (!grown)
		return -ENOMEM;
	words->words = grown;
	copy = strdup(word);
	if (!copy)
		return -ENOMEM;
	words->words[words->count++] = copy;
	return 0;
}

static bool is_word(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789+-.");

	return length && length < ITEM_MAX && !text[length];
}

bool axis_takes_word(const char *allowed, const char *word)
{
	return allowed ? is_listed(allowed, word) : is_word(word);
}

static int check_word(const char *word, const char *allowed, const char *axis, struct err *reterr)
{
	if (axis_takes_word(allowed, word))
		return 0;
	if (allowed)
		return err_set(reterr, EINVAL, "axis %s: '%s' is none of %s", axis, word, allowed);
	return err_set(reterr, EINVAL,
		       "axis %s: '%s' is not made of letters, digits, '+', '-' and '.'", axis,
		       word);
}

int axis_words_parse(struct axis_words *words, const char *text, const char *allowed,
		     const char *axis, struct err *reterr)
{
	struct axis_words parsed = { 0 };
	char item[ITEM_MAX];
	int r = 0;

	for (const char *rest = text; rest && !r;) {
		rest = next_item(rest, item);
		r = check_word(item, allowed, axis, reterr);
		if (!r && add_word(&parsed, item) < 0)
			r = err_set(reterr, ENOMEM, "axis %s: out of memory", axis);
	}
	if (r < 0) {
		axis_words_free(&parsed);
		return r;
	}
	*words = parsed;
	return 0;
}

void axis_words_free(struct axis_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->words[i]);
	free(words->words);
	*words = (struct axis_words){ 0 };
}
