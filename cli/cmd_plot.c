/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/environment.h"
#include "base/array.h"
#include "bench/benches.h"
#include "cli/analyse.h"
#include "cli/cli.h"

#define DIRECTORIES_MAX 32
#define NOT_FOUND       127

static const struct cli_option options[] = {
	{ "format", "svg|png|pdf", "default: svg and png" },
	{ 0 },
};

/* The formats that are drawn unless one is named come first. */
static const struct chart_format {
	const char *name;
	const char *end_mark; /* in the last bytes of a whole file */
} formats[] = { { "svg", "</svg>" }, { "png", "IEND" }, { "pdf", "%%EOF" } };
#define DEFAULT_FORMAT_COUNT 2
#define END_BYTES            16

/* Of environment.csv, what charts show, in the order of the arguments of plots/common.gp. */
static const char *const shown_keys[] = { "gpu_name", "driver_release", "started_utc",
					  "granule_bytes", "simulated" };

struct chart {
	const char *common;
	const char *directory;
	const char *name;
	const struct chart_format *format;
	char *shown[ARRAY_COUNT(shown_keys)]; /* owned */
};

/* gnuplot -c COMMON CHART FORMAT OUT DIRECTORY SHOWN... */
#define FIRST_SHOWN 7

/* Its complaints go to stderr. */
static int draw(const struct chart *chart, const char *out)
{
	const char *arguments[FIRST_SHOWN + ARRAY_COUNT(shown_keys) + 1] = {
		"gnuplot",           "-c", chart->common,   chart->name,
		chart->format->name, out,  chart->directory
	};
	char *copies[ARRAY_COUNT(arguments)] = { 0 };
	int status = 0, error;
	pid_t pid;

	for (size_t i = 0; i < ARRAY_COUNT(shown_keys); i++)
		arguments[FIRST_SHOWN + i] = chart->shown[i];
	for (size_t i = 0; arguments[i]; i++)
		memcpy(&copies[i], &arguments[i], sizeof copies[i]);
	error = posix_spawnp(&pid, "gnuplot", NULL, NULL, copies, environ);
	if (error)
		return error == ENOENT ? NOT_FOUND : EXIT_FILE;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_FILE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FILE;
}

/* gnuplot does not tell of a full disk, so the end of what it has written has to. */
static bool is_whole(const char *path, const struct chart_format *format)
{
	char end[END_BYTES];
	FILE *file = fopen(path, "re");
	size_t length = 0;

	if (file && !fseek(file, -(long)sizeof end, SEEK_END))
		length = fread(end, 1, sizeof end, file);
	if (file)
		fclose(file);
	return memmem(end, length, format->end_mark, strlen(format->end_mark));
}

static enum exit_code complain_gnuplot(const char *directory)
{
	fprintf(stderr,
		"cuctx: gnuplot is not installed here (5.4 or later is needed); copy %s to where "
		"it "
		"is and run: cuctx plot %s\n",
		directory, directory);
	return EXIT_FILE;
}

/* By way of a draft, so that a chart is whole, and an old one stays where there is no new one. */
static enum exit_code draw_safely(const struct chart *chart, const char *draft, const char *out,
				  bool *is_there)
{
	int r = draw(chart, draft);

	if (!r && is_whole(draft, chart->format) && !rename(draft, out)) {
		printf("%s\n", out);
		return EXIT_FINE;
	}
	unlink(draft);
	*is_there = r != NOT_FOUND;
	if (!*is_there)
		return complain_gnuplot(chart->directory);
	fprintf(stderr, "cuctx: %s: %s\n", out,
		r ? "gnuplot could not draw it" : "it could not be written; is the disk full?");
	return EXIT_FILE;
}

/* `is_there`: whether gnuplot is. */
static enum exit_code plot_chart(const struct chart *chart, bool *is_there)
{
	enum exit_code code;
	char *draft = NULL, *out = NULL;

	if (asprintf(&draft, "%s/plots/.%s.%s.new", chart->directory, chart->name,
		     chart->format->name) < 0 ||
	    asprintf(&out, "%s/plots/%s.%s", chart->directory, chart->name, chart->format->name) <
		    0)
		code = cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	else
		code = draw_safely(chart, draft, out, is_there);
	free(draft);
	free(out);
	return code;
}

static bool exists(const char *directory, const char *name, const char *ending)
{
	char *path = NULL;
	bool is_there =
		asprintf(&path, "%s/%s%s", directory, name, ending) >= 0 && !access(path, R_OK);

	free(path);
	return is_there;
}

