/* SPDX-License-Identifier: MIT */
/* For terminals: no line is longer than LINE_COLUMNS unless a single word is. */
#include <stdlib.h>
#include <string.h>

#include "analysis/document.h"

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

/* Bytes of the next line of at most `columns`: up to the last blank, else in the middle of a word.
 */
static size_t line_length(const char *text, size_t columns)
{
	size_t length = 0, width = 0, blank = 0;

	while (text[length]) {
		if (!is_continuation(text[length]) && width++ == columns)
			return blank ? blank : length;
		if (text[length] == ' ')
			blank = length;
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

static void natural_widths(const struct block *block, size_t *widths)
{
	for (size_t row = 0; row < block_row_count(block); row++)
		for (size_t column = 0; column < block->column_count; column++) {
			const char *cell = block_cell(block, row, column);
			size_t width = width_of(cell, strlen(cell));

			if (width > widths[column])
				widths[column] = width;
		}
}

/* The widest column of words, or of numbers, that can still be narrowed; column_count when there is
 * none.
 */
static size_t widest(const struct block *block, const size_t *widths, bool is_right)
{
	size_t found = block->column_count;

	for (size_t column = 0; column < block->column_count; column++)
		if (block_is_right(block, column) == is_right &&
		    widths[column] > CELL_COLUMNS_MIN &&
		    (found == block->column_count || widths[column] > widths[found]))
			found = column;
	return found;
}

/* Takes from the widest column until all fit; numbers are not broken while words can be. */
static void shrink_widths(const struct block *block, size_t *widths)
{
	size_t sum = CELL_GAP * (block->column_count - 1);

	for (size_t column = 0; column < block->column_count; column++)
		sum += widths[column];
	for (; sum > LINE_COLUMNS; sum--) {
		size_t column = widest(block, widths, false);

		if (column == block->column_count)
			column = widest(block, widths, true);
		if (column == block->column_count)
			return;
		widths[column]--;
	}
}

/* One line of a row; moves each cell's text on. False when nothing was left to write. */
static bool render_row_line(struct text *text, const struct block *block, const size_t *widths,
			    const char **cells)
{
	size_t owed = 0;
	bool any = false;

	for (size_t column = 0; column < block->column_count; column++)
		any = any || *cells[column];
	for (size_t column = 0; any && column < block->column_count; column++) {
		bool is_right = block_is_right(block, column);
		size_t length = line_length(cells[column], widths[column]);
		size_t pad = widths[column] - width_of(cells[column], length);

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

static void render_rule(struct text *text, const struct block *block, const size_t *widths)
{
	for (size_t column = 0; column < block->column_count; column++) {
		text_fill(text, '-', widths[column]);
		if (column + 1 < block->column_count)
			text_fill(text, ' ', CELL_GAP);
	}
	text_add(text, "\n");
}

static void render_table(struct text *text, const struct block *block)
{
	size_t *widths = calloc(block->column_count + 1, sizeof *widths);
	const char **cells = calloc(block->column_count + 1, sizeof *cells);

	if (!widths || !cells) {
		text->failed = true;
		goto free_arrays;
	}
	natural_widths(block, widths);
	shrink_widths(block, widths);
	for (size_t row = 0; row < block_row_count(block); row++) {
		for (size_t column = 0; column < block->column_count; column++)
			cells[column] = block_cell(block, row, column);
		while (render_row_line(text, block, widths, cells))
			;
		if (!row)
			render_rule(text, block, widths);
	}
free_arrays:
	free(widths);
	free(cells);
}

/* ---- the rest ---- */

static void render_heading(struct text *text, const char *heading, char underline)
{
	text_format(text, "%s\n", heading);
	text_fill(text, underline, width_of(heading, strlen(heading)));
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
	case BLOCK_CHART:
		text_format(text, "Chart: %s\n", block->cells[1]);
		break;
	}
}

void document_render_text(const struct document *document, struct text *text)
{
	for (size_t i = 0; i < document->count; i++) {
		enum block_kind kind = document->blocks[i].kind;

		render_block(text, &document->blocks[i]);
		/* A list and a heading are of one piece with what follows. */
		if (kind == BLOCK_ITEM && i + 1 < document->count &&
		    document->blocks[i + 1].kind == BLOCK_ITEM)
			continue;
		if (kind != BLOCK_SECTION && kind != BLOCK_SUBSECTION && i + 1 < document->count)
			text_add(text, "\n");
	}
}
