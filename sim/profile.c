/* SPDX-License-Identifier: MIT */
#include "sim/profile.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/csv.h"

#define PROFILE_TEXT(key, bytes, about)            \
	{ .name = #key,                            \
	  .kind = PROFILE_IS_TEXT,                 \
	  .offset = offsetof(struct profile, key), \
	  .size = (bytes),                         \
	  .unit = "text",                          \
	  .meaning = (about) },
#define PROFILE_NUMBER(key, of, smallest, largest, about) \
	{ .name = #key,                                   \
	  .kind = PROFILE_IS_NUMBER,                      \
	  .offset = offsetof(struct profile, key),        \
	  .unit = (of),                                   \
	  .min = (smallest),                              \
	  .max = (largest),                               \
	  .meaning = (about) },
#define PROFILE_WORD(key, constant0, word0, constant1, word1, about) \
	{ .name = #key,                                              \
	  .kind = PROFILE_IS_WORD,                                   \
	  .offset = offsetof(struct profile, key),                   \
	  .unit = "word",                                            \
	  .words = { word0, word1 },                                 \
	  .constants = { constant0, constant1 },                     \
	  .meaning = (about) },
const struct profile_key profile_keys[] = {
#include "sim/profile.def"
};
#undef PROFILE_TEXT
#undef PROFILE_NUMBER
#undef PROFILE_WORD

const size_t profile_key_count = ARRAY_COUNT(profile_keys);

static const struct profile_key *find_key(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(profile_keys); i++)
		if (!strcmp(profile_keys[i].name, name))
			return &profile_keys[i];
	return NULL;
}

static int store_text(void *field, const struct profile_key *key, const char *value,
		      struct err *reterr)
{
	size_t length = strlen(value);

	if (!length || length >= key->size)
		return err_set(reterr, EBADMSG, "%s must have 1 to %zu characters", key->name,
			       key->size - 1);
	memcpy(field, value, length + 1);
	return 0;
}

static int store_number(void *field, const struct profile_key *key, const char *value,
			struct err *reterr)
{
	char *end;
	uint64_t number;

	errno = 0;
	number = strtoull(value, &end, 10);
	/* strtoull() would take blanks and a sign as well. */
	if (errno || *end || value[0] < '0' || value[0] > '9' || number < key->min ||
	    number > key->max)
		return err_set(reterr, EBADMSG,
			       "%s is \"%s\", not a whole number from %" PRIu64 " to %" PRIu64,
			       key->name, value, key->min, key->max);
	memcpy(field, &number, sizeof number);
	return 0;
}

static int store_word(void *field, const struct profile_key *key, const char *value,
		      struct err *reterr)
{
	for (size_t i = 0; i < ARRAY_COUNT(key->words); i++) {
		if (strcmp(key->words[i], value) != 0)
			continue;
		memcpy(field, &key->constants[i], sizeof key->constants[i]);
		return 0;
	}
	return err_set(reterr, EBADMSG, "%s is \"%s\", neither \"%s\" nor \"%s\"", key->name, value,
		       key->words[0], key->words[1]);
}

static int store(struct profile *profile, const struct profile_key *key, const char *value,
		 struct err *reterr)
{
	void *field = (char *)profile + key->offset;

	switch (key->kind) {
	case PROFILE_IS_TEXT:
		return store_text(field, key, value, reterr);
	case PROFILE_IS_NUMBER:
		return store_number(field, key, value, reterr);
	case PROFILE_IS_WORD:
		return store_word(field, key, value, reterr);
	}
	return -EINVAL;
}

static int read_rows(struct profile *profile, const struct csv_table *table, struct err *reterr)
{
	size_t keys = csv_table_column(table, "key");
	size_t values = csv_table_column(table, "value");
	bool seen[ARRAY_COUNT(profile_keys)] = { false };
	int r;

	if (keys == CSV_NO_COLUMN || values == CSV_NO_COLUMN)
		return err_set(reterr, EBADMSG, "the header is not \"key,value\"");
	for (size_t row = 0; row < table->row_count; row++) {
		const char *name = csv_table_cell(table, row, keys);
		const struct profile_key *key = find_key(name);

		if (!key)
			return err_set(reterr, EBADMSG, "there is no key \"%s\"", name);
		if (seen[key - profile_keys])
			return err_set(reterr, EBADMSG, "%s is given twice", name);
		seen[key - profile_keys] = true;
		r = store(profile, key, csv_table_cell(table, row, values), reterr);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < ARRAY_COUNT(seen); i++)
		if (!seen[i])
			return err_set(reterr, EBADMSG, "%s is missing", profile_keys[i].name);
	return 0;
}