static enum exit_code make_plots_folder(const char *directory)
{
	char *path = NULL;
	struct err err;
	int r = 0;

	if (!exists(directory, "environment", ".csv"))
		r = err_set(&err, ENOENT, "%s: no run directory (it has no environment.csv)",
			    directory);
	else if (asprintf(&path, "%s/plots", directory) < 0)
		r = err_set(&err, ENOMEM, "out of memory");
	else if (mkdir(path, 0777) < 0 && errno != EEXIST)
		r = err_errno(&err, errno, "%s", path);
	free(path);
	return r < 0 ? cli_fail(r, &err) : EXIT_FINE;
}

static void forget_shown(struct chart *chart)
{
	for (size_t i = 0; i < ARRAY_COUNT(chart->shown); i++)
		free(chart->shown[i]);
}

/* Texts stand in one line of the chart. */
static int find_shown(struct chart *chart, struct err *reterr)
{
	struct environment environment;
	int r = environment_read(&environment, chart->directory, reterr);

	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_COUNT(shown_keys); i++) {
		char *text = strdup(environment_get(&environment, shown_keys[i]));

		if (!text)
			r = err_errno(reterr, ENOMEM, "%s", chart->directory);
		for (char *c = text; c && *c; c++)
			if ((unsigned char)*c < ' ')
				*c = ' ';
		chart->shown[i] = text;
	}
	environment_free(&environment);
	return r;
}

/* One that cannot be drawn keeps no other from it, unless none can. */
static enum exit_code plot_charts(struct chart *chart, const struct chart_format *wanted,
				  size_t wanted_count)
{
	enum exit_code worst = EXIT_FINE;

	for (size_t i = 0; i < benches_count; i++) {
		chart->name = benches[i]->name;
		if (!exists(chart->directory, chart->name, ".csv"))
			continue;
		for (size_t j = 0; j < wanted_count; j++) {
			bool is_there = true;
			enum exit_code code;

			chart->format = &wanted[j];
			code = plot_chart(chart, &is_there);
			worst = code == EXIT_FINE ? worst : code;
			if (!is_there)
				return worst;
		}
	}
	return worst;
}

static enum exit_code plot_directory(const char *common, const char *directory,
				     const struct chart_format *wanted, size_t wanted_count)
{
	struct chart chart = { .common = common, .directory = directory };
	enum exit_code code = make_plots_folder(directory);
	struct err err;
	int r;

	if (code != EXIT_FINE)
		return code;
	/* The charts draw the laws; and what is no table is told in our words, not in gnuplot's. */
	r = analyse_laws(directory, &err);
	if (!r)
		r = find_shown(&chart, &err);
	code = r < 0 ? cli_fail(r, &err) : plot_charts(&chart, wanted, wanted_count);
	forget_shown(&chart);
	return code;
}

static const struct chart_format *find_format(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

static enum exit_code plot_run(int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "plot", .options = options, .argc = argc, .argv = argv
	};
	const char *directories[DIRECTORIES_MAX];
	const struct chart_format *format = NULL;
	const char *format_name = NULL;
	struct cli_match match;
	enum exit_code code = EXIT_FINE;
	char *common;
	size_t count = 0;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		if (match.option)
			format_name = match.value;
		else if (count < DIRECTORIES_MAX)
			directories[count++] = match.value;
		else
			return cli_usage("plot", "more than %d directories", DIRECTORIES_MAX);
	}
	if (r < 0)
		return EXIT_USAGE;
	if (!count)
		return cli_usage("plot", "a run directory is needed");
	if (format_name)
		format = find_format(format_name);
	if (format_name && !format)
		return cli_usage("plot", "--format: '%s' is none of svg, png, pdf", format_name);
	/* gnuplot reads its scripts in the locale's encoding, and ours are UTF-8. */
	setenv("LC_ALL", "C.UTF-8", 1);
	common = cli_share_path("plots/common.gp");
	if (!common)
		return cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	for (size_t i = 0; i < count; i++) {
		enum exit_code one =
			plot_directory(common, directories[i], format ? format : formats,
				       format ? 1 : DEFAULT_FORMAT_COUNT);

		code = one == EXIT_FINE ? code : one;
	}
	free(common);
	return code;
}

const struct cli_command cmd_plot = {
	.name = "plot",
	.summary = "draw the charts of a run, by gnuplot, into its folder plots",
	.usage = "DIR... [OPTIONS]",
	.options = options,
	.run = plot_run,
};
