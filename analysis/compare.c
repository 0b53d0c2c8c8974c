/* SPDX-License-Identifier: MIT */
#include "analysis/compare.h"

#include <errno.h>

#include "analysis/compare_unit.h"
#include "analysis/compare_units.h"

static int compare_units(struct comparing *comparing, const struct compare_units *units,
			 struct err *reterr)
{
	const struct compare_options *options = comparing->options;
	int r = 0;

	for (size_t i = 0; i < units->count && !r; i++)
		r = compare_unit(comparing, &units->items[i], reterr);
	if (!r && !comparing->has_column)
		r = err_set(reterr, EINVAL, "no benchmark that is in all runs has a column '%s'",
			    options->column ? options->column : "delta_bytes");
	if (!r && comparing->result->notes.failed)
		r = err_errno(reterr, ENOMEM, "notes");
	return r;
}

int compare_run(const struct compare_sources *sources, const struct compare_options *options,
		const struct compare_sink *sink, struct compare_result *result, struct err *reterr)
{
	struct comparing comparing = {
		.sources = sources,
		.options = options,
		.sink = sink,
		.result = result,
		.has_column = !options->column,
	};
	struct compare_units units;
	regex_t filter;
	int r;

	*result = (struct compare_result){ 0 };
	if (options->filter) {
		if (regcomp(&filter, options->filter, REG_EXTENDED | REG_NOSUB))
			return err_set(reterr, EINVAL, "filter '%s': not a regular expression",
				       options->filter);
		comparing.filter = &filter;
	}
	r = compare_units_find(&units, sources, options->requests, reterr);
	if (!r) {
		r = compare_units(&comparing, &units, reterr);
		compare_units_free(&units);
	}
	if (options->filter)
		regfree(&filter);
	if (r < 0)
		text_free(&result->notes);
	return r;
}
