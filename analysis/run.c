/* SPDX-License-Identifier: MIT */
#include "analysis/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/samples_check.h"

static int read_benchmark(struct samples *samples, const struct run *run, const char *name,
			  struct err *reterr)
{
	char *path = run_path(run->dir, name, ".csv");
	int r;

	if (!path)
		return err_errno(reterr, ENOMEM, "%s", run->dir);
	r = samples_read(samples, path, reterr);
	if (!r)
		r = samples_check(samples, path, environment_get(&run->environment, "run"), name,
				  reterr);
	free(path);
	return r == -ENOENT ? 0 : r;
}

int run_read(struct run *run, const char *dir, const struct requests *requests, struct err *reterr)
{
	struct run read = { .dir = dir, .requests = requests };
	int r = *dir ? environment_read(&read.environment, dir, reterr)
		     : err_set(reterr, ENOENT, "'': No such file or directory");

	if (r < 0)
		return r;
	read.samples = calloc(requests->benchmark_count + 1, sizeof *read.samples);
	r = read.samples ? planned_read(&read.planned, dir, reterr)
			 : err_errno(reterr, ENOMEM, "%s", dir);
	for (size_t i = 0; i < requests->benchmark_count && !r; i++) {
		const char *name = requests->benchmarks[i].name;

		r = read_benchmark(&read.samples[i], &read, name, reterr);
		if (!r)
			planned_find_samples(&read.planned, name, &read.samples[i]);
	}
	if (r < 0) {
		run_free(&read);
		return r;
	}
	*run = read;
	return 0;
}

void run_free(struct run *run)
{
	for (size_t i = 0; run->samples && i < run->requests->benchmark_count; i++)
		samples_free(&run->samples[i]);
	free(run->samples);
	planned_free(&run->planned);
	environment_free(&run->environment);
	*run = (struct run){ 0 };
}

const struct samples *run_samples(const struct run *run, const char *benchmark)
{
	for (size_t i = 0; i < run->requests->benchmark_count; i++)
		if (!strcmp(run->requests->benchmarks[i].name, benchmark))
			return run->samples[i].count ? &run->samples[i] : NULL;
	return NULL;
}

int run_replace(const char *dir, const char *name, const struct csv_row *rows, struct err *reterr)
{
	char *path = run_path(dir, name, ".csv");
	int r = path ? csv_row_replace(rows, path, reterr) : err_errno(reterr, ENOMEM, "%s", dir);

	free(path);
	return r;
}
