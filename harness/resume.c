/* SPDX-License-Identifier: MIT */
#include "harness/resume.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"
#include "cuctx_config.h"
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

bool resume_commit_is_telling(const char *commit)
{
	static const char dirty[] = "-dirty";
	size_t length = strlen(commit), ending = strlen(dirty);

	return length && strcmp(commit, "unknown") != 0 &&
	       (length < ending || strcmp(commit + length - ending, dirty) != 0);
}

/* A simulated device is what its profile says, and that may have been changed. */
static int check_profile(const char *path, struct err *reterr)
{
	struct run_environment now;
	const char *crc32;
	int r;

	run_environment_init(&now);
	run_environment_describe_profile(&now);
	crc32 = now.values[ENVIRONMENT_simulated_profile_crc32];
	r = check_key(path, "simulated_profile_crc32", crc32 ? crc32 : "", reterr);
	run_environment_free(&now);
	return r;
}

static int check_modules(const struct rundir *rundir, const struct modules *modules,
			 struct err *reterr)
{
	char *path = rundir_file(rundir, "kernels.csv", reterr);
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
	char *path = rundir_file(rundir, "environment.csv", reterr);
	int r = path ? 0 : -ENOMEM;

	if (!r)
		r = check_key(path, "simulated", facts->is_simulated ? "yes" : "no", reterr);
	if (!r)
		r = check_key(path, "git_commit", CUCTX_GIT_COMMIT, reterr);
	if (!r)
		r = check_key(path, "gpu_uuid", facts->device.uuid, reterr);
	if (!r)
		r = check_key(path, "driver_release", facts->driver_release, reterr);
	if (!r && facts->is_simulated)
		r = check_profile(path, reterr);
	free(path);
	return r < 0 ? r : check_modules(rundir, modules, reterr);
}

struct scan {
	struct run *run;
	const struct bench *bench;
	struct csv_table table;
	size_t columns[BENCH_AXES_MAX];
	size_t repeat, attempt, step_index, step, error, status;
	/* Of the sample whose rows are being read: its first row, and its verdict so far. */
	size_t first_row;
	enum status verdict;
};

