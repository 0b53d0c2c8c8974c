/* SPDX-License-Identifier: MIT */
/*
 * The one place that calls dlopen(): library_open() -> library_fill() with a table's entries. Only
 * child processes call this: the parent of a measurement never loads a CUDA library, since a forked
 * process cannot use one that its parent has initialised.
 */
#ifndef HARNESS_LIBRARY_H
#define HARNESS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct library {
	const char *what;         /* for messages: "the CUDA driver" */
	const char *variable;     /* environment variable that names another file */
	const char *const *names; /* tried in turn; NULL ends the list */
	const char *help;         /* what to do when it is missing */
};

/*
 * Opens the file that the variable names, else the first of the names that loads. It stays loaded
 * until the process ends. Returns 0 or -ENODEV.
 */
int library_open(const struct library *library, void **ret_handle, struct err *reterr);

/* One pointer of a table: where it goes, and the exported symbol that it comes from. */
struct library_entry {
	const char *symbol;
	size_t offset;
	bool is_needed;
};

/* Fills a table of pointers. NULL, or the symbol that is needed and that the library lacks. */
const char *library_fill(void *handle, const struct library_entry *entries, size_t count,
			 void *table);

/* Path of the program or library whose file this memory is mapped from; NULL where it is of none.
 */
const char *library_of(const void *address);

/*
 * Whether any library that was opened is a stand-in of the simulated device. Those export this
 * symbol, so that what they produce is known as simulated however they came to be loaded.
 */
#define LIBRARY_SIMULATED_SYMBOL "cuctx_simulated_device"
bool library_any_simulated(void);

#endif
