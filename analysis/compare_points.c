/* SPDX-License-Identifier: MIT */
#include "analysis/compare_points.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare_record.h"
#include "base/csv.h"

#define STATUS_DISTURBED "disturbed"

/* An attempt that counts only where no other does. */
struct compare_attempt {
	struct hash sample;
	struct compare_record *record;
};

struct compare_sample {
	struct text bytes;
	struct hash identity; /* without the attempt */
	size_t point;
	size_t source;
	int64_t total_bytes; /* of the row before */
	bool is_open;
	bool is_disturbed;
	uint32_t *seen; /* per word, how often it was the name of a step */
	size_t seen_size;
};

/* So many samples that differ from each other are looked through for one that is equal. */
#define RECORDS_COMPARED_MAX 8

static size_t stride(const struct compare_points *points)
{
	return points->value_count + 1;
}

/* ---- the whole ---- */

int compare_points_init(struct compare_points *points, size_t source_count, size_t value_count,
			size_t point_count_max)
{
	size_t slot_count = 16;

	while (slot_count < point_count_max * 2)
		slot_count *= 2;
	*points = (struct compare_points){
		.source_count = source_count,
		.value_count = value_count,
		.items = calloc(point_count_max + 1, sizeof *points->items),
		.stores = calloc((point_count_max + 1) * source_count, sizeof *points->stores),
		.size = point_count_max,
		.slots = calloc(slot_count, sizeof *points->slots),
		.slot_count = slot_count,
		.sample = calloc(1, sizeof *points->sample),
	};
	if (points->items && points->stores && points->slots && points->sample)
		return 0;
	compare_points_free(points);
	return -ENOMEM;
}

void compare_points_free(struct compare_points *points)
{
	for (size_t i = 0; points->stores && i < points->count * points->source_count; i++)
		free(points->stores[i].disturbed);
	if (points->sample) {
		text_free(&points->sample->bytes);
		free(points->sample->seen);
	}
	free(points->sample);
	free(points->stores);
	free(points->items);
	free(points->slots);
	text_free(&points->axes);
	compare_arena_free(points->arena);
	compare_words_free(&points->words);
	*points = (struct compare_points){ 0 };
}

/* ---- finding and adding ---- */

static size_t find_slot(const struct compare_points *points, struct hash hash)
{
	size_t mask = points->slot_count - 1, slot = (size_t)hash.high & mask;

	while (points->slots[slot] &&
	       !hash_equal(points->items[points->slots[slot] - 1].hash, hash))
		slot = (slot + 1) & mask;
	return slot;
}

static void add_axes(struct compare_points *points, const struct compare_reader *reader,
		     const char *const *cells)
{
	for (size_t i = 0; i < reader->axis_count; i++) {
		text_format(&points->axes, "%s=%s", compare_reader_axis(reader, i),
			    cells[reader->axis_first + i]);
		text_add_bytes(&points->axes, "", 1);
	}
	text_add_bytes(&points->axes, "", 1);
}

static int add_point(struct compare_points *points, const struct compare_reader *reader,
		     const struct compare_row *row)
{
	struct compare_point *point = &points->items[points->count];

	/* A file that has grown since it was counted. */
	if (points->count == points->size)
		return -ENOMEM;
	point->hash = row->point;
	point->axes = points->axes.used;
	add_axes(points, reader, row->cells);
	if (points->axes.failed)
		return -ENOMEM;
	points->count++;
	return compare_words_number(&points->words, row->cells[reader->places.benchmark],
				    &point->benchmark);
}

int compare_points_begin(struct compare_points *points, size_t source,
			 const struct compare_reader *reader, const struct compare_row *row)
{
	struct compare_sample *sample = points->sample;
	size_t slot = find_slot(points, row->point);
	int r = 0;

	if (!points->slots[slot]) {
		r = add_point(points, reader, row);
		if (r < 0)
			return r;
		points->slots[slot] = (uint32_t)points->count;
	}
	sample->point = points->slots[slot] - 1;
	sample->source = source;
	sample->identity = reader->run == CSV_NO_COLUMN ? (struct hash){ 0 }
							: hash_text(row->cells[reader->run]);
	sample->identity =
		hash_join(sample->identity, hash_text(row->cells[reader->places.repeat]));
	sample->is_open = true;
	sample->is_disturbed = false;
	sample->total_bytes = 0;
	sample->bytes.used = 0;
	if (sample->seen)
		memset(sample->seen, 0, sample->seen_size * sizeof *sample->seen);
	return 0;
}

/* ---- a row ---- */

/* What the total is more than that of the row before and the delta; modulo 2^64. */
static int64_t unexpected(int64_t before, int64_t delta, int64_t total)
{
	return (int64_t)((uint64_t)total - (uint64_t)before - (uint64_t)delta);
}

static int64_t expected(int64_t before, int64_t delta, int64_t more)
{
	return (int64_t)((uint64_t)before + (uint64_t)delta + (uint64_t)more);
}

