/* SPDX-License-Identifier: MIT */
/* Several runs in one report: whatever it tells, there is a column for each of them. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/law_parameters.h"
#include "analysis/report.h"
#include "analysis/report_parts.h"
#include "base/array.h"
#include "base/size.h"

/* What was found of each run, in their order. */
struct found {
	struct laws laws;
	struct anatomy anatomy;
	struct claims claims;
};

struct side_by_side {
	const struct report_runs *runs;
	const struct requests *requests;
	struct found *found; /* owned */
	struct document *document;
};

static void begin_table(const struct side_by_side *side, const char *first)
{
	document_table(side->document, side->runs->count + 1, "lr");
	document_cell(side->document, first);
	for (size_t i = 0; i < side->runs->count; i++)
		document_cell(side->document, side->runs->labels[i]);
}

/* ---- who they are ---- */

static const struct environment *environment_of(const struct side_by_side *side, size_t run)
{
	return &side->runs->items[run].environment;
}

static bool differs(const struct side_by_side *side, const char *key)
{
	for (size_t i = 1; i < side->runs->count; i++)
		if (strcmp(environment_get(environment_of(side, 0), key),
			   environment_get(environment_of(side, i), key)) != 0)
			return true;
	return false;
}

static void add_fact(const struct side_by_side *side, const char *key)
{
	document_cell(side->document, key);
	for (size_t i = 0; i < side->runs->count; i++)
		document_cell(side->document, environment_get(environment_of(side, i), key));
}

static bool has_key_before(const struct side_by_side *side, size_t run, const char *key)
{
	for (size_t i = 0; i < run; i++) {
		const struct environment *environment = environment_of(side, i);

		for (size_t row = 0; row < environment->table.row_count; row++)
			if (!strcmp(csv_table_cell(&environment->table, row, environment->key),
				    key))
				return true;
	}
	return false;
}

static void add_environment(const struct side_by_side *side)
{
	document_add(side->document, BLOCK_SECTION, "What was measured, and where that differs");
	begin_table(side, "Fact");
	for (size_t i = 0; i < side->runs->count; i++) {
		const struct environment *environment = environment_of(side, i);

		for (size_t row = 0; row < environment->table.row_count; row++) {
			const char *key =
				csv_table_cell(&environment->table, row, environment->key);

			if (differs(side, key) && !has_key_before(side, i, key))
				add_fact(side, key);
		}
	}
	for (size_t i = 0; i < side->runs->count; i++)
		document_format(side->document, BLOCK_ITEM, "%s is %s", side->runs->labels[i],
				side->runs->items[i].dir);
}

/* ---- what a context is made of ---- */

/* The lines of all runs, each once, in the order in which they are met. */
struct lines {
	char **names; /* owned */
	size_t count;
	bool failed;
};

static size_t line_of(struct lines *lines, const char *name)
{
	char **names;

	for (size_t i = 0; i < lines->count; i++)
		if (!strcmp(lines->names[i], name))
			return i;
	names = realloc(lines->names, (lines->count + 1) * sizeof *names);
	if (names) {
		lines->names = names;
		names[lines->count] = strdup(name);
	}
	if (!names || !names[lines->count]) {
		lines->failed = true;
		return 0;
	}
	return lines->count++;
}

static void meet_line(void *data, const struct anatomy_line *line)
{
	char name[ANATOMY_NAME_MAX];

	snprintf(name, sizeof name, "%s%s", anatomy_prefix(line), line->name);
	line_of(data, name);
}

struct wanted_line {
	const char *name;
	struct byte_range bytes;
};

static void find_line(void *data, const struct anatomy_line *line)
{
	struct wanted_line *wanted = data;
	char name[ANATOMY_NAME_MAX];

	snprintf(name, sizeof name, "%s%s", anatomy_prefix(line), line->name);
	if (!strcmp(name, wanted->name))
		wanted->bytes = line->bytes;
}

/* "548995072", "0 to 2097152", "not measured" */
static void add_bytes(struct document *document, struct byte_range bytes)
{
	if (!bytes.is_measured)
		document_cell(document, "not measured");
	else if (bytes.min_bytes == bytes.max_bytes)
		document_cell_format(document, "%" PRId64, bytes.min_bytes);
	else
		document_cell_format(document, "%" PRId64 " to %" PRId64, bytes.min_bytes,
				     bytes.max_bytes);
}

static void add_anatomy_line(const struct side_by_side *side, const char *name)
{
	document_cell(side->document, name);
	for (size_t i = 0; i < side->runs->count; i++) {
		struct wanted_line wanted = { .name = name };

		anatomy_each_line(&side->found[i].anatomy, &side->runs->items[i], find_line,
				  &wanted);
		add_bytes(side->document, wanted.bytes);
	}
}

