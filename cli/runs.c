/* SPDX-License-Identifier: MIT */
#include "cli/runs.h"

#include <errno.h>

#include "cli/analyse.h"

static int read_all(struct runs *runs, struct err *reterr)
{
	for (; runs->count < runs->sources.count; runs->count++) {
		const struct compare_source *source = &runs->sources.items[runs->count];
		int r = source->is_file
				? err_set(reterr, ENOTDIR, "%s: no run directory", source->path)
				: run_read(&runs->items[runs->count], source->path,
					   analyse_requests(), reterr);

		if (r < 0)
			return r;
		runs->labels[runs->count] = source->label;
		runs->has_simulated = runs->has_simulated || source->is_simulated;
	}
	return 0;
}

enum exit_code runs_open(struct runs *runs, const struct runs_request *request)
{
	const struct compare_source *simulated, *measured;
	struct err err;
	int r;

	*runs = (struct runs){ 0 };
	r = compare_sources_open(&runs->sources, request->arguments, request->count, &err);
	if (r < 0)
		return cli_fail(r, &err);
	if (compare_sources_are_mixed(&runs->sources, &simulated, &measured) &&
	    !request->allows_simulated) {
		enum exit_code code = cli_usage(
			request->command,
			"%s is simulated and %s was measured; --allow-simulated shows them "
			"together",
			simulated->label, measured->label);

		runs_close(runs);
		return code;
	}
	r = read_all(runs, &err);
	if (r < 0) {
		runs_close(runs);
		return cli_fail(r, &err);
	}
	return EXIT_FINE;
}

void runs_close(struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		run_free(&runs->items[i]);
	compare_sources_free(&runs->sources);
	runs->count = 0;
}
