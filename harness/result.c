/* SPDX-License-Identifier: MIT */
#include "harness/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From harmless to worst. */
static const enum status severity[] = { STATUS_OK,      STATUS_SKIPPED,  STATUS_UNSUPPORTED,
					STATUS_REFUSED, STATUS_FAILED,   STATUS_CRASHED,
					STATUS_TIMEOUT, STATUS_DISTURBED };

struct result_row *result_add(struct result *result, const char *step)
{
	struct result_row *rows = realloc(result->rows, (result->row_count + 1) * sizeof *rows);
	struct result_row *row;

	if (!rows)
		return NULL;
	result->rows = rows;
	row = &rows[result->row_count++];
	*row = (struct result_row){ 0 };
	snprintf(row->step, sizeof row->step, "%s", step);
	return row;
}

void result_free(struct result *result)
{
	free(result->rows);
	*result = (struct result){ 0 };
}

static size_t rank(enum status status)
{
	size_t i = 0;

	while (severity[i] != status)
		i++;
	return i;
}

enum status status_worse(enum status a, enum status b)
{
	return rank(b) > rank(a) ? b : a;
}

void result_judge(struct result *result)
{
	result->verdict = STATUS_OK;
	for (size_t i = 0; i < result->row_count; i++)
		result->verdict = status_worse(result->verdict, result->rows[i].status);
}

void result_row_note(struct result_row *row, const char *note)
{
	size_t used = strlen(row->note);

	snprintf(row->note + used, sizeof row->note - used, "%s%s", used ? "; " : "", note);
}

void result_mark_disturbed(struct result *result, const char *note)
{
	for (size_t i = 0; i < result->row_count; i++)
		result->rows[i].status = STATUS_DISTURBED;
	if (result->row_count)
		result_row_note(&result->rows[result->row_count - 1], note);
}
