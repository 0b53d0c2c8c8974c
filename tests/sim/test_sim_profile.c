/* SPDX-License-Identifier: MIT */
#include "tests/sim/profiles.h"

#include <errno.h>
#include <inttypes.h>

static void expect_refused(const struct scratch *scratch, const char *words)
{
	struct profile profile, before;
	struct err err = { "" };

	memset(&profile, 0x5a, sizeof profile);
	memcpy(&before, &profile, sizeof before);
	assert_int_equal(profile_read(&profile, scratch->path, &err), -EBADMSG);
	if (!strstr(err.text, words))
		fail_msg("\"%s\" does not say \"%s\"", err.text, words);
	assert_memory_equal(&profile, &before, sizeof before);
}

static void refuse_value(const struct profile_key *key, const char *value)
{
	struct scratch scratch = scratch_open();

	changed(&scratch, H200, key->name, value);
	expect_refused(&scratch, key->name);
	scratch_close(&scratch);
}

static void shipped_profiles_are_whole(void **state)
{
	struct profile h200 = shipped(H200), odd = shipped(ODD);

	(void)state;
	assert_string_equal(h200.gpu_name, "NVIDIA H200");
	assert_int_equal(h200.total_bytes, 150109880320);
	assert_int_equal(h200.stack_rounding, ROUND_DOWN);
	assert_int_equal(profile_architecture(&h200), 90);
	assert_string_equal(odd.gpu_name, "Odd Device, 17 SMs");
	assert_int_equal(odd.stack_rounding, ROUND_UP);
}

/* An odd device that agreed with the other would leave a formula untested. */
static void shipped_profiles_differ(void **state)
{
	static const char *const alike[] = {
		"compute_capability", "compute_mode",         "mig",
		"call_delay_ns",      "pending_launch_known", "l2_fetch_known"
	};
	struct profile h200 = shipped(H200), odd = shipped(ODD);

	(void)state;
	for (size_t i = 0; i < profile_key_count; i++) {
		const struct profile_key *key = &profile_keys[i];
		size_t size = key->kind == PROFILE_IS_NUMBER ? sizeof(uint64_t)
			      : key->kind == PROFILE_IS_WORD ? sizeof(enum profile_word)
							     : key->size;
		bool may_agree = false;

		for (size_t j = 0; j < sizeof alike / sizeof alike[0]; j++)
			may_agree |= !strcmp(alike[j], key->name);
		if (!may_agree &&
		    !memcmp((char *)&h200 + key->offset, (char *)&odd + key->offset, size))
			fail_msg("%s is the same in both profiles", key->name);
	}
}

static void every_key_must_be_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < profile_key_count; i++)
		refuse_value(&profile_keys[i], NULL);
}

static void every_number_has_a_range(void **state)
{
	char text[32];

	(void)state;
	for (size_t i = 0; i < profile_key_count; i++) {
		const struct profile_key *key = &profile_keys[i];

		if (key->kind != PROFILE_IS_NUMBER)
			continue;
		snprintf(text, sizeof text, "%" PRIu64, key->max + 1);
		refuse_value(key, text);
		if (key->min) {
			snprintf(text, sizeof text, "%" PRIu64, key->min - 1);
			refuse_value(key, text);
		}
		refuse_value(key, "");
		refuse_value(key, "-1");
		refuse_value(key, " 1");
		refuse_value(key, "1.5");
		refuse_value(key, "1K");
		refuse_value(key, "99999999999999999999");
	}
}

static void every_word_is_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < profile_key_count; i++) {
		if (profile_keys[i].kind != PROFILE_IS_WORD)
			continue;
		refuse_value(&profile_keys[i], "sometimes");
		refuse_value(&profile_keys[i], "");
	}
}

static void every_text_fits(void **state)
{
	char text[128];

	(void)state;
	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	for (size_t i = 0; i < profile_key_count; i++) {
		if (profile_keys[i].kind != PROFILE_IS_TEXT)
			continue;
		refuse_value(&profile_keys[i], text);
		refuse_value(&profile_keys[i], "");
	}
}

static void keys_must_not_contradict(void **state)
{
	static const struct {
		const char *key, *value, *words;
	} cases[] = {
		{ "compute_capability", "nine", "compute_capability" },
		{ "compute_capability", "9.0a", "compute_capability" },
		{ "gpu_uuid", "GPU-5e1f0000-0000-4000-8000-00000000020g", "gpu_uuid" },
		{ "gpu_uuid", "5e1f0000-0000-4000-8000-000000000200", "gpu_uuid" },
		{ "pci_bus_id", "0000:1b:00", "pci_bus_id" },
		{ "granule_bytes", "2097153", "power of two" },
		{ "context_fixed_bytes", "1310719", "the default connections take" },
		{ "nvml_process_hidden_bytes", "1310719", "the default connections take" },
		{ "nvml_total_bytes", "150754820095", "nvml_total_bytes" },
		{ "stack_default_bytes", "1025", "multiple of stack_step_bytes" },
		{ "stack_max_bytes", "1023", "above stack_max_bytes" },
		{ "fifo_min_bytes", "8650753", "fifo_default_bytes" },
		{ "fifo_max_bytes", "8650751", "fifo_default_bytes" },
		{ "heap_min_bytes", "8388609", "heap_default_bytes" },
		{ "heap_max_bytes", "8388607", "heap_default_bytes" },
		{ "sync_depth_min_count", "1", "sync_depth_default_count" },
		{ "pending_launch_min_count", "2049", "pending_launch_default_count" },
		{ "l2_fetch_max_bytes", "63", "between l2_fetch_min_bytes and l2_fetch_max_bytes" },
		{ "l2_persisting_max_bytes", "5", "l2_persisting_default_bytes" },
	};
	struct scratch scratch = scratch_open();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		changed(&scratch, H200, cases[i].key, cases[i].value);
		expect_refused(&scratch, cases[i].words);
	}
	scratch_close(&scratch);
}

