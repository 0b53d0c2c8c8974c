/* SPDX-License-Identifier: MIT */
/* Verdicts about the golden run, as a file and as text for a terminal. */
#include "tests/unit/golden.h"

#include <errno.h>

#include "analysis/claims.h"
#include "analysis/report.h"
#include "tests/unit/fail_memory.h"

static char folder[] = "/tmp/cuctx-claims-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[96];

	(void)state;
	snprintf(path, sizeof path, "%s/claims.csv", folder);
	unlink(path);
	return rmdir(folder);
}

static void the_file_is_replaced_as_a_whole(void **state)
{
	struct claims claims;
	struct run run;
	struct err err;
	char bytes[4096] = "", path[96];
	FILE *file;

	(void)state;
	assert_int_equal(run_read(&run, GOLDEN_RUN, &golden_requests, &err), 0);
	assert_int_equal(claims_judge(&claims, &run, &err), 0);
	assert_int_equal(claims_count(&claims, CLAIM_TRUE), 1);
	snprintf(path, sizeof path, "%s/claims.csv", folder);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs("something else\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(claims_write(&claims, folder, &err), 0);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_true(fread(bytes, 1, sizeof bytes - 1, file) > 0);
	fclose(file);
	assert_non_null(strstr(bytes, "claim,sentence,verdict,figures,from\n"
				      "cheap,One more costs <i>nothing</i>,false here,"));
	assert_non_null(strstr(bytes, "\"sum of delta_bytes at set of absent where "
				      "count=1,size=@granted\"\n"));
	assert_int_equal(claims_write(&claims, "/nonexistent", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent"));
	claims_free(&claims);
	run_free(&run);
}

static char *told(const struct requests *requests)
{
	struct claims claims;
	struct run run;
	struct err err;
	char *text;

	assert_int_equal(run_read(&run, GOLDEN_RUN, requests, &err), 0);
	assert_int_equal(claims_judge(&claims, &run, &err), 0);
	assert_int_equal(report_render_claims(&run, &claims, &text, &err), 0);
	claims_free(&claims);
	run_free(&run);
	return text;
}

/* As the report tells it, less what nobody can tell. */
static void what_was_not_measured_is_only_counted(void **state)
{
	struct requests requests = golden_requests;
	char *text = told(&requests);

	(void)state;
	assert_non_null(strstr(text, "SIMULATED"));
	assert_non_null(strstr(text, "One more costs <i>nothing</i>"));
	assert_non_null(strstr(text, "false here"));
	assert_null(strstr(text, "What was not part of the run is free"));
	assert_non_null(strstr(text, "Not measured: 1 of 4; claims.csv says"));
	free(text);
	requests.claims = &golden_claims[3];
	requests.claim_count = 1;
	text = told(&requests);
	assert_null(strstr(text, "Verdict"));
	assert_non_null(strstr(text, "Not measured: 1 of 1; claims.csv says"));
	free(text);
	requests.claim_count = 0;
	text = told(&requests);
	assert_null(strstr(text, "Claims"));
	free(text);
}

static void memory_that_ends_is_an_error(void **state)
{
	struct run run;
	struct err err;
	bool failed = true;

	(void)state;
	assert_int_equal(run_read(&run, GOLDEN_RUN, &golden_requests, &err), 0);
	for (unsigned int call = 1; failed; call++) {
		struct claims claims = { 0 };
		char *text = NULL;
		int r;

		fail_memory_at(call);
		r = claims_judge(&claims, &run, &err);
		if (!r)
			r = claims_write(&claims, folder, &err);
		if (!r)
			r = report_render_claims(&run, &claims, &text, &err);
		failed = fail_memory_end();
		assert_int_equal(r, failed ? -ENOMEM : 0);
		free(text);
		claims_free(&claims);
	}
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_is_replaced_as_a_whole),
		cmocka_unit_test(what_was_not_measured_is_only_counted),
		cmocka_unit_test(memory_that_ends_is_an_error),
	};

	if (golden_enter(NULL))
		return 1;
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
