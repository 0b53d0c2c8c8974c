/* SPDX-License-Identifier: MIT */
/* The inside of `struct sample`, for the files of the harness that run in the subject. */
#ifndef HARNESS_SAMPLE_H
#define HARNESS_SAMPLE_H

#include "harness/nvml_table.h"
#include "harness/runtime.h"
#include "harness/subject.h"

struct sample {
	const struct subject_task *task;
	int socket;
	struct driver cu;
	struct runtime runtime;
	struct nvml nvml;
	bool has_driver;        /* `cu` is filled */
	unsigned int libraries; /* `enum bench_library`s that are loaded beside it */
	CUdevice device;
	CUcontext context;        /* of the driver API's create() */
	bool has_runtime_context; /* the runtime API's create() has succeeded, destroy() has not */
	uint64_t begin_ns;
	struct step_report report; /* of the step that is being taken */
};

/* The `enum bench_library`s that this point goes through. */
unsigned int point_libraries(const struct bench *bench, const struct bench_point *point);

/* Reports the step in flight as failed for a reason of our own, and ends the process. */
__attribute__((noreturn)) void sample_fail(struct sample *s, const char *note);

#endif
