/* SPDX-License-Identifier: MIT */
/*
 * One file that needs no other. Charts are pictures behind data: addresses rather than markup of
 * the page: nothing in them can run, and their ids do not meet.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/document.h"

static const char page_start[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<title>";

static const char page_style[] =
	"</title>\n"
	"<style>\n"
	":root { --ink: #1b1f24; --soft: #59636e; --line: #d1d9e0; --paper: #ffffff;\n"
	"  --head: #f3f5f7; --shade: rgb(27 31 36 / 22%); --warn-ink: #7a2b00; --warn-paper: "
	"#fff1e5; --warn-line: #d55e00; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"  :root { --ink: #e6edf3; --soft: #9aa4af; --line: #3a424b; --paper: #0f1318;\n"
	"    --head: #1a2027; --shade: rgb(230 237 243 / 34%); --warn-ink: #ffd8bd; --warn-paper: "
	"#3d2210; --warn-line: #e69f00; } "
	"}\n"
	"* { box-sizing: border-box; }\n"
	"body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1rem 4rem; color: var(--ink);\n"
	"  background: var(--paper); font: 16px/1.55 system-ui, 'DejaVu Sans', sans-serif; }\n"
	"h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 1rem; text-wrap: balance; }\n"
	"h2 { font-size: 1.25rem; margin: 2.6rem 0 .6rem; padding-bottom: .25rem;\n"
	"  border-bottom: 1px solid var(--line); }\n"
	"h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; color: var(--soft); }\n"
	"p, ul { margin: .5rem 0; }\n"
	"h1, h2, h3, p, li, dt, .banner { overflow-wrap: anywhere; }\n"
	".banner { border: 3px solid var(--warn-line); border-radius: 6px; padding: .8rem 1rem;\n"
	"  margin: 1rem 0; color: var(--warn-ink); background: var(--warn-paper);\n"
	"  font-weight: 700; }\n"
	".table { overflow-x: auto; margin: .8rem 0; border: 1px solid var(--line);\n"
	"  border-radius: 6px; }\n"
	"table { border-collapse: collapse; width: 100%; font-size: .9rem; }\n"
	"th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; }\n"
	"th { background: var(--head); font-weight: 600; }\n"
	"tr + tr > * { border-top: 1px solid var(--line); }\n"
	"td { min-width: 6rem; }\n"
	".r { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }\n"
	"th.r { white-space: normal; }\n"
	".table { background: linear-gradient(to right, var(--paper) 30%, transparent) left / "
	"2.5rem 100%,\n"
	"    linear-gradient(to left, var(--paper) 30%, transparent) right / 2.5rem 100%,\n"
	"    linear-gradient(to right, var(--shade), transparent) left / .9rem 100%,\n"
	"    linear-gradient(to left, var(--shade), transparent) right / .9rem 100%;\n"
	"  background-repeat: no-repeat; background-attachment: local, local, scroll, scroll; }\n"
	".bars { margin: 1rem 0; }\n"
	".bars dl { margin: 0 0 1.2rem; }\n"
	".bars dt { font-weight: 600; margin-bottom: .3rem; }\n"
	".bars dd { margin: 0; }\n"
	".bar { display: flex; height: 2rem; border-radius: 4px; overflow: hidden; }\n"
	".bar span { flex: none; border-right: 1px solid var(--paper); }\n"
	".key { display: flex; flex-wrap: wrap; gap: .15rem 1.2rem; margin-top: .35rem;\n"
	"  font-size: .85rem; }\n"
	".key span { overflow-wrap: anywhere; }\n"
	".key i { display: inline-block; width: .8em; height: .8em; margin-right: .4em;\n"
	"  border-radius: 2px; }\n"
	".c0 { background: #0072b2; } .c1 { background: #d55e00; } .c2 { background: #009e73; }\n"
	".c3 { background: #e69f00; } .c4 { background: #56b4e9; } .c5 { background: #cc79a7; }\n"
	".c6 { background: #8a8f98; } .c7 { background: #4b3f8f; }\n"
	".c8 { background: #7a5c3a; } .c9 { background: #2f8f8f; } .c10 { background: #b0506b; }\n"
	".c11 { background: #8f9a1e; }\n"
	"figure { margin: 1rem 0; padding: .6rem; background: #ffffff; border-radius: 6px;\n"
	"  border: 1px solid var(--line); }\n"
	"figure img { display: block; width: 100%; height: auto; }\n"
	"figure { overflow-x: auto; }\n"
	"@media (max-width: 40rem) { figure img { width: 52rem; max-width: none; } }\n"
	"@media print { :root { --ink: #1b1f24; --soft: #59636e; --line: #d1d9e0; --paper: "
	"#ffffff;\n"
	"    --head: #f3f5f7; --shade: transparent; --warn-ink: #7a2b00; --warn-paper: #fff1e5;\n"
	"    --warn-line: #d55e00; }\n"
	"  body { max-width: none; padding: 0; font-size: 10pt; }\n"
	"  .table { overflow: visible; border: 0; } table { font-size: 7.5pt; }\n"
	"  th, td { padding: .2rem .35rem; min-width: 0; overflow-wrap: anywhere; }\n"
	"  .r { white-space: normal; }\n"
	"  figure { overflow: visible; } figure img { width: 100%; max-width: 100%; }\n"
	"  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }\n"
	"  thead { display: table-header-group; } tr, figure, .bars dl { break-inside: avoid; }\n"
	"  h2, h3 { break-after: avoid; } }\n"
	"</style>\n"
	"</head>\n"
	"<body>\n";

static const char page_end[] = "</body>\n</html>\n";

static void add_escaped(struct text *text, const char *words)
{
	for (const char *c = words; *c; c++) {
		switch (*c) {
		case '&':
			text_add(text, "&amp;");
			break;
		case '<':
			text_add(text, "&lt;");
			break;
		case '>':
			text_add(text, "&gt;");
			break;
		case '"':
			text_add(text, "&quot;");
			break;
		case '\'':
			text_add(text, "&#39;");
			break;
		default:
			text_add_bytes(text, c, 1);
		}
	}
}

/* Lists of words without blanks may be broken behind each. */
static void add_breakable(struct text *text, const char *words)
{
	for (const char *c = words; *c; c++) {
		char one[] = { *c, '\0' };

		if ((unsigned char)*c & 0x80)
			text_add_bytes(text, c, 1);
		else
			add_escaped(text, one);
		if (*c == '|' || *c == '+')
			text_add(text, "<wbr>");
	}
}