static void find_columns(struct scan *scan)
{
	for (size_t i = 0; i < bench_axis_count(scan->bench); i++)
		scan->columns[i] = csv_table_column(&scan->table, scan->bench->axes[i].name);
	scan->repeat = csv_table_column(&scan->table, "repeat");
	scan->attempt = csv_table_column(&scan->table, "attempt");
	scan->step_index = csv_table_column(&scan->table, "step_index");
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

static bool is_void(const struct scan *scan, size_t row)
{
	return !strcmp(csv_table_cell(&scan->table, row, scan->status),
		       status_text(STATUS_DISTURBED)) ||
	       !strcmp(csv_table_cell(&scan->table, row, scan->error), SAMPLER_ERROR_OBSERVER);
}

/* A complete sample ends in this row: note it in the plan, which must have it, and still want it.
 */
static bool note_complete(struct scan *scan, size_t row)
{
	struct run *run = scan->run;
	int64_t attempt;

	if (!csv_table_int(&scan->table, row, scan->attempt, &attempt))
		return false;
	for (size_t i = 0; i < run->plan.count; i++) {
		if (!matches(scan, row, &run->plan.samples[i]))
			continue;
		if (run->done[i] || attempt != (int64_t)run->attempts[i] + 1)
			return false;
		run->attempts[i] = (unsigned int)attempt;
		run->done[i] = !is_void(scan, row) || attempt >= MEASURE_ATTEMPTS_MAX;
		if (run->done[i])
			run->summary.verdicts[scan->verdict]++;
		return true;
	}
	return false;
}

static bool same_cell(const struct scan *scan, size_t row, size_t column)
{
	return !strcmp(csv_table_cell(&scan->table, row, column),
		       csv_table_cell(&scan->table, scan->first_row, column));
}

/* The next step of the sample that begins in `first_row`. */
static bool is_next_step(const struct scan *scan, size_t row)
{
	int64_t index;

	for (size_t i = 0; i < bench_axis_count(scan->bench); i++)
		if (!same_cell(scan, row, scan->columns[i]))
			return false;
	return same_cell(scan, row, scan->repeat) && same_cell(scan, row, scan->attempt) &&
	       csv_table_int(&scan->table, row, scan->step_index, &index) &&
	       index == (int64_t)(row - scan->first_row);
}

static bool is_last_row(const struct scan *scan, size_t row)
{
	const char *step = csv_table_cell(&scan->table, row, scan->step);

	return !strcmp(step, STEP_EXIT) || !strcmp(step, MEASURE_NO_STEP);
}

/* The header and the first `row_count` rows as they are written. */
static void put_rows(const struct csv_table *table, size_t row_count, struct csv_row *rows)
{
	for (size_t i = 0; i < (row_count + 1) * table->column_count; i++) {
		csv_row_text(rows, table->cells[i]);
		if ((i + 1) % table->column_count == 0)
			csv_row_end(rows);
	}
}

static bool starts_with(const char *path, const struct csv_row *rows)
{
	FILE *file = fopen(path, "re");
	bool same = file;

	for (size_t i = 0; same && i < rows->used; i++)
		same = getc(file) == (unsigned char)rows->bytes[i];
	if (file)
		fclose(file);
	return same;
}

/* Keeps the header and the first `row_count` rows. */
static int keep_rows(const struct scan *scan, const char *path, size_t row_count,
		     struct err *reterr)
{
	struct csv_row rows;
	int r = 0;

	csv_row_init(&rows);
	put_rows(&scan->table, row_count, &rows);
	if (rows.failed)
		r = err_set(reterr, ENOMEM, "%s: out of memory", path);
	else if (!starts_with(path, &rows))
		r = err_set(reterr, EBADMSG,
			    "%s: it is cut off, and it is not as cuctx wrote it; cut it by hand "
			    "behind a row of step exit",
			    path);
	else if (truncate(path, (off_t)rows.used) < 0)
		r = err_errno(reterr, errno, "%s", path);
	csv_row_free(&rows);
	return r;
}

/* A file that was cut off within its header holds no row: it is begun anew. */
static int drop_torn_header(const char *path, struct err *reterr)
{
	FILE *file = fopen(path, "re");
	int c;

	if (!file)
		return err_errno(reterr, errno, "%s", path);
	while ((c = getc(file)) != EOF && c != '\n')
		;
	fclose(file);
	return c == EOF && truncate(path, 0) < 0 ? err_errno(reterr, errno, "%s", path) : 0;
}

/* Rows of another width cannot go below a header. */
static int check_header(const struct scan *scan, const char *path, struct err *reterr)
{
	struct csv_row then, now;
	int r = 0;

	csv_row_init(&then);
	csv_row_init(&now);
	put_rows(&scan->table, 0, &then);
	writer_put_header(&now, scan->bench);
	if (then.failed || now.failed)
		r = err_set(reterr, ENOMEM, "%s: out of memory", path);
	else if (then.used != now.used || memcmp(then.bytes, now.bytes, now.used) != 0)
		r = err_set(reterr, EINVAL,
			    "%s: its columns are those of another version of cuctx; go on with "
			    "that one",
			    path);
	csv_row_free(&then);
	csv_row_free(&now);
	return r;
}

/* Notes all complete samples, and cuts off what is behind the last of them. */
static int scan_rows(struct scan *scan, const char *path, struct err *reterr)
{
	size_t complete_count = 0;

	find_columns(scan);
	for (size_t row = 0; row < scan->table.row_count; row++) {
		enum status status = STATUS_FAILED;

		status_parse(csv_table_cell(&scan->table, row, scan->status), &status);
		scan->first_row = complete_count;
		scan->verdict =
			row == complete_count ? status : status_worse(scan->verdict, status);
		if (!is_next_step(scan, row))
			return err_set(reterr, EBADMSG,
				       "%s: line %zu: not the step that comes next in its sample",
				       path, row + 2);
		if (!is_last_row(scan, row))
			continue;
		complete_count = row + 1;
		if (!note_complete(scan, row))
			return err_set(reterr, EBADMSG,
				       "%s: line %zu: it ends a sample that the plan has not, or "
				       "that is there already",
				       path, row + 2);
	}
	if (!scan->table.torn && complete_count == scan->table.row_count)
		return 0;
	return keep_rows(scan, path, complete_count, reterr);
}

static int scan_bench(struct run *run, const struct bench *bench, struct err *reterr)
{
	struct scan scan = { .run = run, .bench = bench };
	char *path = writer_path(run->rundir.path, bench);
	struct stat status;
	int r;

	if (!path)
		return err_set(reterr, ENOMEM, "out of memory");
	r = stat(path, &status) < 0 ? 0 : drop_torn_header(path, reterr);
	if (!r && !stat(path, &status) && status.st_size)
		r = csv_table_read(&scan.table, path, reterr);
	if (!r && scan.table.cells)
		r = check_header(&scan, path, reterr);
	if (!r && scan.table.cells)
		r = scan_rows(&scan, path, reterr);
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
