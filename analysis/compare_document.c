/* SPDX-License-Identifier: MIT */
#include "analysis/compare_document.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define UNKNOWN "-"
/* A longer one would leave no room for numbers. */
#define LABEL_COLUMNS 16

/* What stands above a column: the first table says what it means. */
static void add_label(struct document *document, const struct compare_sources *sources, size_t i)
{
	const char *label = sources->items[i].label;

	if (strlen(label) <= LABEL_COLUMNS)
		document_cell(document, label);
	else if (!i || sources->count == 2)
		document_cell(document, i ? "NEW" : "BASE");
	else
		document_cell_format(document, "NEW %zu", i);
}

/* ---- what is compared ---- */

static void add_sources(struct document *document, const struct compare_sources *sources)
{
	bool is_simulated = false;

	document_add(document, BLOCK_TITLE, "What changed");
	for (size_t i = 0; i < sources->count; i++)
		is_simulated = is_simulated || sources->items[i].is_simulated;
	if (is_simulated)
		document_add(document, BLOCK_BANNER,
			     "SIMULATED: numbers of a simulated device are among these. They show "
			     "what cuctx does, not what a GPU costs.");
	document_table(document, 3, "lll");
	document_cell(document, "");
	document_cell(document, "Run");
	document_cell(document, "Path");
	for (size_t i = 0; i < sources->count; i++) {
		if (!i || sources->count == 2)
			document_cell(document, i ? "NEW" : "BASE");
		else
			document_cell_format(document, "NEW %zu", i);
		document_cell(document, sources->items[i].label);
		document_cell(document, sources->items[i].path);
	}
}

static void add_environment(struct document *document, const struct compare_sources *sources,
			    const struct compare_facts *facts)
{
	size_t known_count = 0;

	document_add(document, BLOCK_SECTION, "Environment");
	for (size_t i = 0; i < sources->count; i++)
		if (!sources->items[i].has_environment)
			document_format(document, BLOCK_PARAGRAPH,
					"Nothing is known of what %s was measured with.",
					sources->items[i].label);
	for (size_t i = 0; i < sources->count; i++)
		known_count += sources->items[i].has_environment;
	if (!facts->count) {
		if (known_count > 1)
			document_add(document, BLOCK_PARAGRAPH, "No difference.");
		return;
	}
	document_table(document, 1 + sources->count, "l");
	document_cell(document, "Key");
	for (size_t i = 0; i < sources->count; i++)
		add_label(document, sources, i);
	for (size_t k = 0; k < facts->count; k++) {
		document_cell(document, facts->keys[k]);
		for (size_t i = 0; i < sources->count; i++) {
			const char *value = compare_source_fact(&sources->items[i], facts->keys[k]);

			document_cell(document, *value ? value : UNKNOWN);
		}
	}
}

/* ---- what changed ---- */

/* The columns of one or of several NEW: two would not fit a line if each had four columns. */
static size_t value_columns(const struct compare_sources *sources)
{
	return sources->count == 2 ? 5 : sources->count;
}

static void add_value_header(struct document *document, const struct compare_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		add_label(document, sources, i);
	if (sources->count != 2)
		return;
	document_cell(document, "Difference");
	document_cell(document, "%");
	document_cell(document, "Verdict");
}

static void add_value(struct document *document, const struct compare_group *group, size_t source)
{
	struct text text = { 0 };

	compare_group_value(group, source, &text);
	if (!text.used)
		text_add(&text, UNKNOWN);
	document_cell_text(document, &text);
}

/* "551092224 (+2097152, more)"; the verdict alone where there is no number. */
static void add_value_and_verdict(struct document *document, const struct compare_group *group,
				  size_t source)
{
	const struct group_side *side = &group->sides[source];
	struct text text = { 0 };
	bool is_same = !strcmp(side->verdict, verdict_text(VERDICT_SAME));

	compare_group_value(group, source, &text);
	if (!text.used)
		text_add(&text, UNKNOWN);
	text_format(&text, " (%s%s%s)", is_same ? "" : side->difference,
		    is_same || !*side->difference ? "" : ", ", side->verdict);
	document_cell_text(document, &text);
}