static void add_element(struct text *text, const char *open, const char *words, const char *close)
{
	text_add(text, open);
	add_escaped(text, words);
	text_add(text, close);
}

static void render_row(struct text *text, const struct block *block, size_t row)
{
	text_add(text, "<tr>");
	for (size_t column = 0; column < block->column_count; column++) {
		text_format(text, "<%s%s>", row ? "td" : "th",
			    block_is_right(block, column) ? " class=\"r\"" : "");
		add_breakable(text, block_cell(block, row, column));
		text_add(text, row ? "</td>" : "</th>");
	}
	text_add(text, "</tr>\n");
}

static void render_table(struct text *text, const struct block *block)
{
	text_add(text, "<div class=\"table\"><table>\n");
	text_add(text, "<thead>");
	for (size_t row = 0; row < block_row_count(block); row++) {
		render_row(text, block, row);
		text_add(text, row ? "" : "</thead>\n<tbody>");
	}
	text_add(text, "</tbody></table></div>\n");
}

/* ---- bars ---- */

/* The longest bar is as wide as the page. */
static int64_t longest_bar(const struct block *block)
{
	int64_t longest = 0, length = 0;

	for (size_t i = 0; i < block->cell_count / 2; i++) {
		length = block->sizes[i] < 0 ? 0 : length + block->sizes[i];
		longest = length > longest ? length : longest;
	}
	return longest;
}

#define COLOURS 12

static void render_part(struct text *text, const struct block *block, size_t part, size_t number,
			int64_t longest)
{
	text_format(text, "<span class=\"c%zu\" style=\"width:%.4f%%\" title=\"", number % COLOURS,
		    100.0 * (double)block->sizes[part] / (double)longest);
	add_escaped(text, block->cells[2 * part]);
	text_add(text, ": ");
	add_escaped(text, block->cells[2 * part + 1]);
	text_add(text, "\"></span>");
}

static void render_key(struct text *text, const struct block *block, size_t part, size_t number)
{
	text_format(text, "<span><i class=\"c%zu\"></i>", number % COLOURS);
	add_escaped(text, block->cells[2 * part]);
	text_add(text, ": ");
	add_escaped(text, block->cells[2 * part + 1]);
	text_add(text, "</span>\n");
}

