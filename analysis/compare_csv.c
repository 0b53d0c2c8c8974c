/* SPDX-License-Identifier: MIT */
#include "analysis/compare_stream.h"

#include "base/array.h"

static const char *const header[] = {
	"kind",    "label",   "benchmark",      "axes",
	"step",    "column",  "base",           "base_max",
	"new",     "new_max", "difference",     "difference_max",
	"percent", "verdict", "settle_repeats", "rows",
};

static void add_empty(struct csv_row *row, size_t count)
{
	for (size_t i = 0; i < count; i++)
		csv_row_empty(row);
}

static void add_text(struct csv_row *row, struct text *text)
{
	row->failed = row->failed || text->failed;
	csv_row_text(row, text_peek(text));
	text_free(text);
}

static void add_fact(struct compare_stream *stream, const char *key, size_t source)
{
	const struct compare_source *base = &stream->sources->items[0],
				    *newer = &stream->sources->items[source];
	struct csv_row *row = &stream->row;

	csv_row_text(row, "environment");
	csv_row_text(row, newer->label);
	add_empty(row, 3);
	csv_row_text(row, key);
	csv_row_text(row, compare_source_fact(base, key));
	csv_row_empty(row);
	csv_row_text(row, compare_source_fact(newer, key));
	add_empty(row, 4);
	csv_row_text(row, verdict_text(VERDICT_CHANGED));
	add_empty(row, 2);
	csv_row_end(row);
}

static void csv_begin(struct compare_stream *stream, const struct compare_facts *facts)
{
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(&stream->row, header[i]);
	csv_row_end(&stream->row);
	for (size_t k = 0; k < facts->count; k++)
		for (size_t i = 1; i < stream->sources->count; i++)
			if (compare_environment_differs(stream->sources, facts->keys[k], i))
				add_fact(stream, facts->keys[k], i);
}

/* Both ends of a number, or a text and nothing. */
static void add_value(struct csv_row *row, const struct compare_line *line, size_t source)
{
	const struct compare_line_side *side = &line->sides[source];
	struct text text = { 0 };

	if (line->kind == COMPARE_NUMBER) {
		if (side->is_there && compare_range_is_taken(side->range)) {
			csv_row_int(row, side->range.low);
			csv_row_int(row, side->range.high);
		} else {
			add_empty(row, 2);
		}
		return;
	}
	compare_line_value(line, source, &text);
	add_text(row, &text);
	csv_row_empty(row);
}

static void add_difference(struct csv_row *row, const struct compare_line *line, size_t source)
{
	struct text text = { 0 };
	int128 low, high;

	if (!compare_line_difference(line, source, &low, &high)) {
		add_empty(row, 2);
		return;
	}
	compare_number_text(low < high ? low : high, false, &text);
	add_text(row, &text);
	compare_number_text(low < high ? high : low, false, &text);
	add_text(row, &text);
}

static void add_percent(struct csv_row *row, const struct compare_line *line, size_t source)
{
	struct text text = { 0 };
	double percent;

	if (!compare_line_percent(line, source, &percent)) {
		csv_row_empty(row);
		return;
	}
	compare_percent_text(percent, &text);
	row->failed = row->failed || text.failed;
	csv_row_text(row, text_peek(&text) + (percent > 0)); /* the sign is no part of it */
	text_free(&text);
}

static void add_side(struct compare_stream *stream, const struct compare_line *line, size_t source)
{
	const struct compare_line_side *side = &line->sides[source];
	struct csv_row *row = &stream->row;
	struct text text = { 0 };

	csv_row_text(row, compare_kind_text(line->kind));
	csv_row_text(row, stream->sources->items[source].label);
	csv_row_text(row, line->benchmark);
	compare_line_point(line, &text);
	add_text(row, &text);
	compare_line_step(line, &text);
	add_text(row, &text);
	csv_row_text(row, line->column);
	add_value(row, line, 0);
	add_value(row, line, source);
	add_difference(row, line, source);
	add_percent(row, line, source);
	csv_row_text(row, verdict_text(side->judgement.verdict));
	if (side->judgement.settle_count)
		csv_row_uint(row, side->judgement.settle_count);
	else
		csv_row_empty(row);
	if (line->kind == COMPARE_LAW)
		csv_row_uint(row, line->follow_count);
	else
		csv_row_empty(row);
	csv_row_end(row);
}

static void csv_line(struct compare_stream *stream, const struct compare_line *line)
{
	for (size_t i = 1; i < line->source_count; i++)
		if (compare_line_tells(line, i))
			add_side(stream, line, i);
}

static void csv_end(struct compare_stream *stream, const struct compare_result *result)
{
	(void)stream;
	(void)result;
}

const struct compare_writer compare_csv = { csv_begin, csv_line, csv_end };
