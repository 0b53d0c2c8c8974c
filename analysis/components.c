/* SPDX-License-Identifier: MIT */
#include "analysis/components.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/anatomy.h"
#include "base/array.h"

#define LINES_MAX 128
#define SUM_NAME  "all of these, less what is shared"

static const char *const header[] = { "run",      "label", "line",        "component",
				      "drawn_as", "kind",  "start_bytes", "bytes" };

static const char *const kind_names[] = { [ANATOMY_WHOLE] = "whole",
					  [ANATOMY_PART] = "part",
					  [ANATOMY_MORE] = "more",
					  [ANATOMY_SHARED] = "shared" };

/*
 * All runs are gone through twice: for the lines, in an order that is that of each run, and for the
 * bars in them.
 */
struct bars {
	const struct overlay_runs *runs;
	struct csv_row *rows;
	bool is_finding_lines;
	size_t run;
	char *names[LINES_MAX]; /* owned */
	size_t name_count;
	size_t next_line; /* behind that of the bar before */
	bool has[LINES_MAX][OVERLAY_RUNS_MAX];
	int64_t end_bytes; /* of the bar before */
	int64_t whole_bytes;
	bool has_more;   /* of this run */
	bool lacks_line; /* then nothing is said of what is shared, nor of the sum */
	bool has_sum;    /* any run */
	int r;
};

static size_t line_of(const struct bars *bars, const char *name)
{
	for (size_t i = 0; i < bars->name_count; i++)
		if (!strcmp(bars->names[i], name))
			return i;
	return bars->name_count;
}

/* One that no run before has stands behind the one that is before it in this run. */
static void add_line(struct bars *bars, const char *name)
{
	size_t line = line_of(bars, name);
	char *copy;

	if (line == bars->name_count) {
		copy = bars->name_count < LINES_MAX ? strdup(name) : NULL;
		if (!copy) {
			bars->r = bars->name_count < LINES_MAX ? -ENOMEM : -E2BIG;
			return;
		}
		line = bars->next_line;
		memmove(&bars->names[line + 1], &bars->names[line],
			(bars->name_count - line) * sizeof *bars->names);
		bars->names[line] = copy;
		bars->name_count++;
	}
	bars->next_line = line + 1;
}

static void put_bar(struct bars *bars, const char *name, const char *kind, int64_t bytes)
{
	size_t line = line_of(bars, name);
	bool is_from_zero = !strcmp(kind, "whole") || !strcmp(kind, "sum");

	bars->has[line][bars->run] = true;
	csv_row_uint(bars->rows, bars->run + 1);
	overlay_put_text(bars->rows, bars->runs->labels[bars->run]);
	csv_row_uint(bars->rows, line + 1);
	csv_row_text(bars->rows, name);
	overlay_put_text(bars->rows, name);
	csv_row_text(bars->rows, kind);
	csv_row_int(bars->rows, is_from_zero ? 0 : bars->end_bytes);
	csv_row_int(bars->rows, bytes);
	csv_row_end(bars->rows);
	/* The parts of the whole take its place. */
	if (!is_from_zero && __builtin_add_overflow(bars->end_bytes, bytes, &bars->end_bytes))
		bars->r = -ERANGE;
}

/* Where samples differ, what is left of the whole is what the most of its parts leave. */
static int64_t drawn_bytes(const struct bars *bars, const struct anatomy_line *line)
{
	return line->is_rest ? bars->whole_bytes - bars->end_bytes : line->bytes.max_bytes;
}

static void tell_line(void *data, const struct anatomy_line *line)
{
	struct bars *bars = data;

	if (bars->r)
		return;
	bars->lacks_line =
		bars->lacks_line || (!line->bytes.is_measured && line->kind != ANATOMY_SHARED);
	if (!line->bytes.is_measured || (line->kind == ANATOMY_SHARED && bars->lacks_line))
		return;
	if (line->kind == ANATOMY_WHOLE)
		bars->whole_bytes = line->bytes.max_bytes;
	/* Parts may be missing; what comes on top begins where the whole ends. */
	if (line->kind >= ANATOMY_MORE && !bars->has_more) {
		bars->has_more = true;
		bars->end_bytes = bars->whole_bytes;
	}
	if (bars->is_finding_lines)
		add_line(bars, line->name);
	else
		put_bar(bars, line->name, kind_names[line->kind], drawn_bytes(bars, line));
}

static int go_through(struct bars *bars, size_t run, struct err *reterr)
{
	struct anatomy anatomy;
	int r = anatomy_measure(&anatomy, &bars->runs->items[run], reterr);

	if (r < 0)
		return r;
	bars->run = run;
	bars->next_line = 0;
	bars->end_bytes = 0;
	bars->whole_bytes = 0;
	bars->has_more = false;
	bars->lacks_line = false;
	anatomy_each_line(&anatomy, &bars->runs->items[run], tell_line, bars);
	if (bars->has_more && !bars->lacks_line) {
		bars->has_sum = true;
		if (!bars->is_finding_lines)
			put_bar(bars, SUM_NAME, "sum", bars->end_bytes);
	}
	anatomy_free(&anatomy);
	return bars->r ? err_errno(reterr, -bars->r, "%s", COMPONENTS) : 0;
}

/* The sum comes last. */
static int find_lines(struct bars *bars, struct err *reterr)
{
	int r = 0;

	bars->is_finding_lines = true;
	for (size_t i = 0; i < bars->runs->count && !r; i++)
		r = go_through(bars, i, reterr);
	bars->is_finding_lines = false;
	bars->next_line = bars->name_count;
	if (!r && bars->has_sum)
		add_line(bars, SUM_NAME);
	return !r && bars->r ? err_errno(reterr, -bars->r, "%s", COMPONENTS) : r;
}

static void tell_gaps(const struct bars *bars)
{
	for (size_t line = 0; line < bars->name_count; line++)
		for (size_t run = 0; run < bars->runs->count; run++)
			if (!bars->has[line][run])
				bars->runs->tell_gap(
					bars->runs->data,
					&(struct overlay_gap){ bars->runs->labels[run], COMPONENTS,
							       bars->names[line], false });
}

int components_put(const struct overlay_runs *runs, struct csv_row *rows, bool *ret_has_rows,
		   struct err *reterr)
{
	struct bars *bars = calloc(1, sizeof *bars);
	int r = 0;

	if (!bars)
		return err_errno(reterr, ENOMEM, "%s", COMPONENTS);
	bars->runs = runs;
	bars->rows = rows;
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		csv_row_text(rows, header[i]);
	csv_row_end(rows);
	r = find_lines(bars, reterr);
	for (size_t i = 0; i < runs->count && !r; i++)
		r = go_through(bars, i, reterr);
	if (!r)
		tell_gaps(bars);
	*ret_has_rows = bars->name_count > 0;
	for (size_t i = 0; i < bars->name_count; i++)
		free(bars->names[i]);
	free(bars);
	return r;
}
