/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHELL_H
#define CLI_SHELL_H

#include "base/text.h"

/* Adds a space and the argument, so that a shell reads it as it was given. */
void cli_put_argument(struct text *text, const char *argument);

#endif