static int64_t delta_of(const int64_t *values)
{
	return values[0] == COMPARE_NO_VALUE ? 0 : values[0];
}

/* A total that is none, or that would be written as none, comes after a mark of its own. */
static void put_total(struct compare_sample *sample, const struct compare_row *row)
{
	int64_t more = unexpected(sample->total_bytes, delta_of(row->values), row->total_bytes);

	if (row->total_bytes == COMPARE_NO_VALUE || more == COMPARE_RECORD_NONE) {
		compare_record_put(&sample->bytes, COMPARE_RECORD_NONE);
		compare_record_put(&sample->bytes, row->total_bytes);
	} else {
		compare_record_put(&sample->bytes, more);
	}
	if (row->total_bytes != COMPARE_NO_VALUE)
		sample->total_bytes = row->total_bytes;
}

static int64_t get_total(const unsigned char **at, int64_t *before, int64_t delta)
{
	int64_t more = compare_record_get(at);
	int64_t total = more == COMPARE_RECORD_NONE ? compare_record_get(at)
						    : expected(*before, delta, more);

	if (total != COMPARE_NO_VALUE)
		*before = total;
	return total;
}

size_t compare_points_sample_size(size_t source_count)
{
	/* Two samples to a point, whose axes are some words. */
	return sizeof(struct compare_record) + 8 +
	       (sizeof(struct compare_point) + source_count * sizeof(struct compare_store) + 80) /
		       2;
}

size_t compare_points_row_size(const struct compare_row *row, size_t value_count)
{
	/* The words' numbers, and a total as it is expected. */
	size_t size = 4 * 2 + 1;

	for (size_t i = 0; i < value_count; i++)
		size += compare_record_size(row->values[i]);
	return size;
}

static int count_name(struct compare_sample *sample, uint32_t name, uint32_t *ret_before)
{
	if (name >= sample->seen_size) {
		size_t size = ((size_t)name + 16) * 2;
		uint32_t *seen = realloc(sample->seen, size * sizeof *seen);

		if (!seen)
			return -ENOMEM;
		memset(seen + sample->seen_size, 0, (size - sample->seen_size) * sizeof *seen);
		sample->seen = seen;
		sample->seen_size = size;
	}
	*ret_before = sample->seen[name]++;
	return 0;
}

int compare_points_row(struct compare_points *points, const struct compare_reader *reader,
		       const struct compare_row *row)
{
	struct compare_sample *sample = points->sample;
	uint32_t name = 0, status = 0, error = 0, number = 0;
	int r = compare_words_number(&points->words, row->cells[reader->places.step], &name);

	if (!r)
		r = compare_words_number(&points->words, row->cells[reader->places.status],
					 &status);
	if (!r)
		r = compare_words_number(&points->words, row->cells[reader->places.error], &error);
	if (!r)
		r = count_name(sample, name, &number);
	if (r < 0)
		return r;
	compare_record_put(&sample->bytes, name);
	compare_record_put(&sample->bytes, number);
	compare_record_put(&sample->bytes, status);
	compare_record_put(&sample->bytes, error);
	if (!strcmp(row->cells[reader->places.status], STATUS_DISTURBED))
		sample->is_disturbed = true;
	for (size_t i = 0; i < points->value_count; i++)
		compare_record_put(&sample->bytes, row->values[i]);
	put_total(sample, row);
	return sample->bytes.failed ? -ENOMEM : 0;
}

/* ---- a sample into its point ---- */

static struct compare_record *make_record(struct compare_points *points)
{
	const struct text *bytes = &points->sample->bytes;
	struct compare_record *record = compare_arena_record(&points->arena, bytes->used);

	if (record && bytes->used)
		memcpy(record->bytes, bytes->bytes, bytes->used);
	return record;
}

static int keep(struct compare_points *points, struct compare_store *store)
{
	const struct text *bytes = &points->sample->bytes;
	struct compare_record *record = store->records;

	for (int i = 0; record && i < RECORDS_COMPARED_MAX; i++, record = record->next)
		if (record->length == bytes->used &&
		    !memcmp(record->bytes, text_peek(bytes), bytes->used)) {
			record->count++;
			return 0;
		}
	record = make_record(points);
	if (!record)
		return -ENOMEM;
	record->next = store->records;
	store->records = record;
	return 0;
}

static void drop_disturbed(struct compare_store *store, struct hash sample)
{
	for (size_t i = 0; i < store->disturbed_count; i++)
		if (hash_equal(store->disturbed[i].sample, sample)) {
			store->disturbed[i] = store->disturbed[--store->disturbed_count];
			return;
		}
}

static int keep_disturbed(struct compare_points *points, struct compare_store *store)
{
	struct compare_record *record = make_record(points);
	struct compare_attempt *disturbed =
		realloc(store->disturbed, (store->disturbed_count + 1) * sizeof *disturbed);

	if (disturbed)
		store->disturbed = disturbed;
	if (!record || !disturbed)
		return -ENOMEM;
	disturbed[store->disturbed_count++] =
		(struct compare_attempt){ points->sample->identity, record };
	return 0;
}

