/* SPDX-License-Identifier: MIT */
#include "analysis/compare_stream.h"

#include <inttypes.h>

#include "analysis/json.h"

/* The parts of a text that was put together elsewhere. */
static void add_text_pair(struct text *text, const char *name, struct text *value)
{
	text->failed = text->failed || value->failed;
	json_optional(text, name, text_peek(value));
	text_free(value);
}

static void add_run(struct text *text, const struct compare_source *source, bool is_first)
{
	text_add(text, is_first ? "{" : ",{");
	json_pair(text, "label", source->label, true);
	json_pair(text, "path", source->path, false);
	json_name(text, "simulated", false);
	text_add(text, source->is_simulated ? "true}" : "false}");
}

static void json_begin(struct compare_stream *stream, const struct compare_facts *facts)
{
	const struct compare_sources *sources = stream->sources;
	struct text *text = &stream->text;

	text_add(text, "{\"schema_version\":1,\n\"runs\":[");
	for (size_t i = 0; i < sources->count; i++)
		add_run(text, &sources->items[i], !i);
	text_add(text, "],\n\"environment\":[");
	for (size_t k = 0; k < facts->count; k++) {
		text_add(text, k ? ",\n{" : "\n{");
		json_pair(text, "key", facts->keys[k], true);
		json_name(text, "values", false);
		for (size_t i = 0; i < sources->count; i++) {
			text_add(text, i ? "," : "[");
			json_string(text, compare_source_fact(&sources->items[i], facts->keys[k]));
		}
		text_add(text, "]}");
	}
	text_add(text, "],\n\"differences\":[");
}

static void add_ends(struct text *text, const char *name, int128 low, int128 high)
{
	json_name(text, name, false);
	text_add(text, "[");
	compare_number_text(low < high ? low : high, false, text);
	text_add(text, ",");
	compare_number_text(low < high ? high : low, false, text);
	text_add(text, "]");
}

/* A number is both ends of its range, all else a string. */
static void add_value(struct text *text, const char *name, const struct compare_line *line,
		      size_t source)
{
	const struct compare_line_side *side = &line->sides[source];
	struct text value = { 0 };

	if (line->kind == COMPARE_NUMBER && side->is_there && compare_range_is_taken(side->range)) {
		add_ends(text, name, side->range.low, side->range.high);
		return;
	}
	compare_line_value(line, source, &value);
	add_text_pair(text, name, &value);
}

static void add_side(struct text *text, const struct compare_line *line, size_t source,
		     const char *label)
{
	const struct judgement *judgement = &line->sides[source].judgement;
	int128 low, high;

	text_add(text, "{");
	json_pair(text, "label", label, true);
	add_value(text, "value", line, source);
	if (compare_line_difference(line, source, &low, &high))
		add_ends(text, "difference", low, high);
	json_pair(text, "verdict", verdict_text(judgement->verdict), false);
	if (judgement->settle_count) {
		json_number(text, "settle_repeats", judgement->settle_count);
	}
	text_add(text, "}");
}

static void json_line(struct compare_stream *stream, const struct compare_line *line)
{
	struct text *text = &stream->text, value = { 0 };

	text_add(text, stream->has_lines ? ",\n{" : "\n{");
	json_pair(text, "kind", compare_kind_text(line->kind), true);
	json_pair(text, "benchmark", line->benchmark, false);
	compare_line_point(line, &value);
	add_text_pair(text, "axes", &value);
	compare_line_step(line, &value);
	add_text_pair(text, "step", &value);
	json_optional(text, "column", line->column);
	if (line->kind == COMPARE_LAW) {
		json_number(text, "rows", line->follow_count);
	}
	add_value(text, "base", line, 0);
	json_name(text, "new", false);
	for (size_t i = 1; i < line->source_count; i++) {
		text_add(text, i == 1 ? "[" : ",");
		add_side(text, line, i, stream->sources->items[i].label);
	}
	text_add(text, "]}");
}

static void json_end(struct compare_stream *stream, const struct compare_result *result)
{
	struct text *text = &stream->text;

	text_add(text, "],\n\"sum\":[");
	for (size_t i = 1; i < stream->sources->count; i++) {
		text_add(text, i == 1 ? "{" : ",\n{");
		json_pair(text, "label", stream->sources->items[i].label, true);
		for (int verdict = VERDICT_MORE; verdict < VERDICT_COUNT; verdict++) {
			json_number(text, verdict_text((enum verdict)verdict),
				    result->counts.verdicts[i][verdict]);
		}
		json_number(text, "base_rows", result->row_counts[0]);
		json_name(text, "new_rows", false);
		text_format(text, "%" PRIu64 "}", result->row_counts[i]);
	}
	text_add(text, "]}\n");
}

const struct compare_writer compare_json = { json_begin, json_line, json_end };
