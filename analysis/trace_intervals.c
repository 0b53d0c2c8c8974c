/* SPDX-License-Identifier: MIT */
#include "analysis/trace_intervals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Names in a note. */
#define NAMES_MAX 4

struct reading {
	int64_t device;
	int64_t time_ns;
	int64_t used_bytes;
	size_t row;
	bool is_begin; /* of a call, which is in flight from here on */
	bool is_end;
	bool is_point; /* both ends of its row are at the same time */
};

/*
 * When a process wrote last, and about what it has on the device that is looked at: of what several
 * calls took at once, an equal share. Only whether it can have come back is asked of that.
 */
struct process {
	int64_t id;
	int64_t last_ns;
	int64_t held_bytes;
};

struct finder {
	const struct trace_rows *rows;
	struct trace_intervals *out;
	struct reading *readings;
	size_t reading_count;
	size_t *in_flight; /* rows */
	size_t in_flight_count;
	struct process *processes;
	size_t process_count;
	size_t gap_room;
	bool failed;
};

/* ---- readings in order ---- */

/*
 * At the same time, what ends comes before what begins: they did not overlap. Between the two come
 * readings of their own and calls that took no time, each whole before the next.
 */
static int rank_of(const struct reading *reading)
{
	if (reading->is_point)
		return 1;
	return reading->is_begin ? 2 : 0;
}

static int by_device_and_time(const void *a, const void *b)
{
	const struct reading *first = a, *second = b;

	if (first->device != second->device)
		return first->device < second->device ? -1 : 1;
	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	if (rank_of(first) != rank_of(second))
		return rank_of(first) - rank_of(second);
	if (first->row != second->row)
		return first->row < second->row ? -1 : 1;
	return second->is_begin - first->is_begin;
}

static void add_readings(struct finder *finder, size_t row)
{
	const struct trace_rows *rows = finder->rows;
	struct reading *next = &finder->readings[finder->reading_count];
	int64_t elapsed_ns = trace_number_or_0(rows, row, TRACE_COLUMN_elapsed_ns), before;
	struct reading reading = { .row = row, .is_point = !elapsed_ns };

	if (!trace_number(rows, row, TRACE_COLUMN_device, &reading.device) ||
	    !trace_number(rows, row, TRACE_COLUMN_used_bytes, &reading.used_bytes))
		return;
	reading.time_ns = trace_number_or_0(rows, row, TRACE_COLUMN_time_ns);
	if (trace_number(rows, row, TRACE_COLUMN_used_before_bytes, &before)) {
		*next = reading;
		next->used_bytes = before;
		next->is_begin = true;
		next++;
		finder->reading_count++;
		reading.time_ns += elapsed_ns;
		reading.is_end = true;
		finder->out->deltas[row].is_measured = true;
	}
	*next = reading;
	finder->reading_count++;
}

/* ---- processes ---- */

static struct process *process_of(struct finder *finder, int64_t id)
{
	for (size_t i = 0; i < finder->process_count; i++)
		if (finder->processes[i].id == id)
			return &finder->processes[i];
	return NULL;
}

static void see_process(struct finder *finder, size_t row)
{
	int64_t end_ns = trace_number_or_0(finder->rows, row, TRACE_COLUMN_time_ns) +
			 trace_number_or_0(finder->rows, row, TRACE_COLUMN_elapsed_ns);
	struct process *process, *more;
	int64_t id;

	if (!trace_number(finder->rows, row, TRACE_COLUMN_process, &id))
		return;
	process = process_of(finder, id);
	if (!process) {
		more = realloc(finder->processes,
			       (finder->process_count + 1) * sizeof *finder->processes);
		if (!more) {
			finder->failed = true;
			return;
		}
		finder->processes = more;
		process = &more[finder->process_count++];
		*process = (struct process){ .id = id, .last_ns = end_ns };
	}
	if (end_ns > process->last_ns)
		process->last_ns = end_ns;
}

/*
 * Memory that comes back may be that of processes that have written their last row; while a call is
 * in flight, which may free something itself, only where it is no less than half of what such a
 * process has. Those processes are set back to nothing. Returns how many; the process, if it is but
 * one.
 */
static size_t end_processes(struct finder *finder, const struct reading *reading,
			    int64_t given_bytes, int64_t *ret_process)
{
	size_t count = 0;

	*ret_process = 0;
	for (size_t i = 0; i < finder->process_count; i++) {
		struct process *process = &finder->processes[i];

		if (process->last_ns >= reading->time_ns || process->held_bytes <= 0 ||
		    (finder->in_flight_count && given_bytes < process->held_bytes / 2))
			continue;
		process->held_bytes = 0;
		*ret_process = count ? 0 : process->id;
		count++;
	}
	return count;
}

/* ---- changes ---- */

static const char *kind_of_all(const struct finder *finder)
{
	const char *kind = trace_text(finder->rows, finder->in_flight[0], TRACE_COLUMN_kind);

	for (size_t i = 1; i < finder->in_flight_count; i++)
		if (!trace_is(finder->rows, finder->in_flight[i], TRACE_COLUMN_kind, kind))
			return "";
	return kind;
}

