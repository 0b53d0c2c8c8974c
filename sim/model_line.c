/* SPDX-License-Identifier: MIT */
/* Where allocations lie, for a device that gives them room in one piece only. */
#include "sim/model_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Neighbouring free spans that nothing lies between. */
struct run {
	size_t first;
	size_t count;
	uint64_t bytes;
};

/*
 * Whether what the context took otherwise lies behind this span. A later span, or the end of the
 * line, says how much that was when it came; what has been given back meanwhile lies nowhere.
 */
static bool is_cut_behind(const struct model_line *line, size_t span, uint64_t other_bytes)
{
	uint64_t then_bytes =
		span + 1 < line->count ? line->spans[span + 1].other_bytes : other_bytes;

	if (then_bytes > other_bytes)
		then_bytes = other_bytes;
	return then_bytes > line->spans[span].other_bytes;
}

/* The run that begins at a free span. */
static struct run run_from(const struct model_line *line, size_t first, uint64_t other_bytes)
{
	struct run run = { .first = first };

	do {
		run.bytes += line->spans[first + run.count].bytes;
		run.count++;
	} while (first + run.count < line->count && line->spans[first + run.count].is_free &&
		 !is_cut_behind(line, first + run.count - 1, other_bytes));
	return run;
}

static uint64_t holes_bytes(const struct model_line *line)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < line->count; i++)
		bytes += line->spans[i].is_free ? line->spans[i].bytes : 0;
	return bytes;
}

/* The first run that holds so much; beyond the last span lies the rest of the device. */
static bool find_run(const struct model_line *line, uint64_t bytes, uint64_t free_bytes,
		     uint64_t other_bytes, struct run *ret_run)
{
	uint64_t holes = holes_bytes(line), rest = free_bytes > holes ? free_bytes - holes : 0;
	struct run run;

	for (size_t i = 0; i < line->count; i += run.count) {
		run = (struct run){ .count = 1 };
		if (!line->spans[i].is_free)
			continue;
		run = run_from(line, i, other_bytes);
		if (i + run.count == line->count &&
		    !is_cut_behind(line, line->count - 1, other_bytes))
			run.bytes += rest;
		if (run.bytes >= bytes) {
			*ret_run = run;
			return true;
		}
	}
	*ret_run = (struct run){ .first = line->count };
	return rest >= bytes;
}

/* Room for one span more. */
static int grow(struct model_line *line)
{
	size_t room = line->room ? 2 * line->room : 64;
	struct model_span *spans;

	if (line->count < line->room)
		return 0;
	spans = reallocarray(line->spans, room, sizeof *spans);
	if (!spans)
		return -ENOMEM;
	line->spans = spans;
	line->room = room;
	return 0;
}

static void replace(struct model_line *line, size_t first, size_t count, struct model_span span)
{
	struct model_span *spans = &line->spans[first];

	memmove(spans + 1, spans + count, (line->count - first - count) * sizeof *spans);
	line->count += 1 - count;
	*spans = span;
}

int model_line_allocate(struct model_line *line, uint64_t address, uint64_t bytes,
			uint64_t free_bytes, uint64_t other_bytes)
{
	struct model_span span = { .address = address, .bytes = bytes, .other_bytes = other_bytes };
	uint64_t left_bytes = bytes;
	struct run run;
	size_t whole = 0;

	if (bytes > free_bytes || !find_run(line, bytes, free_bytes, other_bytes, &run) ||
	    grow(line) < 0)
		return -ENOMEM;
	if (run.count)
		span.other_bytes = line->spans[run.first].other_bytes;
	while (whole < run.count && line->spans[run.first + whole].bytes <= left_bytes)
		left_bytes -= line->spans[run.first + whole++].bytes;
	/* Of the span in which it ends, the other part stays free. */
	if (whole < run.count)
		line->spans[run.first + whole].bytes -= left_bytes;
	replace(line, run.first, whole, span);
	return 0;
}

void model_line_free(struct model_line *line, uint64_t address)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->spans[i].address == address && !line->spans[i].is_free)
			line->spans[i].is_free = true;
}

void model_line_release(struct model_line *line)
{
	free(line->spans);
	*line = (struct model_line){ 0 };
}
