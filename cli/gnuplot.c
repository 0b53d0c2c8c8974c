/* SPDX-License-Identifier: MIT */
#include "cli/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"

const struct chart_format chart_formats[] = { { "svg", "</svg>" },
					      { "png", "IEND" },
					      { "pdf", "%%EOF" } };
const size_t chart_format_count = ARRAY_COUNT(chart_formats);
#define END_BYTES 16
#define NOT_FOUND 127

const struct chart_format *chart_format_find(const char *name)
{
	for (size_t i = 0; i < chart_format_count; i++)
		if (!strcmp(chart_formats[i].name, name))
			return &chart_formats[i];
	return NULL;
}

char *chart_text(const char *text)
{
	char *copy = strdup(text);

	for (char *c = copy; c && *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	return copy;
}

enum exit_code chart_make_folder(const char *folder)
{
	struct err err;
	char *path = NULL;
	int r = 0;

	if (asprintf(&path, "%s/plots", folder) < 0)
		return cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		r = err_errno(&err, errno, "%s", path);
	free(path);
	return r < 0 ? cli_fail(r, &err) : EXIT_FINE;
}

#define FIRST_ARGUMENT 6

/* Its complaints go to stderr. */
static int draw(const struct chart *chart, const struct chart_format *format, const char *out)
{
	const char *arguments[FIRST_ARGUMENT + CHART_ARGUMENTS_MAX + 1] = {
		"gnuplot", "-c", chart->script, chart->name, format->name, out
	};
	char *copies[ARRAY_COUNT(arguments)] = { 0 };
	int status = 0, error;
	pid_t pid;

	for (size_t i = 0; i < CHART_ARGUMENTS_MAX; i++)
		arguments[FIRST_ARGUMENT + i] = chart->arguments[i];
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

static enum exit_code complain_gnuplot(const struct chart *chart)
{
	static bool is_told;
	const char *again = chart->again ? chart->again : "cuctx plot ";

	if (!is_told)
		cli_complain("cuctx: no chart, as gnuplot is not installed here (5.4 or later is "
			     "needed); "
			     "where it is, run: %s%s",
			     again, chart->again ? "" : chart->folder);
	is_told = true;
	return EXIT_FILE;
}

static enum exit_code draw_safely(const struct chart *chart, const struct chart_format *format,
				  const char *draft, const char *out, bool *ret_has_gnuplot)
{
	int r = draw(chart, format, draft);

	*ret_has_gnuplot = true;
	if (!r && is_whole(draft, format) && !rename(draft, out)) {
		if (!chart->is_silent)
			printf("%s\n", out);
		return EXIT_FINE;
	}
	unlink(draft);
	*ret_has_gnuplot = r != NOT_FOUND;
	if (!*ret_has_gnuplot)
		return complain_gnuplot(chart);
	fprintf(stderr, "cuctx: %s: %s\n", out,
		r ? "gnuplot could not draw it" : "it could not be written; is the disk full?");
	return EXIT_FILE;
}

enum exit_code chart_draw(const struct chart *chart, const struct chart_format *format,
			  bool *ret_has_gnuplot)
{
	enum exit_code code;
	char *draft = NULL, *out = NULL;

	if (asprintf(&draft, "%s/plots/.%s.%s.new", chart->folder, chart->name, format->name) < 0 ||
	    asprintf(&out, "%s/plots/%s.%s", chart->folder, chart->name, format->name) < 0)
		code = cli_fail(-ENOMEM, &(struct err){ "out of memory" });
	else
		code = draw_safely(chart, format, draft, out, ret_has_gnuplot);
	free(draft);
	free(out);
	return code;
}