static void add_anatomy(const struct side_by_side *side)
{
	struct lines lines = { 0 };

	for (size_t i = 0; i < side->runs->count; i++)
		anatomy_each_line(&side->found[i].anatomy, &side->runs->items[i], meet_line,
				  &lines);
	document_add(side->document, BLOCK_SECTION, "What a context is made of, in bytes");
	document_bars(side->document);
	for (size_t i = 0; i < side->runs->count; i++)
		report_bars(side->document, &side->runs->items[i], &side->found[i].anatomy,
			    side->runs->labels[i]);
	begin_table(side, "Component");
	for (size_t i = 0; i < lines.count; i++)
		add_anatomy_line(side, lines.names[i]);
	side->document->failed = side->document->failed || lines.failed;
	for (size_t i = 0; i < lines.count; i++)
		free(lines.names[i]);
	free(lines.names);
}

static void add_savings(const struct side_by_side *side)
{
	if (!side->requests->saving_count)
		return;
	document_add(side->document, BLOCK_SECTION, "What could be saved, per process, in bytes");
	begin_table(side, "Do this");
	for (size_t i = 0; i < side->requests->saving_count; i++) {
		document_cell(side->document, side->requests->savings[i].advice);
		for (size_t k = 0; k < side->runs->count; k++)
			add_bytes(side->document, side->found[k].anatomy.savings[i]);
	}
}

/* ---- claims ---- */

static void add_claims(const struct side_by_side *side)
{
	if (!side->requests->claim_count)
		return;
	document_add(side->document, BLOCK_SECTION,
		     "Claims: what is said, and what these rows say");
	begin_table(side, "It is said");
	for (size_t i = 0; i < side->requests->claim_count; i++) {
		document_cell(side->document, side->requests->claims[i].sentence);
		for (size_t k = 0; k < side->runs->count; k++)
			document_cell(side->document,
				      claim_verdict_text(side->found[k].claims.items[i].verdict));
	}
}

/* ---- laws ---- */

/* "16, staircase", "16, but it does not hold" */
static void add_law_value(struct document *document, const struct fitted_law *fitted,
			  const char *parameter)
{
	struct law_parameters parameters = { 0 };
	char value[FRACTION_TEXT_MAX];

	if (!fitted->is_measured) {
		document_cell(document, "not measured");
		return;
	}
	law_parameters_list(&parameters, fitted);
	for (size_t i = 0; i < parameters.count; i++)
		if (!strcmp(parameters.items[i].name, parameter)) {
			document_cell_format(
				document, "%s%s",
				fraction_text(parameters.items[i].value, value, sizeof value),
				fitted->law.holds ? "" : " (does not hold)");
			return;
		}
	document_cell(document, "none");
}

static void add_law_parameter(const struct side_by_side *side, size_t law, const char *parameter)
{
	document_cell_format(side->document, "%s, %s", side->requests->laws[law].component,
			     parameter);
	for (size_t i = 0; i < side->runs->count; i++)
		add_law_value(side->document, &side->found[i].laws.items[law], parameter);
}

static bool is_in(const struct side_by_side *side, size_t run, size_t law, const char *parameter)
{
	struct law_parameters parameters = { 0 };

	if (!side->found[run].laws.items[law].is_measured)
		return false;
	law_parameters_list(&parameters, &side->found[run].laws.items[law]);
	for (size_t i = 0; i < parameters.count; i++)
		if (!strcmp(parameters.items[i].name, parameter))
			return true;
	return false;
}

/* The parameters of the law in any run, each once. */
static void add_law(const struct side_by_side *side, size_t law)
{
	for (size_t run = 0; run < side->runs->count; run++) {
		struct law_parameters parameters = { 0 };

		if (!side->found[run].laws.items[law].is_measured)
			continue;
		law_parameters_list(&parameters, &side->found[run].laws.items[law]);
		for (size_t i = 0; i < parameters.count; i++) {
			bool is_told = false;

			for (size_t before = 0; before < run; before++)
				is_told = is_told ||
					  is_in(side, before, law, parameters.items[i].name);
			if (!is_told)
				add_law_parameter(side, law, parameters.items[i].name);
		}
	}
}

/* ---- a benchmark ---- */

/* What the headline step took in the samples at that point; a range where they differ. */
static struct byte_range headline_of(const struct samples *samples, const char *step,
				     const char *point)
{
	struct byte_range range = { 0 };
	struct text text = { 0 };

	for (size_t i = 0; samples && i < samples->count; i++) {
		size_t row = samples_step(samples, i, step);
		int64_t bytes;

		samples_point_text(samples, i, &text);
		if (!strcmp(text_peek(&text), point) && row != SAMPLES_NO_ROW &&
		    !strcmp(csv_table_cell(&samples->table, row, samples->columns.status), "ok") &&
		    csv_table_int(&samples->table, row, samples->columns.delta_bytes, &bytes))
			byte_range_widen(&range, bytes);
		text_free(&text);
	}
	return range;
}

/* "refused", "unsupported": how the samples at that point ended that have no such bytes. */
static const char *outcome_of(const struct samples *samples, const char *point)
{
	const char *outcome = "not measured";
	struct text text = { 0 };

	for (size_t i = 0; samples && i < samples->count; i++) {
		samples_point_text(samples, i, &text);
		if (!strcmp(text_peek(&text), point) &&
		    strcmp(samples_verdict(samples, i), "ok") != 0)
			outcome = samples_verdict(samples, i);
		text_free(&text);
	}
	return outcome;
}

