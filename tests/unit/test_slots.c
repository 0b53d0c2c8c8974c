/* SPDX-License-Identifier: MIT */
/* Slots are planted, seen through a meter of 2 MiB, and demanded back; what has none gets none. */
#include "tests/unit/check.h"

#include <errno.h>
#include <string.h>

#include "analysis/law.h"
#include "analysis/slots.h"
#include "base/array.h"
#include "tests/unit/fail_memory.h"

#define GRANULE   ((int64_t)2 << 20)
#define BASE      ((int64_t)548995072) /* that the context takes before the first copy */
#define EDGES_MAX 8192
#define COPIES    4096

/* Code of the kernels that module-copies loads. */
static const int64_t texts[] = { 640, 1280, 1920, 4096, 6144, 12288, 16384, 24576, 49152, 65536 };

struct device {
	int64_t slot_bytes;
	int64_t extra_bytes;
	int64_t slack_bytes;
	bool in_chunks;
};

struct edges {
	struct slot_edge items[EDGES_MAX];
	size_t count;
};

static int64_t round_up(int64_t bytes, int64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* ---- a device ---- */

struct memory {
	int64_t slack_left;
	int64_t chunk_left;
	int64_t packed;
	int64_t bytes;
};

static void place_in_chunk(struct memory *memory, int64_t piece)
{
	if (piece <= memory->slack_left) {
		memory->slack_left -= piece;
		return;
	}
	if (piece > memory->chunk_left) {
		memory->chunk_left = round_up(piece, GRANULE);
		memory->bytes += memory->chunk_left;
	}
	memory->chunk_left -= piece;
}

static void place_in_pool(struct memory *memory, const struct device *device, int64_t piece)
{
	memory->packed += piece;
	if (memory->packed > device->slack_bytes)
		memory->bytes = round_up(memory->packed - device->slack_bytes, GRANULE);
}

/* As the benchmark does: copies one by one, and a row whenever the meter has moved or all are
 * loaded. */
static void load_copies(struct edges *edges, const struct device *device, int64_t text,
			int64_t copies)
{
	struct memory memory = { .slack_left = device->slack_bytes };
	int64_t piece = round_up(text + device->extra_bytes, device->slot_bytes), before = 0;

	for (int64_t i = 1; i <= copies; i++) {
		if (device->in_chunks)
			place_in_chunk(&memory, piece);
		else
			place_in_pool(&memory, device, piece);
		if (memory.bytes == before && i < copies)
			continue;
		assert_true(edges->count < EDGES_MAX);
		edges->items[edges->count++] =
			(struct slot_edge){ text, i, BASE + before, BASE + memory.bytes };
		before = memory.bytes;
	}
}

static void load_all(struct edges *edges, const struct device *device)
{
	edges->count = 0;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		load_copies(edges, device, texts[i], COPIES);
}

static struct slots fit(struct edges *edges)
{
	struct slots slots;

	assert_int_equal(slots_fit(edges->items, edges->count, &slots), 0);
	return slots;
}

static void assert_within(struct slot_range range, int64_t planted)
{
	assert_in_range(planted, range.low, range.high);
	assert_in_range(range.value, range.low, range.high);
}

/* ---- what is planted comes back ---- */

static void assert_recovered(const struct device *device)
{
	static struct edges edges;
	struct slots slots;

	load_all(&edges, device);
	slots = fit(&edges);
	assert_true(slots.holds);
	assert_int_equal(slots.residual_max_bytes, 0);
	assert_int_equal(slots.slot.value, device->slot_bytes);
	assert_in_range(device->slot_bytes, slots.slot.low, slots.slot.high);
	assert_within(slots.overhead, device->extra_bytes);
}

static void test_slots_from_512_to_64K(void **state)
{
	static const int64_t extras[] = { 0, 96, 1000, 2112, 5000 };

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_COUNT(extras); i++) {
		struct device device = { .extra_bytes = extras[i / 2], .in_chunks = i % 2 };

		for (device.slot_bytes = 256; device.slot_bytes <= 65536; device.slot_bytes *= 2) {
			device.slack_bytes = 393216;
			assert_recovered(&device);
			device.slack_bytes = 0;
			assert_recovered(&device);
		}
	}
}

