/* SPDX-License-Identifier: MIT */
/*
 * A report before it has a format: headings, paragraphs, tables, charts, in order. Building and
 * rendering are apart, so that what is said is written once and each format escapes in one place.
 *
 * Texts may come from CSV files and are not trusted: control characters and broken UTF-8 become '?'
 * here, and each renderer escapes what has a meaning in its format.
 *
 * Adding fails only for lack of memory, which is kept in `failed` and reported by
 * document_render().
 */
#ifndef ANALYSIS_DOCUMENT_H
#define ANALYSIS_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

enum block_kind {
	BLOCK_TITLE,
	BLOCK_SECTION,
	BLOCK_SUBSECTION,
	BLOCK_PARAGRAPH,
	BLOCK_ITEM,   /* of a list */
	BLOCK_BANNER, /* not to be overlooked */
	BLOCK_TABLE,
	BLOCK_BARS,  /* of parts side by side, all on one scale; only a page draws them */
	BLOCK_CHART, /* cells: path of the SVG, path as seen from the run directory; text: what it
			shows */
};

enum document_format { DOCUMENT_TEXT, DOCUMENT_MARKDOWN, DOCUMENT_HTML };

struct block {
	enum block_kind kind;
	char *text;   /* clean; "" for a table; owned */
	char **cells; /* row-major, header first; clean; owned. Of bars: name and label by turns */
	size_t cell_count;
	int64_t *sizes; /* of bars: how long each part is, -1 where the cells begin a bar; owned */
	const char *align; /* of a table: one of "lr" per column, the last for all behind it */
	size_t column_count;
};

struct document {
	struct block *blocks; /* owned */
	size_t count;
	bool failed;
};

void document_add(struct document *document, enum block_kind kind, const char *text);
void document_format(struct document *document, enum block_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A table: document_table() with one letter per column ("lrr": left, right; a constant string; the
 * last letter goes for all columns behind it), then document_cell() for the header's and all rows'
 * cells in turn.
 */
void document_table(struct document *document, size_t column_count, const char *align);
void document_cell(struct document *document, const char *text);
void document_cell_format(struct document *document, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same with a text that was put together; empties it. One that failed makes the document fail.
 */
void document_add_text(struct document *document, enum block_kind kind, struct text *text);
void document_cell_text(struct document *document, struct text *text);

/*
 * Bars: document_bars(), then for each bar document_bar() and its parts by document_bar_part(),
 * whose size is at least 0 and whose label says it in words.
 */
void document_bars(struct document *document);
void document_bar(struct document *document, const char *name, const char *label);
void document_bar_part(struct document *document, const char *name, int64_t size,
		       const char *label);

void document_chart(struct document *document, const char *path, const char *relative_path,
		    const char *text);

/* `ret_text` is to be freed. */
int document_render(const struct document *document, enum document_format format, char **ret_text,
		    struct err *reterr);
void document_free(struct document *document);

/* ---- for the renderers ---- */

size_t block_row_count(const struct block *block); /* with the header */
bool block_is_right(const struct block *block, size_t column);
const char *block_cell(const struct block *block, size_t row, size_t column);

void document_render_text(const struct document *document, struct text *text);
void document_render_markdown(const struct document *document, struct text *text);
/* Puts the charts' bytes into the page. Returns 0 or -errno of reading one. */
int document_render_html(const struct document *document, struct text *text, struct err *reterr);

#endif
