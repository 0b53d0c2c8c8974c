/* SPDX-License-Identifier: MIT */
/* What was measured, with what, when; and where it lies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report_parts.h"
#include "base/array.h"
#include "base/size.h"

#define UTC_DIGITS "20260131T235959Z"

enum fact_kind { FACT_TEXT, FACT_BYTES, FACT_VERSION, FACT_TIME };

static const struct {
	const char *label;
	const char *key;
	enum fact_kind kind;
} facts[] = {
	{ "GPU", "gpu_name", FACT_TEXT },
	{ "Compute capability", "compute_capability", FACT_TEXT },
	{ "SMs", "sm_count", FACT_TEXT },
	{ "Threads per SM", "max_threads_per_sm", FACT_TEXT },
	{ "Memory", "total_memory_bytes", FACT_BYTES },
	{ "Driver", "driver_release", FACT_TEXT },
	{ "CUDA of the driver", "driver_api_version", FACT_VERSION },
	{ "CUDA runtime", "runtime_api_version", FACT_VERSION },
	{ "Modules built with CUDA", "toolkit_version", FACT_TEXT },
	{ "Module loading", "module_loading", FACT_TEXT },
	{ "Granule: smallest change the meter shows", "granule_bytes", FACT_BYTES },
	{ "Noise of the idle meter", "noise_bytes", FACT_BYTES },
	{ "ECC", "ecc", FACT_TEXT },
	{ "MIG", "mig", FACT_TEXT },
	{ "MPS", "mps", FACT_TEXT },
	{ "Persistence mode", "persistence_mode", FACT_TEXT },
	{ "Kernel", "kernel", FACT_TEXT },
	{ "Container", "container", FACT_TEXT },
	{ "Started", "started_utc", FACT_TIME },
	{ "cuctx", "cuctx_version", FACT_TEXT },
	{ "Command", "command", FACT_TEXT },
};

/* CUDA writes 12.8 as 12080. */
static void format_version(const char *value, char *buffer, size_t size)
{
	long number = strtol(value, NULL, 10);

	if (number < 1000)
		snprintf(buffer, size, "%s", value);
	else
		snprintf(buffer, size, "%ld.%ld", number / 1000, number % 1000 / 10);
}

static bool is_utc(const char *value)
{
	const char *pattern = UTC_DIGITS;

	if (strlen(value) != strlen(pattern))
		return false;
	for (size_t i = 0; pattern[i]; i++) {
		bool wants_digit = pattern[i] >= '0' && pattern[i] <= '9';

		if (wants_digit ? value[i] < '0' || value[i] > '9' : value[i] != pattern[i])
			return false;
	}
	return true;
}

static void format_time(const char *value, char *buffer, size_t size)
{
	if (!is_utc(value))
		snprintf(buffer, size, "%s", value);
	else
		snprintf(buffer, size, "%.4s-%.2s-%.2s %.2s:%.2s UTC", value, value + 4, value + 6,
			 value + 9, value + 11);
}

static void format_bytes(const char *value, char *buffer, size_t size)
{
	char words[SIZE_TEXT_MAX];
	char *end;
	long long bytes = strtoll(value, &end, 10);

	if (*end)
		snprintf(buffer, size, "%s", value);
	else
		snprintf(buffer, size, "%lld (%s)", bytes, size_format(bytes, words, sizeof words));
}

/* The value itself, however long it is, or what is put into the buffer. */
static const char *fact_text(enum fact_kind kind, const char *value, char *buffer, size_t size)
{
	switch (kind) {
	case FACT_TEXT:
		return value;
	case FACT_BYTES:
		format_bytes(value, buffer, size);
		break;
	case FACT_VERSION:
		format_version(value, buffer, size);
		break;
	case FACT_TIME:
		format_time(value, buffer, size);
		break;
	}
	return buffer;
}

static const char *known(const struct run *run, const char *key)
{
	const char *value = environment_get(&run->environment, key);

	return *value ? value : "unknown";
}

void report_title(struct document *document, const struct run *run)
{
	char time[64];

	format_time(known(run, "started_utc"), time, sizeof time);
	document_format(document, BLOCK_TITLE, "%sWhere the memory goes: %s, driver %s, %s",
			environment_is_simulated(&run->environment) ? "SIMULATED, no real GPU: "
								    : "",
			known(run, "gpu_name"), known(run, "driver_release"), time);
	report_banner(document, run);
}

void report_banner(struct document *document, const struct run *run)
{
	if (environment_is_simulated(&run->environment))
		document_add(
			document, BLOCK_BANNER,
			"SIMULATED: these numbers come from a simulated device. They show what "
			"cuctx does, not what a GPU costs.");
}

void report_facts(struct document *document, const struct run *run)
{
	document_add(document, BLOCK_SECTION, "What was measured");
	document_table(document, 2, "ll");
	document_cell(document, "Fact");
	document_cell(document, "Value");
	for (size_t i = 0; i < ARRAY_COUNT(facts); i++) {
		const char *value = environment_get(&run->environment, facts[i].key);
		char buffer[128];

		if (!*value)
			continue;
		document_cell(document, facts[i].label);
		document_cell(document, fact_text(facts[i].kind, value, buffer, sizeof buffer));
	}
}

static void add_file(struct document *document, const char *dir, const char *name, const char *what)
{
	char *path = run_path(dir, name, "");

	if (!path)
		document->failed = true;
	else if (!access(path, F_OK))
		document_format(document, BLOCK_ITEM, "%s: %s", path, what);
	free(path);
}

void report_files(struct document *document, const struct run *run)
{
	document_add(document, BLOCK_SECTION, "Where the files are");
	document_format(document, BLOCK_ITEM, "%s/<benchmark>.csv: every step of every sample",
			run->dir);
	add_file(document, run->dir, "environment.csv", "what was measured, with what");
	add_file(document, run->dir, "kernels.csv", "what the modules contain");
	add_file(document, run->dir, "laws.csv", "the laws and their residuals");
	add_file(document, run->dir, "claims.csv", "what is said, and what the rows say");
	add_file(document, run->dir, "plots", "the charts");
}
