/* SPDX-License-Identifier: MIT */
/* Programs that no library can be brought into: what can be told before one is run. */
#ifndef CLI_PROGRAM_CHECK_H
#define CLI_PROGRAM_CHECK_H

#include <stdbool.h>

#include "base/err.h"

/* True where the program can be traced, or nothing is known of it; else `ret_why` says why not. */
bool program_can_be_traced(const char *name, struct err *ret_why);

#endif
