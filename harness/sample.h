/* SPDX-License-Identifier: MIT */
/* The inside of `struct sample`, for the files of the harness that run in the subject. */
#ifndef HARNESS_SAMPLE_H
#define HARNESS_SAMPLE_H

#include "harness/runtime.h"
#include "harness/subject.h"

struct sample {
	const struct subject_task *task;
	int socket;
	struct driver cu;
	struct runtime runtime;
	bool has_driver;   /* `cu` is filled */
	bool uses_runtime; /* the axis "api" says so */
	CUdevice device;
	CUcontext context;        /* of the driver API's create() */
	bool has_runtime_context; /* the runtime API's create() has succeeded, destroy() has not */
	uint64_t begin_ns;
	struct step_report report; /* of the step that is being taken */
};

/* Whether this point goes through the runtime API: by the axis "api", where there is one. */
bool point_uses_runtime(const struct bench *bench, const struct bench_point *point);

/* Reports the step in flight as failed for a reason of our own, and ends the process. */
__attribute__((noreturn)) void sample_fail(struct sample *s, const char *note);

#endif
