/* SPDX-License-Identifier: MIT */
#include "analysis/trace_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trace_advice.h"
#include "analysis/trace_parts.h"
#include "analysis/trace_steps.h"
#include "base/array.h"
#include "base/size.h"
#include "base/text.h"

#define DEVICES_MAX 32

static const char *const part_names[] = {
#define TRACE_PART(symbol, name) name,
	TRACE_PARTS
#undef TRACE_PART
};

/* A line of the table: a kind of part, and its name where there are several of them. */
struct line {
	enum trace_part_kind kind;
	const char *name;
	int64_t peak_bytes;
	int64_t end_bytes;
	int64_t count; /* at the peak */
};

static int by_kind_and_name(const void *a, const void *b)
{
	const struct line *first = a, *second = b;

	if (first->kind != second->kind)
		return first->kind < second->kind ? -1 : 1;
	return strcmp(first->name, second->name);
}

static int by_kind_and_bytes(const void *a, const void *b)
{
	const struct line *first = a, *second = b;

	if (first->kind == second->kind && first->peak_bytes != second->peak_bytes)
		return first->peak_bytes > second->peak_bytes ? -1 : 1;
	return by_kind_and_name(a, b);
}

/* Lines of a kind and name, which are neighbours, become one. Returns how many there are then. */
static size_t merge_lines(struct line *lines, size_t count)
{
	size_t last = 0;

	for (size_t i = 1; i < count; i++) {
		if (by_kind_and_name(&lines[last], &lines[i]) != 0) {
			lines[++last] = lines[i];
			continue;
		}
		lines[last].peak_bytes += lines[i].peak_bytes;
		lines[last].end_bytes += lines[i].end_bytes;
		lines[last].count += lines[i].count;
	}
	return count ? last + 1 : 0;
}

/* Of both moments, each kind and name once. NULL for lack of memory. */
static struct line *make_lines(const struct trace_parts *peak, const struct trace_parts *end,
			       size_t *ret_count)
{
	struct line *lines = calloc(peak->count + end->count + 1, sizeof *lines);
	size_t count = 0;

	*ret_count = 0;
	if (!lines)
		return NULL;
	for (size_t i = 0; i < peak->count; i++) {
		const struct trace_part *part = &peak->parts[i];

		lines[count++] =
			(struct line){ part->kind, part->name, part->bytes, 0, part->count };
	}
	for (size_t i = 0; i < end->count; i++) {
		const struct trace_part *part = &end->parts[i];

		lines[count++] = (struct line){ part->kind, part->name, 0, part->bytes, 0 };
	}
	qsort(lines, count, sizeof *lines, by_kind_and_name);
	count = merge_lines(lines, count);
	qsort(lines, count, sizeof *lines, by_kind_and_bytes);
	*ret_count = count;
	return lines;
}

static void put_bytes(struct document *document, int64_t bytes, int64_t whole_bytes)
{
	char size[SIZE_TEXT_MAX];

	document_cell_format(document, "%lld", (long long)bytes);
	document_cell(document, size_format(bytes, size, sizeof size));
	if (whole_bytes > 0)
		document_cell_format(document, "%.1f %%",
				     100.0 * (double)bytes / (double)whole_bytes);
	else
		document_cell(document, "");
}

static void put_name(struct document *document, const struct line *line)
{
	struct text text = { 0 };
	const char *name = part_names[line->kind], *place = strstr(name, "%s");

	text_add_bytes(&text, name, place ? (size_t)(place - name) : strlen(name));
	if (place) {
		text_add(&text, *line->name ? line->name : "several at once");
		text_add(&text, place + 2);
	}
	if (line->count > 1)
		text_format(&text, " (%lld)", (long long)line->count);
	document_cell_text(document, &text);
}

static void put_header(struct document *document)
{
	document_table(document, 7, "lrrrrrr");
	document_cell(document, "Part");
	document_cell(document, "Bytes at the peak");
	document_cell(document, "");
	document_cell(document, "");
	document_cell(document, "Bytes at the end");
	document_cell(document, "");
	document_cell(document, "");
}

struct table {
	const struct trace_parts *peak;
	const struct trace_parts *end;
	struct line *lines; /* by kind; owned */
	size_t count;
};

