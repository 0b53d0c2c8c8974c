/* SPDX-License-Identifier: MIT */
#include "harness/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"

/* Everything a cell can be about. */
struct cell {
	const struct writer *writer;
	const struct plan_sample *sample;
	const struct result *result;
	size_t index;
	const struct result_row *row; /* result->rows[index] */
};

typedef void put_cell(struct csv_row *out, const struct cell *cell);

static void put_optional(struct csv_row *out, bool is_taken, uint64_t value)
{
	if (is_taken)
		csv_row_uint(out, value);
	else
		csv_row_empty(out);
}

/* Bytes taken from row `from` to this one. */
static void put_taken(struct csv_row *out, const struct cell *cell, size_t from)
{
	const struct result_row *before = &cell->result->rows[from];

	if (before->has_device && cell->row->has_device)
		csv_row_int(out,
			    (int64_t)(before->device.free_bytes - cell->row->device.free_bytes));
	else
		csv_row_empty(out);
}

#define PUT(column) static void put_##column(struct csv_row *out, const struct cell *cell)

PUT(run)
{
	csv_row_text(out, cell->writer->run);
}

PUT(benchmark)
{
	csv_row_text(out, cell->sample->bench->name);
}

PUT(device)
{
	csv_row_int(out, cell->writer->device);
}

PUT(axes)
{
	char number[24];

	for (size_t i = 0; i < bench_axis_count(cell->sample->bench); i++)
		csv_row_text(out, bench_value_text(cell->sample->bench, &cell->sample->point, i,
						   number));
}

PUT(repeat)
{
	csv_row_uint(out, cell->sample->repeat);
}

PUT(attempt)
{
	csv_row_uint(out, cell->result->attempt);
}

PUT(step_index)
{
	csv_row_uint(out, cell->index);
}

PUT(step)
{
	csv_row_text(out, cell->row->step);
}

PUT(status)
{
	csv_row_text(out, status_text(cell->row->status));
}

PUT(error)
{
	csv_row_text(out, cell->row->error);
}

PUT(readings)
{
	for (size_t i = 0; i < BENCH_READINGS_MAX && cell->sample->bench->readings[i].name; i++)
		put_optional(out, cell->row->has_reading[i], cell->row->readings[i]);
}

PUT(delta_bytes)
{
	put_taken(out, cell, cell->index ? cell->index - 1 : 0);
}

PUT(total_bytes)
{
	put_taken(out, cell, 0);
}

PUT(self_free_bytes)
{
	put_optional(out, cell->row->has_self_free, cell->row->self_free_bytes);
}

PUT(observer_free_bytes)
{
	put_optional(out, cell->row->has_device, cell->row->device.free_bytes);
}

PUT(nvml_used_bytes)
{
	put_optional(out, cell->row->device.nvml.has_used, cell->row->device.nvml.used_bytes);
}

PUT(nvml_process_bytes)
{
	put_optional(out, cell->row->device.nvml.has_process, cell->row->device.nvml.process_bytes);
}

PUT(host_rss_bytes)
{
	put_optional(out, cell->row->has_self, cell->row->host.rss_bytes);
}

PUT(elapsed_ns)
{
	put_optional(out, cell->row->has_self || cell->row->elapsed_ns, cell->row->elapsed_ns);
}

PUT(note)
{
	csv_row_text(out, cell->row->note);
}

PUT(nvml_reserved_bytes)
{
	put_optional(out, cell->row->device.nvml.has_reserved,
		     cell->row->device.nvml.reserved_bytes);
}

PUT(nvml_other_bytes)
{
	put_optional(out, cell->row->device.nvml.has_processes, cell->row->device.nvml.other_bytes);
}

PUT(host_shared_bytes)
{
	put_optional(out, cell->row->has_self, cell->row->host.shared_bytes);
}

PUT(host_mapped_bytes)
{
	put_optional(out, cell->row->has_self, cell->row->host.mapped_bytes);
}

PUT(settle_ns)
{
	put_optional(out, cell->row->has_device, cell->row->device.settle_ns);
}

static const struct column {
	const char *name; /* NULL: named by the benchmark */
	put_cell *put;
} columns[] = {
#define COLUMN(name, what) { #name, put_##name },
#define COLUMN_AXES        { NULL, put_axes },
#define COLUMN_READINGS    { NULL, put_readings },
#include "harness/columns.def"
#undef COLUMN
#undef COLUMN_AXES
#undef COLUMN_READINGS
};

void writer_put_header(struct csv_row *row, const struct bench *bench)
{
	for (size_t i = 0; i < ARRAY_COUNT(columns); i++) {
		if (columns[i].name)
			csv_row_text(row, columns[i].name);
		for (size_t j = 0; columns[i].put == put_axes && j < bench_axis_count(bench); j++)
			csv_row_text(row, bench->axes[j].name);
		for (size_t j = 0; columns[i].put == put_readings && j < BENCH_READINGS_MAX &&
				   bench->readings[j].name;
		     j++)
			csv_row_text(row, bench->readings[j].name);
	}
	csv_row_end(row);
}

void writer_init(struct writer *writer, const char *directory, const char *run, int device)
{
	*writer = (struct writer){ .directory = directory, .run = run, .device = device };
	csv_row_init(&writer->row);
}

void writer_release(struct writer *writer)
{
	csv_row_free(&writer->row);
}

char *writer_path(const char *directory, const struct bench *bench)
{
	char *path;

	return asprintf(&path, "%s/%s.csv", directory, bench->name) < 0 ? NULL : path;
}

static void put_rows(struct writer *writer, const struct plan_sample *sample,
		     const struct result *result)
{
	for (size_t i = 0; i < result->row_count; i++) {
		struct cell cell = { writer, sample, result, i, &result->rows[i] };

		for (size_t j = 0; j < ARRAY_COUNT(columns); j++)
			columns[j].put(&writer->row, &cell);
		csv_row_end(&writer->row);
	}
}

int writer_append(struct writer *writer, const struct plan_sample *sample,
		  const struct result *result, struct err *reterr)
{
	char *path = writer_path(writer->directory, sample->bench);
	struct stat status;
	int r;

	if (!path)
		return err_set(reterr, ENOMEM, "out of memory");
	csv_row_clear(&writer->row);
	if (stat(path, &status) < 0 || !status.st_size)
		writer_put_header(&writer->row, sample->bench);
	put_rows(writer, sample, result);
	r = csv_row_save(&writer->row, path, 0, reterr);
	free(path);
	return r;
}
