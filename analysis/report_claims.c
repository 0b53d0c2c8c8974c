/* SPDX-License-Identifier: MIT */
#include "analysis/report_parts.h"

static void add_claim(struct document *document, const struct judged_claim *claim)
{
	document_cell(document, claim->request->sentence);
	document_cell(document, claim_verdict_text(claim->verdict));
	document_cell(document, claim->figures);
}

void report_claims(struct document *document, const struct claims *claims, bool all)
{
	size_t untold_count = all ? 0 : claims_count(claims, CLAIM_NOT_MEASURED);

	if (!claims->count)
		return;
	document_add(document, BLOCK_SECTION, "Claims: what is said, and what these rows say");
	if (untold_count < claims->count) {
		document_table(document, 3, "lll");
		document_cell(document, "It is said");
		document_cell(document, "Verdict");
		document_cell(document, "Figures");
	}
	for (size_t i = 0; i < claims->count; i++)
		if (all || claims->items[i].verdict != CLAIM_NOT_MEASURED)
			add_claim(document, &claims->items[i]);
	if (untold_count)
		document_format(document, BLOCK_PARAGRAPH,
				"Not measured: %zu of %zu; claims.csv says what would be needed.",
				untold_count, claims->count);
}
