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
#include "cli/cli.h"

#define DIRECTORIES_MAX 32
#define NOT_FOUND       127

static const struct cli_option options[] = {
	{ "format", "svg|png|pdf", "default: svg and png" },
	{ 0 },
};

static const char *const formats[] = { "svg", "png", "pdf" };
static const char *const default_formats[] = { "svg", "png" };

/* Runs `gnuplot -c COMMON CHART FORMAT OUT DIRECTORY`. Its complaints go to stderr. */
static int draw(const char *common, const char *chart, const char *format, const char *out,
		const char *directory)
{
	const char *arguments[] = { "gnuplot", "-c", common, chart, format, out, directory, NULL };
	char *copies[ARRAY_COUNT(arguments)] = { 0 };
	int status = 0, error;
	pid_t pid;

	for (size_t i = 0; arguments[i]; i++)
		memcpy(&copies[i], &arguments[i], sizeof copies[i]);
	error = posix_spawnp(&pid, "gnuplot", NULL, NULL, copies, environ);
	if (error)
		return error == ENOENT ? NOT_FOUND : EXIT_FILE;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FILE;
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

static enum exit_code plot_chart(const char *common, const char *directory, const char *chart,
				 const char *format)
{
	enum exit_code code = EXIT_FINE;
	char *out = NULL;
	int r;

	if (asprintf(&out, "%s/plots/%s.%s", directory, chart, format) < 0)
		return cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	r = draw(common, chart, format, out, directory);
	if (r == NOT_FOUND) {
		code = complain_gnuplot(directory);
	} else if (r) {
		fprintf(stderr, "cuctx: %s: gnuplot could not draw it\n", out);
		code = EXIT_FILE;
	} else {
		printf("%s\n", out);
	}
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
				     const char *const *wanted, size_t wanted_count)
{
	enum exit_code code = make_plots_folder(directory);

	for (size_t i = 0; i < benches_count && code == EXIT_FINE; i++) {
		if (!exists(directory, benches[i]->name, ".csv"))
			continue;
		for (size_t j = 0; j < wanted_count && code == EXIT_FINE; j++)
			code = plot_chart(common, directory, benches[i]->name, wanted[j]);
	}
	return code;
}

static bool is_format(const char *text)
{
	for (size_t i = 0; i < ARRAY_COUNT(formats); i++)
		if (!strcmp(formats[i], text))
			return true;
	return false;
}

static enum exit_code plot_run(int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "plot", .options = options, .argc = argc, .argv = argv
	};
	const char *directories[DIRECTORIES_MAX];
	const char *format = NULL;
	struct cli_match match;
	enum exit_code code = EXIT_FINE;
	char *common;
	size_t count = 0;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		if (match.option)
			format = match.value;
		else if (count < DIRECTORIES_MAX)
			directories[count++] = match.value;
		else
			return cli_usage("plot", "more than %d directories", DIRECTORIES_MAX);
	}
	if (r < 0)
		return EXIT_USAGE;
	if (!count)
		return cli_usage("plot", "a run directory is needed");
	if (format && !is_format(format))
		return cli_usage("plot", "--format: '%s' is none of svg, png, pdf", format);
	/* gnuplot reads its scripts in the locale's encoding, and ours are UTF-8. */
	setenv("LC_ALL", "C.UTF-8", 1);
	common = cli_share_path("plots/common.gp");
	for (size_t i = 0; common && i < count && code == EXIT_FINE; i++)
		code = plot_directory(common, directories[i], format ? &format : default_formats,
				      format ? 1 : ARRAY_COUNT(default_formats));
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
