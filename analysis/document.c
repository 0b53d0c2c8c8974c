/* SPDX-License-Identifier: MIT */
#include "analysis/document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/utf8.h"

#define FORMATTED_MAX 2048

static struct block *add_block(struct document *document, enum block_kind kind, const char *text)
{
	struct block *blocks =
		realloc(document->blocks, (document->count + 1) * sizeof *document->blocks);

	if (!blocks) {
		document->failed = true;
		return NULL;
	}
	document->blocks = blocks;
	blocks[document->count] = (struct block){ .kind = kind, .text = utf8_clean(text) };
	if (!blocks[document->count].text) {
		document->failed = true;
		return NULL;
	}
	return &blocks[document->count++];
}

static void add_cell(struct document *document, char *text)
{
	struct block *block = document->count ? &document->blocks[document->count - 1] : NULL;
	char **cells = NULL;

	if (block && text)
		cells = realloc(block->cells, (block->cell_count + 1) * sizeof *cells);
	if (!cells) {
		free(text);
		document->failed = true;
		return;
	}
	block->cells = cells;
	cells[block->cell_count++] = text;
}

void document_add(struct document *document, enum block_kind kind, const char *text)
{
	add_block(document, kind, text);
}

void document_format(struct document *document, enum block_kind kind, const char *format, ...)
{
	char text[FORMATTED_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	add_block(document, kind, text);
}

void document_table(struct document *document, size_t column_count, const char *align)
{
	struct block *block = add_block(document, BLOCK_TABLE, "");

	if (!block)
		return;
	block->align = align;
	block->column_count = column_count;
}

void document_cell(struct document *document, const char *text)
{
	add_cell(document, utf8_clean(text));
}

void document_cell_format(struct document *document, const char *format, ...)
{
	char text[FORMATTED_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	add_cell(document, utf8_clean(text));
}

static void empty(struct document *document, struct text *text)
{
	document->failed = document->failed || text->failed;
	text_free(text);
}

void document_add_text(struct document *document, enum block_kind kind, struct text *text)
{
	document_add(document, kind, text_peek(text));
	empty(document, text);
}

void document_cell_text(struct document *document, struct text *text)
{
	document_cell(document, text_peek(text));
	empty(document, text);
}

void document_chart(struct document *document, const char *path, const char *relative_path,
		    const char *text)
{
	if (!add_block(document, BLOCK_CHART, text))
		return;
	add_cell(document, strdup(path)); /* as the file system wants it, not as a reader may */
	document_cell(document, relative_path);
}

#define BAR_BEGINS (-1)

void document_bars(struct document *document)
{
	add_block(document, BLOCK_BARS, "");
}

static void add_part(struct document *document, const char *name, int64_t size, const char *label)
{
	struct block *block = document->count ? &document->blocks[document->count - 1] : NULL;
	int64_t *sizes =
		block ? realloc(block->sizes, (block->cell_count / 2 + 1) * sizeof *sizes) : NULL;

	if (!sizes) {
		document->failed = true;
		return;
	}
	block->sizes = sizes;
	sizes[block->cell_count / 2] = size;
	document_cell(document, name);
	document_cell(document, label);
}

void document_bar(struct document *document, const char *name, const char *label)
{
	add_part(document, name, BAR_BEGINS, label);
}

void document_bar_part(struct document *document, const char *name, int64_t size, const char *label)
{
	add_part(document, name, size > 0 ? size : 0, label);
}

size_t block_row_count(const struct block *block)
{
	return block->column_count ? block->cell_count / block->column_count : 0;
}

bool block_is_right(const struct block *block, size_t column)
{
	size_t last = strlen(block->align) - 1;

	return block->align[column < last ? column : last] == 'r';
}

const char *block_cell(const struct block *block, size_t row, size_t column)
{
	return block->cells[row * block->column_count + column];
}

int document_render(const struct document *document, enum document_format format, char **ret_text,
		    struct err *reterr)
{
	struct text text = { 0 };
	int r = 0;

	/* Half a document has blocks without their cells. */
	if (document->failed)
		return err_errno(reterr, ENOMEM, "report");
	if (format == DOCUMENT_TEXT)
		document_render_text(document, &text);
	else if (format == DOCUMENT_MARKDOWN)
		document_render_markdown(document, &text);
	else
		r = document_render_html(document, &text, reterr);
	if (r < 0) {
		text_free(&text);
		return r;
	}
	return text_take(&text, ret_text, reterr);
}

void document_free(struct document *document)
{
	for (size_t i = 0; i < document->count; i++) {
		struct block *block = &document->blocks[i];

		for (size_t k = 0; k < block->cell_count; k++)
			free(block->cells[k]);
		free(block->cells);
		free(block->sizes);
		free(block->text);
	}
	free(document->blocks);
	*document = (struct document){ 0 };
}
