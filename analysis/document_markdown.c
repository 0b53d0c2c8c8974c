/* SPDX-License-Identifier: MIT */
/* GitHub's Markdown. */
#include <ctype.h>
#include <string.h>

#include "analysis/document.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* An underscore inside a word means nothing, and names are full of them. */
static bool needs_escape(const char *text, size_t at)
{
	if (text[at] == '_')
		return !at || !is_word(text[at - 1]) || !is_word(text[at + 1]);
	return strchr("\\`*[]<>|~&#$", text[at]) != NULL;
}

static void add_escaped(struct text *text, const char *words)
{
	for (size_t i = 0; words[i]; i++) {
		if (needs_escape(words, i))
			text_add(text, "\\");
		text_add_bytes(text, &words[i], 1);
	}
}

static void add_line(struct text *text, const char *lead, const char *words, const char *end)
{
	text_add(text, lead);
	add_escaped(text, words);
	text_add(text, end);
}

static void render_table(struct text *text, const struct block *block)
{
	for (size_t row = 0; row < block_row_count(block); row++) {
		for (size_t column = 0; column < block->column_count; column++)
			add_line(text, "| ", block_cell(block, row, column), " ");
		text_add(text, "|\n");
		for (size_t column = 0; !row && column < block->column_count; column++)
			text_add(text, block_is_right(block, column) ? "| ---: " : "| --- ");
		if (!row)
			text_add(text, "|\n");
	}
}

/* A path within <...> ends at '>' or a line's end and is escaped by backslashes. */
static void render_chart(struct text *text, const struct block *block)
{
	add_line(text, "![", block->text, "](<");
	for (const char *c = block->cells[1]; *c; c++) {
		if (strchr("<>\\", *c))
			text_add(text, "\\");
		text_add_bytes(text, c, 1);
	}
	text_add(text, ">)\n");
}

static void render_block(struct text *text, const struct block *block)
{
	switch (block->kind) {
	case BLOCK_TITLE:
		add_line(text, "# ", block->text, "\n");
		break;
	case BLOCK_SECTION:
		add_line(text, "## ", block->text, "\n");
		break;
	case BLOCK_SUBSECTION:
		add_line(text, "### ", block->text, "\n");
		break;
	case BLOCK_PARAGRAPH:
		add_line(text, "", block->text, "\n");
		break;
	case BLOCK_ITEM:
		add_line(text, "* ", block->text, "\n");
		break;
	case BLOCK_BANNER:
		add_line(text, "> **", block->text, "**\n");
		break;
	case BLOCK_TABLE:
		render_table(text, block);
		break;
	case BLOCK_BARS:
		break;
	case BLOCK_CHART:
		render_chart(text, block);
		break;
	}
}

void document_render_markdown(const struct document *document, struct text *text)
{
	for (size_t i = 0; i < document->count; i++) {
		bool list_goes_on = i + 1 < document->count &&
				    document->blocks[i].kind == BLOCK_ITEM &&
				    document->blocks[i + 1].kind == BLOCK_ITEM;

		if (document->blocks[i].kind == BLOCK_BARS)
			continue;
		render_block(text, &document->blocks[i]);
		if (!list_goes_on && i + 1 < document->count)
			text_add(text, "\n");
	}
}
