/* SPDX-License-Identifier: MIT */
/*
 * Lets the Nth allocation fail, so that a test can fail each in turn until none is left:
 * fail_memory_at(n) -> the code under test -> fail_memory_end().
 *
 * The linker redirects malloc, calloc, realloc, strdup and strndup of the whole test program here
 * (--wrap in tests/CMakeLists.txt); shared libraries keep theirs.
 */
#ifndef TESTS_UNIT_FAIL_MEMORY_H
#define TESTS_UNIT_FAIL_MEMORY_H

#include <stdbool.h>

void fail_memory_at(unsigned int call);

/* How many calls there were since fail_memory_at(), while none has failed. */
unsigned int fail_memory_calls(void);

/* Back to normal; true when a call was made to fail. */
bool fail_memory_end(void);

#endif
