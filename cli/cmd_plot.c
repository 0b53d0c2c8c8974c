/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

struct chart {
	const char *common;
	const char *directory;
	const char *name;
	const struct chart_format *format;
};

/* Runs `gnuplot -c COMMON CHART FORMAT OUT DIRECTORY`. Its complaints go to stderr. */
static int draw(const struct chart *chart, const char *out)
{
	const char *arguments[] = { "gnuplot",           "-c", chart->common,    chart->name,
				    chart->format->name, out,  chart->directory, NULL };
	char *copies[ARRAY_COUNT(arguments)] = { 0 };
	int status = 0, error;
	pid_t pid;

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
static enum exit_code draw_safely(const struct chart *chart, const char *draft, const char *out)
{
	int r = draw(chart, draft);

	if (!r && is_whole(draft, chart->format) && !rename(draft, out)) {
		printf("%s\n", out);
		return EXIT_FINE;
	}
	unlink(draft);
	if (r == NOT_FOUND)
		return complain_gnuplot(chart->directory);
	fprintf(stderr, "cuctx: %s: %s\n", out,
		r ? "gnuplot could not draw it" : "it could not be written; is the disk full?");
	return EXIT_FILE;
}

static enum exit_code plot_chart(const struct chart *chart)
{
	enum exit_code code;
	char *draft = NULL, *out = NULL;

	if (asprintf(&draft, "%s/plots/.%s.%s.new", chart->directory, chart->name,
		     chart->format->name) < 0 ||
	    asprintf(&out, "%s/plots/%s.%s", chart->directory, chart->name, chart->format->name) <
		    0)
		code = cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	else
		code = draw_safely(chart, draft, out);
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
	if (r < 0)
		return cli_fail(r, &err);

	for (size_t i = 0; i < benches_count && code == EXIT_FINE; i++) {
		chart.name = benches[i]->name;
		if (!exists(directory, chart.name, ".csv"))
			continue;
		for (size_t j = 0; j < wanted_count && code == EXIT_FINE; j++) {
			chart.format = &wanted[j];
			code = plot_chart(&chart);
		}
	}
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
	for (size_t i = 0; i < count && code == EXIT_FINE; i++)
		code = plot_directory(common, directories[i], format ? format : formats,
				      format ? 1 : DEFAULT_FORMAT_COUNT);
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
