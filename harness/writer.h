/* SPDX-License-Identifier: MIT */
/*
 * <benchmark>.csv: one row per step (harness/columns.def), all rows of a sample appended by one
 * write, so that a killed run leaves whole samples only.
 */
#ifndef HARNESS_WRITER_H
#define HARNESS_WRITER_H

#include "base/csv.h"
#include "harness/plan.h"
#include "harness/result.h"

struct writer {
	const char *directory; /* not owned */
	const char *run;       /* name of the run, not owned */
	int device;
	struct csv_row row; /* reused */
};

void writer_init(struct writer *writer, const char *directory, const char *run, int device);
void writer_release(struct writer *writer);

/* Appends a sample; creates the file with its header when there is none. 0 or -errno. */
int writer_append(struct writer *writer, const struct plan_sample *sample,
		  const struct result *result, struct err *reterr);

/* "DIRECTORY/BENCHMARK.csv", to be freed; NULL when memory runs out. */
char *writer_path(const char *directory, const struct bench *bench);

/* The header's columns of a benchmark's file, into `row`. */
void writer_put_header(struct csv_row *row, const struct bench *bench);

#endif
