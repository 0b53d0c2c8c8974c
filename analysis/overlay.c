/* SPDX-License-Identifier: MIT */
#include "analysis/overlay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/laws.h"
#include "analysis/utf8.h"
#include "base/array.h"
#include "base/text.h"

static const char *const header[] = { "panel", "series", "axis", "unit",  "run",
				      "label", "x",      "line", "point", "y" };

/* A panel in the making, and the words that its lines stand for. */
struct drawing {
	const struct overlay_runs *runs;
	const struct benchmark_request *benchmark;
	struct csv_row *rows;
	size_t panel_count;
	char **words; /* owned, like the list */
	size_t word_count;
	bool (*is_drawn)[OVERLAY_RUNS_MAX]; /* owned; which runs have a point of which word */
};

struct series {
	const char *name;
	const char *axis;
	const char *unit;
	const char *where; /* of which samples; NULL: all */
};

void overlay_put_text(struct csv_row *rows, const char *text)
{
	struct text drawn = { 0 };

	while (*text) {
		size_t length = utf8_length(text);

		if (*text == ',')
			text_add(&drawn, "\u201a");
		else if (*text == '"')
			text_add(&drawn, "\u201d");
		else if (*text == '\\')
			text_add(&drawn, "\u2216");
		else if ((unsigned char)*text < ' ')
			text_add(&drawn, " ");
		else
			text_add_bytes(&drawn, length ? text : "?", length ? length : 1);
		text += length ? length : 1;
	}
	csv_row_text(rows, text_peek(&drawn));
	text_free(&drawn);
}

static void put_row(struct drawing *drawing, const struct series *series, size_t run)
{
	csv_row_uint(drawing->rows, drawing->panel_count);
	csv_row_text(drawing->rows, series->name);
	csv_row_text(drawing->rows, series->axis);
	csv_row_text(drawing->rows, series->unit);
	csv_row_uint(drawing->rows, run + 1);
	overlay_put_text(drawing->rows, drawing->runs->labels[run]);
}

/* ---- what is missing ---- */

/* The answers of drivers that mean so, whatever was asked for. */
static const char *const unsupported_errors[] = { "CUDA_ERROR_UNSUPPORTED_LIMIT",
						  "CUDA_ERROR_NOT_SUPPORTED" };

static bool says_row_unsupported(const struct samples *samples, size_t row)
{
	const char *error = csv_table_cell(&samples->table, row, samples->columns.error);

	for (size_t i = 0; i < ARRAY_COUNT(unsupported_errors); i++)
		if (!strcmp(error, unsupported_errors[i]))
			return true;
	return !strcmp(csv_table_cell(&samples->table, row, samples->columns.status),
		       "unsupported");
}

static bool says_sample_unsupported(const struct samples *samples, size_t sample)
{
	const struct sample_rows *item = &samples->items[sample];

	for (size_t i = 0; i < item->row_count; i++)
		if (says_row_unsupported(samples, item->first_row + i))
			return true;
	return false;
}

static bool says_unsupported(const struct samples *samples, const char *where)
{
	for (size_t i = 0; i < samples->count; i++)
		if (samples_matches(samples, i, where) && says_sample_unsupported(samples, i))
			return true;
	return false;
}

/* A benchmark that a run lacks altogether is told once, not for each of its series. */
static void tell_gaps(const struct drawing *drawing, const struct series *series,
		      const size_t *point_counts)
{
	for (size_t i = 0; i < drawing->runs->count; i++) {
		const struct samples *samples =
			run_samples(&drawing->runs->items[i], drawing->benchmark->name);
		struct overlay_gap gap = { drawing->runs->labels[i], drawing->benchmark->name,
					   series->name, false };

		if (point_counts[i] || !samples)
			continue;
		gap.is_unsupported = says_unsupported(samples, series->where);
		drawing->runs->tell_gap(drawing->runs->data, &gap);
	}
}

static void tell_missing_files(const struct drawing *drawing)
{
	for (size_t i = 0; i < drawing->runs->count; i++)
		if (!run_samples(&drawing->runs->items[i], drawing->benchmark->name))
			drawing->runs->tell_gap(drawing->runs->data,
						&(struct overlay_gap){ drawing->runs->labels[i],
								       drawing->benchmark->name,
								       NULL, false });
}

/* Behind the points of all runs: whether there was one. */
static void end_panel(struct drawing *drawing, const struct series *series,
		      const size_t *point_counts)
{
	size_t sum = 0;

	for (size_t i = 0; i < drawing->runs->count; i++)
		sum += point_counts[i];
	if (sum)
		tell_gaps(drawing, series, point_counts);
	else
		drawing->panel_count--;
}

/* ---- numbers ---- */