static void add_values(struct document *document, const struct compare_sources *sources,
		       const struct compare_group *group)
{
	struct text percent = { 0 };

	add_value(document, group, 0);
	if (sources->count != 2) {
		for (size_t i = 1; i < sources->count; i++)
			add_value_and_verdict(document, group, i);
		return;
	}
	add_value(document, group, 1);
	document_cell(document, group->sides[1].difference);
	compare_group_percent(group, 1, &percent);
	document_cell_text(document, &percent);
	document_cell(document, group->sides[1].verdict);
}

/* ---- in several benchmarks ---- */

static bool is_shared(const struct compare_groups *groups, size_t group)
{
	enum compare_line_kind kind = groups->items[group].kind;

	return (kind == COMPARE_NUMBER || kind == COMPARE_STATUS) &&
	       compare_groups_alike(groups, group) > 1;
}

static bool is_first(const struct compare_groups *groups, size_t group)
{
	for (size_t i = 0; i < group; i++)
		if (hash_equal(groups->items[i].saying, groups->items[group].saying))
			return false;
	return true;
}

/* "context, module-code (12 points)" */
static void add_benchmarks(struct document *document, const struct compare_groups *groups,
			   size_t group)
{
	struct text text = { 0 };

	for (size_t i = group; i < groups->count; i++) {
		const struct compare_group *other = &groups->items[i];

		if (!hash_equal(other->saying, groups->items[group].saying))
			continue;
		text_format(&text, "%s%s", i == group ? "" : ", ",
			    groups->benchmarks[other->benchmark].name);
		if (!other->is_all)
			text_format(&text, " (%" PRIu64 " point%s)", other->line_count,
				    other->line_count == 1 ? "" : "s");
	}
	document_cell_text(document, &text);
}

/* What it takes in all benchmarks. The texts are the group's. */
static void join_alike(const struct compare_groups *groups, size_t group,
		       struct compare_group *ret_shared)
{
	*ret_shared = groups->items[group];
	for (size_t i = group + 1; i < groups->count; i++)
		if (hash_equal(groups->items[i].saying, groups->items[group].saying))
			compare_group_join(ret_shared, &groups->items[i]);
}

static void add_shared(struct document *document, const struct compare_sources *sources,
		       const struct compare_groups *groups)
{
	struct compare_group shared;
	bool any = false;

	for (size_t i = 0; i < groups->count; i++) {
		if (!is_shared(groups, i) || !is_first(groups, i))
			continue;
		if (!any) {
			document_add(document, BLOCK_SECTION, "In several benchmarks");
			document_table(document, 2 + value_columns(sources),
				       sources->count == 2 ? "lrrrrll" : "l");
			document_cell(document, "Step");
			add_value_header(document, sources);
			document_cell(document, "Benchmarks");
		}
		any = true;
		document_cell(document, groups->items[i].step);
		join_alike(groups, i, &shared);
		add_values(document, sources, &shared);
		add_benchmarks(document, groups, i);
	}
}

/* ---- in one ---- */

static void add_law_header(struct document *document, const struct compare_sources *sources)
{
	document_table(document, 2 + value_columns(sources), sources->count == 2 ? "lrrrrlr" : "l");
	document_cell(document, "Law");
	add_value_header(document, sources);
	document_cell(document, "Rows that follow");
}

static void add_row_header(struct document *document, const struct compare_sources *sources)
{
	document_table(document, 2 + value_columns(sources), sources->count == 2 ? "llrrrrl" : "l");
	document_cell(document, "Points");
	document_cell(document, "Step");
	add_value_header(document, sources);
}