static void put_line(struct document *document, const struct table *table, const struct line *line)
{
	if (!line->peak_bytes && !line->end_bytes)
		return;
	put_name(document, line);
	put_bytes(document, line->peak_bytes, table->peak->lost_bytes);
	put_bytes(document, line->end_bytes, table->end->lost_bytes);
}

static struct line join_lines(const struct line *lines, size_t count)
{
	struct line joint = { lines[0].kind, "all others", 0, 0, 0 };

	for (size_t i = 0; i < count; i++) {
		joint.peak_bytes += lines[i].peak_bytes;
		joint.end_bytes += lines[i].end_bytes;
		joint.count += lines[i].count;
	}
	return joint;
}

/* Where a kind has more than `top` lines, the smallest are one. */
static void put_lines(struct document *document, const struct table *table, size_t top)
{
	const struct line *lines = table->lines;
	size_t end, shown;

	for (size_t first = 0; first < table->count; first = end) {
		for (end = first; end < table->count && lines[end].kind == lines[first].kind; end++)
			;
		shown = end - first > top ? first + top - 1 : end;
		for (size_t i = first; i < shown; i++)
			put_line(document, table, &lines[i]);
		if (shown < end) {
			struct line joint = join_lines(&lines[shown], end - shown);

			put_line(document, table, &joint);
		}
	}
}

/* Bytes that are not in a line would be a fault of ours that nobody must quote. */
static int check_sum(const struct table *table, struct err *reterr)
{
	struct line sum =
		table->count ? join_lines(table->lines, table->count) : (struct line){ 0 };

	if (sum.peak_bytes == table->peak->lost_bytes && sum.end_bytes == table->end->lost_bytes)
		return 0;
	return err_set(reterr, EBADMSG,
		       "the parts add up to %lld and %lld bytes, the device lost %lld and %lld",
		       (long long)sum.peak_bytes, (long long)sum.end_bytes,
		       (long long)table->peak->lost_bytes, (long long)table->end->lost_bytes);
}

static int put_parts(struct document *document, const struct trace_parts *peak,
		     const struct trace_parts *end, size_t top, struct err *reterr)
{
	struct table table = { .peak = peak, .end = end };
	int r;

	table.lines = make_lines(peak, end, &table.count);
	if (!table.lines)
		return err_set(reterr, ENOMEM, "out of memory");
	r = check_sum(&table, reterr);
	if (!r) {
		put_header(document);
		put_lines(document, &table, top);
		document_cell(document, "all of it: what the device lost");
		put_bytes(document, peak->lost_bytes, peak->lost_bytes);
		put_bytes(document, end->lost_bytes, end->lost_bytes);
	}
	free(table.lines);
	return r;
}

static void put_steps(struct document *document, const struct trace_rows *rows,
		      const struct trace_device *device, size_t top)
{
	size_t found[TRACE_STEPS_MAX];
	size_t count = trace_largest_steps(rows, device, top, found);
	char size[SIZE_TEXT_MAX];

	if (!count)
		return;
	document_add(document, BLOCK_SUBSECTION, "Largest steps");
	document_table(document, 4, "rlrr");
	document_cell(document, "Second");
	document_cell(document, "What");
	document_cell(document, "Bytes");
	document_cell(document, "");
	for (size_t i = 0; i < count; i++) {
		struct text what = { 0 };
		int64_t bytes = trace_number_or_0(rows, found[i], TRACE_COLUMN_delta_bytes);

		trace_step_name(rows, found[i], &what);
		document_cell_format(
			document, "%.3f",
			(double)trace_number_or_0(rows, found[i], TRACE_COLUMN_time_ns) / 1e9);
		document_cell_text(document, &what);
		document_cell_format(document, "%lld", (long long)bytes);
		document_cell(document, size_format(bytes, size, sizeof size));
	}
}

static int put_device(struct document *document, const struct trace_rows *rows,
		      const struct trace_device *device, size_t top, struct err *reterr)
{
	struct trace_parts peak = { 0 }, end = { 0 };
	int r = trace_parts_sum(&peak, rows, device, trace_peak_row(rows, device));

	if (!r)
		r = trace_parts_sum(&end, rows, device, trace_end_row(rows, device));
	if (r < 0)
		err_set(reterr, -r, "out of memory");
	else if (peak.count || end.count) {
		document_format(document, BLOCK_SECTION, "Device %lld: %s",
				(long long)device->index, device->gpu_name);
		r = put_parts(document, &peak, &end, top, reterr);
		put_steps(document, rows, device, top);
		trace_advise(document, rows, device, &peak, &end);
	}
	trace_parts_free(&peak);
	trace_parts_free(&end);
	return r;
}

