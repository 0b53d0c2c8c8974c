/* SPDX-License-Identifier: MIT */
/* Shipped profiles with a key changed, as a file in memory. */
#ifndef TESTS_SIM_PROFILES_H
#define TESTS_SIM_PROFILES_H

#include "tests/unit/check.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "sim/profile.h"
#include "tests/unit/scratch.h"

#define H200 TEST_PROFILES "/h200.csv"
#define ODD  TEST_PROFILES "/odd.csv"

static inline struct profile shipped(const char *path)
{
	struct err err = { "" };
	struct profile profile;

	if (profile_read(&profile, path, &err) < 0)
		fail_msg("%s", err.text);
	return profile;
}

/* Writes the profile at `path`; key `name` gets `value`, or is left out where that is NULL. */
static inline void changed(const struct scratch *scratch, const char *path, const char *name,
			   const char *value)
{
	struct csv_table table;
	struct csv_row row;

	csv_row_init(&row);
	assert_int_equal(csv_table_read(&table, path, NULL), 0);
	csv_row_text(&row, "key");
	csv_row_text(&row, "value");
	csv_row_end(&row);
	for (size_t i = 0; i < table.row_count; i++) {
		const char *key = csv_table_cell(&table, i, 0);
		bool is_changed = name && !strcmp(key, name);

		if (is_changed && !value)
			continue;
		csv_row_text(&row, key);
		csv_row_text(&row, is_changed ? value : csv_table_cell(&table, i, 1));
		csv_row_end(&row);
	}
	scratch_fill(scratch, row.bytes, row.used);
	csv_row_free(&row);
	csv_table_free(&table);
}

#endif