static bool is_same(struct law_point a, struct law_point b)
{
	return a.x == b.x && a.y == b.y;
}

static int put_law_points(struct drawing *drawing, const struct series *series,
			  const struct law_request *request, size_t run, size_t *ret_count)
{
	const struct samples *samples = run_samples(&drawing->runs->items[run], request->benchmark);
	struct law_point *points;
	size_t count;
	int r;

	*ret_count = 0;
	if (!samples)
		return 0;
	r = law_all_points(samples, request, &points, &count);
	if (r < 0)
		return r;
	for (size_t i = 0; i < count; i++) {
		if (i && is_same(points[i], points[i - 1]))
			continue;
		put_row(drawing, series, run);
		csv_row_int(drawing->rows, points[i].x);
		csv_row_empty(drawing->rows);
		csv_row_empty(drawing->rows);
		csv_row_int(drawing->rows, points[i].y);
		csv_row_end(drawing->rows);
	}
	free(points);
	*ret_count = count;
	return 0;
}

static int put_law(struct drawing *drawing, const struct law_request *request, size_t *point_counts)
{
	const struct series series = { request->component, request->axis, law_unit(request),
				       request->where };
	int r = 0;

	drawing->panel_count++;
	for (size_t i = 0; i < drawing->runs->count && !r; i++)
		r = put_law_points(drawing, &series, request, i, &point_counts[i]);
	if (!r)
		end_panel(drawing, &series, point_counts);
	return r;
}

/* Those of slots have no points of their own. */
static int put_laws(struct drawing *drawing, size_t *point_counts, size_t *ret_law_count)
{
	const struct requests *requests = drawing->runs->items[0].requests;
	int r = 0;

	*ret_law_count = 0;
	for (size_t i = 0; i < requests->law_count && !r; i++) {
		if (requests->laws[i].copies ||
		    strcmp(requests->laws[i].benchmark, drawing->benchmark->name) != 0)
			continue;
		(*ret_law_count)++;
		r = put_law(drawing, &requests->laws[i], point_counts);
	}
	return r;
}

/* ---- words ---- */

static int point_text(const struct samples *samples, size_t sample, char **ret_text)
{
	struct text text = { 0 };

	samples_point_text(samples, sample, &text);
	return text_take(&text, ret_text, NULL);
}

/* Its place among all of them; 0: it is none. */
static size_t line_of(const struct drawing *drawing, const char *word)
{
	for (size_t i = 0; i < drawing->word_count; i++)
		if (!strcmp(drawing->words[i], word))
			return i + 1;
	return 0;
}

/* Takes the word. */
static int add_word(struct drawing *drawing, char *word)
{
	char **words;

	if (line_of(drawing, word)) {
		free(word);
		return 0;
	}
	words = realloc(drawing->words, (drawing->word_count + 1) * sizeof *words);
	if (!words) {
		free(word);
		return -ENOMEM;
	}
	drawing->words = words;
	words[drawing->word_count++] = word;
	return 0;
}

static int by_text(const void *a, const void *b)
{
	const char *const *left = a, *const *right = b;

	return strcmp(*left, *right);
}

/* Samples are in no order, so lines are in that of their words. */
static int find_words(struct drawing *drawing)
{
	for (size_t run = 0; run < drawing->runs->count; run++) {
		const struct samples *samples =
			run_samples(&drawing->runs->items[run], drawing->benchmark->name);

		for (size_t i = 0; samples && i < samples->count; i++) {
			char *word;
			int r = point_text(samples, i, &word);

			if (!r)
				r = add_word(drawing, word);
			if (r < 0)
				return r;
		}
	}
	if (!drawing->word_count)
		return 0;
	qsort(drawing->words, drawing->word_count, sizeof *drawing->words, by_text);
	drawing->is_drawn = calloc(drawing->word_count, sizeof *drawing->is_drawn);
	return drawing->is_drawn ? 0 : -ENOMEM;
}

static bool headline_bytes(const struct samples *samples, size_t sample, const char *step,
			   int64_t *ret_bytes)
{
	size_t row = samples_step(samples, sample, step);

	return row != SAMPLES_NO_ROW &&
	       !strcmp(csv_table_cell(&samples->table, row, samples->columns.status), "ok") &&
	       csv_table_int(&samples->table, row, samples->columns.delta_bytes, ret_bytes);
}

static bool most_bytes(const struct samples *samples, size_t sample, int64_t *ret_bytes)
{
	const struct sample_rows *item = &samples->items[sample];
	bool is_there = false;

	for (size_t row = item->first_row; row < item->first_row + item->row_count; row++) {
		int64_t bytes;

		if (csv_table_int(&samples->table, row, samples->columns.total_bytes, &bytes) &&
		    (!is_there || bytes > *ret_bytes)) {
			*ret_bytes = bytes;
			is_there = true;
		}
	}
	return is_there;
}

