/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/cli.h"

#define LENGTH_MAX 63

static size_t least(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Letters to insert, remove or change (Levenshtein 1966), by rows. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LENGTH_MAX + 1], length = strlen(b);

	if (length > LENGTH_MAX || strlen(a) > LENGTH_MAX)
		return LENGTH_MAX;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			size_t above = row[j];

			row[j] =
				least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[length];
}

const char *cli_nearest(const char *name, const char *const *candidates, size_t count)
{
	/* Half of the letters wrong is a guess, not a slip. */
	size_t best = strlen(name) / 2 + 1;
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		size_t letters = distance(name, candidates[i]);

		if (letters < best) {
			best = letters;
			nearest = candidates[i];
		}
	}
	return nearest;
}