static char *names_of_all(struct finder *finder)
{
	struct text text = { 0 };
	char *names = NULL;

	for (size_t i = 0; i < finder->in_flight_count && i < NAMES_MAX; i++)
		text_format(&text, "%s%s of %s", i ? ", " : "",
			    trace_text(finder->rows, finder->in_flight[i], TRACE_COLUMN_call),
			    trace_text(finder->rows, finder->in_flight[i], TRACE_COLUMN_process));
	if (finder->in_flight_count > NAMES_MAX)
		text_add(&text, " and more");
	if (text_take(&text, &names, NULL) < 0)
		finder->failed = true;
	return names;
}

static struct trace_gap *new_gap(struct finder *finder)
{
	struct trace_intervals *out = finder->out;
	struct trace_gap *gaps = out->gaps;

	if (out->gap_count == finder->gap_room) {
		finder->gap_room = finder->gap_room ? 2 * finder->gap_room : 64;
		gaps = realloc(gaps, finder->gap_room * sizeof *gaps);
		if (!gaps) {
			finder->failed = true;
			return NULL;
		}
		out->gaps = gaps;
	}
	return &gaps[out->gap_count++];
}

/* `ended_count` processes have ended, of which `process` is the only one, or 0. */
static void add_gap(struct finder *finder, const struct reading *reading, int64_t before_bytes,
		    size_t ended_count, int64_t process)
{
	struct trace_gap *gap = new_gap(finder);

	if (!gap)
		return;
	*gap = (struct trace_gap){ .time_ns = reading->time_ns - 1,
				   .device = reading->device,
				   .before_bytes = before_bytes,
				   .used_bytes = reading->used_bytes,
				   .call_count = finder->in_flight_count + ended_count,
				   .kind = "" };
	if (finder->in_flight_count)
		gap->note = names_of_all(finder);
	if (ended_count) {
		gap->kind = "exit";
		gap->process = finder->in_flight_count ? 0 : process;
	} else if (finder->in_flight_count) {
		gap->kind = kind_of_all(finder);
	}
}

static void share(struct finder *finder, int64_t bytes)
{
	for (size_t i = 0; i < finder->in_flight_count; i++) {
		struct process *process =
			process_of(finder, trace_number_or_0(finder->rows, finder->in_flight[i],
							     TRACE_COLUMN_process));

		if (process)
			process->held_bytes += bytes / (int64_t)finder->in_flight_count;
	}
}

static void account(struct finder *finder, const struct reading *reading, int64_t before_bytes)
{
	int64_t bytes = reading->used_bytes - before_bytes, process = 0;
	size_t ended_count = bytes < 0 ? end_processes(finder, reading, -bytes, &process) : 0;

	if (!ended_count)
		share(finder, bytes);
	if (finder->in_flight_count == 1 && !ended_count)
		finder->out->deltas[finder->in_flight[0]].bytes += bytes;
	else if (bytes)
		add_gap(finder, reading, before_bytes, ended_count, process);
}

static void take_off(struct finder *finder, size_t row)
{
	for (size_t i = 0; i < finder->in_flight_count; i++) {
		if (finder->in_flight[i] != row)
			continue;
		finder->in_flight[i] = finder->in_flight[--finder->in_flight_count];
		return;
	}
}

static void begin_device(struct finder *finder)
{
	finder->in_flight_count = 0;
	for (size_t i = 0; i < finder->process_count; i++)
		finder->processes[i].held_bytes = 0;
}

static void sweep(struct finder *finder)
{
	for (size_t i = 0; i < finder->reading_count && !finder->failed; i++) {
		const struct reading *reading = &finder->readings[i];
		bool is_first = !i || finder->readings[i - 1].device != reading->device;

		if (is_first)
			begin_device(finder);
		else
			account(finder, reading, finder->readings[i - 1].used_bytes);
		if (reading->is_begin)
			finder->in_flight[finder->in_flight_count++] = reading->row;
		else if (reading->is_end)
			take_off(finder, reading->row);
	}
}

int trace_intervals_find(struct trace_intervals *intervals, const struct trace_rows *rows)
{
	size_t count = rows->table.row_count;
	struct finder finder = { .rows = rows, .out = intervals };

	*intervals =
		(struct trace_intervals){ .deltas = calloc(count + 1, sizeof *intervals->deltas) };
	finder.readings = calloc(2 * count + 1, sizeof *finder.readings);
	finder.in_flight = calloc(count + 1, sizeof *finder.in_flight);
	finder.failed = !intervals->deltas || !finder.readings || !finder.in_flight;
	for (size_t row = 0; row < count && !finder.failed; row++) {
		see_process(&finder, row);
		add_readings(&finder, row);
	}
	if (!finder.failed) {
		qsort(finder.readings, finder.reading_count, sizeof *finder.readings,
		      by_device_and_time);
		sweep(&finder);
	}
	free(finder.readings);
	free(finder.in_flight);
	free(finder.processes);
	return finder.failed ? -ENOMEM : 0;
}

void trace_intervals_free(struct trace_intervals *intervals)
{
	for (size_t i = 0; i < intervals->gap_count; i++)
		free(intervals->gaps[i].note);
	free(intervals->gaps);
	free(intervals->deltas);
}
