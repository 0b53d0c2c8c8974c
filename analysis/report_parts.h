/* SPDX-License-Identifier: MIT */
/* The parts of a report; see report.h. Each adds its blocks to the document. */
#ifndef ANALYSIS_REPORT_PARTS_H
#define ANALYSIS_REPORT_PARTS_H

#include <stdbool.h>

#include "analysis/anatomy.h"
#include "analysis/claims.h"
#include "analysis/document.h"
#include "analysis/laws.h"
#include "analysis/run.h"
#include "base/err.h"

/* "2 MiB", "-4 MiB to 0 B", "not measured" */
void report_range(struct byte_range range, struct text *ret_text);

void report_title(struct document *document, const struct run *run);
void report_banner(struct document *document, const struct run *run); /* where simulated */
void report_facts(struct document *document, const struct run *run);
void report_files(struct document *document, const struct run *run);

void report_anatomy(struct document *document, const struct run *run,
		    const struct anatomy *anatomy);
/* Between document_bars() and the next block; `label` of the run, NULL where there is one. */
void report_bars(struct document *document, const struct run *run, const struct anatomy *anatomy,
		 const char *label);
/* That of DIR/plots, where there is one; `words` say what it shows. */
void report_chart(struct document *document, const char *dir, const char *name, const char *words);
void report_savings(struct document *document, const struct run *run,
		    const struct anatomy *anatomy);

/* All, or else those that were measured, and how many were not. */
void report_claims(struct document *document, const struct claims *claims, bool all);

/* The laws of one benchmark, where there are any. */
void report_laws(struct document *document, const struct laws *laws, const char *benchmark);

/* One section of its own. */
int report_benchmark(struct document *document, const struct run *run,
		     const struct benchmark_request *benchmark, const struct laws *laws,
		     struct err *reterr);

/* Everything that was refused, skipped or went wrong, of all benchmarks. */
int report_outcomes(struct document *document, const struct run *run, struct err *reterr);

#endif
