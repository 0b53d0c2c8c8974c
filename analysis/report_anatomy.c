/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "analysis/report_parts.h"
#include "base/size.h"

void report_range(struct byte_range range, struct text *ret_text)
{
	char low[SIZE_TEXT_MAX], high[SIZE_TEXT_MAX];

	if (!range.is_measured) {
		text_add(ret_text, "not measured");
		return;
	}
	size_format(range.min_bytes, low, sizeof low);
	size_format(range.max_bytes, high, sizeof high);
	text_add(ret_text, low);
	if (range.min_bytes != range.max_bytes)
		text_format(ret_text, " to %s", high);
}

/* Two cells: exact bytes, and MiB for people. */
static void add_range_cells(struct document *document, struct byte_range range)
{
	const double mib = 1024.0 * 1024.0;

	if (!range.is_measured) {
		document_cell(document, "not measured");
		document_cell(document, "");
	} else if (range.min_bytes == range.max_bytes) {
		document_cell_format(document, "%lld", (long long)range.min_bytes);
		document_cell_format(document, "%.2f", (double)range.min_bytes / mib);
	} else {
		document_cell_format(document, "%lld to %lld", (long long)range.min_bytes,
				     (long long)range.max_bytes);
		document_cell_format(document, "%.2f to %.2f", (double)range.min_bytes / mib,
				     (double)range.max_bytes / mib);
	}
}

static void tell_line(void *data, const struct anatomy_line *line)
{
	struct document *document = data;

	document_cell_format(document, "%s%s", anatomy_prefix(line), line->name);
	add_range_cells(document, line->bytes);
	document_cell(document, line->when);
	document_cell(document, line->from);
}

/* The whole, its parts, what is left of it; then what comes on top later. */
void report_anatomy(struct document *document, const struct run *run, const struct anatomy *anatomy)
{
	document_add(document, BLOCK_SECTION, "What a context is made of");
	document_bars(document);
	report_bars(document, run, anatomy, NULL);
	document_table(document, 5, "lrrll");
	document_cell(document, "Component");
	document_cell(document, "Bytes");
	document_cell(document, "MiB");
	document_cell(document, "Paid at");
	document_cell(document, "From");
	anatomy_each_line(anatomy, run, tell_line, document);
}

void report_savings(struct document *document, const struct run *run, const struct anatomy *anatomy)
{
	const struct requests *requests = run->requests;

	if (!requests->saving_count)
		return;
	document_add(document, BLOCK_SECTION, "What could be saved, per process");
	document_table(document, 5, "lrrll");
	document_cell(document, "Do this");
	document_cell(document, "Bytes");
	document_cell(document, "MiB");
	document_cell(document, "Unless");
	document_cell(document, "From");
	for (size_t i = 0; i < requests->saving_count; i++) {
		const struct saving_request *request = &requests->savings[i];

		document_cell(document, request->advice);
		add_range_cells(document, anatomy->savings[i]);
		document_cell(document, request->caveat ? request->caveat : "");
		document_cell_format(document, "%s, %s", request->benchmark, request->step);
	}
}
