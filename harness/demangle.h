/* SPDX-License-Identifier: MIT */
/*
 * Names of kernels as their source has them: "_Z3addPf" is "add(float*)".
 *
 * demangler_init() -> demangler_name() as often as needed -> demangler_free()
 *
 * It is __cxa_demangle() of the C++ runtime that reads them, found where programs find it
 * (libstdc++.so.6, libc++abi.so.1, or what CUCTX_LIBSTDCXX names). A mangled name refers to parts
 * of itself, so one of a hundred bytes can stand for gigabytes, and names come from files that
 * anybody may have made. So a child process does it, which gets only so much processor time for a
 * name. It starts with the first name that is mangled.
 */
#ifndef HARNESS_DEMANGLE_H
#define HARNESS_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/process.h"

/* Longer ones, before or after, are left mangled. */
#define DEMANGLE_BYTES_MAX ((size_t)64 << 10)
/* After so many names that took too long, all are left mangled. */
#define DEMANGLE_FAILURES_MAX 3

struct demangler {
	struct child child;
	bool is_running;
	unsigned int failure_count;
	char *answer; /* owned */
};

void demangler_init(struct demangler *demangler);
void demangler_free(struct demangler *demangler);

/*
 * The name to show, to be freed: a copy of `mangled` where it is not mangled, cannot be read, or
 * there is no C++ runtime. NULL: no memory.
 */
char *demangler_name(struct demangler *demangler, const char *mangled);

#endif
