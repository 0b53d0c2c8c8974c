/* SPDX-License-Identifier: MIT */
/* For terminals: no line is longer than LINE_COLUMNS unless a single word is. */
#include <stdlib.h>
#include <string.h>

#include "analysis/document.h"
#include "base/array.h"

#define LINE_COLUMNS     100
#define CELL_GAP         2
#define CELL_COLUMNS_MIN 10

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* One column per character: nothing that is written here is wider. */
static size_t width_of(const char *text, size_t length)
{
	size_t width = 0;

	for (size_t i = 0; i < length; i++)
		width += !is_continuation(text[i]);
	return width;
}

/* Whether a line may end with the character before `text`, or before a blank there. */
static bool may_end_before(const char *text)
{
	return *text == ' ' || text[-1] == '|';
}

/* Bytes of the next line of at most `columns`: up to the last end of a word, else in the middle of
 * one.
 */
static size_t line_length(const char *text, size_t columns)
{
	size_t length = 0, width = 0, end = 0;

	while (text[length]) {
		if (length && may_end_before(text + length))
			end = length;
		if (!is_continuation(text[length]) && width++ == columns)
			return end ? end : length;
		length++;
	}
	return length;
}

static void skip_line(const char **text, size_t length)
{
	*text += length;
	*text += strspn(*text, " ");
}

static void render_wrapped(struct text *text, const char *first, const char *indent,
			   const char *words)
{
	const char *lead = first;

	do {
		size_t length = line_length(words, LINE_COLUMNS - strlen(indent));

		text_add(text, lead);
		text_add_bytes(text, words, length);
		text_add(text, "\n");
		skip_line(&words, length);
		lead = indent;
	} while (*words);
}

/* ---- tables ---- */

struct column {
	size_t width;
	size_t longest_word;
};

static size_t longest_word(const char *text)
{
	size_t longest = 0, width = 0;

	for (size_t i = 0; text[i]; i++) {
		if (i && may_end_before(text + i))
			width = 0;
		width += text[i] != ' ' && !is_continuation(text[i]);
		if (width > longest)
			longest = width;
	}
	return longest;
}

static void measure_columns(const struct block *block, struct column *columns)
{
	for (size_t row = 0; row < block_row_count(block); row++)
		for (size_t i = 0; i < block->column_count; i++) {
			const char *cell = block_cell(block, row, i);
			size_t width = width_of(cell, strlen(cell));
			size_t word = longest_word(cell);

			if (width > columns[i].width)
				columns[i].width = width;
			if (word > columns[i].longest_word)
				columns[i].longest_word = word;
		}
}

/* Which columns are narrowed first: words between words, then numbers, and at last inside words. */
struct narrowing {
	bool is_right;
	bool breaks_words;
};

static const struct narrowing narrowings[] = {
	{ false, false }, { true, false }, { false, true }, { true, true }
};

static bool can_narrow(const struct column *column, const struct narrowing *narrowing)
{
	return column->width > CELL_COLUMNS_MIN &&
	       (narrowing->breaks_words || column->width > column->longest_word);
}

/* The widest column that can still be narrowed; NULL when there is none. */
static struct column *widest(const struct block *block, struct column *columns,
			     const struct narrowing *narrowing)
{
	struct column *found = NULL;

	for (size_t i = 0; i < block->column_count; i++)
		if (block_is_right(block, i) == narrowing->is_right &&
		    can_narrow(&columns[i], narrowing) &&
		    (!found || columns[i].width > found->width))
			found = &columns[i];
	return found;
}

/* Takes from the widest column until all fit. */
static void shrink_columns(const struct block *block, struct column *columns)
{
	size_t sum = CELL_GAP * (block->column_count - 1);

	for (size_t i = 0; i < block->column_count; i++)
		sum += columns[i].width;
	for (size_t i = 0; i < ARRAY_COUNT(narrowings); i++)
		while (sum > LINE_COLUMNS) {
			struct column *column = widest(block, columns, &narrowings[i]);

			if (!column)
				break;
			column->width--;
			sum--;
		}
}

