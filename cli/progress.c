/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

#define LINE_EVERY_NS    10000000000u
#define LINE_MAX_COLUMNS 240

/* A dumb terminal cannot rewrite a line. */
void progress_init(struct progress *progress)
{
	const char *terminal = getenv("TERM");

	*progress = (struct progress){ .is_terminal = isatty(STDERR_FILENO) && terminal &&
						      *terminal && strcmp(terminal, "dumb") != 0 };
}

void progress_end(struct progress *progress)
{
	if (progress->has_line)
		fputs("\r\033[K", stderr);
	progress->has_line = false;
}

static size_t terminal_columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || !size.ws_col)
		return 80;
	return size.ws_col;
}

/* "[12/640] limit-stack stack_limit_bytes=1024 api=driver  ETA 1 min 20 s" */
static void put_line(const struct progress *progress, const struct run_progress *now, char *line,
		     size_t size)
{
	char sample[PLAN_TEXT_MAX], duration[32];
	unsigned long long left_ns = 0;

	if (now->taken_count && progress->pending_count > now->taken_count)
		left_ns = now->elapsed_ns / now->taken_count *
			  (progress->pending_count - now->taken_count);
	snprintf(line, size, "[%zu/%zu] %s  ETA %s", now->index, now->count,
		 plan_sample_text(now->sample, sample, sizeof sample),
		 cli_duration(left_ns, duration, sizeof duration));
}

static void show_trouble(struct progress *progress, const struct run_progress *now)
{
	char sample[PLAN_TEXT_MAX];

	progress_end(progress);
	fprintf(stderr, "cuctx: %s repeat=%u attempt=%u: %s%s%s\n",
		plan_sample_text(now->sample, sample, sizeof sample), now->sample->repeat,
		now->attempt, status_text(now->verdict), now->note[0] ? ": " : "", now->note);
}

void progress_show(void *data, const struct run_progress *now)
{
	struct progress *progress = data;
	char line[LINE_MAX_COLUMNS];

	if (status_is_failure(now->verdict))
		show_trouble(progress, now);
	if (cli_quiet)
		return;
	put_line(progress, now, line, sizeof line);
	if (progress->is_terminal) {
		fprintf(stderr, "\r\033[K%.*s", (int)terminal_columns() - 1, line);
		progress->has_line = true;
	} else if (now->elapsed_ns - progress->last_line_ns >= LINE_EVERY_NS) {
		fprintf(stderr, "%s\n", line);
		progress->last_line_ns = now->elapsed_ns;
	}
}
