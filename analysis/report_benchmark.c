/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/outcomes.h"
#include "analysis/readings.h"
#include "analysis/report_parts.h"
#include "analysis/steps.h"
#include "base/array.h"
#include "base/size.h"

#define WIDE_GROUPS_MAX 4

/* ---- how many, how good ---- */

static size_t count_verdicts(const struct samples *samples, const char *verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < samples->count; i++)
		count += !strcmp(samples_verdict(samples, i), verdict);
	return count;
}

static void add_verdicts(struct text *text, const struct samples *samples)
{
	size_t rest = samples->count;
	const char *separator = ": ", *verdict;

	for (size_t i = 0; (verdict = samples_status(i)); i++) {
		size_t count = count_verdicts(samples, verdict);

		rest -= count;
		if (!count)
			continue;
		text_format(text, "%s%zu %s", separator, count, verdict);
		separator = ", ";
	}
	if (rest)
		text_format(text, "%s%zu of another status", separator, rest);
}

static void add_repeats(struct text *text, const struct samples *samples)
{
	struct repeats repeats = samples_repeats(samples);

	if (!repeats.point_count)
		text_add(text, " Nothing was repeated.");
	else if (repeats.identical_count == repeats.point_count)
		text_format(text,
			    " %zu points were repeated: all repeats are equal to the byte, "
			    "and in what the driver answered.",
			    repeats.point_count);
	else
		text_format(text,
			    " %zu points were repeated, and the repeats of %zu of them differ.",
			    repeats.point_count, repeats.point_count - repeats.identical_count);
}

static void add_taken_again(struct text *text, size_t count, const char *kind, const char *why)
{
	if (count)
		text_format(text, " %zu %s%s taken again%s.", count, kind,
			    count == 1 ? "attempt was" : "attempts were", why);
}

static void add_counts(struct document *document, const struct samples *samples)
{
	struct text text = { 0 };

	text_format(&text, "%zu points, %zu samples", samples->point_count, samples->count);
	add_verdicts(&text, samples);
	text_add(&text, ".");
	add_repeats(&text, samples);
	add_taken_again(&text, samples->disturbed_count, "disturbed ", "");
	add_taken_again(&text, samples->broken_count, "", " because measuring broke off");
	if (samples->table.torn)
		text_add(&text, " The file ends in the middle of a row, and its last sample is "
				"left out.");
	document_add_text(document, BLOCK_PARAGRAPH, &text);
}

/* ---- when the memory goes ---- */

static void add_group_label(struct document *document, const struct step_table *table,
			    const struct samples *samples, size_t group)
{
	struct text label = { 0 };

	step_words_label(table, samples, table->groups[group].words, &label);
	document_cell_text(document, &label);
}

static void add_step_cell(struct document *document, struct byte_range range)
{
	struct text text = { 0 };

	if (range.is_measured)
		report_range(range, &text);
	document_cell_text(document, &text);
}

/* What did not succeed is told apart: "load (refused)". */
static void add_line_label(struct document *document, const struct step_line *line)
{
	if (!strcmp(line->status, "ok"))
		document_cell(document, line->step);
	else
		document_cell_format(document, "%s (%s)", line->step, line->status);
}

/* A column per group, as long as the eye can follow a line. */
static void add_wide_steps(struct document *document, const struct samples *samples,
			   const struct step_table *table)
{
	document_table(document, table->group_count + 1, "lr");
	document_cell(document, "Step");
	for (size_t i = 0; i < table->group_count; i++)
		add_group_label(document, table, samples, i);
	for (size_t line = 0; line < table->line_count; line++) {
		if (!step_table_moves(table, line))
			continue;
		add_line_label(document, &table->lines[line]);
		for (size_t i = 0; i < table->group_count; i++)
			add_step_cell(document, table->groups[i].cells[line]);
	}
}

static void add_long_steps(struct document *document, const struct samples *samples,
			   const struct step_table *table)
{
	document_table(document, 3, "llr");
	document_cell(document, "Step");
	document_cell(document, "Where");
	document_cell(document, "Bytes");
	for (size_t line = 0; line < table->line_count; line++)
		for (size_t i = 0; i < table->group_count; i++) {
			struct byte_range range = table->groups[i].cells[line];

			if (!range.min_bytes && !range.max_bytes)
				continue;
			add_line_label(document, &table->lines[line]);
			add_group_label(document, table, samples, i);
			add_step_cell(document, range);
		}
}

/* What costs nothing is an answer, too. The start is where counting begins. */
static void add_still_steps(struct document *document, const struct step_table *table)
{
	struct text text = { 0 };
	const char *separator = "No bytes moved at ", *last = "";

	for (size_t i = 0; i < table->line_count; i++) {
		const char *step = table->lines[i].step;

		if (!strcmp(step, "start") || !strcmp(step, last) ||
		    !step_table_is_still(table, step))
			continue;
		text_format(&text, "%s%s", separator, step);
		separator = ", ";
		last = step;
	}
	if (text.used)
		text_add(&text, ".");
	if (text.used || text.failed)
		document_add_text(document, BLOCK_PARAGRAPH, &text);
}