/* Places of the 32 hexadecimal digits in "GPU-8-4-4-4-12". */
static bool parse_uuid(const char *text, unsigned char *bytes)
{
	static const char form[] = "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t nibble = 0;

	if (strlen(text) != sizeof form - 1)
		return false;
	for (size_t i = 0; form[i]; i++) {
		char digit[] = { text[i], '\0' };
		unsigned long high = (unsigned long)bytes[nibble / 2] << 4;

		if (form[i] != 'x') {
			if (text[i] != form[i])
				return false;
			continue;
		}
		if (!isxdigit((unsigned char)digit[0]))
			return false;
		bytes[nibble / 2] = (unsigned char)(high | strtoul(digit, NULL, 16));
		nibble++;
	}
	return true;
}

void profile_uuid(const struct profile *profile, unsigned char ret_bytes[16])
{
	memset(ret_bytes, 0, 16);
	parse_uuid(profile->gpu_uuid, ret_bytes);
}

/* One number of at most `digits` digits and what must follow it, '\0' for the end of the text. */
struct field {
	unsigned int base;
	size_t digits;
	char end;
	unsigned int *number;
};

static bool parse_fields(const char *text, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *valid = fields[i].base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
		size_t length = strspn(text, valid);

		if (!length || length > fields[i].digits || text[length] != fields[i].end)
			return false;
		*fields[i].number = (unsigned int)strtoul(text, NULL, (int)fields[i].base);
		text += length + 1;
	}
	return true;
}

static bool parse_capability(const char *text, unsigned int *ret_architecture)
{
	unsigned int major, minor;
	const struct field fields[] = { { 10, 2, '.', &major }, { 10, 1, '\0', &minor } };

	if (!parse_fields(text, fields, ARRAY_COUNT(fields)))
		return false;
	*ret_architecture = major * 10 + minor;
	return true;
}

unsigned int profile_architecture(const struct profile *profile)
{
	unsigned int architecture = 0;

	parse_capability(profile->compute_capability, &architecture);
	return architecture;
}

uint64_t profile_connection_bytes(const struct profile *profile)
{
	return profile->connection_default_count * profile->connection_bytes +
	       profile->copy_connection_default_count * profile->copy_connection_bytes;
}

int profile_parse_pci(const char *text, struct profile_pci *ret_pci)
{
	struct profile_pci pci;
	const struct field fields[] = { { 16, 8, ':', &pci.domain },
					{ 16, 2, ':', &pci.bus },
					{ 16, 2, '.', &pci.device },
					{ 16, 1, '\0', &pci.function } };

	if (!parse_fields(text, fields, ARRAY_COUNT(fields)))
		return -EINVAL;
	*ret_pci = pci;
	return 0;
}

#define DEFAULT_OF(p, name, unit)                                                           \
	{                                                                                   \
		(p)->name##_default_##unit, (p)->name##_min_##unit, (p)->name##_max_##unit, \
			#name "_default_" #unit " is not between " #name "_min_" #unit      \
			      " and " #name "_max_" #unit                                   \
	}

static const char *strange_default(const struct profile *p)
{
	const struct {
		uint64_t value, min, max;
		const char *fault;
	} defaults[] = {
		DEFAULT_OF(p, fifo, bytes),       DEFAULT_OF(p, heap, bytes),
		DEFAULT_OF(p, sync_depth, count), DEFAULT_OF(p, pending_launch, count),
		DEFAULT_OF(p, l2_fetch, bytes),   DEFAULT_OF(p, l2_persisting, bytes),
	};

	for (size_t i = 0; i < ARRAY_COUNT(defaults); i++)
		if (defaults[i].value < defaults[i].min || defaults[i].value > defaults[i].max)
			return defaults[i].fault;
	return NULL;
}

