/* SPDX-License-Identifier: MIT */
/*
 * A run directory through all that reads one: laws, claims, reports, comparison with itself and
 * with another. The input is up to three files, with a line of one form feed between them: a
 * benchmark's CSV, that of the other run (where it is missing, the same), and environment.csv.
 *
 * The benchmark is the one that the first row names, so that every real one's laws are tried. As
 * hardly any input has samples that a run could have written, laws, claims and reports are tried
 * once more on its rows with what tells samples apart set right.
 */
#include <errno.h>

#include "analysis/claims.h"
#include "analysis/compare.h"
#include "analysis/compare_document.h"
#include "analysis/compare_groups.h"
#include "analysis/compare_stream.h"
#include "analysis/laws.h"
#include "analysis/report.h"
#include "base/array.h"
#include "base/text.h"
#include "cli/analyse.h"
#include "cli/cli.h"
#include "tests/fuzz/fuzz.h"

#define SEPARATOR "\f\n"

/* Where an input says nothing of it. */
static const char plain_environment[] = "key,value\nrun,r\nsimulated,no\ngpu_name,GPU\n"
					"driver_release,1\ngranule_bytes,2097152\n";

static struct fuzz_file files[2], environment;
static char root[384], dirs[2][400]; /* so that an error has room for them */

/* cli/analyse.c speaks to nobody here. */
void cli_note(const char *format, ...)
{
	(void)format;
}

/* ---- two directories whose files are in memory ---- */

static void link_file(const struct fuzz_file *file, const char *dir, const char *name)
{
	char *path = run_path(dir, name, ".csv");

	FUZZ_DEMAND(path && !symlink(file->path, path));
	free(path);
}

static void unlink_file(const char *dir, const char *name)
{
	char *path = run_path(dir, name, ".csv");

	FUZZ_DEMAND(path && (!unlink(path) || errno == ENOENT));
	free(path);
}

static void remove_all(void)
{
	for (size_t i = 0; i < ARRAY_COUNT(dirs); i++) {
		unlink_file(dirs[i], "environment");
		rmdir(dirs[i]);
	}
	rmdir(root);
}

static void make_all(void)
{
	const char *place = getenv("TMPDIR");
	int length = snprintf(root, sizeof root, "%s/cuctx-fuzz-XXXXXX", place ? place : "/tmp");

	FUZZ_DEMAND(length < (int)sizeof root && mkdtemp(root));
	fuzz_file_open(&environment);
	for (size_t i = 0; i < ARRAY_COUNT(dirs); i++) {
		snprintf(dirs[i], sizeof dirs[i], "%s/%zu", root, i);
		FUZZ_DEMAND(!mkdir(dirs[i], 0700));
		fuzz_file_open(&files[i]);
		link_file(&environment, dirs[i], "environment");
	}
	atexit(remove_all);
}

/* ---- what comes out ---- */

/* Bytes of the character there by Unicode's table 3-7; 0 where there is none. */
static size_t character(const unsigned char *text)
{
	unsigned long code = *text;
	size_t length = code < 0x80 ? 1 : code < 0xe0 ? 2 : code < 0xf0 ? 3 : 4;
	static const unsigned long least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	if ((code >= 0x80 && code < 0xc2) || code > 0xf4)
		return 0;
	code &= length == 1 ? 0x7f : 0xffUL >> (length + 1);
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	return code < least[length] || code > 0x10ffff || code >> 11 == 0x1b ? 0 : length;
}

/* It is UTF-8, and nothing in it moves a cursor. */
static void check_text(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		size_t length = character(at);

		FUZZ_DEMAND(length);
		FUZZ_DEMAND(length > 1 || (*at >= ' ' && *at != 0x7f) || *at == '\n');
		FUZZ_DEMAND(length != 2 || *at != 0xc2 || at[1] >= 0xa0);
		at += length;
	}
}

/* ---- one directory ---- */

static void check_table(const char *name)
{
	char *path = run_path(dirs[0], name, ".csv");
	struct csv_table table;

	FUZZ_DEMAND(path && !csv_table_read(&table, path, NULL));
	FUZZ_DEMAND(!table.torn);
	csv_table_free(&table);
	free(path);
	unlink_file(dirs[0], name);
}

static void check_laws(const struct run *run)
{
	struct err err = { "" };
	struct laws laws;
	int r = laws_fit(&laws, run, &err);

	if (r < 0) {
		fuzz_check_error(r, &err, NULL);
		return;
	}
	FUZZ_DEMAND(laws.count == run->requests->law_count);
	FUZZ_DEMAND(!laws_write(&laws, run->dir, &err));
	laws_free(&laws);
	check_table("laws");
}