/* From the part behind the one that begins it. */
static size_t render_bar(struct text *text, const struct block *block, size_t first,
			 int64_t longest)
{
	size_t count = block->cell_count / 2, end = first + 1;

	while (end < count && block->sizes[end] >= 0)
		end++;
	text_add(text, "<dl><dt>");
	add_escaped(text, block->cells[2 * first]);
	text_add(text, ": ");
	add_escaped(text, block->cells[2 * first + 1]);
	text_add(text, "</dt>\n<dd><div class=\"bar\">");
	for (size_t i = first + 1; i < end && longest; i++)
		render_part(text, block, i, i - first - 1, longest);
	text_add(text, "</div><div class=\"key\">");
	for (size_t i = first + 1; i < end; i++)
		render_key(text, block, i, i - first - 1);
	text_add(text, "</div></dd></dl>\n");
	return end;
}

static void render_bars(struct text *text, const struct block *block)
{
	int64_t longest = longest_bar(block);

	text_add(text, "<div class=\"bars\">\n");
	for (size_t i = 0; i < block->cell_count / 2;)
		i = render_bar(text, block, i, longest);
	text_add(text, "</div>\n");
}

/* ---- charts ---- */

static void add_base64(struct text *text, const unsigned char *bytes, size_t count)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
	enum { PAD = 64 };

	for (size_t i = 0; i < count; i += 3) {
		size_t here = count - i < 3 ? count - i : 3;
		uint32_t word = (uint32_t)bytes[i] << 16;
		char group[4];

		word |= here > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
		word |= here > 2 ? bytes[i + 2] : 0;
		for (size_t k = 0; k < 4; k++)
			group[k] = digits[k <= here ? word >> (18 - 6 * k) & 63 : PAD];
		text_add_bytes(text, group, sizeof group);
	}
}

/* Three bytes at a time would break base64 apart, so the file is read whole. */
static int read_file(const char *path, struct text *ret_bytes, struct err *reterr)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char chunk[16384];
	struct stat status;
	ssize_t got;

	if (fd < 0)
		return err_errno(reterr, errno, "%s", path);
	/* A device may never end. */
	if (!fstat(fd, &status) && !S_ISREG(status.st_mode)) {
		close(fd);
		return err_set(reterr, EBADMSG, "%s: not a regular file", path);
	}
	while ((got = read(fd, chunk, sizeof chunk)) > 0)
		text_add_bytes(ret_bytes, chunk, (size_t)got);
	if (got < 0) {
		int r = err_errno(reterr, errno, "%s", path);

		close(fd);
		return r;
	}
	close(fd);
	return 0;
}

static int render_chart(struct text *text, const struct block *block, struct err *reterr)
{
	struct text file = { 0 };
	int r = read_file(block->cells[0], &file, reterr);

	if (!r) {
		add_element(text, "<figure><img alt=\"", block->text,
			    "\" src=\"data:image/svg+xml;base64,");
		add_base64(text, (const unsigned char *)text_peek(&file), file.used);
		text_add(text, "\"></figure>\n");
		text->failed = text->failed || file.failed;
	}
	text_free(&file);
	return r;
}

/* ---- the page ---- */

static const struct {
	const char *open;
	const char *close;
} elements[] = {
	[BLOCK_TITLE] = { "<h1>", "</h1>\n" },
	[BLOCK_SECTION] = { "<h2>", "</h2>\n" },
	[BLOCK_SUBSECTION] = { "<h3>", "</h3>\n" },
	[BLOCK_PARAGRAPH] = { "<p>", "</p>\n" },
	[BLOCK_ITEM] = { "<li>", "</li>\n" },
	[BLOCK_BANNER] = { "<div class=\"banner\" role=\"note\">", "</div>\n" },
};

static const char *title_of(const struct document *document)
{
	for (size_t i = 0; i < document->count; i++)
		if (document->blocks[i].kind == BLOCK_TITLE)
			return document->blocks[i].text;
	return "";
}

static bool is_item(const struct document *document, size_t i)
{
	return i < document->count && document->blocks[i].kind == BLOCK_ITEM;
}

int document_render_html(const struct document *document, struct text *text, struct err *reterr)
{
	int r = 0;

	add_element(text, page_start, title_of(document), page_style);
	for (size_t i = 0; i < document->count && !r; i++) {
		const struct block *block = &document->blocks[i];

		if (is_item(document, i) && (!i || !is_item(document, i - 1)))
			text_add(text, "<ul>\n");
		if (block->kind == BLOCK_TABLE)
			render_table(text, block);
		else if (block->kind == BLOCK_BARS)
			render_bars(text, block);
		else if (block->kind == BLOCK_CHART)
			r = render_chart(text, block, reterr);
		else
			add_element(text, elements[block->kind].open, block->text,
				    elements[block->kind].close);
		if (is_item(document, i) && !is_item(document, i + 1))
			text_add(text, "</ul>\n");
	}
	text_add(text, page_end);
	return r;
}
