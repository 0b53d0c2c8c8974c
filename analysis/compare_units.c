/* SPDX-License-Identifier: MIT */
#include "analysis/compare_units.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_reader.h"

#define SUFFIX ".csv"

static size_t rank(const struct requests *requests, const char *benchmark)
{
	size_t i = 0;

	while (i < requests->benchmark_count && strcmp(requests->benchmarks[i].name, benchmark))
		i++;
	return i;
}

static bool is_before(const struct requests *requests, const char *a, const char *b)
{
	size_t rank_a = rank(requests, a), rank_b = rank(requests, b);

	return rank_a != rank_b ? rank_a < rank_b : strcmp(a, b) < 0;
}

/* Takes the path over, which may be NULL for lack of memory. */
static int add_path(struct compare_units *units, const struct requests *requests,
		    const char *benchmark, size_t source, char *path)
{
	size_t place = 0;
	struct compare_unit *items;
	char *name;

	while (place < units->count && strcmp(units->items[place].benchmark, benchmark))
		place++;
	if (path && place < units->count) {
		units->items[place].paths[source] = path;
		return 0;
	}
	items = path ? realloc(units->items, (units->count + 1) * sizeof *items) : NULL;
	if (items)
		units->items = items;
	name = items ? strdup(benchmark) : NULL;
	if (!name) {
		free(path);
		return -ENOMEM;
	}
	place = units->count++;
	for (; place && is_before(requests, benchmark, items[place - 1].benchmark); place--)
		items[place] = items[place - 1];
	items[place] = (struct compare_unit){ .benchmark = name };
	items[place].paths[source] = path;
	return 0;
}

/* ---- a directory ---- */

static bool has_rows(const char *path)
{
	struct compare_reader reader;

	if (compare_reader_open(&reader, path, NULL, NULL) < 0)
		return false;
	compare_reader_close(&reader);
	return true;
}

static int take_file(struct compare_units *units, const struct requests *requests,
		     const struct compare_sources *sources, size_t source, const char *file)
{
	size_t length = strlen(file), ending = strlen(SUFFIX);
	char *name, *path;
	int r = 0;

	if (length <= ending || strcmp(file + length - ending, SUFFIX))
		return 0;
	path = run_path(sources->items[source].path, file, "");
	name = strndup(file, length - ending);
	if (path && name && (rank(requests, name) < requests->benchmark_count || has_rows(path))) {
		r = add_path(units, requests, name, source, path);
	} else {
		r = path && name ? 0 : -ENOMEM;
		free(path);
	}
	free(name);
	return r;
}

static int take_directory(struct compare_units *units, const struct requests *requests,
			  const struct compare_sources *sources, size_t source, struct err *reterr)
{
	const char *path = sources->items[source].path;
	DIR *dir = opendir(path);
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return err_errno(reterr, errno, "%s", path);
	while (!r && (entry = readdir(dir)))
		r = take_file(units, requests, sources, source, entry->d_name);
	closedir(dir);
	return r < 0 ? err_errno(reterr, -r, "%s", path) : 0;
}

/* ---- a single CSV ---- */

static int take_single(struct compare_units *units, const struct requests *requests,
		       const struct compare_sources *sources, size_t source, struct err *reterr)
{
	const char *path = sources->items[source].path;
	struct compare_reader reader;
	struct compare_row row;
	int r = compare_reader_open(&reader, path, NULL, reterr);

	if (r < 0)
		return r;
	r = compare_reader_next(&reader, &row, reterr);
	if (!r)
		r = err_set(reterr, EBADMSG, "%s: no rows", path);
	if (r > 0) {
		r = add_path(units, requests, row.cells[reader.places.benchmark], source,
			     strdup(path));
		if (r < 0)
			r = err_errno(reterr, -r, "%s", path);
	}
	compare_reader_close(&reader);
	return r;
}

/* ---- all ---- */

static void unit_free(struct compare_unit *unit)
{
	for (size_t i = 0; i < COMPARE_SOURCES_MAX; i++)
		free(unit->paths[i]);
	free(unit->benchmark);
}

/* Leaves those that a single CSV has; all where there is none. */
static void keep_single(struct compare_units *units, const struct compare_sources *sources)
{
	size_t kept = 0;
	bool has_single = false;

	for (size_t i = 0; i < sources->count; i++)
		has_single = has_single || sources->items[i].is_file;
	for (size_t i = 0; i < units->count; i++) {
		struct compare_unit unit = units->items[i];
		bool is_wanted = !has_single;

		for (size_t k = 0; k < sources->count; k++)
			is_wanted = is_wanted || (sources->items[k].is_file && unit.paths[k]);
		if (is_wanted)
			units->items[kept++] = unit;
		else
			unit_free(&unit);
	}
	units->count = kept;
}

int compare_units_find(struct compare_units *units, const struct compare_sources *sources,
		       const struct requests *requests, struct err *reterr)
{
	int r = 0;

	*units = (struct compare_units){ 0 };
	for (size_t i = 0; i < sources->count && !r; i++)
		r = sources->items[i].is_file ? take_single(units, requests, sources, i, reterr)
					      : take_directory(units, requests, sources, i, reterr);
	keep_single(units, sources);
	if (!r && !units->count)
		r = err_set(reterr, ENOENT, "%s: no benchmark's CSV", sources->items[0].path);
	if (r < 0)
		compare_units_free(units);
	return r;
}

void compare_units_free(struct compare_units *units)
{
	for (size_t i = 0; i < units->count; i++)
		unit_free(&units->items[i]);
	free(units->items);
	*units = (struct compare_units){ 0 };
}
