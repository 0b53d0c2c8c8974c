/* SPDX-License-Identifier: MIT */
#include "analysis/report_parts.h"

void report_claims(struct document *document, const struct claims *claims)
{
	if (!claims->count)
		return;
	document_add(document, BLOCK_SECTION, "Claims: what is said, and what these rows say");
	document_table(document, 3, "lll");
	document_cell(document, "It is said");
	document_cell(document, "Verdict");
	document_cell(document, "Figures");
	for (size_t i = 0; i < claims->count; i++) {
		document_cell(document, claims->items[i].request->sentence);
		document_cell(document, claim_verdict_text(claims->items[i].verdict));
		document_cell(document, claims->items[i].figures);
	}
}
