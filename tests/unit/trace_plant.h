/* SPDX-License-Identifier: MIT */
/*
 * Traces that never happened: plant_begin() -> plant_reading(), plant_call() and plant_row() in any
 * order -> plant_read() for the rows as they are, or plant_finish() for what becomes of them.
 * Either is freed with trace_rows_free().
 */
#ifndef TESTS_UNIT_TRACE_PLANT_H
#define TESTS_UNIT_TRACE_PLANT_H

#include "tests/unit/scratch.h"

#include <string.h>

#include "analysis/trace_finish.h"
#include "analysis/trace_rows.h"
#include "analysis/trace_write.h"

struct plant {
	struct csv_row csv;
};

/* Cells by column; NULL is an empty one. */
struct plant_cells {
	const char *cells[TRACE_COLUMN_COUNT];
};

/* Numbers of a row that is a call: when, by whom, and what the meters say around it. */
struct planted_call {
	int64_t begin_ns;
	int64_t end_ns;
	int64_t process;
	int64_t device;
	int64_t before_bytes;
	int64_t used_bytes;
	const char *kind;
	const char *call;
	const char *object; /* by which a test finds it again */
};

static inline void plant_begin(struct plant *plant)
{
	csv_row_init(&plant->csv);
	trace_write_header(&plant->csv);
}

static inline void plant_row(struct plant *plant, const struct plant_cells *row)
{
	for (size_t i = 0; i < TRACE_COLUMN_COUNT; i++) {
		if (row->cells[i])
			csv_row_text(&plant->csv, row->cells[i]);
		else
			csv_row_empty(&plant->csv);
	}
	csv_row_end(&plant->csv);
}

static inline void plant_reading(struct plant *plant, int64_t time_ns, int64_t device,
				 const char *event, int64_t used_bytes)
{
	trace_write_reading(&plant->csv, time_ns, device, event, used_bytes);
}

static inline void plant_call(struct plant *plant, const struct planted_call *call)
{
	const struct {
		enum trace_column column;
		int64_t number;
	} numbers[] = { { TRACE_COLUMN_time_ns, call->begin_ns },
			{ TRACE_COLUMN_elapsed_ns, call->end_ns - call->begin_ns },
			{ TRACE_COLUMN_process, call->process },
			{ TRACE_COLUMN_device, call->device },
			{ TRACE_COLUMN_used_before_bytes, call->before_bytes },
			{ TRACE_COLUMN_used_bytes, call->used_bytes } };
	char texts[sizeof numbers / sizeof *numbers][24];
	struct plant_cells row = { { NULL } };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		snprintf(texts[i], sizeof texts[i], "%lld", (long long)numbers[i].number);
		row.cells[numbers[i].column] = texts[i];
	}
	row.cells[TRACE_COLUMN_event] = "call";
	row.cells[TRACE_COLUMN_kind] = call->kind;
	row.cells[TRACE_COLUMN_call] = call->call;
	row.cells[TRACE_COLUMN_object] = call->object;
	plant_row(plant, &row);
}

static inline void plant_parse(const struct csv_row *csv, struct trace_rows *ret_rows)
{
	struct scratch file = scratch_open();
	struct err err;

	assert_false(csv->failed);
	scratch_fill(&file, csv->bytes, csv->used);
	if (trace_rows_read(ret_rows, file.path, &err) < 0)
		fail_msg("%s", err.text);
	scratch_close(&file);
}

static inline void plant_read(struct plant *plant, struct trace_rows *ret_rows)
{
	plant_parse(&plant->csv, ret_rows);
	csv_row_free(&plant->csv);
}

/* In brackets, so that a test sees that it was asked. */
static inline char *plant_name(void *unused, const char *name)
{
	size_t size = strlen(name) + 3;
	char *plain = malloc(size);

	(void)unused;
	if (plain)
		snprintf(plain, size, "<%s>", name);
	return plain;
}

static inline void plant_finish(struct plant *plant, struct trace_rows *ret_rows)
{
	const struct trace_names names = { plant_name, NULL };
	struct trace_rows raw;
	struct csv_row out;
	struct err err;

	plant_read(plant, &raw);
	csv_row_init(&out);
	assert_int_equal(trace_finish(&raw, &names, &out, &err), 0);
	trace_rows_free(&raw);
	plant_parse(&out, ret_rows);
	csv_row_free(&out);
}

/* What the column adds up to for a device, up to and with `last_row`. */
static inline int64_t plant_sum(const struct trace_rows *rows, int64_t device, size_t last_row)
{
	int64_t index, bytes = 0;

	for (size_t row = 0; row < rows->table.row_count && row <= last_row; row++)
		if (trace_number(rows, row, TRACE_COLUMN_device, &index) && index == device)
			bytes += trace_number_or_0(rows, row, TRACE_COLUMN_delta_bytes);
	return bytes;
}

/* ---- at random ---- */

#define PLANT_DEVICES 3

/* What a device has in use by its first reading and by its last. */
struct plant_ends {
	int64_t first_bytes;
	int64_t last_bytes;
};

static inline void plant_random_call(struct plant *plant, struct dice *dice)
{
	static const struct {
		const char *kind, *call;
	} kinds[] = {
		{ "context", "cuDevicePrimaryCtxRetain" },
		{ "context", "cuDevicePrimaryCtxReset" },
		{ "context", "cuCtxDestroy_v2" },
		{ "allocation", "cuMemAlloc_v2" },
		{ "allocation", "cuMemFree_v2" },
		{ "code", "cuModuleLoadData" },
		{ "launch", "cuLaunchKernel" },
		{ "limit", "cuCtxSetLimit" },
		{ "pool", "cuMemAllocAsync" },
		{ "host", "cuMemHostAlloc" },
		{ "nobody's", "cuNothing" },
	};
	static const char *const objects[] = { "stack", "0x1", "0x2", "0x3" };
	size_t which = dice_below(dice, sizeof kinds / sizeof *kinds);
	struct planted_call call = { .begin_ns = 1 + (int64_t)dice_below(dice, 60) };

	/* Often at the same time as others, and often as long as nothing. */
	call.end_ns = call.begin_ns + (int64_t)dice_below(dice, 12);
	call.process = 1 + (int64_t)dice_below(dice, 4);
	call.device = (int64_t)dice_below(dice, PLANT_DEVICES);
	call.before_bytes = (int64_t)dice_below(dice, 1000000);
	call.used_bytes = (int64_t)dice_below(dice, 1000000);
	call.kind = kinds[which].kind;
	call.call = kinds[which].call;
	call.object = objects[dice_below(dice, 4)];
	plant_call(plant, &call);
}

/* Readings that agree with nothing, so that all that has to hold holds whatever they are. */
static inline void plant_random(struct plant *plant, struct dice *dice,
				struct plant_ends ret_ends[PLANT_DEVICES])
{
	plant_begin(plant);
	for (int64_t device = 0; device < PLANT_DEVICES; device++) {
		ret_ends[device].first_bytes = (int64_t)dice_below(dice, 1000000);
		ret_ends[device].last_bytes = (int64_t)dice_below(dice, 1000000);
		plant_reading(plant, 0, device, "start", ret_ends[device].first_bytes);
		plant_reading(plant, 100, device, "end", ret_ends[device].last_bytes);
	}
	for (uint64_t count = dice_below(dice, 30); count; count--)
		plant_random_call(plant, dice);
}

#endif