static void test_slots_that_are_no_power_of_two(void **state)
{
	static const int64_t slots[] = { 384, 640, 768, 1536, 3072, 12288, 24576, 49152 };

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_COUNT(slots); i++)
		assert_recovered(&(struct device){ slots[i / 2], 2112, 393216, i % 2 });
	/* Behind one another, pieces tell more than in chunks. */
	assert_recovered(&(struct device){ 777, 2112, 393216, true });
	assert_recovered(&(struct device){ 777, 2112, 393216, false });
	assert_recovered(&(struct device){ 12345, 96, 10000, false });
	assert_recovered(&(struct device){ 50000, 96, 10000, false });
}

/* What the edges cannot tell apart is said, and what they can is. */
static void test_what_is_left_open(void **state)
{
	static struct edges edges;
	struct slots slots;

	(void)state;
	load_all(&edges, &(struct device){ 65536, 2112, 393216, true });
	slots = fit(&edges);
	assert_int_equal(slots.slot.low, GRANULE / 33 + 1);
	assert_int_equal(slots.slot.high, GRANULE / 32);
	assert_int_equal(slots.chunk_bytes, GRANULE);
	load_all(&edges, &(struct device){ 1024, 2112, 393216, true });
	slots = fit(&edges);
	assert_int_equal(slots.slot.low, 1024);
	assert_int_equal(slots.slot.high, 1024);
	/* Code comes in pieces of 128 bytes, so that an overhead is known that closely. */
	assert_int_equal(slots.overhead.low, 2049);
	assert_int_equal(slots.overhead.high, 2176);
	assert_within(slots.slack, 393216);
	load_all(&edges, &(struct device){ 1024, 2112, 10000, false });
	slots = fit(&edges);
	assert_int_equal(slots.chunk_bytes, 0);
	assert_within(slots.slack, 10000);
}

static void test_any_device_is_among_the_possible(void **state)
{
	static struct edges edges;
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct device device = { .slot_bytes = 1 + (int64_t)dice_below(&dice, 70000),
					 .extra_bytes = (int64_t)dice_below(&dice, 9000),
					 .slack_bytes = (int64_t)dice_below(&dice, 3000000),
					 .in_chunks = dice_below(&dice, 2) };
		struct slots slots;

		load_all(&edges, &device);
		slots = fit(&edges);
		assert_true(slots.holds);
		assert_within(slots.slot, device.slot_bytes);
		if (slots.slot.value == device.slot_bytes)
			assert_within(slots.overhead, device.extra_bytes);
	}
}

/* The figure that is given meets all edges itself. */
static void test_the_answer_explains_every_edge(void **state)
{
	static struct edges edges, again;
	struct dice dice = dice_start();

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct device device = { .slot_bytes = 1 + (int64_t)dice_below(&dice, 70000),
					 .extra_bytes = (int64_t)dice_below(&dice, 9000),
					 .slack_bytes = (int64_t)dice_below(&dice, 3000000),
					 .in_chunks = dice_below(&dice, 2) };
		struct slots slots;

		load_all(&edges, &device);
		slots = fit(&edges);
		load_all(&again, &(struct device){ slots.slot.value, slots.overhead.value,
						   slots.slack.value, slots.chunk_bytes });
		assert_int_equal(again.count, slots.edge_count);
		assert_memory_equal(again.items, edges.items, again.count * sizeof *again.items);
		assert_int_equal(slots_piece(&slots, 640),
				 round_up(640 + slots.overhead.value, slots.slot.value));
	}
}

static void test_order_and_repeats_do_not_matter(void **state)
{
	static struct edges edges;
	const struct device device = { 768, 96, 10000, true };
	struct slots slots;

	(void)state;
	load_all(&edges, &device);
	slots = fit(&edges);
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
		size_t k = ARRAY_COUNT(texts) - 1 - i;

		load_copies(&edges, &device, texts[k], 1000); /* stops between two edges */
		load_copies(&edges, &device, texts[k], COPIES);
	}
	assert_int_equal(fit(&edges).slot.value, slots.slot.value);
	assert_int_equal(fit(&edges).slot.low, slots.slot.low);
	assert_true(fit(&edges).holds);
}

/* ---- what has no slot ---- */

