/* SPDX-License-Identifier: MIT */
#include "analysis/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

char *run_path(const char *dir, const char *name, const char *suffix)
{
	struct text text = { 0 };
	char *path;

	text_format(&text, "%s/%s%s", dir, name, suffix);
	return text_take(&text, &path, NULL) < 0 ? NULL : path;
}

static size_t count_rows(const struct environment *environment, const char *key)
{
	size_t count = 0;

	for (size_t row = 0; row < environment->table.row_count; row++)
		count += !strcmp(csv_table_cell(&environment->table, row, environment->key), key);
	return count;
}

/* What came from no GPU must not lose that mark, so nothing is taken for "no" but that word. */
static int check(const struct environment *environment, const char *path, struct err *reterr)
{
	const char *simulated = environment_get(environment, "simulated");

	if (environment->table.torn)
		return err_set(reterr, EBADMSG, "%s: it ends in the middle of a row", path);
	if (count_rows(environment, "simulated") != 1)
		return err_set(reterr, EBADMSG,
			       "%s: one row has to say whether the run is simulated, and %zu do",
			       path, count_rows(environment, "simulated"));
	if (strcmp(simulated, "yes") && strcmp(simulated, "no"))
		return err_set(reterr, EBADMSG, "%s: simulated is '%s', neither yes nor no", path,
			       simulated);
	return 0;
}

int environment_read(struct environment *environment, const char *dir, struct err *reterr)
{
	struct environment read = { 0 };
	char *path = run_path(dir, "environment", ".csv");
	int r;

	if (!path)
		return err_errno(reterr, ENOMEM, "%s", dir);
	r = csv_table_read(&read.table, path, reterr);
	if (!r) {
		read.key = csv_table_column(&read.table, "key");
		read.value = csv_table_column(&read.table, "value");
		if (read.key == CSV_NO_COLUMN || read.value == CSV_NO_COLUMN)
			r = err_set(reterr, EBADMSG, "%s: no columns 'key' and 'value'", path);
		else
			r = check(&read, path, reterr);
	}
	free(path);
	if (r < 0) {
		csv_table_free(&read.table);
		return r;
	}
	*environment = read;
	return 0;
}

void environment_free(struct environment *environment)
{
	csv_table_free(&environment->table);
}

const char *environment_get(const struct environment *environment, const char *key)
{
	for (size_t row = 0; row < environment->table.row_count; row++)
		if (!strcmp(csv_table_cell(&environment->table, row, environment->key), key))
			return csv_table_cell(&environment->table, row, environment->value);
	return "";
}

int64_t environment_number(const struct environment *environment, const char *key)
{
	const char *text = environment_get(environment, key);
	char *end;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	return !*text || *end || errno ? 0 : value;
}

bool environment_is_simulated(const struct environment *environment)
{
	return strcmp(environment_get(environment, "simulated"), "no") != 0;
}