int compare_points_end(struct compare_points *points)
{
	struct compare_sample *sample = points->sample;
	struct compare_store *store;

	if (!sample->is_open)
		return 0;
	store = &points->stores[sample->point * points->source_count + sample->source];
	sample->is_open = false;
	store->sample_count++;
	drop_disturbed(store, sample->identity);
	return sample->is_disturbed ? keep_disturbed(points, store) : keep(points, store);
}

/* ---- a point as it is looked at ---- */

size_t compare_points_find(const struct compare_side *side, uint32_t name, uint32_t number,
			   size_t near)
{
	if (near < side->step_count && side->steps[near].name == name &&
	    side->steps[near].number == number)
		return near;
	for (size_t i = 0; i < side->step_count; i++)
		if (side->steps[i].name == name && side->steps[i].number == number)
			return i;
	return side->step_count;
}

static int add_step(const struct compare_points *points, struct compare_side *side,
		    const struct compare_step *step)
{
	if (side->step_count == side->step_size) {
		size_t size = side->step_size + side->step_size / 2 + 8;
		struct compare_step *steps = realloc(side->steps, size * sizeof *steps);
		struct compare_extent *extents;

		if (!steps)
			return -ENOMEM;
		side->steps = steps;
		extents = realloc(side->extents, size * stride(points) * sizeof *extents);
		if (!extents)
			return -ENOMEM;
		side->extents = extents;
		side->step_size = size;
	}
	for (size_t i = 0; i < stride(points); i++)
		side->extents[side->step_count * stride(points) + i] =
			(struct compare_extent){ INT64_MAX, INT64_MIN };
	side->steps[side->step_count++] = *step;
	return 0;
}

static void widen(struct compare_extent *extent, int64_t value)
{
	if (value == COMPARE_NO_VALUE)
		return;
	if (value < extent->low)
		extent->low = value;
	if (value > extent->high)
		extent->high = value;
}

/* Some numbers that are not negative, as all that are written by put_word(). */
static uint32_t get_word(const unsigned char **at)
{
	return (uint32_t)compare_record_get(at);
}

static int fold_row(const struct compare_points *points, struct compare_side *side, size_t near,
		    const unsigned char **at, int64_t *total)
{
	struct compare_step step = { 0 };
	int64_t values[COMPARE_VALUES_MAX + 1] = { COMPARE_NO_VALUE };
	struct compare_extent *extents;
	size_t place;

	step.name = get_word(at);
	step.number = get_word(at);
	step.status = get_word(at);
	step.error = get_word(at);
	for (size_t i = 0; i < points->value_count; i++)
		values[i] = compare_record_get(at);
	values[points->value_count] = get_total(at, total, delta_of(values));
	/* The first sample's steps are all new, and no two of them are the same. */
	place = side->repeat_count ? compare_points_find(side, step.name, step.number, near)
				   : side->step_count;
	if (place == side->step_count && add_step(points, side, &step) < 0)
		return -ENOMEM;
	if (side->steps[place].status != step.status || side->steps[place].error != step.error)
		side->steps[place].is_torn = true;
	extents = &side->extents[place * stride(points)];
	for (size_t i = 0; i < stride(points); i++)
		widen(&extents[i], values[i]);
	return 0;
}

static int fold(const struct compare_points *points, struct compare_side *side,
		const struct compare_record *record)
{
	const unsigned char *at = record->bytes, *end = record->bytes + record->length;
	int64_t total = 0;

	for (size_t i = 0; at < end; i++) {
		int r = fold_row(points, side, i, &at, &total);

		if (r < 0)
			return r;
	}
	side->repeat_count += record->count;
	return 0;
}

static int fold_all(const struct compare_points *points, struct compare_side *side,
		    const struct compare_store *store)
{
	int r = 0;

	for (const struct compare_record *record = store->records; record && !r;
	     record = record->next)
		r = fold(points, side, record);
	for (size_t i = 0; i < store->disturbed_count && !r; i++)
		r = fold(points, side, store->disturbed[i].record);
	return r;
}

int compare_points_side(const struct compare_points *points, size_t point, size_t source,
			struct compare_side *side)
{
	const struct compare_store *store = &points->stores[point * points->source_count + source];

	side->step_count = 0;
	side->repeat_count = 0;
	side->sample_count = store->sample_count;
	return fold_all(points, side, store);
}

void compare_side_free(struct compare_side *side)
{
	free(side->steps);
	free(side->extents);
	*side = (struct compare_side){ 0 };
}

/* ---- looking ---- */

struct compare_range compare_points_range(const struct compare_points *points,
					  const struct compare_side *side, size_t step,
					  size_t value)
{
	struct compare_extent extent = side->extents[step * stride(points) + value];

	return (struct compare_range){ extent.low, extent.high, side->repeat_count };
}

const char *compare_points_axes(const struct compare_points *points, size_t point)
{
	return points->axes.bytes + points->items[point].axes;
}
