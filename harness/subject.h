/* SPDX-License-Identifier: MIT */
/*
 * The subject: the fresh process in which one sample is taken. It reports every step over its
 * socket and waits to be let on, so that what came before a crash is kept and all meters are read
 * while its clock stands still.
 */
#ifndef HARNESS_SUBJECT_H
#define HARNESS_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/bench.h"
#include "harness/host_meter.h"
#include "harness/modules.h"
#include "harness/status.h"

#define STEP_NAME_MAX 48
#define STEP_NOTE_MAX 200

/* The first step of every sample, before any CUDA library is loaded. */
#define STEP_START "start"

/* The last step of every sample that was taken; no benchmark has one of this name. */
#define STEP_EXIT "exit"

/* The step in flight, in memory shared with the parent, who reads it after a crash or a hang. */
struct in_flight {
	char step[STEP_NAME_MAX];
	uint64_t begin_ns;
};

struct subject_task {
	const struct bench *bench;
	struct bench_point point;
	int device; /* ordinal */
	const struct modules *modules;
	unsigned long order; /* of the sample in the plan, from 1 */
	unsigned int attempt;
	struct in_flight *in_flight;
};

struct step_report {
	bool is_last; /* no step: run() has returned and the process is about to exit */
	char step[STEP_NAME_MAX];
	enum status status;
	char error[DRIVER_ERROR_MAX];
	char note[STEP_NOTE_MAX];
	bool has_reading[BENCH_READINGS_MAX];
	uint64_t readings[BENCH_READINGS_MAX];
	bool has_free;
	uint64_t free_bytes; /* cuMemGetInfo in this process */
	struct host_reading host;
	uint64_t elapsed_ns; /* the clock: inside the step's calls */
	uint64_t cuda_ns;    /* elapsed_ns and its own meter's calls */
	uint64_t sent_ns;
};

/* Body of child_start(); `data` is a struct subject_task. */
void subject_body(int socket, void *data);

#endif
