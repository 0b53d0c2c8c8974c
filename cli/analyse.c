/* SPDX-License-Identifier: MIT */
#include "cli/analyse.h"

#include "analysis/laws.h"
#include "analysis/run.h"
#include "base/array.h"
#include "bench/benches.h"

#define BENCHES_MAX 64

static struct benchmark_request benchmark_requests[BENCHES_MAX];
static struct law_request law_requests[BENCHES_MAX * BENCH_LAWS_MAX];
static struct component_request component_requests[BENCHES_MAX * BENCH_COMPONENTS_MAX];
static struct saving_request saving_requests[BENCHES_MAX * BENCH_SAVINGS_MAX];
static struct requests requests = { .benchmarks = benchmark_requests,
				    .laws = law_requests,
				    .components = component_requests,
				    .savings = saving_requests };

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
		};
		add_laws(benches[i]);
		add_components(benches[i]);
		add_savings(benches[i]);
	}
	return &requests;
}

int analyse_laws(const char *directory, struct err *reterr)
{
	const struct requests *asked = analyse_requests();
	struct laws laws;
	struct run run;
	int r = run_read(&run, directory, asked, reterr);

	if (r < 0)
		return r;
	r = laws_fit(&laws, &run, reterr);
	if (!r) {
		r = laws_write(&laws, directory, reterr);
		laws_free(&laws);
	}
	run_free(&run);
	return r;
}
