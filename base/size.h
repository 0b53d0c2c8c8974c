/* SPDX-License-Identifier: MIT */
/*
 * Sizes as people write them: 1024, 1K, 1KiB, 1.5M, 2G, 1T. K, M, G, T (either case, an optional
 * "iB" or "B" behind) are binary: K = 1024. A fraction is accepted when the result is a whole
 * number.
 */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Reads all of `text`. Returns 0, or -EINVAL for what is no size, no whole number or too large. */
int size_parse(const char *text, uint64_t *ret_value, struct err *reterr);

/* "512 B", "1 KiB", "523.56 MiB": at most two decimals, exact below 1 KiB. Returns `buffer`. */
const char *size_format(int64_t bytes, char *buffer, size_t buffer_size);

#define SIZE_TEXT_MAX 32

#endif