static void check_claims(const struct run *run)
{
	struct err err = { "" };
	struct claims claims;
	char *text;

	FUZZ_DEMAND(!claims_judge(&claims, run, &err));
	FUZZ_DEMAND(claims.count == run->requests->claim_count);
	FUZZ_DEMAND(!claims_write(&claims, run->dir, &err));
	FUZZ_DEMAND(!report_render_claims(run, &claims, &text, &err));
	check_text(text);
	free(text);
	claims_free(&claims);
	check_table("claims");
}

static void check_reports(const struct requests *requests)
{
	for (enum document_format format = DOCUMENT_TEXT; format <= DOCUMENT_HTML; format++) {
		struct err err = { "" };
		char *text;
		int r = report_render(dirs[0], requests, format, &text, &err);

		if (r < 0) {
			fuzz_check_error(r, &err, NULL);
			return;
		}
		check_text(text);
		/* The page has no script of its own, so it came out of a cell. */
		FUZZ_DEMAND(format != DOCUMENT_HTML || !strcasestr(text, "<script"));
		free(text);
	}
}

static void check_run(const struct requests *requests)
{
	struct err err = { "" };
	struct run run;
	int r = run_read(&run, dirs[0], requests, &err);

	if (r < 0) {
		fuzz_check_error(r, &err, dirs[0]);
		return;
	}
	check_laws(&run);
	check_claims(&run);
	run_free(&run);
	check_reports(requests);
}

/* ---- two of them ---- */

static int append(void *context, const char *bytes, size_t count)
{
	text_add_bytes(context, bytes, count);
	return 0;
}

static int compare_as_document(const struct compare_sources *sources,
			       const struct compare_options *options, struct err *reterr)
{
	struct compare_result result;
	struct compare_groups groups;
	struct compare_findings findings = { sources, &groups, &result };
	struct compare_sink sink = compare_groups_sink(&groups);
	char *text;
	int r;

	FUZZ_DEMAND(!compare_groups_init(&groups, sources->count));
	r = compare_run(sources, options, &sink, &result, reterr);
	if (!r) {
		FUZZ_DEMAND(!compare_document_render(&findings, DOCUMENT_TEXT, &text, reterr));
		check_text(text);
		free(text);
		FUZZ_DEMAND(!compare_document_render(&findings, DOCUMENT_MARKDOWN, &text, reterr));
		check_text(text);
		free(text);
		text_free(&result.notes);
	}
	compare_groups_free(&groups);
	return r;
}

static void check_csv(const struct text *text)
{
	struct csv_table table = { 0 };

	fuzz_file_fill(&files[1], text_peek(text), text->used);
	FUZZ_DEMAND(!csv_table_read(&table, files[1].path, NULL));
	FUZZ_DEMAND(!table.torn);
	csv_table_free(&table);
}

static int compare_as_stream(const struct compare_sources *sources,
			     const struct compare_options *options, bool is_json,
			     struct compare_result *result, struct err *reterr)
{
	struct text text = { 0 };
	struct compare_stream stream = {
		.sources = sources, .write = append, .context = &text, .is_json = is_json
	};
	struct compare_sink sink = compare_stream_sink(&stream);
	int r = compare_stream_begin(&stream, reterr);

	FUZZ_DEMAND(!r);
	r = compare_run(sources, options, &sink, result, reterr);
	if (!r) {
		FUZZ_DEMAND(!compare_stream_end(&stream, result, reterr));
		text_free(&result->notes);
		if (is_json)
			check_text(text_peek(&text));
		else
			check_csv(&text);
	}
	compare_stream_free(&stream);
	text_free(&text);
	return r;
}

static void check_nothing_differs(const struct compare_result *result)
{
	for (size_t i = 0; i < VERDICT_COUNT; i++)
		FUZZ_DEMAND(i == VERDICT_SAME || !result->counts.verdicts[1][i]);
}

/* `second` may be the first one, from which it does not differ then. */
static void check_compare(const struct requests *requests, size_t second)
{
	struct compare_options options = { .requests = requests };
	char first_argument[sizeof dirs[0] + 8], second_argument[sizeof dirs[0] + 8];
	const char *const arguments[] = { first_argument, second_argument };
	struct compare_sources sources;
	struct compare_result result = { 0 };
	struct err err = { "" };
	int r;

	snprintf(first_argument, sizeof first_argument, "base=%s", dirs[0]);
	snprintf(second_argument, sizeof second_argument, "new=%s", dirs[second]);
	r = compare_sources_open(&sources, arguments, 2, &err);
	if (r < 0) {
		fuzz_check_error(r, &err, root);
		return;
	}
	r = compare_as_document(&sources, &options, &err);
	if (!r)
		r = compare_as_stream(&sources, &options, true, &result, &err);
	if (!r)
		r = compare_as_stream(&sources, &options, false, &result, &err);
	if (r < 0)
		fuzz_check_error(r, &err, NULL);
	else if (!second)
		check_nothing_differs(&result);
	compare_sources_free(&sources);
}

