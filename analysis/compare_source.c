/* SPDX-License-Identifier: MIT */
#include "analysis/compare_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv_stream.h"
#include "base/text.h"

/* Begins the name of a run of the simulated device. */
#define SIMULATED_PREFIX "simulated-"

/* ---- LABEL=PATH ---- */

static int split_argument(struct compare_source *source, const char *argument, struct err *reterr)
{
	const char *equals = strchr(argument, '=');

	/* A path may have '=' in it, and what exists is meant. */
	if (access(argument, F_OK) < 0 && equals && equals != argument) {
		source->label = strndup(argument, (size_t)(equals - argument));
		if (!source->label)
			return err_errno(reterr, ENOMEM, "%s", argument);
		argument = equals + 1;
	}
	source->path = strdup(argument);
	return source->path ? 0 : err_errno(reterr, ENOMEM, "%s", argument);
}

/* ---- what it is ---- */

/* The directory that a file lies in; to be freed. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A file without an environment may still tell by the name of its run. */
static int look_at_rows(struct compare_source *source, struct err *reterr)
{
	struct csv_stream *stream = NULL;
	const char *const *cells;
	size_t run;
	int r = csv_stream_open(&stream, source->path, reterr);

	if (r < 0)
		return r;
	run = csv_stream_column(stream, "run");
	r = csv_stream_next(stream, &cells, reterr);
	if (r > 0 && run < csv_stream_column_count(stream))
		source->is_simulated =
			!strncmp(cells[run], SIMULATED_PREFIX, strlen(SIMULATED_PREFIX));
	csv_stream_close(stream);
	return r < 0 ? r : 0;
}

static int read_environment(struct compare_source *source, const char *dir, struct err *reterr)
{
	int r = environment_read(&source->environment, dir, reterr);

	if (r < 0)
		return r;
	source->has_environment = true;
	source->is_simulated = environment_is_simulated(&source->environment);
	source->granule_bytes = environment_number(&source->environment, "granule_bytes");
	if (source->granule_bytes < 0)
		return err_set(reterr, EBADMSG, "%s/environment.csv: granule_bytes is negative",
			       dir);
	return 0;
}

static int read_file(struct compare_source *source, struct err *reterr)
{
	char *dir = folder_of(source->path), *beside = NULL;
	int r = 0;

	source->is_file = true;
	if (dir)
		beside = run_path(dir, "environment", ".csv");
	if (!beside)
		r = err_errno(reterr, ENOMEM, "%s", source->path);
	else if (!access(beside, F_OK))
		r = read_environment(source, dir, reterr);
	else
		r = look_at_rows(source, reterr);
	free(beside);
	free(dir);
	return r;
}

static int open_source(struct compare_source *source, const char *argument, struct err *reterr)
{
	struct stat status;
	int r = split_argument(source, argument, reterr);

	if (r < 0)
		return r;
	if (stat(source->path, &status) < 0)
		return err_errno(reterr, errno, "%s", source->path);
	return S_ISDIR(status.st_mode) ? read_environment(source, source->path, reterr)
				       : read_file(source, reterr);
}

/* ---- labels ---- */

static char *name_by_device(const struct compare_source *source)
{
	const char *gpu = compare_source_fact(source, "gpu_name");
	const char *driver = compare_source_fact(source, "driver_release");
	struct text text = { 0 };
	char *name;

	text_format(&text, "%s%s%s%s", source->is_simulated && *gpu ? "simulated " : "", gpu,
		    *gpu && *driver ? " " : "", driver);
	return text_take(&text, &name, NULL) < 0 ? NULL : name;
}

/* The last part of a path, however many slashes are behind it. */
static char *name_by_path(const struct compare_source *source)
{
	size_t end = strlen(source->path), begin;

	while (end > 1 && source->path[end - 1] == '/')
		end--;
	begin = end;
	while (begin && source->path[begin - 1] != '/')
		begin--;
	return strndup(source->path + begin, end - begin);
}

static char *name_by_number(const char *name, size_t number)
{
	struct text text = { 0 };
	char *numbered;

	text_format(&text, "%s (%zu)", name, number);
	return text_take(&text, &numbered, NULL) < 0 ? NULL : numbered;
}