static int put_word(struct drawing *drawing, const struct series *series, size_t run, size_t sample,
		    int64_t bytes)
{
	const struct samples *samples =
		run_samples(&drawing->runs->items[run], drawing->benchmark->name);
	char *word;
	size_t line;
	int r = point_text(samples, sample, &word);

	if (r < 0)
		return r;
	line = line_of(drawing, word);
	drawing->is_drawn[line - 1][run] = true;
	put_row(drawing, series, run);
	csv_row_empty(drawing->rows);
	csv_row_uint(drawing->rows, line);
	overlay_put_text(drawing->rows, word);
	csv_row_int(drawing->rows, bytes);
	csv_row_end(drawing->rows);
	free(word);
	return 0;
}

static int put_words_of(struct drawing *drawing, const struct series *series, size_t run,
			size_t *ret_count)
{
	const char *step = drawing->benchmark->headline_step;
	const struct samples *samples =
		run_samples(&drawing->runs->items[run], drawing->benchmark->name);
	int r = 0;

	*ret_count = 0;
	for (size_t i = 0; samples && i < samples->count && !r; i++) {
		int64_t bytes;

		if (!strcmp(series->name, step) ? !headline_bytes(samples, i, step, &bytes)
						: !most_bytes(samples, i, &bytes))
			continue;
		r = put_word(drawing, series, run, i, bytes);
		(*ret_count)++;
	}
	return r;
}

static int put_words(struct drawing *drawing, const char *name, size_t *point_counts)
{
	const struct series series = { name, "", "bytes", NULL };
	int r = 0;

	drawing->panel_count++;
	for (size_t i = 0; i < drawing->runs->count && !r; i++)
		r = put_words_of(drawing, &series, i, &point_counts[i]);
	if (!r)
		end_panel(drawing, &series, point_counts);
	return r;
}

static bool is_word_unsupported(const struct samples *samples, const char *word)
{
	bool is_unsupported = false;

	for (size_t i = 0; i < samples->count && !is_unsupported; i++) {
		char *other;

		if (point_text(samples, i, &other) < 0)
			return false;
		is_unsupported = !strcmp(other, word) && says_sample_unsupported(samples, i);
		free(other);
	}
	return is_unsupported;
}

static bool is_drawn_of_any(const struct drawing *drawing, size_t word)
{
	for (size_t run = 0; run < drawing->runs->count; run++)
		if (drawing->is_drawn[word][run])
			return true;
	return false;
}

/* A word without a point in any panel, though another run has one. */
static void tell_missing_words(const struct drawing *drawing, size_t run)
{
	const struct samples *samples =
		run_samples(&drawing->runs->items[run], drawing->benchmark->name);

	for (size_t word = 0; samples && word < drawing->word_count; word++) {
		struct overlay_gap gap = { drawing->runs->labels[run], drawing->benchmark->name,
					   drawing->words[word], false };

		if (drawing->is_drawn[word][run] || !is_drawn_of_any(drawing, word))
			continue;
		gap.is_unsupported = is_word_unsupported(samples, gap.series);
		drawing->runs->tell_gap(drawing->runs->data, &gap);
	}
}

/* ---- all of it ---- */

static int put_all(struct drawing *drawing)
{
	size_t *point_counts = calloc(drawing->runs->count, sizeof *point_counts);
	size_t law_count;
	int r = point_counts ? put_laws(drawing, point_counts, &law_count) : -ENOMEM;

	if (!r && !law_count)
		r = find_words(drawing);
	if (!r && !law_count)
		r = put_words(drawing, drawing->benchmark->headline_step, point_counts);
	if (!r && !law_count)
		r = put_words(drawing, OVERLAY_MOST, point_counts);
	for (size_t i = 0; i < drawing->runs->count && !r && !law_count; i++)
		tell_missing_words(drawing, i);
	free(point_counts);
	return r;
}

int overlay_benchmark(const struct overlay_runs *runs, const struct benchmark_request *benchmark,
		      struct csv_row *rows, size_t *ret_panel_count, struct err *reterr)
{
	struct drawing drawing = { .runs = runs, .benchmark = benchmark, .rows = rows };
	int r;

	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(rows, header[i]);
	csv_row_end(rows);
	r = put_all(&drawing);
	if (!r && drawing.panel_count)
		tell_missing_files(&drawing);
	for (size_t i = 0; i < drawing.word_count; i++)
		free(drawing.words[i]);
	free(drawing.words);
	free(drawing.is_drawn);
	*ret_panel_count = drawing.panel_count;
	return r < 0 ? err_errno(reterr, -r, "%s", benchmark->name) : 0;
}