/* ---- the input ---- */

/* Cuts the next file off. NULL where there is none. */
static const uint8_t *next_part(const uint8_t **bytes, size_t *size, size_t *ret_size)
{
	const uint8_t *part = *bytes, *end;

	if (!part)
		return NULL;
	end = *size ? memmem(part, *size, SEPARATOR, sizeof SEPARATOR - 1) : NULL;
	*ret_size = end ? (size_t)(end - part) : *size;
	*bytes = end ? end + sizeof SEPARATOR - 1 : NULL;
	*size = end ? *size - *ret_size - (sizeof SEPARATOR - 1) : 0;
	return part;
}

static void fill(const uint8_t *bytes, size_t size)
{
	const void *parts[3];
	size_t sizes[ARRAY_COUNT(parts)] = { 0 };

	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		parts[i] = next_part(&bytes, &size, &sizes[i]);
	fuzz_file_fill(&files[0], parts[0], sizes[0]);
	fuzz_file_fill(&files[1], parts[1] ? parts[1] : parts[0], parts[1] ? sizes[1] : sizes[0]);
	if (parts[2])
		fuzz_file_fill(&environment, parts[2], sizes[2]);
	else
		fuzz_file_fill(&environment, plain_environment, sizeof plain_environment - 1);
}

static const struct benchmark_request *named_benchmark(const struct requests *requests)
{
	const struct benchmark_request *named = &requests->benchmarks[0];
	struct csv_table table;

	if (csv_table_read(&table, files[0].path, NULL) < 0)
		return named;
	for (size_t i = 0; i < requests->benchmark_count && table.row_count; i++)
		if (!strcmp(requests->benchmarks[i].name,
			    csv_table_cell(&table, 0, csv_table_column(&table, "benchmark"))))
			named = &requests->benchmarks[i];
	csv_table_free(&table);
	return named;
}

/* ---- rows that a run could have written ---- */

struct repair {
	const struct csv_table *table;
	const char *benchmark;
	size_t first; /* row of the sample at hand */
	size_t index; /* of the row in it */
};

static bool is_end(const struct repair *repair, size_t row)
{
	const char *step =
		csv_table_cell(repair->table, row, csv_table_column(repair->table, "step"));

	return row + 1 == repair->table->row_count || !strcmp(step, "exit") ||
	       !strcmp(step, "none");
}

static void repair_cell(struct csv_row *row, const struct repair *repair, size_t number,
			size_t column)
{
	const struct csv_table *table = repair->table;
	const char *name = csv_table_header(table, column);

	if (!strcmp(name, "run"))
		csv_row_text(row, "r");
	else if (!strcmp(name, "benchmark"))
		csv_row_text(row, repair->benchmark);
	else if (!strcmp(name, "step_index"))
		csv_row_uint(row, repair->index);
	else if (!strcmp(name, "step") && is_end(repair, number))
		csv_row_text(row, repair->index ? "exit" : "none");
	else if (column <= csv_table_column(table, "attempt"))
		csv_row_text(row, csv_table_cell(table, repair->first, column));
	else
		csv_row_text(row, csv_table_cell(table, number, column));
}

static void repair_rows(struct csv_row *row, struct repair *repair)
{
	const struct csv_table *table = repair->table;

	for (size_t column = 0; column < table->column_count; column++)
		csv_row_text(row, csv_table_header(table, column));
	csv_row_end(row);
	for (size_t i = 0; i < table->row_count; i++) {
		if (!repair->index)
			repair->first = i;
		for (size_t column = 0; column < table->column_count; column++)
			repair_cell(row, repair, i, column);
		csv_row_end(row);
		repair->index = is_end(repair, i) ? 0 : repair->index + 1;
	}
}

/* False where the first file is no table. */
static bool repair_file(const char *benchmark)
{
	struct csv_table table;
	struct csv_row row;

	if (csv_table_read(&table, files[0].path, NULL) < 0)
		return false;
	csv_row_init(&row);
	repair_rows(&row, &(struct repair){ .table = &table, .benchmark = benchmark });
	fuzz_file_fill(&files[0], row.bytes, row.used);
	csv_row_free(&row);
	csv_table_free(&table);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct requests requests = *analyse_requests();

	if (!root[0])
		make_all();
	fill(bytes, size);
	requests.benchmarks = named_benchmark(&requests);
	requests.benchmark_count = 1;
	for (size_t i = 0; i < ARRAY_COUNT(dirs); i++)
		link_file(&files[i], dirs[i], requests.benchmarks->name);
	check_run(&requests);
	check_compare(&requests, 1);
	check_compare(&requests, 0);
	if (repair_file(requests.benchmarks->name))
		check_run(&requests);
	for (size_t i = 0; i < ARRAY_COUNT(dirs); i++)
		unlink_file(dirs[i], requests.benchmarks->name);
	return 0;
}