static void add_steps(struct document *document, const struct samples *samples,
		      const struct step_table *table)
{
	document_add(document, BLOCK_SUBSECTION, "When the memory goes");
	if (table->group_count <= WIDE_GROUPS_MAX)
		add_wide_steps(document, samples, table);
	else
		add_long_steps(document, samples, table);
	add_still_steps(document, table);
}

/* ---- what the driver answered ---- */

static void add_reading(struct document *document, const struct samples *samples,
			const struct step_table *table, const struct reading *reading)
{
	struct text where = { 0 }, values = { 0 };

	step_words_label(table, samples, reading->words, &where);
	values_list(&reading->values, &values);
	document_cell(document, csv_table_header(&samples->table, reading->column));
	document_cell(document, reading->step);
	document_cell_text(document, &where);
	document_cell_text(document, &values);
}

static int add_readings(struct document *document, const struct samples *samples,
			const struct step_table *table, struct err *reterr)
{
	static const char *const headers[] = { "Reading", "Step", "Where", "Values" };
	struct readings readings;
	int r = readings_collect(&readings, table, samples, reterr);

	if (r < 0)
		return r;
	if (readings.count) {
		document_add(document, BLOCK_SUBSECTION, "What the driver answered");
		document_table(document, 4, "llll");
		for (size_t i = 0; i < ARRAY_COUNT(headers); i++)
			document_cell(document, headers[i]);
	}
	for (size_t i = 0; i < readings.count; i++)
		add_reading(document, samples, table, &readings.items[i]);
	readings_free(&readings);
	return 0;
}

/* ---- the section ---- */

static void add_no_law(struct document *document, const char *reason)
{
	document_add(document, BLOCK_SUBSECTION, "Laws");
	document_format(document, BLOCK_PARAGRAPH, "None: %s.", reason);
}

void report_chart(struct document *document, const char *dir, const char *name, const char *words)
{
	char relative[128];
	char *path;

	snprintf(relative, sizeof relative, "plots/%s.svg", name);
	path = run_path(dir, relative, "");
	if (!path)
		document->failed = true;
	else if (!access(path, F_OK))
		document_chart(document, path, relative, words);
	free(path);
}

int report_benchmark(struct document *document, const struct run *run,
		     const struct benchmark_request *benchmark, const struct laws *laws,
		     struct err *reterr)
{
	const struct samples *samples = run_samples(run, benchmark->name);
	struct step_table table;
	int r;

	if (!samples)
		return 0;
	r = step_table_make(&table, samples, reterr);
	if (r < 0)
		return r;
	document_add(document, BLOCK_SECTION, benchmark->name);
	document_add(document, BLOCK_PARAGRAPH, benchmark->question);
	report_chart(document, run->dir, benchmark->name, benchmark->question);
	add_counts(document, samples);
	add_steps(document, samples, &table);
	r = add_readings(document, samples, &table, reterr);
	if (benchmark->no_law)
		add_no_law(document, benchmark->no_law);
	else
		report_laws(document, laws, benchmark->name);
	step_table_free(&table);
	return r;
}

/* ---- what did not succeed ---- */

static void add_outcome(struct document *document, const struct samples *samples,
			const char *benchmark, const struct outcome *outcome)
{
	struct text points = { 0 };

	outcome_points(outcome, samples, &points);
	document_cell(document, benchmark);
	document_cell(document, strcmp(outcome->step, "none") ? outcome->step : "");
	document_cell(document, outcome->status);
	document_cell_format(document, "%s%s%s", outcome->error,
			     *outcome->error && *outcome->note ? ": " : "", outcome->note);
	document_cell_format(document, "%zu", outcome->sample_count);
	document_cell_text(document, &points);
}

static int add_outcomes_of(struct document *document, const struct samples *samples,
			   const char *benchmark, bool *has_table, struct err *reterr)
{
	static const char *const headers[] = { "Benchmark", "Step",    "Status",
					       "Reason",    "Samples", "Where" };
	struct outcomes outcomes;
	int r = outcomes_collect(&outcomes, samples, reterr);

	if (r < 0)
		return r;
	if (outcomes.count && !*has_table) {
		*has_table = true;
		document_table(document, 6, "llllrl");
		for (size_t i = 0; i < ARRAY_COUNT(headers); i++)
			document_cell(document, headers[i]);
	}
	for (size_t i = 0; i < outcomes.count; i++)
		add_outcome(document, samples, benchmark, &outcomes.items[i]);
	outcomes_free(&outcomes);
	return 0;
}

int report_outcomes(struct document *document, const struct run *run, struct err *reterr)
{
	const struct requests *requests = run->requests;
	bool has_table = false;
	int r = 0;

	document_add(document, BLOCK_SECTION, "What did not simply succeed");
	for (size_t i = 0; i < requests->benchmark_count && !r; i++)
		if (run->samples[i].count)
			r = add_outcomes_of(document, &run->samples[i],
					    requests->benchmarks[i].name, &has_table, reterr);
	if (!r && !has_table)
		document_add(document, BLOCK_PARAGRAPH, "Every step of every sample succeeded.");
	return r;
}
