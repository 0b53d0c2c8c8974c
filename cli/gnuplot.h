/* SPDX-License-Identifier: MIT */
/* Charts by gnuplot: a script, what it is told, and the file that it makes. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h"

struct chart_format {
	const char *name;
	const char *end_mark; /* in the last bytes of a whole file */
};

/* Those that are drawn unless one is named come first. */
extern const struct chart_format chart_formats[];
extern const size_t chart_format_count;
#define CHART_FORMATS_BY_DEFAULT 2

/* NULL: there is no such format. */
const struct chart_format *chart_format_find(const char *name);

#define CHART_ARGUMENTS_MAX 8

/* gnuplot -c SCRIPT NAME FORMAT OUT ARGUMENTS..., where OUT is <folder>/plots/<name>.<format> */
struct chart {
	const char *script; /* a path */
	const char *name;
	const char *folder;
	bool is_silent;    /* its path is not printed */
	const char *again; /* what to run where gnuplot is; NULL: cuctx plot FOLDER */
	const char *arguments[CHART_ARGUMENTS_MAX]; /* NULL behind the last */
};

/* As it can stand in one line of a chart; to be freed. NULL: no memory. */
char *chart_text(const char *text);

/* `folder` has a folder `plots` from here on. */
enum exit_code chart_make_folder(const char *folder);

/*
 * Draws it, prints the path, and complains of what went wrong. It comes by way of a draft, so that
 * a chart is whole, and an old one stays where there is no new one. `ret_has_gnuplot`: false where
 * no chart can be drawn here.
 */
enum exit_code chart_draw(const struct chart *chart, const struct chart_format *format,
			  bool *ret_has_gnuplot);

#endif
