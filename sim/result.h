/* SPDX-License-Identifier: MIT */
/* Names of the driver's answers, as cuGetErrorName() tells them and fault lists spell them. */
#ifndef SIM_RESULT_H
#define SIM_RESULT_H

/* NULL for a number that has no name. */
const char *result_name(int result);

/* Reads a name or a number that has a name. Returns 0 or -EINVAL. */
int result_parse(const char *text, int *ret_result);

#endif
