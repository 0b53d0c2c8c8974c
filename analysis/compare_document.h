/* SPDX-License-Identifier: MIT */
/* A comparison for people: as a table for a terminal, or as Markdown. */
#ifndef ANALYSIS_COMPARE_DOCUMENT_H
#define ANALYSIS_COMPARE_DOCUMENT_H

#include "analysis/compare.h"
#include "analysis/compare_environment.h"
#include "analysis/compare_groups.h"
#include "analysis/document.h"
#include "base/err.h"

struct compare_findings {
	const struct compare_sources *sources;
	const struct compare_groups *groups;
	const struct compare_result *result;
};

/* `ret_text` is to be freed. */
int compare_document_render(const struct compare_findings *findings, enum document_format format,
			    char **ret_text, struct err *reterr);

#endif
