/* SPDX-License-Identifier: MIT */
#include "analysis/steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const char *cell(const struct samples *samples, size_t row, size_t column)
{
	return csv_table_cell(&samples->table, row, column);
}

/* ---- which switches there are ---- */

/* The word's number, word_count when it is new. */
static size_t find_word(const struct step_switch *axis, const char *word)
{
	size_t i = 0;

	while (i < axis->word_count && strcmp(axis->words[i], word))
		i++;
	return i;
}

static int compare_words(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* False when the axis has more words than a column label could name. */
static bool collect_words(struct step_switch *axis, const struct samples *samples)
{
	for (size_t i = 0; i < samples->count; i++) {
		const char *word = samples_cell(samples, i, axis->column);

		if (find_word(axis, word) < axis->word_count)
			continue;
		if (axis->word_count == ARRAY_COUNT(axis->words))
			return false;
		axis->words[axis->word_count++] = word;
	}
	/* Samples are taken in any order; reports of two runs are to look alike. */
	qsort(axis->words, axis->word_count, sizeof axis->words[0], compare_words);
	return true;
}

static void find_switches(struct step_table *table, const struct samples *samples)
{
	for (size_t i = 0; i < samples->axis_count; i++) {
		struct step_switch axis = { .column = samples->axis_first + i };

		if (samples_axis_is_number(samples, i) ||
		    table->switch_count == STEP_SWITCHES_MAX || !collect_words(&axis, samples))
			continue;
		table->switches[table->switch_count++] = axis;
	}
}

/* ---- words of switches ---- */

void step_words_of(const struct step_table *table, const struct samples *samples, size_t sample,
		   uint32_t ret_words[STEP_SWITCHES_MAX])
{
	memset(ret_words, 0, STEP_SWITCHES_MAX * sizeof *ret_words);
	for (size_t i = 0; i < table->switch_count; i++) {
		const struct step_switch *axis = &table->switches[i];

		ret_words[i] = (uint32_t)1
			       << find_word(axis, samples_cell(samples, sample, axis->column));
	}
}

int step_words_compare(const uint32_t *a, const uint32_t *b)
{
	for (size_t i = 0; i < STEP_SWITCHES_MAX; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

bool step_words_differ_in_one(const struct step_table *table, const uint32_t *a, const uint32_t *b)
{
	size_t count = 0;

	for (size_t i = 0; i < table->switch_count; i++)
		count += a[i] != b[i];
	return count == 1;
}

void step_words_merge(uint32_t *words, const uint32_t *more)
{
	for (size_t i = 0; i < STEP_SWITCHES_MAX; i++)
		words[i] |= more[i];
}

static bool has_all_words(const struct step_switch *axis, uint32_t words)
{
	return words == (uint32_t)(((uint64_t)1 << axis->word_count) - 1);
}

void step_words_label(const struct step_table *table, const struct samples *samples,
		      const uint32_t *words, struct text *ret_label)
{
	for (size_t i = 0; i < table->switch_count; i++) {
		const struct step_switch *axis = &table->switches[i];
		char separator = '=';

		if (has_all_words(axis, words[i]))
			continue;
		text_format(ret_label, "%s%s", ret_label->used ? ", " : "",
			    csv_table_header(&samples->table, axis->column));
		for (size_t k = 0; k < axis->word_count; k++) {
			if (!(words[i] >> k & 1))
				continue;
			text_format(ret_label, "%c%s", separator, axis->words[k]);
			separator = '|';
		}
	}
	if (!ret_label->used)
		text_add(ret_label, "all samples");
}

/* ---- which lines there are ---- */

static bool is_of_step(const struct step_line *line, const char *step)
{
	return !strcmp(line->step, step);
}

static size_t find_line(const struct step_table *table, const struct step_line *line)
{
	size_t i = 0;

	while (i < table->line_count && (!is_of_step(&table->lines[i], line->step) ||
					 strcmp(table->lines[i].status, line->status)))
		i++;
	return i;
}

/* Words that nobody knows come last, as samples_verdict() has it. */
static size_t gravity(const char *status)
{
	const char *known;
	size_t i = 0;

	while ((known = samples_status(i)) && strcmp(known, status))
		i++;
	return i;
}

/* Among the lines of its step, from harmless to grave; `otherwise` for a step that has none yet. */
static size_t place_of(const struct step_table *table, const struct step_line *line,
		       size_t otherwise)
{
	size_t place = otherwise;

	for (size_t i = 0; i < table->line_count; i++) {
		if (!is_of_step(&table->lines[i], line->step))
			continue;
		if (gravity(table->lines[i].status) > gravity(line->status))
			return i;
		place = i + 1;
	}
	return place;
}

static size_t behind_step(const struct step_table *table, const char *step)
{
	size_t behind = 0;

	for (size_t i = 0; i < table->line_count; i++)
		if (is_of_step(&table->lines[i], step))
			behind = i + 1;
	return behind;
}

static struct step_line line_of(const struct samples *samples, size_t row)
{
	return (struct step_line){ .step = cell(samples, row, samples->columns.step),
				   .status = cell(samples, row, samples->columns.status) };
}

/* A step that only some samples have goes behind the one that it followed there. */
static void collect_lines(struct step_table *table, const struct samples *samples, size_t sample)
{
	const struct sample_rows *item = &samples->items[sample];
	size_t behind = 0;

	for (size_t i = 0; i < item->row_count; i++) {
		struct step_line line = line_of(samples, item->first_row + i);

		if (find_line(table, &line) == table->line_count) {
			size_t place = place_of(table, &line, behind);

			memmove(&table->lines[place + 1], &table->lines[place],
				(table->line_count - place) * sizeof *table->lines);
			table->lines[place] = line;
			table->line_count++;
		}
		behind = behind_step(table, line.step);
	}
}

/* ---- the table ---- */

/* The group of these words, made when it is new; NULL for lack of memory. */
static struct step_group *group_of(struct step_table *table, const uint32_t *words)
{
	struct step_group *groups, *group;

	for (size_t i = 0; i < table->group_count; i++)
		if (!memcmp(table->groups[i].words, words, sizeof table->groups[i].words))
			return &table->groups[i];
	groups = realloc(table->groups, (table->group_count + 1) * sizeof *groups);
	if (!groups)
		return NULL;
	table->groups = groups;
	group = &groups[table->group_count];
	memcpy(group->words, words, sizeof group->words);
	group->cells = calloc(table->line_count + 1, sizeof *group->cells);
	if (!group->cells)
		return NULL;
	table->group_count++;
	return group;
}

static int add_sample(struct step_table *table, const struct samples *samples, size_t sample)
{
	const struct sample_rows *item = &samples->items[sample];
	uint32_t words[STEP_SWITCHES_MAX];
	struct step_group *group;

	step_words_of(table, samples, sample, words);
	for (size_t row = item->first_row; row < item->first_row + item->row_count; row++) {
		struct step_line line = line_of(samples, row);
		size_t found = find_line(table, &line);
		int64_t bytes;

		if (!csv_table_int(&samples->table, row, samples->columns.delta_bytes, &bytes)) {
			table->lines[found].has_gap = true;
			continue;
		}
		group = group_of(table, words);
		if (!group)
			return -ENOMEM;
		byte_range_widen(&group->cells[found], bytes);
	}
	return 0;
}

/* ---- merging ---- */

bool step_table_moves(const struct step_table *table, size_t line)
{
	for (size_t i = 0; i < table->group_count; i++)
		if (table->groups[i].cells[line].min_bytes ||
		    table->groups[i].cells[line].max_bytes)
			return true;
	return false;
}

bool step_table_is_still(const struct step_table *table, const char *step)
{
	for (size_t i = 0; i < table->line_count; i++)
		if (is_of_step(&table->lines[i], step) &&
		    (table->lines[i].has_gap || step_table_moves(table, i)))
			return false;
	return true;
}

/* Of lines that move nothing anywhere, no group shows whether it took them. */
static bool same_cells(const struct step_table *table, size_t a, size_t b)
{
	for (size_t i = 0; i < table->line_count; i++) {
		struct byte_range x = table->groups[a].cells[i], y = table->groups[b].cells[i];

		if (!step_table_moves(table, i))
			continue;
		if (x.is_measured != y.is_measured || x.min_bytes != y.min_bytes ||
		    x.max_bytes != y.max_bytes)
			return false;
	}
	return true;
}

static void merge(struct step_table *table, size_t a, size_t b)
{
	step_words_merge(table->groups[a].words, table->groups[b].words);
	free(table->groups[b].cells);
	memmove(&table->groups[b], &table->groups[b + 1],
		(table->group_count - b - 1) * sizeof *table->groups);
	table->group_count--;
}

static int compare_groups(const void *a, const void *b)
{
	const struct step_group *x = a, *y = b;

	return step_words_compare(x->words, y->words);
}

static bool merge_one(struct step_table *table)
{
	for (size_t a = 0; a < table->group_count; a++)
		for (size_t b = a + 1; b < table->group_count; b++)
			if (step_words_differ_in_one(table, table->groups[a].words,
						     table->groups[b].words) &&
			    same_cells(table, a, b)) {
				merge(table, a, b);
				return true;
			}
	return false;
}

int step_table_make(struct step_table *table, const struct samples *samples, struct err *reterr)
{
	struct step_table made = { 0 };
	int r = 0;

	made.lines = calloc(samples->table.row_count + 1, sizeof *made.lines);
	if (!made.lines)
		return err_errno(reterr, ENOMEM, "steps");
	find_switches(&made, samples);
	for (size_t i = 0; i < samples->count; i++)
		collect_lines(&made, samples, i);
	for (size_t i = 0; i < samples->count && !r; i++)
		r = add_sample(&made, samples, i);
	if (r < 0) {
		step_table_free(&made);
		return err_errno(reterr, -r, "steps");
	}
	if (made.group_count)
		qsort(made.groups, made.group_count, sizeof *made.groups, compare_groups);
	while (merge_one(&made))
		;
	*table = made;
	return 0;
}

void step_table_free(struct step_table *table)
{
	for (size_t i = 0; i < table->group_count; i++)
		free(table->groups[i].cells);
	free(table->groups);
	free(table->lines);
	*table = (struct step_table){ 0 };
}