static void assert_nothing_holds(struct edges *edges)
{
	struct slots slots = fit(edges);

	assert_false(slots.holds);
	assert_true(slots.residual_max_bytes > 0);
	assert_int_equal(slots.slot.value, 0);
}

static void test_one_copy_too_late(void **state)
{
	static struct edges edges;

	(void)state;
	for (int in_chunks = 0; in_chunks < 2; in_chunks++) {
		load_all(&edges, &(struct device){ 1024, 2112, 393216, in_chunks });
		edges.items[2].copies++;
		assert_nothing_holds(&edges);
	}
}

static void test_pieces_that_are_no_rounded_code(void **state)
{
	static struct edges edges;

	(void)state;
	/* Every second size has ten kilobytes more. */
	edges.count = 0;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		load_copies(&edges, &(struct device){ 256, i % 2 ? 96 : 10336, 393216, true },
			    texts[i], COPIES);
	assert_nothing_holds(&edges);
	/* Each has a slack of its own. */
	edges.count = 0;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		load_copies(&edges, &(struct device){ 256, 96, i % 2 ? 0 : 393216, true }, texts[i],
			    COPIES);
	assert_nothing_holds(&edges);
	/* The largest are packed in another way. */
	edges.count = 0;
	for (size_t i = 0; i < ARRAY_COUNT(texts); i++)
		load_copies(&edges, &(struct device){ 256, 96, 393216, texts[i] < 65536 }, texts[i],
			    COPIES);
	assert_nothing_holds(&edges);
}

/* ---- too little, or too much ---- */

static void test_too_little_to_say_anything(void **state)
{
	static struct edges edges;
	struct slots slots;

	(void)state;
	assert_int_equal(slots_fit(edges.items, 0, &slots), -ENODATA);
	load_copies(&edges, &(struct device){ 256, 2112, 393216, true }, 640, 100);
	assert_int_equal(slots_fit(edges.items, edges.count, &slots), -ENODATA);
	/* One move, and that at the last copy: anything up to the whole granule. */
	load_copies(&edges, &(struct device){ 256, 2112, 393216, true }, 640, 140);
	assert_int_equal(slots_fit(edges.items, edges.count, &slots), -ENODATA);
	/* Each copy moves the meter. */
	edges.count = 0;
	load_copies(&edges, &(struct device){ GRANULE, 0, 0, true }, 640, 10);
	assert_int_equal(slots_fit(edges.items, edges.count, &slots), -ENODATA);
}

static void test_numbers_beyond_reason(void **state)
{
	const struct slot_edge wrong[] = {
		{ -1, 1, 0, GRANULE },
		{ LAW_VALUE_MAX, 1, 0, GRANULE },
		{ 640, 0, 0, GRANULE },
		{ 640, LAW_VALUE_MAX, 0, GRANULE },
		{ 640, 1, -LAW_VALUE_MAX, GRANULE },
		{ 640, 1, 0, LAW_VALUE_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
		struct slot_edge edge = wrong[i];
		struct slots slots = { .edge_count = 77 };

		assert_int_equal(slots_fit(&edge, 1, &slots), -ERANGE);
		assert_int_equal(slots.edge_count, 77);
	}
}

static void test_no_memory(void **state)
{
	static struct edges edges;
	struct slots slots = { .edge_count = 77 };

	(void)state;
	load_all(&edges, &(struct device){ 1024, 2112, 393216, true });
	fail_memory_at(1);
	assert_int_equal(slots_fit(edges.items, edges.count, &slots), -ENOMEM);
	assert_true(fail_memory_end());
	assert_int_equal(slots.edge_count, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slots_from_512_to_64K),
		cmocka_unit_test(test_slots_that_are_no_power_of_two),
		cmocka_unit_test(test_what_is_left_open),
		cmocka_unit_test(test_any_device_is_among_the_possible),
		cmocka_unit_test(test_the_answer_explains_every_edge),
		cmocka_unit_test(test_order_and_repeats_do_not_matter),
		cmocka_unit_test(test_one_copy_too_late),
		cmocka_unit_test(test_pieces_that_are_no_rounded_code),
		cmocka_unit_test(test_too_little_to_say_anything),
		cmocka_unit_test(test_numbers_beyond_reason),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
