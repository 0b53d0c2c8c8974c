/* SPDX-License-Identifier: MIT */
/*
 * What the device code of a file will take on the device of a run, by the laws of that run: all
 * kernels loaded, of each fat binary the image that the driver picks for the device.
 *
 * inspect_cost_make() -> inspect_cost_piece(), inspect_cost_add() -> inspect_cost_free()
 */
#ifndef INSPECT_COST_H
#define INSPECT_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/document.h"
#include "analysis/laws.h"
#include "analysis/predict.h"
#include "analysis/run.h"
#include "base/err.h"
#include "inspect/contents.h"

struct inspect_cost {
	const struct run *run;     /* the caller's */
	unsigned int architecture; /* of the run's device */
	bool *is_picked;           /* one per image; owned */
	size_t picked_count;
	size_t compiled_count; /* fat binaries of which the driver compiles PTX … */
	size_t useless_count;  /* … or finds nothing that it can run … */
	size_t unlinked_count; /* … or that are for the linker */
	uint64_t function_bytes;
	uint64_t stack_bytes;     /* the largest of a kernel … */
	const char *stack_kernel; /* … which is this one; of the contents; NULL: all are 0 */
	const struct slots
		*slots; /* of the run; NULL where its law is not known or does not hold */
	struct wish wish;
	bool is_predicted;       /* else nothing is picked */
	struct prediction with;  /* a process that has loaded all of it … */
	struct estimate without; /* … and one that has loaded nothing */
	char *beyond;            /* why a law had to go beyond what was measured; or NULL; owned */
};

/*
 * -EDOM where a law that is needed does not hold, -ENODATA where the run has no rows for it or does
 * not say what its device is, -ERANGE for what no law takes; -ENOMEM.
 */
int inspect_cost_make(struct inspect_cost *cost, const struct contents *contents,
		      const struct run *run, const struct laws *laws, struct err *reterr);
void inspect_cost_free(struct inspect_cost *cost);

/* Bytes that this kernel takes alone; false where that cannot be said. */
bool inspect_cost_piece(const struct inspect_cost *cost, size_t image_number,
			const struct cubin_kernel *kernel, int64_t *ret_bytes);

/* Adds what there is to say, for people. */
void inspect_cost_add(const struct inspect_cost *cost, struct document *document);

#endif
