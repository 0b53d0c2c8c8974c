/* SPDX-License-Identifier: MIT */
#include "harness/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/csv.h"

static const char *const key_names[] = {
#define ENVIRONMENT_KEY(name, what) #name,
#include "harness/environment.def"
#undef ENVIRONMENT_KEY
};

static const char *const recorded_prefixes[] = { "CUDA_", "CUCTX_LIB" };

void run_environment_init(struct run_environment *environment)
{
	*environment = (struct run_environment){ 0 };
}

void run_environment_free(struct run_environment *environment)
{
	for (size_t i = 0; i < ARRAY_COUNT(environment->values); i++)
		free(environment->values[i]);
	run_environment_init(environment);
}

void run_environment_set(struct run_environment *environment, enum environment_key key,
			 const char *text)
{
	free(environment->values[key]);
	environment->values[key] = strdup(text);
}

void run_environment_set_number(struct run_environment *environment, enum environment_key key,
				uint64_t number)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, number);
	run_environment_set(environment, key, text);
}

static void put_pair(struct csv_row *row, const char *key, const char *value)
{
	csv_row_text(row, key);
	csv_row_text(row, value ? value : "");
	csv_row_end(row);
}

static void put_variable(struct csv_row *row, const char *assignment)
{
	const char *equals = strchr(assignment, '=');
	char name[128];

	for (size_t i = 0; equals && i < ARRAY_COUNT(recorded_prefixes); i++) {
		if (strncmp(assignment, recorded_prefixes[i], strlen(recorded_prefixes[i])))
			continue;
		snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
		put_pair(row, name, equals + 1);
	}
}

int run_environment_write(const struct run_environment *environment, const char *path,
			  struct err *reterr)
{
	struct csv_row row;
	int r;

	csv_row_init(&row);
	put_pair(&row, "key", "value");
	for (size_t i = 0; i < ARRAY_COUNT(key_names); i++)
		put_pair(&row, key_names[i], environment->values[i]);
	for (char **variable = environ; *variable; variable++)
		put_variable(&row, *variable);
	r = csv_row_save(&row, path, O_EXCL, reterr);
	csv_row_free(&row);
	return r;
}

char *run_environment_read(const char *path, const char *key, struct err *reterr)
{
	struct csv_table table;
	size_t key_column, value_column;
	char *value = NULL;

	if (csv_table_read(&table, path, reterr) < 0)
		return NULL;
	key_column = csv_table_column(&table, "key");
	value_column = csv_table_column(&table, "value");
	for (size_t row = 0; row < table.row_count && !value; row++)
		if (!strcmp(csv_table_cell(&table, row, key_column), key))
			value = strdup(csv_table_cell(&table, row, value_column));
	csv_table_free(&table);
	if (!value)
		err_set(reterr, EBADMSG, "%s: it has no %s", path, key);
	return value;
}
