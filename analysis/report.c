/* SPDX-License-Identifier: MIT */
#include "analysis/report.h"

#include <stdlib.h>

#include "analysis/report_parts.h"

struct findings {
	const struct run *run;
	const struct laws *laws;
	const struct anatomy *anatomy;
	const struct claims *claims;
};

static int add_details(struct document *document, const struct findings *findings,
		       struct err *reterr)
{
	const struct requests *requests = findings->run->requests;
	int r = 0;

	for (size_t i = 0; i < requests->benchmark_count && !r; i++)
		r = report_benchmark(document, findings->run, &requests->benchmarks[i],
				     findings->laws, reterr);
	return r ? r : report_outcomes(document, findings->run, reterr);
}

/* What is most wanted is nearest to where reading begins. */
static void add_summary(struct document *document, const struct findings *findings,
			enum document_format format)
{
	if (format == DOCUMENT_TEXT)
		report_claims(document, findings->claims, true);
	report_anatomy(document, findings->run, findings->anatomy);
	if (format != DOCUMENT_TEXT)
		report_chart(document, findings->run->dir, "components",
			     "What a context is made of, and what first uses add");
	report_savings(document, findings->run, findings->anatomy);
	if (format != DOCUMENT_TEXT)
		report_claims(document, findings->claims, true);
}

static int build(struct document *document, const struct findings *findings,
		 enum document_format format, struct err *reterr)
{
	int r;

	report_title(document, findings->run);
	if (format != DOCUMENT_TEXT)
		add_summary(document, findings, format);
	report_facts(document, findings->run);
	r = add_details(document, findings, reterr);
	if (r < 0)
		return r;
	if (format == DOCUMENT_TEXT) {
		report_banner(document, findings->run);
		add_summary(document, findings, format);
	}
	report_files(document, findings->run);
	return 0;
}

static int render(const struct findings *findings, enum document_format format, char **ret_text,
		  struct err *reterr)
{
	struct document document = { 0 };
	int r = build(&document, findings, format, reterr);

	if (!r)
		r = document_render(&document, format, ret_text, reterr);
	document_free(&document);
	return r;
}

int report_render(const char *dir, const struct requests *requests, enum document_format format,
		  char **ret_text, struct err *reterr)
{
	struct run run;
	struct laws laws;
	struct anatomy anatomy;
	struct claims claims;
	int r = run_read(&run, dir, requests, reterr);

	if (r < 0)
		return r;
	r = laws_fit(&laws, &run, reterr);
	if (r < 0)
		goto free_run;
	r = anatomy_measure(&anatomy, &run, reterr);
	if (r < 0)
		goto free_laws;
	r = claims_judge(&claims, &run, reterr);
	if (r < 0)
		goto free_anatomy;
	r = render(&(struct findings){ &run, &laws, &anatomy, &claims }, format, ret_text, reterr);
	claims_free(&claims);
free_anatomy:
	anatomy_free(&anatomy);
free_laws:
	laws_free(&laws);
free_run:
	run_free(&run);
	return r;
}

int report_render_claims(const struct run *run, const struct claims *claims, char **ret_text,
			 struct err *reterr)
{
	struct document document = { 0 };
	int r;

	report_banner(&document, run);
	report_claims(&document, claims, false);
	r = document_render(&document, DOCUMENT_TEXT, ret_text, reterr);
	document_free(&document);
	return r;
}