static bool is_taken(const struct compare_sources *sources, size_t own, const char *label)
{
	for (size_t i = 0; i < sources->count; i++)
		if (i != own && sources->items[i].label && !strcmp(sources->items[i].label, label))
			return true;
	return false;
}

/* Names all that have none by `name`, and takes back what two would have alike. */
static int label_by(struct compare_sources *sources, char *(*name)(const struct compare_source *))
{
	char *names[COMPARE_SOURCES_MAX] = { 0 };
	bool alike[COMPARE_SOURCES_MAX] = { false };
	int r = 0;

	for (size_t i = 0; i < sources->count && !r; i++)
		if (!sources->items[i].label && !(names[i] = name(&sources->items[i])))
			r = -ENOMEM;
	for (size_t i = 0; i < sources->count && !r; i++) {
		alike[i] = !names[i] || !*names[i] || is_taken(sources, i, names[i]);
		for (size_t k = 0; k < sources->count && !alike[i]; k++)
			alike[i] = k != i && names[k] && !strcmp(names[i], names[k]);
	}
	for (size_t i = 0; i < sources->count; i++) {
		if (!r && !alike[i])
			sources->items[i].label = names[i];
		else
			free(names[i]);
	}
	return r;
}

/* The first of "run", "run (2)" ... that no other has; NULL for lack of memory. */
static char *free_label(const struct compare_sources *sources, size_t own, const char *name)
{
	char *label = strdup(name);

	for (size_t number = 2; label && is_taken(sources, own, label); number++) {
		free(label);
		label = name_by_number(name, number);
	}
	return label;
}

static int label_by_number(struct compare_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		struct compare_source *source = &sources->items[i];
		char *name;

		if (source->label)
			continue;
		name = name_by_path(source);
		source->label = name ? free_label(sources, i, name) : NULL;
		free(name);
		if (!source->label)
			return -ENOMEM;
	}
	return 0;
}

static int label_all(struct compare_sources *sources, struct err *reterr)
{
	int r;

	for (size_t i = 0; i < sources->count; i++)
		if (sources->items[i].label && is_taken(sources, i, sources->items[i].label))
			return err_set(reterr, EINVAL, "the label '%s' is given twice",
				       sources->items[i].label);
	r = label_by(sources, name_by_device);
	if (!r)
		r = label_by(sources, name_by_path);
	if (!r)
		r = label_by_number(sources);
	return r < 0 ? err_errno(reterr, -r, "labels") : 0;
}

/* ---- all of them ---- */

int compare_sources_open(struct compare_sources *sources, const char *const *arguments,
			 size_t count, struct err *reterr)
{
	int r = 0;

	*sources = (struct compare_sources){ 0 };
	if (count > COMPARE_SOURCES_MAX)
		return err_set(reterr, EINVAL, "more than %d runs", COMPARE_SOURCES_MAX);
	while (sources->count < count && !r) {
		r = open_source(&sources->items[sources->count], arguments[sources->count], reterr);
		sources->count++;
	}
	if (!r)
		r = label_all(sources, reterr);
	if (r < 0)
		compare_sources_free(sources);
	return r;
}

void compare_sources_free(struct compare_sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		free(sources->items[i].label);
		free(sources->items[i].path);
		environment_free(&sources->items[i].environment);
	}
	*sources = (struct compare_sources){ 0 };
}

bool compare_sources_are_mixed(const struct compare_sources *sources,
			       const struct compare_source **ret_simulated,
			       const struct compare_source **ret_measured)
{
	const struct compare_source *found[2] = { NULL, NULL };

	for (size_t i = 0; i < sources->count; i++)
		found[sources->items[i].is_simulated] = &sources->items[i];
	if (!found[false] || !found[true])
		return false;
	*ret_simulated = found[true];
	*ret_measured = found[false];
	return true;
}

const char *compare_source_fact(const struct compare_source *source, const char *key)
{
	return source->has_environment ? environment_get(&source->environment, key) : "";
}
