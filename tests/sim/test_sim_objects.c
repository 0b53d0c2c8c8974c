/* SPDX-License-Identifier: MIT */
/*
 * The model of connections, streams, executable graphs, the pool, arrays, textures and green
 * contexts.
 */
#include "tests/sim/profiles.h"

#include "base/array.h"
#include "sim/model.h"

#define GRANULE UINT64_C(2097152)
#define CONTEXT UINT64_C(548995072) /* of the h200 */
#define MIB     UINT64_C(1048576)

static struct model_context fresh(const struct profile *profile)
{
	struct model_context context;

	model_create(&context, profile);
	return context;
}

/* ---- what was recorded on an H200 ---- */

static void h200_connections(void **state)
{
	static const struct {
		uint64_t connections, copy_connections, bytes;
	} cases[] = {
		{ 8, 4, CONTEXT },     { 1, 1, 547946496 }, { 2, 2, 548208640 },
		{ 4, 4, 548732928 },   { 8, 8, 549781504 }, { 16, 16, 551878656 },
		{ 32, 32, 556072960 }, { 8, 1, 548405248 }, { 8, 32, 554500096 },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_settings settings = model_usual_settings(&p);
		struct model_context context = fresh(&p);

		settings.connection_count = cases[i].connections;
		settings.copy_connection_count = cases[i].copy_connections;
		assert_true(model_apply_settings(&context, &p, &settings));
		assert_int_equal(model_context_bytes(&context, &p), cases[i].bytes);
		/* NVML's entry of the process is the same, however many there are. */
		assert_int_equal(cases[i].bytes - model_hidden_bytes(&context, &p), 543162368);
	}
}

static void a_part_of_the_l2_is_a_limit(void **state)
{
	struct profile p = shipped(H200);
	struct model_settings settings = model_usual_settings(&p);
	struct model_context context = fresh(&p);

	(void)state;
	settings.has_l2_percent = true;
	assert_true(model_apply_settings(&context, &p, &settings));
	assert_int_equal(context.limit_bytes[MODEL_L2_PERSISTING], 0);
	settings.l2_percent = 26;
	assert_true(model_apply_settings(&context, &p, &settings));
	assert_int_equal(context.limit_bytes[MODEL_L2_PERSISTING], 5 * 3932160);
	settings.l2_percent = 100;
	assert_false(model_apply_settings(&context, &p, &settings));
	/* Where there is no such limit, it is none. */
	p.l2_persisting_known = 0;
	assert_true(model_apply_settings(&context, &p, &settings));
}

static void h200_streams(void **state)
{
	static const struct {
		uint64_t streams, granules;
	} cases[] = {
		{ 1, 0 },      { 2, 1 },       { 4, 1 },    { 8, 2 },     { 16, 4 },
		{ 24, 6 },     { 32, 8 },      { 48, 13 },  { 64, 17 },   { 96, 26 },
		{ 128, 35 },   { 192, 52 },    { 256, 70 }, { 512, 140 }, { 1024, 280 },
		{ 2048, 560 }, { 4096, 1120 },
	};
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		while (context.stream_count < cases[i].streams)
			model_create_stream(&context);
		assert_int_equal(model_context_bytes(&context, &p),
				 CONTEXT + cases[i].granules * GRANULE);
	}
}

static void instantiate(struct model_context *context, const struct profile *p, uint64_t nodes,
			uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		struct model_piece piece = { .bytes = model_graph_piece_bytes(p, nodes) };

		model_instantiate(context, &piece);
	}
}

static void h200_graphs(void **state)
{
	static const uint64_t counts[] = { 1, 8, 64, 512 };
	static const struct {
		uint64_t nodes, granules[ARRAY_COUNT(counts)];
	} cases[] = {
		{ 1, { 0, 0, 3, 28 } },      { 16, { 0, 0, 3, 37 } },
		{ 256, { 0, 1, 22, 187 } },  { 1024, { 0, 9, 82, 0 } },
		{ 4096, { 5, 40, 323, 0 } }, { 16384, { 18, 144, 1155, 0 } },
	};
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		for (size_t k = 0; k < ARRAY_COUNT(counts); k++) {
			struct model_context context = fresh(&p);

			/* 512 of the large ones were not tried. */
			if (counts[k] == 512 && !cases[i].granules[k])
				continue;
			instantiate(&context, &p, cases[i].nodes, counts[k]);
			assert_int_equal(model_context_bytes(&context, &p),
					 CONTEXT + cases[i].granules[k] * GRANULE);
		}
	}
}

