/* SPDX-License-Identifier: MIT */
#include "analysis/pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure.h"
#include "analysis/where.h"

/* The figures of one benchmark, and what its samples have of them. */
struct search {
	const struct samples *samples;
	const struct figure_request *figures[CLAIM_FIGURES_MAX];
	size_t figure_count;
	bool is_of_one_where; /* points are those of the samples */
	size_t *groups;       /* per sample: the first sample that is of the same point */
	unsigned char *has;   /* per group: bits of the figures that it has … */
	unsigned char *lacks; /* … and of those that a sample broke off before */
};

static bool same_where(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static void gather_figures(struct search *search, const struct claim_request *claim,
			   const char *benchmark)
{
	search->is_of_one_where = true;
	for (size_t i = 0; i < CLAIM_FIGURES_MAX && claim->figures[i].name; i++) {
		const struct figure_request *figure = &claim->figures[i];

		if (strcmp(figure->benchmark, benchmark))
			continue;
		search->figures[search->figure_count++] = figure;
		if (!same_where(figure->where, search->figures[0]->where))
			search->is_of_one_where = false;
	}
}

static bool is_fixed(const struct search *search, const char *axis)
{
	for (size_t i = 0; i < search->figure_count; i++)
		if (where_fixes(search->figures[i]->where, axis))
			return true;
	return false;
}

static bool same_point(const struct search *search, size_t a, size_t b)
{
	const struct samples *samples = search->samples;
	size_t device = samples->columns.device;

	if (search->is_of_one_where)
		return samples->items[a].point == samples->items[b].point;
	if (strcmp(samples_cell(samples, a, device), samples_cell(samples, b, device)))
		return false;
	for (size_t i = 0; i < samples->axis_count; i++) {
		size_t column = samples->axis_first + i;

		if (!is_fixed(search, csv_table_header(&samples->table, column)) &&
		    strcmp(samples_cell(samples, a, column), samples_cell(samples, b, column)))
			return false;
	}
	return true;
}

/* Whether it ended in a refusal that the claim asks about: that is an answer for all figures. */
static bool is_refused(const struct search *search, size_t sample)
{
	for (size_t i = 0; i < search->figure_count; i++)
		if (figure_counts_refusal(search->figures[i], search->samples, sample))
			return true;
	return false;
}

static void look_at(struct search *search, size_t sample)
{
	size_t group = search->groups[sample];
	bool is_ok = !strcmp(samples_verdict(search->samples, sample), "ok");

	for (size_t i = 0; i < search->figure_count; i++) {
		const struct figure_request *figure = search->figures[i];
		unsigned char bit = (unsigned char)(1U << i);

		if (!samples_matches(search->samples, sample, figure->where))
			continue;
		if (figure_has_number(figure, search->samples, sample) ||
		    is_refused(search, sample))
			search->has[group] |= bit;
		else if (!is_ok) /* one that went well has no such step */
			search->lacks[group] |= bit;
	}
}

/* Samples that a device cannot take, or that were left out, are as if nobody had asked for them. */
static bool is_left_out(const struct samples *samples, size_t sample)
{
	const char *verdict = samples_verdict(samples, sample);

	return !strcmp(verdict, "unsupported") || !strcmp(verdict, "skipped");
}

static void group_samples(struct search *search)
{
	for (size_t i = 0; i < search->samples->count; i++) {
		size_t first = 0;

		while (!same_point(search, first, i))
			first++;
		search->groups[i] = first;
		if (!is_left_out(search->samples, i))
			look_at(search, i);
	}
}

static void conclude(struct pairs *pairs, const struct search *search)
{
	unsigned char all = (unsigned char)((1U << search->figure_count) - 1);

	pairs->state = PAIRS_NONE;
	for (size_t i = 0; i < search->samples->count; i++) {
		size_t group = search->groups[i];

		pairs->is_paired[i] = search->has[group] == all;
		if (search->has[group] && (search->lacks[group] & ~search->has[group])) {
			pairs->state = PAIRS_LACKING;
			return;
		}
		if (pairs->is_paired[i])
			pairs->state = PAIRS_COMPLETE;
	}
}

int pairs_find(struct pairs *pairs, const struct run *run, const struct claim_request *claim,
	       const char *benchmark, struct err *reterr)
{
	struct search search = { .samples = run_samples(run, benchmark) };
	struct pairs found = { .state = PAIRS_NONE };
	size_t count = search.samples ? search.samples->count : 0;
	int r = 0;

	gather_figures(&search, claim, benchmark);
	search.groups = calloc(count + 1, sizeof *search.groups);
	search.has = calloc(count + 1, sizeof *search.has);
	search.lacks = calloc(count + 1, sizeof *search.lacks);
	found.is_paired = calloc(count + 1, sizeof *found.is_paired);
	if (!search.groups || !search.has || !search.lacks || !found.is_paired) {
		r = err_errno(reterr, ENOMEM, "%s", run->dir);
		pairs_free(&found);
	} else if (search.samples) {
		group_samples(&search);
		conclude(&found, &search);
	}
	free(search.groups);
	free(search.has);
	free(search.lacks);
	if (!r)
		*pairs = found;
	return r;
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->is_paired);
	*pairs = (struct pairs){ 0 };
}
