/* SPDX-License-Identifier: MIT */
/*
 * Progress on stderr: one line that is rewritten when stderr is a terminal, a line now and then
 * when it is not. Samples that went wrong get a line of their own in both.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "harness/run.h"

struct progress {
	bool is_terminal;
	bool has_line; /* the terminal's line holds something */
	uint64_t last_line_ns;
	size_t pending_count; /* samples to take in this run */
};

void progress_init(struct progress *progress);
/* For run_options.progress; `data` is a struct progress. */
void progress_show(void *data, const struct run_progress *now);
/* Clears the line. */
void progress_end(struct progress *progress);

#endif