static void h200_pool(void **state)
{
	static const struct {
		uint64_t request, reserved;
	} cases[] = { { 1, 32 * MIB },
		      { 2 * MIB, 32 * MIB },
		      { 32 * MIB, 32 * MIB },
		      { 32 * MIB + 1024, 64 * MIB },
		      { 256 * MIB, 256 * MIB } };
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);

		model_pool_allocate(&context, &p, cases[i].request);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT + cases[i].reserved);
		assert_int_equal(context.pool_used_bytes, cases[i].request);
		model_pool_release(&context, cases[i].request);
		model_pool_trim(&context, &p, UINT64_MAX);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT + cases[i].reserved);
		model_pool_trim(&context, &p, 0);
		assert_int_equal(model_context_bytes(&context, &p), CONTEXT);
	}
}

static void h200_arrays(void **state)
{
	static const struct {
		uint64_t arrays, granules;
	} cases[] = { { 1, 1 }, { 100, 1 }, { 1000, 2 }, { 10000, 20 }, { 100000, 196 } };
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);
	uint64_t each = model_array_bytes(&p, 4096), count = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		for (; count < cases[i].arrays; count++)
			model_object_add(&context, MODEL_ARRAY, each);
		assert_int_equal(model_context_bytes(&context, &p),
				 CONTEXT + cases[i].granules * GRANULE);
	}
	while (count-- > 1)
		model_object_remove(&context, MODEL_ARRAY, each);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + GRANULE);
}

static void h200_tiny_arrays(void **state)
{
	static const struct {
		uint64_t arrays, granules;
	} cases[] = { { 1, 1 }, { 1000, 1 }, { 10000, 3 }, { 100000, 25 } };
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);

		model_object_add(&context, MODEL_ARRAY, cases[i].arrays * model_array_bytes(&p, 4));
		assert_int_equal(model_context_bytes(&context, &p),
				 CONTEXT + cases[i].granules * GRANULE);
	}
}

static void h200_textures(void **state)
{
	static const struct {
		uint64_t textures, granules;
	} cases[] = { { 1, 0 },      { 57216, 0 },  { 57344, 2 }, { 100000, 2 },
		      { 118784, 2 }, { 122880, 4 }, { 131072, 4 } };
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);
	uint64_t count = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		for (; count < cases[i].textures; count++)
			model_object_add(&context, MODEL_TEXTURE, p.texture_bytes);
		assert_int_equal(model_context_bytes(&context, &p),
				 CONTEXT + cases[i].granules * GRANULE);
	}
	while (count-- > 0)
		model_object_remove(&context, MODEL_TEXTURE, p.texture_bytes);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 4 * GRANULE);
}

/* Made, then with a stream more in each, then without those, then destroyed and made again. */
static void h200_green_contexts(void **state)
{
	static const struct {
		uint64_t made, streamed;
	} granules[] = { { 3, 3 },   { 5, 6 },   { 8, 8 },   { 10, 11 },
			 { 13, 14 }, { 15, 17 }, { 18, 19 }, { 20, 22 } };
	struct profile p = shipped(H200);

	(void)state;
	for (size_t count = 1; count <= ARRAY_COUNT(granules); count++) {
		struct model_context context = fresh(&p);
		uint64_t streamed = CONTEXT + granules[count - 1].streamed * GRANULE;

		for (size_t i = 0; i < count; i++)
			model_create_green(&context, &p);
		assert_int_equal(model_context_bytes(&context, &p),
				 CONTEXT + granules[count - 1].made * GRANULE);
		for (size_t i = 0; i < count; i++)
			model_create_stream(&context);
		assert_int_equal(model_context_bytes(&context, &p), streamed);
		for (size_t i = 0; i < count; i++) {
			model_destroy_stream(&context);
			model_destroy_green(&context, &p);
		}
		assert_int_equal(model_context_bytes(&context, &p), streamed);
		for (size_t i = 0; i < count; i++)
			model_create_green(&context, &p);
		assert_int_equal(model_context_bytes(&context, &p), streamed + 2 * count * GRANULE);
	}
}

/* ---- what no row tells ---- */

/* (streams, executable graphs): all that both take of their two pools. */
static void h200_streams_beside_graphs(void **state)
{
	static const struct {
		uint64_t streams, graphs, granules;
	} cases[] = { { 0, 8, 0 },    { 0, 9, 1 },    { 0, 33, 1 },    { 0, 40, 2 },
		      { 0, 41, 3 },   { 0, 64, 3 },   { 0, 128, 7 },   { 1, 1, 1 },
		      { 1, 31, 1 },   { 2, 16, 1 },   { 4, 32, 3 },    { 7, 37, 4 },
		      { 8, 32, 4 },   { 16, 64, 8 },  { 33, 129, 16 }, { 64, 16, 19 },
		      { 64, 32, 19 }, { 64, 64, 21 }, { 128, 64, 38 } };
	struct profile p = shipped(H200);

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
		struct model_context context = fresh(&p);

		instantiate(&context, &p, 1, cases[i].graphs);
		while (context.stream_count < cases[i].streams)
			model_create_stream(&context);
		assert_int_equal(model_context_bytes(&context, &p),
				 CONTEXT + cases[i].granules * GRANULE);
	}
}

