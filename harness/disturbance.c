/* SPDX-License-Identifier: MIT */
#include "harness/disturbance.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

static int64_t free_change(const struct result_row *from, const struct result_row *to)
{
	return (int64_t)(to->device.free_bytes - from->device.free_bytes);
}

/* By NVML, did other processes' memory move between these rows? */
static bool others_moved(const struct result_row *from, const struct result_row *to)
{
	const struct nvml_reading *a = &from->device.nvml, *b = &to->device.nvml;

	return from->has_device && to->has_device && a->has_processes && b->has_processes &&
	       (a->other_bytes != b->other_bytes || a->other_count != b->other_count);
}

/* The first row at which others had moved; NULL when they never did. */
static const struct result_row *find_move(const struct result *result)
{
	for (size_t i = 1; i < result->row_count; i++)
		if (others_moved(&result->rows[i - 1], &result->rows[i]))
			return &result->rows[i];
	return NULL;
}

bool disturbance_is_known(const struct result *result)
{
	return find_move(result);
}

static bool find_disturbance(const struct result *result, char *note, size_t note_size)
{
	const struct result_row *first = &result->rows[0];
	const struct result_row *last = &result->rows[result->row_count - 1];
	const struct result_row *moved = find_move(result);

	if (moved) {
		snprintf(note, note_size, "other processes' memory changed in step %s",
			 moved->step);
		return true;
	}
	if (first->has_device && last->has_device && free_change(first, last)) {
		snprintf(note, note_size,
			 "after the process had gone, %" PRId64 " bytes more were free than before",
			 free_change(first, last));
		return true;
	}
	return false;
}

/* The subject's count is read first, so one that differs is another meter or another's move. */
static void compare_free(struct result_row *row, uint64_t granule_bytes)
{
	int64_t difference = (int64_t)(row->self_free_bytes - row->device.free_bytes);
	char note[STEP_NOTE_MAX];

	if (!row->has_self_free || !row->has_device ||
	    (uint64_t)(difference < 0 ? -difference : difference) <= granule_bytes)
		return;
	snprintf(note, sizeof note,
		 "the process and the observer disagree on free memory by %" PRId64 " bytes",
		 difference);
	result_row_note(row, note);
}

static void compare_nvml(const struct result_row *first, struct result_row *row,
			 uint64_t granule_bytes)
{
	int64_t taken, used;
	char note[STEP_NOTE_MAX];

	if (!row->has_device || !first->has_device || !row->device.nvml.has_used ||
	    !first->device.nvml.has_used)
		return;
	taken = -free_change(first, row);
	used = (int64_t)(row->device.nvml.used_bytes - first->device.nvml.used_bytes);
	if ((uint64_t)(used > taken ? used - taken : taken - used) <= granule_bytes)
		return;
	snprintf(note, sizeof note, "NVML says %" PRId64 " bytes were taken, cuMemGetInfo %" PRId64,
		 used, taken);
	result_row_note(row, note);
}

/* What the process took by the device-wide count, and what NVML lists under it. */
static void compare_process(const struct result_row *first, struct result_row *row,
			    uint64_t granule_bytes)
{
	int64_t taken, difference;
	char note[STEP_NOTE_MAX];

	if (!row->has_device || !first->has_device || !row->device.nvml.has_process)
		return;
	taken = -free_change(first, row);
	difference = (int64_t)row->device.nvml.process_bytes - taken;
	if ((uint64_t)(difference < 0 ? -difference : difference) <= granule_bytes)
		return;
	snprintf(note, sizeof note, "NVML's entry of the process is %" PRId64 " bytes %s",
		 difference < 0 ? -difference : difference, difference < 0 ? "lower" : "higher");
	result_row_note(row, note);
}

void disturbance_check(struct result *result, uint64_t granule_bytes)
{
	char note[STEP_NOTE_MAX];

	for (size_t i = 0; i < result->row_count; i++) {
		compare_free(&result->rows[i], granule_bytes);
		compare_nvml(&result->rows[0], &result->rows[i], granule_bytes);
		compare_process(&result->rows[0], &result->rows[i], granule_bytes);
		if (result->rows[i].has_device && !result->rows[i].device.settled)
			result_row_note(&result->rows[i], "the reading did not settle");
	}
	if ((result->verdict == STATUS_OK || result->verdict == STATUS_REFUSED) &&
	    result->row_count && find_disturbance(result, note, sizeof note)) {
		result_mark_disturbed(result, note);
		result->verdict = STATUS_DISTURBED;
	}
}
