/* SPDX-License-Identifier: MIT */
#include "harness/resume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "harness/environment.h"
#include "harness/measure.h"
#include "harness/writer.h"

static int check_key(const char *path, const char *key, const char *now, struct err *reterr)
{
	char *then = run_environment_read(path, key, reterr);
	int r = 0;

	if (!then)
		return -EBADMSG;
	if (strcmp(then, now))
		r = err_set(reterr, EINVAL, "%s: this run was of %s '%s', now it is '%s'", path,
			    key, then, now);
	free(then);
	return r;
}

static int check_modules(const struct rundir *rundir, const struct modules *modules,
			 struct err *reterr)
{
	char *path = rundir_file(rundir, "kernels.csv");
	struct csv_table then = { 0 }, now = { 0 };
	bool same;
	int r = path ? csv_table_read(&then, path, reterr) : -ENOMEM;

	if (!r)
		r = csv_table_read(&now, modules->table_path, reterr);
	if (!r) {
		same = then.row_count == now.row_count && then.column_count == now.column_count;
		for (size_t i = 0; same && i < (then.row_count + 1) * then.column_count; i++)
			same = !strcmp(then.cells[i], now.cells[i]);
		if (!same)
			r = err_set(reterr, EINVAL, "%s: the modules have been built anew since",
				    path);
	}
	csv_table_free(&then);
	csv_table_free(&now);
	free(path);
	return r;
}

int resume_check(const struct rundir *rundir, const struct observer_facts *facts,
		 const struct modules *modules, struct err *reterr)
{
	char *path = rundir_file(rundir, "environment.csv");
	int r = path ? 0 : -ENOMEM;

	if (!r)
		r = check_key(path, "simulated", facts->is_simulated ? "yes" : "no", reterr);
	if (!r)
		r = check_key(path, "gpu_uuid", facts->device.uuid, reterr);
	if (!r)
		r = check_key(path, "driver_release", facts->driver_release, reterr);
	free(path);
	return r < 0 ? r : check_modules(rundir, modules, reterr);
}

struct scan {
	struct run *run;
	const struct bench *bench;
	struct csv_table table;
	size_t columns[BENCH_AXES_MAX];
	size_t repeat, attempt, step, error, status;
};

static void find_columns(struct scan *scan)
{
	for (size_t i = 0; i < bench_axis_count(scan->bench); i++)
		scan->columns[i] = csv_table_column(&scan->table, scan->bench->axes[i].name);
	scan->repeat = csv_table_column(&scan->table, "repeat");
	scan->attempt = csv_table_column(&scan->table, "attempt");
	scan->step = csv_table_column(&scan->table, "step");
	scan->error = csv_table_column(&scan->table, "error");
	scan->status = csv_table_column(&scan->table, "status");
}

static bool matches(const struct scan *scan, size_t row, const struct plan_sample *sample)
{
	char number[24];
	int64_t repeat;

	if (sample->bench != scan->bench ||
	    !csv_table_int(&scan->table, row, scan->repeat, &repeat) ||
	    repeat != (int64_t)sample->repeat)
		return false;
	for (size_t i = 0; i < bench_axis_count(scan->bench); i++)
		if (strcmp(csv_table_cell(&scan->table, row, scan->columns[i]),
			   bench_value_text(scan->bench, &sample->point, i, number)))
			return false;
	return true;
}

/* A complete sample ends in this row: note it in the plan. */
static void note_complete(struct scan *scan, size_t row)
{
	bool is_void =
		!strcmp(csv_table_cell(&scan->table, row, scan->status),
			status_text(STATUS_DISTURBED)) ||
		!strcmp(csv_table_cell(&scan->table, row, scan->error), SAMPLER_ERROR_OBSERVER);
	int64_t attempt = 1;

	csv_table_int(&scan->table, row, scan->attempt, &attempt);
	for (size_t i = 0; i < scan->run->plan.count; i++) {
		if (!matches(scan, row, &scan->run->plan.samples[i]))
			continue;
		scan->run->attempts[i] = (unsigned int)attempt;
		scan->run->done[i] = !is_void || attempt >= MEASURE_ATTEMPTS_MAX;
		return;
	}
}

static bool is_last_row(const struct scan *scan, size_t row)
{
	const char *step = csv_table_cell(&scan->table, row, scan->step);

	return !strcmp(step, "exit") || !strcmp(step, MEASURE_NO_STEP);
}

/* Keeps the header and the first `row_count` rows, by writing the file anew beside it. */
static int keep_rows(const struct scan *scan, const char *path, size_t row_count,
		     struct err *reterr)
{
	const struct csv_table *table = &scan->table;
	struct csv_row rows;
	int r;

	csv_row_init(&rows);
	for (size_t i = 0; i < (row_count + 1) * table->column_count; i++) {
		csv_row_text(&rows, table->cells[i]);
		if ((i + 1) % table->column_count == 0)
			csv_row_end(&rows);
	}
	/* Rows are written as they were read, so the kept part of the file is exactly this long. */
	r = rows.failed                        ? err_set(reterr, ENOMEM, "%s: out of memory", path)
	    : truncate(path, (off_t)rows.used) ? err_errno(reterr, errno, "%s", path)
					       : 0;
	csv_row_free(&rows);
	return r;
}

static int scan_bench(struct run *run, const struct bench *bench, struct err *reterr)
{
	struct scan scan = { .run = run, .bench = bench };
	char *path = writer_path(run->rundir.path, bench);
	size_t complete_count = 0;
	int r = 0;

	if (!path)
		return err_set(reterr, ENOMEM, "out of memory");
	if (!access(path, F_OK))
		r = csv_table_read(&scan.table, path, reterr);
	if (!r && scan.table.cells) {
		find_columns(&scan);
		for (size_t row = 0; row < scan.table.row_count; row++) {
			if (!is_last_row(&scan, row))
				continue;
			complete_count = row + 1;
			note_complete(&scan, row);
		}
		if (scan.table.torn || complete_count < scan.table.row_count)
			r = keep_rows(&scan, path, complete_count, reterr);
	}
	csv_table_free(&scan.table);
	free(path);
	return r;
}

int resume_scan(struct run *run, struct err *reterr)
{
	int r = 0;

	for (size_t i = 0; !r && i < run->options.plan.bench_count; i++)
		r = scan_bench(run, run->options.plan.benches[i], reterr);
	return r;
}