bool trace_problem(const struct trace_rows *rows, struct err *ret_problem)
{
	bool has_process = false;

	for (size_t row = 0; row < rows->table.row_count; row++) {
		has_process = has_process || trace_is(rows, row, TRACE_COLUMN_event, "process");
		if (!trace_is(rows, row, TRACE_COLUMN_object, "trace_problem"))
			continue;
		err_set(ret_problem, EIO, "process %s was not traced: %s",
			trace_text(rows, row, TRACE_COLUMN_process),
			trace_text(rows, row, TRACE_COLUMN_note));
		return true;
	}
	if (!has_process)
		err_set(ret_problem, EIO,
			"nothing was traced: no process of the program initialised CUDA, or the "
			"driver ignores CUDA_INJECTION64_PATH");
	return !has_process;
}

static void put_problems(struct document *document, const struct trace_rows *rows)
{
	struct err problem;

	if (trace_problem(rows, &problem))
		document_add(document, BLOCK_BANNER, problem.text);
	if (!*trace_fact(rows, "tracer_context_bytes"))
		document_format(
			document, BLOCK_PARAGRAPH,
			"What the tracer itself takes in each context was not measured%s%s.",
			*trace_fact(rows, "tracer_problem") ? ": " : "",
			trace_fact(rows, "tracer_problem"));
}

/* ---- host memory ---- */

/* What is worth a line: what was resident moves by pages all the time. */
#define HOST_TOLD_BYTES (INT64_C(1) << 20)

static int64_t host_bytes(const struct trace_rows *rows, size_t row)
{
	int64_t before, after;

	return trace_number(rows, row, TRACE_COLUMN_host_before_bytes, &before) &&
			       trace_number(rows, row, TRACE_COLUMN_host_rss_bytes, &after)
		       ? after - before
		       : 0;
}

static void put_host(struct document *document, const struct trace_rows *rows)
{
	static const char *const kinds[] = { "context", "limit",  "code",  "launch", "allocation",
					     "pool",    "stream", "event", "graph",  "texture",
					     "host",    "peer",   "other" };
	int64_t sums[ARRAY_COUNT(kinds)] = { 0 };
	char size[SIZE_TEXT_MAX];
	bool has_any = false;

	for (size_t row = 0; row < rows->table.row_count; row++)
		for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
			if (trace_is(rows, row, TRACE_COLUMN_kind, kinds[i]))
				sums[i] += host_bytes(rows, row);
	for (size_t i = 0; i < ARRAY_COUNT(kinds); i++) {
		if (sums[i] < HOST_TOLD_BYTES && sums[i] > -HOST_TOLD_BYTES)
			continue;
		if (!has_any) {
			document_add(document, BLOCK_SECTION, "Resident memory of the host");
			document_table(document, 3, "lrr");
			document_cell(document, "While calls were made for");
			document_cell(document, "Bytes");
			document_cell(document, "");
		}
		has_any = true;
		document_cell(document, kinds[i]);
		document_cell_format(document, "%lld", (long long)sums[i]);
		document_cell(document, size_format(sums[i], size, sizeof size));
	}
}

int trace_summary(struct document *document, const struct trace_rows *rows, size_t top,
		  struct err *reterr)
{
	struct trace_device devices[DEVICES_MAX];
	size_t count = trace_devices(rows, devices, DEVICES_MAX);
	int r = 0;

	document_format(document, BLOCK_TITLE, "Where the memory went: %s",
			trace_fact(rows, "command"));
	if (!strcmp(trace_fact(rows, "simulated"), "yes"))
		document_add(document, BLOCK_BANNER, "SIMULATED: no real GPU was measured.");
	put_problems(document, rows);
	for (size_t i = 0; i < count && !r; i++)
		r = put_device(document, rows, &devices[i], top, reterr);
	if (!r)
		put_host(document, rows);
	return r;
}
