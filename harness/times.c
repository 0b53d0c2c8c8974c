/* SPDX-License-Identifier: MIT */
#include "harness/times.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/csv.h"

static const char *const columns[] = { "benchmark", "samples", "elapsed_ns", "cuda_ns", "exit_ns" };

static void put(struct csv_row *rows, const char *name, const struct bench_time *time)
{
	csv_row_text(rows, name);
	csv_row_uint(rows, time->sample_count);
	csv_row_uint(rows, time->elapsed_ns);
	csv_row_uint(rows, time->cuda_ns);
	csv_row_uint(rows, time->exit_ns);
	csv_row_end(rows);
}

static void put_all(const struct run *run, struct csv_row *rows, bool with_header)
{
	const struct run_summary *summary = &run->summary;
	struct bench_time observer = { .elapsed_ns = run->sampler.observer_cuda_ns,
				       .cuda_ns = run->sampler.observer_cuda_ns };
	struct bench_time all = { .elapsed_ns = summary->elapsed_ns,
				  .cuda_ns = summary->cuda_ns,
				  .exit_ns = summary->exit_ns };

	for (size_t i = 0; with_header && i < ARRAY_COUNT(columns); i++)
		csv_row_text(rows, columns[i]);
	if (with_header)
		csv_row_end(rows);
	for (size_t i = 0; i < summary->time_count; i++) {
		put(rows, summary->times[i].bench->name, &summary->times[i]);
		all.sample_count += summary->times[i].sample_count;
	}
	put(rows, "(observer start)", &observer);
	put(rows, "(whole run)", &all);
}

int times_write(const struct run *run, struct err *reterr)
{
	char *path = rundir_file(&run->rundir, "timing.csv", reterr);
	struct csv_row rows;
	struct stat status;
	int r;

	if (!path)
		return -ENOMEM;
	csv_row_init(&rows);
	put_all(run, &rows, stat(path, &status) < 0 || !status.st_size);
	r = csv_row_save(&rows, path, 0, reterr);
	csv_row_free(&rows);
	free(path);
	return r;
}