static void streams_take_the_place_of_others(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);

	(void)state;
	for (int i = 0; i < 8; i++)
		model_create_stream(&context);
	for (int i = 0; i < 8; i++)
		model_destroy_stream(&context);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 2 * GRANULE);
	for (int i = 0; i < 8; i++)
		model_create_stream(&context);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 2 * GRANULE);
	model_create_stream(&context);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 2 * GRANULE);
	model_create_stream(&context);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 3 * GRANULE);
}

static void pieces_have_four_sizes_to_a_power_of_two(void **state)
{
	static const struct {
		uint64_t nodes, bytes;
	} cases[] = { { 0, 0 },   { 1, 1 },   { 8, 8 },   { 9, 10 },
		      { 16, 16 }, { 17, 20 }, { 33, 40 }, { 4097, 5120 } };
	struct profile p = shipped(H200);

	(void)state;
	p.graph_node_bytes = 1;
	for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
		assert_int_equal(model_graph_piece_bytes(&p, cases[i].nodes), cases[i].bytes);
	/* The step grows no further than a granule. */
	p.granule_bytes = 512;
	assert_int_equal(model_graph_piece_bytes(&p, 4097), 4608);
	assert_int_equal(model_graph_piece_bytes(&p, 9000), 9216);
}

static void a_piece_goes_back_to_where_it_was(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);
	struct model_piece pieces[] = { { .bytes = 3 * MIB }, { .bytes = 3 * MIB } };

	(void)state;
	model_instantiate(&context, &pieces[0]);
	model_instantiate(&context, &pieces[1]);
	assert_true(pieces[0].is_in_slack && !pieces[1].is_in_slack);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 2 * GRANULE);
	model_destroy_executable(&context, &p, &pieces[0]);
	model_destroy_executable(&context, &p, &pieces[1]);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 2 * GRANULE);
	model_instantiate(&context, &pieces[1]);
	assert_true(pieces[1].is_in_slack);
	model_instantiate(&context, &pieces[0]);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 2 * GRANULE);
}

static void a_piece_serves_no_other(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);
	struct model_piece piece = { .bytes = 3 * MIB };

	(void)state;
	p.graph_reuses = 0;
	model_instantiate(&context, &piece);
	model_destroy_executable(&context, &p, &piece);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT);
	model_instantiate(&context, &piece);
	assert_false(piece.is_in_slack);
	model_destroy_executable(&context, &p, &piece);
	model_instantiate(&context, &piece);
	assert_int_equal(model_context_bytes(&context, &p), CONTEXT + 3 * GRANULE);
	assert_int_equal(context.executable_peak, 3);
}

static void a_pool_keeps_what_is_used(void **state)
{
	struct profile p = shipped(H200);
	struct model_context context = fresh(&p);

	(void)state;
	model_pool_allocate(&context, &p, 20 * MIB);
	model_pool_allocate(&context, &p, 20 * MIB);
	assert_int_equal(context.pool_reserved_bytes, 64 * MIB);
	model_pool_release(&context, 20 * MIB);
	model_pool_trim(&context, &p, 33 * MIB);
	assert_int_equal(context.pool_reserved_bytes, 64 * MIB);
	model_pool_trim(&context, &p, 0);
	assert_int_equal(context.pool_reserved_bytes, 32 * MIB);
	model_pool_trim(&context, &p, UINT64_MAX);
	assert_int_equal(context.pool_reserved_bytes, 32 * MIB);
	assert_int_equal(model_outliving_bytes(&context, &p), 32 * MIB);
	p.pool_outlives = 0;
	assert_int_equal(model_outliving_bytes(&context, &p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(h200_connections),
		cmocka_unit_test(a_part_of_the_l2_is_a_limit),
		cmocka_unit_test(h200_streams),
		cmocka_unit_test(h200_graphs),
		cmocka_unit_test(h200_pool),
		cmocka_unit_test(h200_arrays),
		cmocka_unit_test(h200_tiny_arrays),
		cmocka_unit_test(h200_textures),
		cmocka_unit_test(h200_green_contexts),
		cmocka_unit_test(h200_streams_beside_graphs),
		cmocka_unit_test(streams_take_the_place_of_others),
		cmocka_unit_test(pieces_have_four_sizes_to_a_power_of_two),
		cmocka_unit_test(a_piece_goes_back_to_where_it_was),
		cmocka_unit_test(a_piece_serves_no_other),
		cmocka_unit_test(a_pool_keeps_what_is_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
