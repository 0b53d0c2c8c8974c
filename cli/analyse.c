/* SPDX-License-Identifier: MIT */
#include "cli/analyse.h"

#include <stdlib.h>

#include "analysis/claims.h"
#include "analysis/laws.h"
#include "analysis/report.h"
#include "analysis/run.h"
#include "base/array.h"
#include "bench/benches.h"
#include "cli/cli.h"

#define BENCHES_MAX 64

static struct benchmark_request benchmark_requests[BENCHES_MAX];
static struct law_request law_requests[BENCHES_MAX * BENCH_LAWS_MAX];
static struct component_request component_requests[BENCHES_MAX * BENCH_COMPONENTS_MAX];
static struct saving_request saving_requests[BENCHES_MAX * BENCH_SAVINGS_MAX];
static const struct claim_request claim_requests[] = {
#define CLAIM(...) { __VA_ARGS__ },
#include "bench/claims.def"
#undef CLAIM
};
static const struct term_request term_requests[] = {
#define TERM(...) { __VA_ARGS__ },
#define TOGETHER(...)
#define KERNELS(...)
#include "bench/terms.def"
#undef TERM
#undef TOGETHER
#undef KERNELS
};
static struct requests requests = {
	.benchmarks = benchmark_requests,
	.laws = law_requests,
	.components = component_requests,
	.savings = saving_requests,
	.claims = claim_requests,
	.claim_count = ARRAY_COUNT(claim_requests),
	.terms = term_requests,
	.term_count = ARRAY_COUNT(term_requests),
#define TERM(...)
#define TOGETHER(...) .shared = { __VA_ARGS__ },
#define KERNELS(...)  .code = { __VA_ARGS__ },
#include "bench/terms.def"
#undef TERM
#undef TOGETHER
#undef KERNELS
};

static void add_laws(const struct bench *bench)
{
	for (size_t i = 0; i < BENCH_LAWS_MAX && bench->laws[i].component; i++)
		law_requests[requests.law_count++] =
			(struct law_request){ .benchmark = bench->name,
					      .component = bench->laws[i].component,
					      .axis = bench->laws[i].axis,
					      .step = bench->laws[i].step,
					      .is_total = bench->laws[i].is_total,
					      .is_edge = bench->laws[i].is_edge,
					      .copies = bench->laws[i].copies,
					      .reading = bench->laws[i].reading,
					      .refused_with = bench->laws[i].refused_with,
					      .where = bench->laws[i].where };
}

static void add_components(const struct bench *bench)
{
	for (size_t i = 0; i < BENCH_COMPONENTS_MAX && bench->components[i].name; i++)
		component_requests[requests.component_count++] =
			(struct component_request){ .benchmark = bench->name,
						    .name = bench->components[i].name,
						    .step = bench->components[i].step,
						    .with = bench->components[i].with,
						    .minus = bench->components[i].minus,
						    .since = bench->components[i].since,
						    .when = bench->components[i].when };
}

static void add_savings(const struct bench *bench)
{
	for (size_t i = 0; i < BENCH_SAVINGS_MAX && bench->savings[i].advice; i++)
		saving_requests[requests.saving_count++] =
			(struct saving_request){ .benchmark = bench->name,
						 .advice = bench->savings[i].advice,
						 .step = bench->savings[i].step,
						 .with = bench->savings[i].with,
						 .minus = bench->savings[i].minus,
						 .caveat = bench->savings[i].caveat };
}

const struct requests *analyse_requests(void)
{
	for (size_t i = 0; i < benches_count && !(requests.benchmark_count > i); i++) {
		benchmark_requests[requests.benchmark_count++] = (struct benchmark_request){
			.name = benches[i]->name,
			.question = benches[i]->question,
			.headline_step = benches[i]->headline_step,
			.no_law = benches[i]->no_law,
			.room_steps = benches[i]->room_steps,
		};
		add_laws(benches[i]);
		add_components(benches[i]);
		add_savings(benches[i]);
	}
	return &requests;
}

static int write_laws(const struct run *run, struct err *reterr)
{
	struct laws laws;
	int r = laws_fit(&laws, run, reterr);

	if (!r) {
		r = laws_write(&laws, run->dir, reterr);
		laws_free(&laws);
	}
	return r;
}

static int tell_claims(const struct run *run, const struct claims *claims, struct err *reterr)
{
	char *text;
	int r = report_render_claims(run, claims, &text, reterr);

	if (r < 0)
		return r;
	cli_note("%s", text);
	free(text);
	return 0;
}

/* How much is done of it. */
enum extent { LAWS, LAWS_AND_CLAIMS, LAWS_AND_CLAIMS_TOLD };

static int write_claims(const struct run *run, enum extent extent, struct err *reterr)
{
	struct claims claims;
	int r = claims_judge(&claims, run, reterr);

	if (r < 0)
		return r;
	r = claims_write(&claims, run->dir, reterr);
	if (!r && extent == LAWS_AND_CLAIMS_TOLD)
		r = tell_claims(run, &claims, reterr);
	claims_free(&claims);
	return r;
}

static int analyse(const char *directory, enum extent extent, struct err *reterr)
{
	struct run run;
	int r = run_read(&run, directory, analyse_requests(), reterr);

	if (r < 0)
		return r;
	r = write_laws(&run, reterr);
	if (!r && extent != LAWS)
		r = write_claims(&run, extent, reterr);
	run_free(&run);
	return r;
}

int analyse_laws(const char *directory, struct err *reterr)
{
	return analyse(directory, LAWS, reterr);
}

int analyse_write(const char *directory, struct err *reterr)
{
	return analyse(directory, LAWS_AND_CLAIMS, reterr);
}

int analyse_write_and_tell(const char *directory, struct err *reterr)
{
	return analyse(directory, LAWS_AND_CLAIMS_TOLD, reterr);
}
