/* SPDX-License-Identifier: MIT */
/*
 * The modules that benchmarks load: the folder modules/sm_<A> with its kernels.csv, each file
 * checked against it before anything is measured, so that a missing, damaged or exchanged file is
 * found at the start and not in the middle of a run.
 *
 * modules_open() -> modules_find()/modules_find_sized()/modules_map() -> modules_close().
 */
#ifndef HARNESS_MODULES_H
#define HARNESS_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernels/cubin.h"

#define MODULE_NAME_MAX 64
/* The name of a family's module with a number, for printf. */
#define MODULE_NUMBERED "%s-%llu"

struct module {
	char name[MODULE_NAME_MAX];
	char *path; /* owned */
	uint64_t cubin_bytes;
	uint32_t crc32;        /* of the file */
	uint64_t instructions; /* of its first kernel */
	uint64_t text_bytes;   /* of all its kernels */
	size_t kernel_count;
	struct cubin_form_file forms[CUBIN_FORM_COUNT];
};

struct modules {
	struct module *list; /* in the order of kernels.csv; owned */
	size_t count;
	char *table_path; /* kernels.csv; owned */
};

/*
 * Opens the modules in `folder` for a device of this compute capability: sm_<major><minor>, else
 * the nearest lower minor of the same major (binary compatible). -ENOENT, -EBADMSG with the file at
 * fault.
 */
int modules_open(struct modules *modules, const char *folder, int major, int minor,
		 struct err *reterr);
/* The first modules of the folder, whatever they are for: to make a plan without a device. */
int modules_open_any(struct modules *modules, const char *folder, struct err *reterr);
void modules_close(struct modules *modules);

/* NULL when there is none. */
const struct module *modules_find(const struct modules *modules, const char *name);
const struct module *modules_find_sized(const struct modules *modules, const char *family,
					uint64_t instructions);
bool module_is_in_family(const struct module *module, const char *family);

/* The file's bytes, mapped read-only until the process ends; NULL when it cannot be read. */
const void *module_map(const struct module *module);
/* The same of another form, with a zero behind its end, as text wants it. */
const void *module_map_form(const struct module *module, enum cubin_form form);

#endif
