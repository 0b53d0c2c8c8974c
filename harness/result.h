/* SPDX-License-Identifier: MIT */
/*
 * What a sample attempt left: one row per step, and the verdict. A row holds exactly what the CSV
 * shows; a value whose `has_` is false was not taken and stays an empty cell.
 */
#ifndef HARNESS_RESULT_H
#define HARNESS_RESULT_H

#include "harness/observer.h"
#include "harness/subject.h"

struct result_row {
	char step[STEP_NAME_MAX];
	enum status status;
	char error[DRIVER_ERROR_MAX];
	char note[STEP_NOTE_MAX];
	bool has_reading[BENCH_READINGS_MAX];
	uint64_t readings[BENCH_READINGS_MAX];
	bool has_device; /* the observer's reading */
	struct device_reading device;
	bool has_self; /* the process was there to read its own meters */
	bool has_self_free;
	uint64_t self_free_bytes;
	struct host_reading host;
	uint64_t elapsed_ns;
};

struct result {
	unsigned int attempt;
	enum status verdict;     /* the worst of its rows */
	struct result_row *rows; /* owned */
	size_t row_count;
	uint64_t cuda_ns; /* inside CUDA and NVML calls, of the sample and of the observer */
	uint64_t exit_ns; /* the system taking the process apart, the driver's clean-up in it */
};

/* A new row with this step name, zeroed; NULL when memory runs out. */
struct result_row *result_add(struct result *result, const char *step);
void result_free(struct result *result);

/* The one of two statuses that says more about a sample. */
enum status status_worse(enum status a, enum status b);

/* Sets the verdict from the rows. */
void result_judge(struct result *result);

/* Marks every row as disturbed, since nobody can say which of them was. */
void result_mark_disturbed(struct result *result, const char *note);

/* Adds to a row's note, after "; " where there is one. */
void result_row_note(struct result_row *row, const char *note);

#endif