/* One line of a row; moves each cell's text on. False when nothing was left to write. */
static bool render_row_line(struct text *text, const struct block *block,
			    const struct column *columns, const char **cells)
{
	size_t owed = 0;
	bool any = false;

	for (size_t column = 0; column < block->column_count; column++)
		any = any || *cells[column];
	for (size_t column = 0; any && column < block->column_count; column++) {
		bool is_right = block_is_right(block, column);
		size_t length = line_length(cells[column], columns[column].width);
		size_t pad = columns[column].width - width_of(cells[column], length);

		/* Blanks are owed until something follows them: no line ends in blanks. */
		owed += is_right ? pad : 0;
		if (length) {
			text_fill(text, ' ', owed);
			text_add_bytes(text, cells[column], length);
			owed = 0;
		}
		owed += CELL_GAP + (is_right ? 0 : pad);
		skip_line(&cells[column], length);
	}
	if (any)
		text_add(text, "\n");
	return any;
}

static void render_rule(struct text *text, const struct block *block, const struct column *columns)
{
	for (size_t column = 0; column < block->column_count; column++) {
		text_fill(text, '-', columns[column].width);
		if (column + 1 < block->column_count)
			text_fill(text, ' ', CELL_GAP);
	}
	text_add(text, "\n");
}

static void render_table(struct text *text, const struct block *block)
{
	struct column *columns = calloc(block->column_count + 1, sizeof *columns);
	const char **cells = calloc(block->column_count + 1, sizeof *cells);

	if (!columns || !cells) {
		text->failed = true;
		goto free_arrays;
	}
	measure_columns(block, columns);
	shrink_columns(block, columns);
	for (size_t row = 0; row < block_row_count(block); row++) {
		for (size_t column = 0; column < block->column_count; column++)
			cells[column] = block_cell(block, row, column);
		while (render_row_line(text, block, columns, cells))
			;
		if (!row)
			render_rule(text, block, columns);
	}
free_arrays:
	free(columns);
	free(cells);
}

/* ---- the rest ---- */

static void render_heading(struct text *text, const char *heading, char underline)
{
	size_t columns = width_of(heading, strlen(heading));

	render_wrapped(text, "", "", heading);
	text_fill(text, underline, columns < LINE_COLUMNS ? columns : LINE_COLUMNS);
	text_add(text, "\n");
}

static void render_banner(struct text *text, const char *words)
{
	text_fill(text, '*', LINE_COLUMNS);
	text_add(text, "\n");
	render_wrapped(text, "*** ", "*** ", words);
	text_fill(text, '*', LINE_COLUMNS);
	text_add(text, "\n");
}

static void render_block(struct text *text, const struct block *block)
{
	switch (block->kind) {
	case BLOCK_TITLE:
		render_heading(text, block->text, '=');
		break;
	case BLOCK_SECTION:
		text_add(text, "\n");
		render_heading(text, block->text, '=');
		break;
	case BLOCK_SUBSECTION:
		render_heading(text, block->text, '-');
		break;
	case BLOCK_PARAGRAPH:
		render_wrapped(text, "", "", block->text);
		break;
	case BLOCK_ITEM:
		render_wrapped(text, "* ", "  ", block->text);
		break;
	case BLOCK_BANNER:
		render_banner(text, block->text);
		break;
	case BLOCK_TABLE:
		render_table(text, block);
		break;
	case BLOCK_BARS:
		break;
	case BLOCK_CHART:
		text_format(text, "Chart: %s\n", block->cells[1]);
		break;
	}
}

void document_render_text(const struct document *document, struct text *text)
{
	for (size_t i = 0; i < document->count; i++) {
		enum block_kind kind = document->blocks[i].kind;

		if (kind == BLOCK_BARS)
			continue;
		render_block(text, &document->blocks[i]);
		/* A list and a heading are of one piece with what follows. */
		if (kind == BLOCK_ITEM && i + 1 < document->count &&
		    document->blocks[i + 1].kind == BLOCK_ITEM)
			continue;
		if (kind != BLOCK_SECTION && kind != BLOCK_SUBSECTION && i + 1 < document->count)
			text_add(text, "\n");
	}
}