static void unknown_and_doubled_keys_are_refused(void **state)
{
	static const char unknown[] = "key,value\nstack_defualt_bytes,1024\n";
	static const char doubled[] = "key,value\nsm_count,17\nsm_count,17\n";
	static const char header[] = "name,value\nsm_count,17\n";
	static const char torn[] = "key,value\nsm_count,17";
	struct scratch scratch = scratch_open();

	(void)state;
	scratch_fill(&scratch, unknown, sizeof unknown - 1);
	expect_refused(&scratch, "there is no key \"stack_defualt_bytes\"");
	scratch_fill(&scratch, doubled, sizeof doubled - 1);
	expect_refused(&scratch, "sm_count is given twice");
	scratch_fill(&scratch, header, sizeof header - 1);
	expect_refused(&scratch, "key,value");
	scratch_fill(&scratch, torn, sizeof torn - 1);
	expect_refused(&scratch, "the last line does not end");
	scratch_close(&scratch);
}

static void a_missing_file_is_named(void **state)
{
	struct profile profile;
	struct err err = { "" };

	(void)state;
	assert_int_equal(profile_read(&profile, "/nowhere/at.csv", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/at.csv"));
}

static void uuid_and_bus_are_read(void **state)
{
	static const unsigned char uuid[16] = { 0x0d, 0xd0, 0, 0, 0, 0, 0x40, 0,
						0x80, 0,    0, 0, 0, 0, 0,    0x17 };
	struct profile odd = shipped(ODD);
	unsigned char bytes[16];
	struct profile_pci pci;

	(void)state;
	profile_uuid(&odd, bytes);
	assert_memory_equal(bytes, uuid, sizeof uuid);
	assert_int_equal(profile_parse_pci("000000AB:C7:1F.0", &pci), 0);
	assert_int_equal(pci.domain, 0xab);
	assert_int_equal(pci.bus, 0xc7);
	assert_int_equal(pci.device, 0x1f);
	assert_int_equal(pci.function, 0);
	assert_int_equal(profile_parse_pci("000000AB:C7:1F.0 ", &pci), -EINVAL);
}

/* ---- the page that documents the keys ---- */

static void format_row(const struct profile_key *key, char *row, size_t size)
{
	char range[64];

	switch (key->kind) {
	case PROFILE_IS_TEXT:
		snprintf(range, sizeof range, "up to %zu characters", key->size - 1);
		break;
	case PROFILE_IS_NUMBER:
		snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, key->min, key->max);
		break;
	case PROFILE_IS_WORD:
		snprintf(range, sizeof range, "`%s` or `%s`", key->words[0], key->words[1]);
		break;
	}
	snprintf(row, size, "| `%s` | %s | %s | %s |", key->name, key->unit, range, key->meaning);
}

static char *read_document(void)
{
	FILE *file = fopen(TEST_DOCUMENT, "r");
	char *text;
	long size;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	assert_true(size > 0);
	rewind(file);
	text = calloc((size_t)size + 1, 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	fclose(file);
	return text;
}

static void the_page_lists_every_key(void **state)
{
	char *document = read_document();
	char row[512];

	(void)state;
	for (size_t i = 0; i < profile_key_count; i++) {
		format_row(&profile_keys[i], row, sizeof row);
		if (!strstr(document, row))
			fail_msg("docs/SIMULATOR.md lacks the row\n%s", row);
	}
	free(document);
}

/* Rows between these two lines are those of keys, so that none of a former key stays behind. */
static void the_page_lists_no_other(void **state)
{
	char *document = read_document();
	const char *at = strstr(document, "<!-- keys -->");
	const char *end = strstr(document, "<!-- end of keys -->");
	size_t rows = 0;

	(void)state;
	assert_non_null(at);
	assert_non_null(end);
	for (; (at = strstr(at, "\n| `")) && at < end; at++)
		rows++;
	assert_int_equal(rows, profile_key_count);
	free(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_profiles_are_whole),
		cmocka_unit_test(shipped_profiles_differ),
		cmocka_unit_test(every_key_must_be_there),
		cmocka_unit_test(every_number_has_a_range),
		cmocka_unit_test(every_word_is_known),
		cmocka_unit_test(every_text_fits),
		cmocka_unit_test(keys_must_not_contradict),
		cmocka_unit_test(unknown_and_doubled_keys_are_refused),
		cmocka_unit_test(a_missing_file_is_named),
		cmocka_unit_test(uuid_and_bus_are_read),
		cmocka_unit_test(the_page_lists_every_key),
		cmocka_unit_test(the_page_lists_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
