/* SPDX-License-Identifier: MIT */
/* A descriptor that is not right cannot run. */
#include "tests/unit/check.h"

#include <errno.h>
#include <string.h>

#include "bench/benches.h"
#include "harness/bench_check.h"

static void run_nothing(struct sample *s)
{
	(void)s;
}

static const struct bench sound = {
	.name = "sound",
	.question = "Is it?",
	.axes = { { .name = "count", .values = "1,2" } },
	.laws = { { .component = "sound", .axis = "count", .step = "create" } },
	.headline_step = "create",
	.run = run_nothing,
};

static void assert_refused(const struct bench *bench, const char *why)
{
	struct err err;

	assert_int_equal(benches_check(&bench, 1, &err), -EINVAL);
	assert_non_null(strstr(err.text, why));
}

static void all_of_ours_are_sound(void **state)
{
	const struct bench *one = &sound;
	struct err err;

	(void)state;
	assert_int_equal(benches_check(&one, 1, &err), 0);
	assert_int_equal(benches_check(benches, benches_count, &err), 0);
}

static void it_has_laws_or_says_why_not(void **state)
{
	struct bench bench = sound;

	(void)state;
	bench.no_law = "a choice";
	assert_refused(&bench, "it has laws and says that none fits");
	bench.laws[0] = (struct bench_law){ 0 };
	bench.no_law = NULL;
	assert_refused(&bench, "neither a law nor why none fits");
}

static void a_question_is_one(void **state)
{
	struct bench bench = sound;

	(void)state;
	bench.question = "It is.";
	assert_refused(&bench, "does not end in '?'");
	bench = sound;
	bench.headline_step = NULL;
	assert_refused(&bench, "no headline step");
}

static void names_are_spelled_alike(void **state)
{
	const struct bench *twice[] = { &sound, &sound };
	struct bench bench = sound;
	struct err err;

	(void)state;
	bench.name = "Sound";
	assert_refused(&bench, "not kebab-case");
	bench = sound;
	bench.axes[0].name = "count-bytes";
	assert_refused(&bench, "axis name");
	bench = sound;
	bench.readings[0].name = "Granted";
	assert_refused(&bench, "reading name");
	assert_int_equal(benches_check(twice, 2, &err), -EINVAL);
	assert_non_null(strstr(err.text, "taken twice"));
}

static void settings_are_for_words_that_there_are(void **state)
{
	static const struct bench_setting stray[] = { { "fast", "CUDA_SPEED", "1" }, { 0 } };
	struct bench bench = sound;

	(void)state;
	bench.axes[0] = (struct bench_axis){
		.name = "speed", .kind = AXIS_WORD, .values = "slow", .settings = stray
	};
	assert_refused(&bench, "CUDA_SPEED is set for no word of it");
}

static const struct bench *ours(const char *name)
{
	for (size_t i = 0; i < benches_count; i++)
		if (!strcmp(benches[i]->name, name))
			return benches[i];
	fail_msg("there is no benchmark %s", name);
	return NULL;
}

static void a_call_that_the_runtime_lacks_is_an_obstacle(void **state)
{
	const struct bench *bench = ours("first-call");
	struct bench_point point = { .values = { { .word = "cudaInitDevice" } } };
	struct device_info old = { 0 }, recent = { .has_init_device = true };

	(void)state;
	assert_non_null(strstr(bench->obstacle(bench, &point, &old), "cudaInitDevice"));
	assert_null(bench->obstacle(bench, &point, &recent));
	point.values[0].word = "cudaFree";
	assert_null(bench->obstacle(bench, &point, &old));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_ours_are_sound),
		cmocka_unit_test(it_has_laws_or_says_why_not),
		cmocka_unit_test(a_question_is_one),
		cmocka_unit_test(names_are_spelled_alike),
		cmocka_unit_test(settings_are_for_words_that_there_are),
		cmocka_unit_test(a_call_that_the_runtime_lacks_is_an_obstacle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
