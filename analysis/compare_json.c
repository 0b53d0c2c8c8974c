/* SPDX-License-Identifier: MIT */
#include "analysis/compare_stream.h"

#include <inttypes.h>

#include "analysis/utf8.h"

/* ---- JSON ---- */

/* Adds the first character, and returns its bytes. What is no UTF-8 becomes U+FFFD. */
static size_t add_character(struct text *text, const char *string)
{
	unsigned char c = (unsigned char)string[0], next = (unsigned char)string[1];
	size_t length = utf8_length(string);

	if (c == '"' || c == '\\') {
		text_format(text, "\\%c", c);
	} else if (length) {
		text_add_bytes(text, string, length);
	} else if (c < 0x80) {
		text_format(text, "\\u%04x", c);
	} else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {
		text_format(text, "\\u%04x", next);
		return 2;
	} else {
		text_add(text, "\\ufffd");
	}
	return length ? length : 1;
}

static void add_string(struct text *text, const char *string)
{
	text_add(text, "\"");
	while (*string)
		string += add_character(text, string);
	text_add(text, "\"");
}

static void add_name(struct text *text, const char *name, bool is_first)
{
	text_add(text, is_first ? "" : ",");
	add_string(text, name);
	text_add(text, ":");
}

static void add_pair(struct text *text, const char *name, const char *string, bool is_first)
{
	add_name(text, name, is_first);
	add_string(text, string);
}

/* An empty one is not there. */
static void add_optional(struct text *text, const char *name, const char *string)
{
	add_name(text, name, false);
	if (*string)
		add_string(text, string);
	else
		text_add(text, "null");
}

/* The parts of a text that was put together elsewhere. */
static void add_text_pair(struct text *text, const char *name, struct text *value)
{
	text->failed = text->failed || value->failed;
	add_optional(text, name, text_peek(value));
	text_free(value);
}

/* ---- the comparison ---- */

static void add_run(struct text *text, const struct compare_source *source, bool is_first)
{
	text_add(text, is_first ? "{" : ",{");
	add_pair(text, "label", source->label, true);
	add_pair(text, "path", source->path, false);
	add_name(text, "simulated", false);
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
		add_pair(text, "key", facts->keys[k], true);
		add_name(text, "values", false);
		for (size_t i = 0; i < sources->count; i++) {
			text_add(text, i ? "," : "[");
			add_string(text, compare_source_fact(&sources->items[i], facts->keys[k]));
		}
		text_add(text, "]}");
	}
	text_add(text, "],\n\"differences\":[");
}

static void add_ends(struct text *text, const char *name, int128 low, int128 high)
{
	add_name(text, name, false);
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
	add_pair(text, "label", label, true);
	add_value(text, "value", line, source);
	if (compare_line_difference(line, source, &low, &high))
		add_ends(text, "difference", low, high);
	add_pair(text, "verdict", verdict_text(judgement->verdict), false);
	if (judgement->settle_count) {
		add_name(text, "settle_repeats", false);
		text_format(text, "%" PRIu64, judgement->settle_count);
	}
	text_add(text, "}");
}

static void json_line(struct compare_stream *stream, const struct compare_line *line)
{
	struct text *text = &stream->text, value = { 0 };

	text_add(text, stream->has_lines ? ",\n{" : "\n{");
	add_pair(text, "kind", compare_kind_text(line->kind), true);
	add_pair(text, "benchmark", line->benchmark, false);
	compare_line_point(line, &value);
	add_text_pair(text, "axes", &value);
	compare_line_step(line, &value);
	add_text_pair(text, "step", &value);
	add_optional(text, "column", line->column);
	if (line->kind == COMPARE_LAW) {
		add_name(text, "rows", false);
		text_format(text, "%" PRIu64, line->follow_count);
	}
	add_value(text, "base", line, 0);
	add_name(text, "new", false);
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
		add_pair(text, "label", stream->sources->items[i].label, true);
		for (int verdict = VERDICT_MORE; verdict < VERDICT_COUNT; verdict++) {
			add_name(text, verdict_text((enum verdict)verdict), false);
			text_format(text, "%" PRIu64, result->counts.verdicts[i][verdict]);
		}
		add_name(text, "base_rows", false);
		text_format(text, "%" PRIu64, result->row_counts[0]);
		add_name(text, "new_rows", false);
		text_format(text, "%" PRIu64 "}", result->row_counts[i]);
	}
	text_add(text, "]}\n");
}

const struct compare_writer compare_json = { json_begin, json_line, json_end };