static void add_headline_bytes(struct document *document, const struct samples *samples,
			       const char *step, const char *point)
{
	struct byte_range range = headline_of(samples, step, point);

	if (range.is_measured)
		add_bytes(document, range);
	else
		document_cell(document, outcome_of(samples, point));
}

static void find_points(const struct side_by_side *side, const char *benchmark,
			struct lines *points)
{
	for (size_t run = 0; run < side->runs->count; run++) {
		const struct samples *samples = run_samples(&side->runs->items[run], benchmark);
		struct text text = { 0 };

		for (size_t i = 0; samples && i < samples->count; i++) {
			samples_point_text(samples, i, &text);
			line_of(points, text_peek(&text));
			text_free(&text);
		}
	}
}

static int by_text(const void *a, const void *b)
{
	const char *const *left = a, *const *right = b;

	return strcmp(*left, *right);
}

/* Samples are in no order, so points are in that of their words. */
static void add_headline(const struct side_by_side *side, const struct benchmark_request *benchmark)
{
	struct lines points = { 0 };

	find_points(side, benchmark->name, &points);
	if (points.count)
		qsort(points.names, points.count, sizeof *points.names, by_text);
	begin_table(side, "Point");
	for (size_t i = 0; i < points.count; i++) {
		document_cell(side->document, points.names[i]);
		for (size_t run = 0; run < side->runs->count; run++)
			add_headline_bytes(side->document,
					   run_samples(&side->runs->items[run], benchmark->name),
					   benchmark->headline_step, points.names[i]);
	}
	side->document->failed = side->document->failed || points.failed;
	for (size_t i = 0; i < points.count; i++)
		free(points.names[i]);
	free(points.names);
}

static void add_benchmark(const struct side_by_side *side,
			  const struct benchmark_request *benchmark)
{
	size_t run = 0, law_count = 0;

	while (run < side->runs->count && !run_samples(&side->runs->items[run], benchmark->name))
		run++;
	if (run == side->runs->count)
		return;
	document_add(side->document, BLOCK_SECTION, benchmark->name);
	document_add(side->document, BLOCK_PARAGRAPH, benchmark->question);
	if (side->runs->charts_dir)
		report_chart(side->document, side->runs->charts_dir, benchmark->name,
			     benchmark->question);
	for (size_t i = 0; i < side->requests->law_count; i++) {
		if (strcmp(side->requests->laws[i].benchmark, benchmark->name) != 0)
			continue;
		if (!law_count++)
			begin_table(side, "Law");
		add_law(side, i);
	}
	if (!law_count) {
		document_format(side->document, BLOCK_SUBSECTION, "Bytes taken by %s",
				benchmark->headline_step);
		add_headline(side, benchmark);
	}
}

/* ---- all of it ---- */

static void add_title(const struct side_by_side *side)
{
	size_t simulated = 0;

	while (simulated < side->runs->count &&
	       !environment_is_simulated(environment_of(side, simulated)))
		simulated++;
	document_format(
		side->document, BLOCK_TITLE, "%sWhere the memory goes: %zu runs side by side",
		simulated < side->runs->count ? "SIMULATED, no real GPU: " : "", side->runs->count);
	if (simulated < side->runs->count)
		report_banner(side->document, &side->runs->items[simulated]);
}

static void build(const struct side_by_side *side)
{
	add_title(side);
	add_environment(side);
	add_anatomy(side);
	if (side->runs->charts_dir)
		report_chart(side->document, side->runs->charts_dir, "components",
			     "What a context is made of, and what first uses add, in each run");
	add_savings(side);
	add_claims(side);
	for (size_t i = 0; i < side->requests->benchmark_count; i++)
		add_benchmark(side, &side->requests->benchmarks[i]);
}

static void found_free(struct found *found)
{
	claims_free(&found->claims);
	anatomy_free(&found->anatomy);
	laws_free(&found->laws);
}

static int find(struct found *found, const struct run *run, struct err *reterr)
{
	int r = laws_fit(&found->laws, run, reterr);

	if (!r)
		r = anatomy_measure(&found->anatomy, run, reterr);
	return r ? r : claims_judge(&found->claims, run, reterr);
}

int report_render_runs(const struct report_runs *runs, enum document_format format, char **ret_text,
		       struct err *reterr)
{
	struct document document = { 0 };
	struct side_by_side side = { .runs = runs,
				     .requests = runs->items[0].requests,
				     .found = calloc(runs->count, sizeof *side.found),
				     .document = &document };
	int r = 0;

	if (!side.found)
		return err_errno(reterr, ENOMEM, "report");
	for (size_t i = 0; i < runs->count && !r; i++)
		r = find(&side.found[i], &runs->items[i], reterr);
	if (!r) {
		build(&side);
		r = document_render(&document, format, ret_text, reterr);
	}
	document_free(&document);
	for (size_t i = 0; i < runs->count; i++)
		found_free(&side.found[i]);
	free(side.found);
	return r;
}
