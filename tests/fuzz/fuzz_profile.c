/* SPDX-License-Identifier: MIT */
/*
 * The reader of profiles: what it takes is within the ranges that sim/profile.def gives, and
 * written out key by key it is that profile again.
 */
#include "base/array.h"
#include "base/csv.h"
#include "sim/profile.h"
#include "tests/fuzz/fuzz.h"

static struct fuzz_file input, completed, output;
static struct csv_table good;

static uint64_t check_number(const void *field, const struct profile_key *key)
{
	uint64_t number;

	memcpy(&number, field, sizeof number);
	FUZZ_DEMAND(number >= key->min && number <= key->max);
	return number;
}

static const char *check_word(const void *field, const struct profile_key *key)
{
	enum profile_word word;
	size_t i = 0;

	memcpy(&word, field, sizeof word);
	while (i < ARRAY_COUNT(key->words) && key->constants[i] != word)
		i++;
	FUZZ_DEMAND(i < ARRAY_COUNT(key->words));
	return key->words[i];
}

static void write_key(struct csv_row *row, const struct profile *profile,
		      const struct profile_key *key)
{
	const void *field = (const char *)profile + key->offset;

	csv_row_text(row, key->name);
	switch (key->kind) {
	case PROFILE_IS_TEXT:
		FUZZ_DEMAND(memchr(field, 0, key->size) && *(const char *)field);
		csv_row_text(row, field);
		break;
	case PROFILE_IS_NUMBER:
		csv_row_uint(row, check_number(field, key));
		break;
	case PROFILE_IS_WORD:
		csv_row_text(row, check_word(field, key));
		break;
	}
	csv_row_end(row);
}

static void write_profile(const struct profile *profile)
{
	struct csv_row row;
	struct err err;

	csv_row_init(&row);
	csv_row_text(&row, "key");
	csv_row_text(&row, "value");
	csv_row_end(&row);
	for (size_t i = 0; i < profile_key_count; i++)
		write_key(&row, profile, &profile_keys[i]);
	fuzz_file_fill(&output, "", 0);
	FUZZ_DEMAND(!csv_row_write(&row, output.fd, output.path, &err));
	csv_row_free(&row);
}

/* What others compute from a profile that was taken. */
static void check_derived(const struct profile *profile)
{
	struct profile_pci pci;
	unsigned char uuid[16];

	profile_uuid(profile, uuid);
	FUZZ_DEMAND(profile_architecture(profile) < 1000);
	FUZZ_DEMAND(!profile_parse_pci(profile->pci_bus_id, &pci));
	FUZZ_DEMAND(profile_connection_bytes(profile) <= profile->context_fixed_bytes);
	FUZZ_DEMAND(__builtin_popcountll(profile->granule_bytes) == 1);
	FUZZ_DEMAND(profile->stack_default_bytes % profile->stack_step_bytes == 0);
	FUZZ_DEMAND(profile->total_bytes <= profile->nvml_total_bytes);
}

static void check_profile(const char *path)
{
	struct profile profile, again;
	struct err err = { "" };
	int r = profile_read(&profile, path, &err);

	if (r < 0) {
		fuzz_check_error(r, &err, path);
		return;
	}
	check_derived(&profile);
	write_profile(&profile);
	FUZZ_DEMAND(!profile_read(&again, output.path, &err));
	/* profile_read() leaves no padding that is not zero. */
	FUZZ_DEMAND(!memcmp((const char *)&profile, (const char *)&again, sizeof profile));
}

/* ---- an input and what it lacks ---- */

static void copy_row(struct csv_row *row, const struct csv_table *table, size_t number)
{
	csv_row_text(row, csv_table_cell(table, number, csv_table_column(table, "key")));
	csv_row_text(row, csv_table_cell(table, number, csv_table_column(table, "value")));
	csv_row_end(row);
}

static bool has_key(const struct csv_table *table, const char *name)
{
	size_t keys = csv_table_column(table, "key");

	for (size_t i = 0; i < table->row_count; i++)
		if (!strcmp(csv_table_cell(table, i, keys), name))
			return true;
	return false;
}

static void complete(const struct csv_table *table)
{
	struct csv_row row;
	struct err err;

	csv_row_init(&row);
	csv_row_text(&row, "key");
	csv_row_text(&row, "value");
	csv_row_end(&row);
	for (size_t i = 0; i < table->row_count; i++)
		copy_row(&row, table, i);
	for (size_t i = 0; i < good.row_count; i++)
		if (!has_key(table, csv_table_cell(&good, i, csv_table_column(&good, "key"))))
			copy_row(&row, &good, i);
	fuzz_file_fill(&completed, "", 0);
	FUZZ_DEMAND(!csv_row_write(&row, completed.fd, completed.path, &err));
	csv_row_free(&row);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct csv_table table;

	if (!input.path[0]) {
		fuzz_file_open(&input);
		fuzz_file_open(&completed);
		fuzz_file_open(&output);
		FUZZ_DEMAND(!csv_table_read(&good, FUZZ_PROFILE, NULL));
	}
	fuzz_file_fill(&input, bytes, size);
	check_profile(input.path);
	if (csv_table_read(&table, input.path, NULL) < 0)
		return 0;
	complete(&table);
	check_profile(completed.path);
	csv_table_free(&table);
	return 0;
}