#define CORE printf_malloc_device_runtime_shared_bytes

/* Printf's memory, malloc's and the device runtime's are sets: no part of one has less than
 * nothing. */
static const char *strange_sharing(const struct profile *p)
{
	uint64_t printf_malloc = p->printf_malloc_shared_bytes;
	uint64_t printf_runtime = p->printf_device_runtime_shared_bytes;
	uint64_t malloc_runtime = p->malloc_device_runtime_shared_bytes;
	/* Never taken but in whole granules. */
	uint64_t runtime = (p->device_runtime_fixed_bytes + p->granule_bytes - 1) /
			   p->granule_bytes * p->granule_bytes;

	if (p->CORE > printf_malloc || p->CORE > printf_runtime || p->CORE > malloc_runtime)
		return "printf_malloc_device_runtime_shared_bytes is more than two of the three "
		       "share";
	if (printf_malloc + printf_runtime - p->CORE > p->printf_fixed_bytes)
		return "printf_malloc_shared_bytes or printf_device_runtime_shared_bytes is too "
		       "much for printf_fixed_bytes";
	if (printf_malloc + malloc_runtime - p->CORE > p->malloc_fixed_bytes)
		return "printf_malloc_shared_bytes or malloc_device_runtime_shared_bytes is too "
		       "much for malloc_fixed_bytes";
	if (printf_runtime + malloc_runtime - p->CORE > runtime)
		return "printf_device_runtime_shared_bytes or malloc_device_runtime_shared_bytes "
		       "is too much for device_runtime_fixed_bytes";
	return NULL;
}

/* What one key alone cannot say. */
static const char *contradiction(const struct profile *p)
{
	unsigned char uuid[16] = { 0 };
	struct profile_pci pci;
	unsigned int architecture;
	const char *fault;

	if (!parse_capability(p->compute_capability, &architecture))
		return "compute_capability is not of the form 9.0";
	if (!parse_uuid(p->gpu_uuid, uuid))
		return "gpu_uuid is not of the form GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	if (profile_parse_pci(p->pci_bus_id, &pci) < 0)
		return "pci_bus_id is not of the form 0000:1a:00.0";
	if (p->granule_bytes & (p->granule_bytes - 1))
		return "granule_bytes is not a power of two";
	if (p->total_bytes + p->nvml_reserved_bytes > p->nvml_total_bytes)
		return "nvml_total_bytes is less than total_bytes + nvml_reserved_bytes";
	if (profile_connection_bytes(p) > p->context_fixed_bytes ||
	    profile_connection_bytes(p) > p->nvml_process_hidden_bytes)
		return "context_fixed_bytes or nvml_process_hidden_bytes is less than the default "
		       "connections take";
	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the key's range starts at 1 */
	if (p->stack_default_bytes % p->stack_step_bytes)
		return "stack_default_bytes is not a multiple of stack_step_bytes";
	if (p->stack_default_bytes > p->stack_max_bytes)
		return "stack_default_bytes is above stack_max_bytes";
	if (p->oom_returns_bytes > p->context_fixed_bytes - profile_connection_bytes(p))
		return "oom_returns_bytes is more than context_fixed_bytes without its connections";
	fault = strange_sharing(p);
	return fault ? fault : strange_default(p);
}

int profile_read(struct profile *profile, const char *path, struct err *reterr)
{
	struct err cause = { "" };
	struct csv_table table;
	struct profile read;
	const char *fault;
	int r = csv_table_read(&table, path, reterr);

	if (r < 0)
		return r;
	memset(&read, 0, sizeof read);
	if (table.torn)
		r = err_set(&cause, EBADMSG, "the last line does not end");
	else
		r = read_rows(&read, &table, &cause);
	csv_table_free(&table);
	fault = r < 0 ? cause.text : contradiction(&read);
	if (fault)
		return err_set(reterr, EBADMSG, "%s: %s", path, fault);
	memcpy(profile, &read, sizeof read);
	return 0;
}
