/* SPDX-License-Identifier: MIT */
/* A trace that is whole: its summary and its chart. */
#ifndef CLI_TRACE_SHOW_H
#define CLI_TRACE_SHOW_H

#include <stdio.h>

#include "cli/cli.h"

/*
 * Prints the summary to `out`, unless that is NULL, and draws plots/FILE.svg and plots/FILE.png
 * beside FILE.csv, unless `draws` is false. Without gnuplot there is a note and no chart.
 */
enum exit_code trace_show(const char *path, size_t top, FILE *out, bool draws);

#endif