static void add_laws(struct document *document, const struct compare_sources *sources,
		     const struct compare_groups *groups, size_t benchmark)
{
	bool any = false;

	for (size_t i = 0; i < groups->count; i++) {
		const struct compare_group *group = &groups->items[i];

		if (group->benchmark != benchmark || group->kind != COMPARE_LAW)
			continue;
		if (!any)
			add_law_header(document, sources);
		any = true;
		document_cell(document, group->step);
		add_values(document, sources, group);
		document_cell_format(document, "%" PRIu64, group->follow_count);
	}
}

static void add_rows(struct document *document, const struct compare_sources *sources,
		     const struct compare_groups *groups, size_t benchmark)
{
	bool any = false;

	for (size_t i = 0; i < groups->count; i++) {
		const struct compare_group *group = &groups->items[i];

		if (group->benchmark != benchmark || group->kind == COMPARE_LAW ||
		    is_shared(groups, i))
			continue;
		if (!any)
			add_row_header(document, sources);
		any = true;
		document_cell(document, group->points);
		document_cell(document, group->step);
		add_values(document, sources, group);
	}
}

static bool has_own(const struct compare_groups *groups, size_t benchmark)
{
	for (size_t i = 0; i < groups->count; i++)
		if (groups->items[i].benchmark == benchmark && !is_shared(groups, i))
			return true;
	return groups->benchmarks[benchmark].unlisted_count > 0;
}

static void add_benchmark(struct document *document, const struct compare_sources *sources,
			  const struct compare_groups *groups, size_t benchmark)
{
	if (!has_own(groups, benchmark))
		return;
	document_add(document, BLOCK_SECTION, groups->benchmarks[benchmark].name);
	add_laws(document, sources, groups, benchmark);
	add_rows(document, sources, groups, benchmark);
	if (groups->benchmarks[benchmark].unlisted_count)
		document_format(document, BLOCK_PARAGRAPH,
				"... and %" PRIu64 " more differences, which --format csv lists.",
				groups->benchmarks[benchmark].unlisted_count);
}

/* ---- the sum of it ---- */

static void add_sum(struct document *document, const struct compare_sources *sources,
		    const struct compare_result *result)
{
	document_add(document, BLOCK_SECTION, "Sum");
	for (size_t i = 1; i < sources->count; i++) {
		struct text text = { 0 };
		bool any = false;

		text_format(&text, "%s against %s: ", sources->items[i].label,
			    sources->items[0].label);
		for (int verdict = VERDICT_MORE; verdict < VERDICT_COUNT; verdict++) {
			uint64_t count = result->counts.verdicts[i][verdict];

			if (count)
				text_format(&text, "%s%" PRIu64 " %s", any ? ", " : "", count,
					    verdict_text((enum verdict)verdict));
			any = any || count;
		}
		text_format(&text, "%s (%" PRIu64 " and %" PRIu64 " rows of %zu benchmark%s)",
			    any ? "" : "no difference", result->row_counts[0],
			    result->row_counts[i], result->benchmark_count,
			    result->benchmark_count == 1 ? "" : "s");
		document_add_text(document, BLOCK_ITEM, &text);
	}
}

static void build(struct document *document, const struct compare_findings *findings,
		  const struct compare_facts *facts)
{
	add_sources(document, findings->sources);
	add_environment(document, findings->sources, facts);
	add_shared(document, findings->sources, findings->groups);
	for (size_t i = 0; i < findings->groups->benchmark_count; i++)
		add_benchmark(document, findings->sources, findings->groups, i);
	add_sum(document, findings->sources, findings->result);
}

int compare_document_render(const struct compare_findings *findings, enum document_format format,
			    char **ret_text, struct err *reterr)
{
	struct document document = { 0 };
	struct compare_facts facts;
	int r = compare_environment_find(&facts, findings->sources, reterr);

	if (r < 0)
		return r;
	build(&document, findings, &facts);
	r = document_render(&document, format, ret_text, reterr);
	document_free(&document);
	compare_environment_free(&facts);
	return r;
}
