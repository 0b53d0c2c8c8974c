/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "base/text.h"
#include "bench/benches.h"
#include "cli/analyse.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/recall.h"
#include "cli/shell.h"
#include "cli/summary.h"
#include "cuctx_config.h"
#include "harness/resume.h"
#include "harness/run.h"

#define DEFAULT_REPEATS   2
#define DEFAULT_TIMEOUT_S 60
#define OVERRIDES_MAX     64
#define BENCHES_MAX       64
#define ALL_DEVICES       (-1)

static const struct cli_option options[] = {
	{ "filter", "REGEX", "only samples whose 'benchmark axis=value ...' matches" },
	{ "axis", "NAME=VALUES", "a,b,c  start:stop:step  start:stop:*factor; K, M, G are binary" },
	{ "repeat", "N", "measure every point N times (default 2, with --quick 1)" },
	{ "device", "N|all", "ordinal of the device (default 0)" },
	{ "quick", NULL, "few points, once" },
	{ "out", "DIR", "where the run directory is made (default results)" },
	{ "resume", "DIR", "go on with a run that was cut off" },
	{ "no-claims", NULL, "write claims.csv, but leave telling what it says to `cuctx report`" },
	{ "dry-run", NULL, "print the samples that would be taken, measure nothing" },
	{ "timeout", "S", "kill a step that takes longer (default 60)" },
	{ "max-memory", "BYTES|PCT%",
	  "skip samples that may take more beside their contexts (default: 25% of the free "
	  "memory while others use the device)" },
	{ "simulate", "[=PROFILE]", "measure the simulated device (default profile h200)" },
	{ 0 },
};

struct request {
	struct run_options run;
	const struct bench *chosen[BENCHES_MAX];
	struct axis_override overrides[OVERRIDES_MAX];
	char *override_names[OVERRIDES_MAX]; /* owned */
	const char *resume;
	bool simulates;
	const char *profile;  /* NULL: the default one */
	const char *planning; /* an option that was given and that only a new plan can heed */
	bool dry_run;
	bool hides_claims;
	char **ret_directory; /* NULL: it is printed */
	bool has_cap;         /* given; else, that of the run that is resumed holds */
	bool has_timeout;     /* the same */
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

/* Whoever no longer reads what is printed gets the measurement all the same, and main() tells. */
static void outlive_readers(void)
{
	signal(SIGPIPE, SIG_IGN);
}

/* Those that were ignored from the start stay so: nohup(1) relies on it. */
static void catch_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal }, before;

	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}

static int take_whole(const char *option, const char *text, long lowest, long highest, long *ret)
{
	if (cli_whole(text, lowest, highest, ret))
		return 0;
	cli_usage("run", "--%s: '%s' is not a whole number from %ld to %ld", option, text, lowest,
		  highest);
	return -EINVAL;
}

static int take_bench(struct request *request, const char *name)
{
	const char *names[BENCHES_MAX];
	const char *near;

	for (size_t i = 0; i < benches_count; i++) {
		names[i] = benches[i]->name;
		if (strcmp(names[i], name))
			continue;
		for (size_t j = 0; j < request->run.plan.bench_count; j++)
			if (request->chosen[j] == benches[i])
				return 0;
		request->chosen[request->run.plan.bench_count++] = benches[i];
		return 0;
	}
	near = cli_nearest(name, names, benches_count);
	cli_usage("run", "unknown benchmark '%s'%s%s%s", name, near ? "; did you mean '" : "",
		  near ? near : "", near ? "'?" : "; `cuctx list` names them");
	return -EINVAL;
}

static int take_axis(struct request *request, const char *text)
{
	const char *equals = strchr(text, '=');
	size_t count = request->run.plan.override_count;

	if (!equals || equals == text) {
		cli_usage("run", "--axis: '%s' is not NAME=VALUES", text);
		return -EINVAL;
	}
	if (count == OVERRIDES_MAX) {
		cli_usage("run", "--axis: it is given more than %d times", OVERRIDES_MAX);
		return -EINVAL;
	}
	request->override_names[count] = strndup(text, (size_t)(equals - text));
	if (!request->override_names[count])
		return -ENOMEM;
	request->overrides[count] = (struct axis_override){ .axis = request->override_names[count],
							    .values = equals + 1 };
	request->run.plan.override_count++;
	return 0;
}

static int take_cap(struct request *request, const char *text)
{
	struct err err;

	if (memory_cap_parse(text, &request->run.memory_cap, &err) < 0) {
		cli_usage("run", "--max-memory: %s", err.text);
		return -EINVAL;
	}
	request->has_cap = true;
	return 0;
}

static int take_timeout(struct request *request, const char *text)
{
	long seconds;
	int r = take_whole("timeout", text, 1, RECALL_TIMEOUT_MAX_S, &seconds);

	if (r < 0)
		return r;
	request->run.timeout_ns = (uint64_t)seconds * 1000000000u;
	request->has_timeout = true;
	return 0;
}

static int take_device(struct request *request, const char *text)
{
	long device;
	int r;

	if (!strcmp(text, "all")) {
		request->run.device = ALL_DEVICES;
		return 0;
	}
	r = take_whole("device", text, 0, INT_MAX, &device);
	if (!r)
		request->run.device = (int)device;
	return r;
}

static void take_profile(struct request *request, const char *profile)
{
	request->simulates = true;
	request->profile = profile;
}

/* A run that is resumed has its plan and its place. */
static bool is_planning(const char *option)
{
	static const char *const planning[] = { "filter", "axis", "repeat",
						"quick",  "out",  "dry-run" };

	for (size_t i = 0; i < ARRAY_COUNT(planning); i++)
		if (!strcmp(planning[i], option))
			return true;
	return false;
}

static int take_option(struct request *request, const struct cli_match *match)
{
	const char *name = match->option->name;
	long number;
	int r = 0;

	if (is_planning(name))
		request->planning = name;
	if (!strcmp(name, "filter"))
		request->run.plan.filter = match->value;
	else if (!strcmp(name, "axis"))
		r = take_axis(request, match->value);
	else if (!strcmp(name, "device"))
		r = take_device(request, match->value);
	else if (!strcmp(name, "quick"))
		request->run.plan.quick = true;
	else if (!strcmp(name, "out"))
		request->run.out = match->value;
	else if (!strcmp(name, "resume"))
		request->resume = match->value;
	else if (!strcmp(name, "no-claims"))
		request->hides_claims = true;
	else if (!strcmp(name, "dry-run"))
		request->dry_run = true;
	else if (!strcmp(name, "max-memory"))
		r = take_cap(request, match->value);
	else if (!strcmp(name, "timeout"))
		r = take_timeout(request, match->value);
	else if (!strcmp(name, "simulate"))
		take_profile(request, match->value);
	else if (!strcmp(name, "repeat") &&
		 !(r = take_whole("repeat", match->value, 1, 1000, &number)))
		request->run.plan.repeats = (unsigned int)number;
	return r;
}

static int check_resume(const struct request *request)
{
	if (!request->resume)
		return 0;
	if (request->planning)
		cli_usage("run", "--resume goes on with the plan of its run; leave --%s out",
			  request->planning);
	else if (request->run.plan.bench_count)
		cli_usage("run", "--resume goes on with the plan of its run; leave '%s' out",
			  request->chosen[0]->name);
	else if (request->run.device == ALL_DEVICES)
		cli_usage("run", "--resume goes on with the run of one device; name it");
	else
		return 0;
	return -EINVAL;
}

static int parse(struct request *request, int argc, char **argv)
{
	struct cli_walk walk = { .command = "run", .options = options, .argc = argc, .argv = argv };
	struct cli_match match;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		r = match.option ? take_option(request, &match) : take_bench(request, match.value);
		if (r < 0)
			return r;
	}
	if (r < 0 || check_resume(request) < 0)
		return -EINVAL;
	if (!request->run.plan.bench_count)
		for (size_t i = 0; i < benches_count; i++)
			request->chosen[request->run.plan.bench_count++] = benches[i];
	if (!request->run.plan.repeats)
		request->run.plan.repeats = request->run.plan.quick ? 1 : DEFAULT_REPEATS;
	return 0;
}

static enum exit_code verdict_code(const struct run_summary *summary)
{
	if (summary->was_interrupted)
		return EXIT_INTERRUPTED;
	for (int i = 0; i < STATUS_COUNT; i++)
		if (summary->verdicts[i] && status_is_failure((enum status)i))
			return EXIT_SO;
	return EXIT_FINE;
}

static void tell_resume(void)
{
	if (!resume_commit_is_telling(CUCTX_GIT_COMMIT))
		cli_note("git commit %s does not say what this program was built from: go on only "
			 "if it is the one that began the run",
			 CUCTX_GIT_COMMIT);
}

static void tell_device(const struct run *run)
{
	const struct observer_facts *facts = &run->sampler.observer.facts;

	if (facts->is_simulated)
		cli_note("SIMULATED device: no number of this run was measured on a GPU");
	cli_note("%s, driver %s: %zu of %zu samples into %s", facts->device.name,
		 facts->driver_release, run_pending_count(run), run->plan.count, run->rundir.path);
	if (facts->foreign_count)
		cli_note("%llu other processes hold %llu bytes of the device: expect disturbed "
			 "samples",
			 (unsigned long long)facts->foreign_count,
			 (unsigned long long)facts->foreign_bytes);
}

static void tell_directory(const struct request *request, const char *path)
{
	if (request->ret_directory) {
		*request->ret_directory = strdup(path);
		return;
	}
	printf("%s\n", path);
	fflush(stdout);
}

/* Of a run that ended early, for whatever reason. */
static void tell_missing(const struct run *run)
{
	struct text directory = { 0 };
	size_t missing_count = run_missing_count(run);

	if (!missing_count)
		return;
	cli_put_argument(&directory, run->rundir.path);
	cli_note("%zu of %zu samples are missing; `cuctx run --resume%s` goes on", missing_count,
		 run->plan.count, text_peek(&directory));
	text_free(&directory);
}

/* One device's run, from opening it to its laws. `ret_device_count`: how many devices there are. */
static enum exit_code measure(const struct request *request, int *ret_device_count)
{
	struct progress progress;
	struct run_options run_options = request->run;
	enum exit_code code;
	struct err err;
	struct run run;
	int r;

	progress_init(&progress);
	run_options.progress = progress_show;
	run_options.progress_data = &progress;
	r = request->resume ? run_resume(&run, &run_options, request->resume, &err)
			    : run_open(&run, &run_options, &err);
	if (!r) {
		*ret_device_count = run.sampler.observer.facts.device_count;
		progress.pending_count = run_pending_count(&run);
		tell_device(&run);
		if (request->resume)
			tell_resume();
		tell_directory(request, run.rundir.path);
		r = run_measure(&run, &err);
		progress_end(&progress);
		if (!r)
			summary_show(&run.summary);
		tell_missing(&run);
	}
	if (!r)
		r = request->hides_claims ? analyse_write(run.rundir.path, &err)
					  : analyse_write_and_tell(run.rundir.path, &err);
	code = r < 0 ? cli_fail(r, &err) : verdict_code(&run.summary);
	run_close(&run);
	return code;
}

static enum exit_code print_plan(const struct request *request)
{
	char text[PLAN_TEXT_MAX];
	struct modules modules;
	struct plan plan;
	struct err err;
	int r = modules_open_any(&modules, request->run.module_folder, &err);

	if (r < 0)
		return cli_fail(r, &err);
	r = plan_make(&plan, &request->run.plan, &modules, &err);
	modules_close(&modules);
	if (r < 0)
		return cli_fail(r, &err);
	for (size_t i = 0; i < plan.count; i++)
		printf("%s repeat=%u\n", plan_sample_text(&plan.samples[i], text, sizeof text),
		       plan.samples[i].repeat);
	plan_free(&plan);
	return EXIT_FINE;
}

static enum exit_code measure_all(struct request *request)
{
	bool all = request->run.device == ALL_DEVICES;
	int device_count = 1;
	enum exit_code worst = EXIT_FINE, code;

	if (!all)
		return measure(request, &device_count);
	for (int device = 0; device < device_count; device++) {
		request->run.device = device;
		code = measure(request, &device_count);
		worst = code > worst ? code : worst;
		if (code == EXIT_INTERRUPTED)
			break;
	}
	return worst;
}

/* What a run was begun with holds for the rest of it, unless it is given anew. */
static int recall(struct request *request, char **ret_profile, struct err *reterr)
{
	const char *directory = request->resume;
	int r = 0;

	*ret_profile = NULL;
	if (!directory)
		return 0;
	r = recall_from(directory, reterr);
	if (!r && !request->simulates)
		r = recall_profile(directory, ret_profile, reterr);
	if (*ret_profile)
		take_profile(request, *ret_profile);
	if (!r && !request->has_cap)
		r = recall_cap(directory, &request->run.memory_cap, reterr);
	if (!r && !request->has_timeout)
		r = recall_timeout(directory, &request->run.timeout_ns, reterr);
	return r;
}

static enum exit_code run_with_modules(struct request *request)
{
	char *profile = NULL;
	char *modules = cli_modules_path();
	enum exit_code code;
	struct err err;
	int r = modules ? 0 : err_set(&err, ENOMEM, "out of memory");

	request->run.module_folder = modules;
	if (!r)
		r = recall(request, &profile, &err);
	if (!r && request->simulates && !request->dry_run)
		r = cli_simulate(request->profile, &err);
	if (r < 0)
		code = cli_fail(r, &err);
	else
		code = request->dry_run ? print_plan(request) : measure_all(request);
	free(profile);
	free(modules);
	return code;
}

static char *join_command(int argc, char **argv)
{
	struct text text = { 0 };
	struct err err;
	char *command;

	text_add(&text, "cuctx");
	for (int i = 0; i < argc; i++)
		cli_put_argument(&text, argv[i]);
	return text_take(&text, &command, &err) < 0 ? NULL : command;
}

enum exit_code cli_run(int argc, char **argv, char **ret_directory)
{
	struct request request = { .ret_directory = ret_directory,
				   .run = { .out = "results",
					    .timeout_ns = DEFAULT_TIMEOUT_S * 1000000000ull,
					    .interrupted = &interrupted } };
	char *command = join_command(argc, argv);
	enum exit_code code = EXIT_USAGE;

	request.run.plan.benches = request.chosen;
	request.run.plan.overrides = request.overrides;
	request.run.command = command ? command : "cuctx run";
	if (!parse(&request, argc, argv)) {
		catch_signals();
		outlive_readers();
		code = run_with_modules(&request);
	}
	for (size_t i = 0; i < request.run.plan.override_count; i++)
		free(request.override_names[i]);
	free(command);
	return code;
}

static enum exit_code run_run(int argc, char **argv)
{
	return cli_run(argc, argv, NULL);
}

const struct cli_command cmd_run = {
	.name = "run",
	.summary = "measure: contexts, limits and modules on a device, into CSV files",
	.usage = "[BENCHMARK...] [OPTIONS]",
	.options = options,
	.details = "The run directory's path is the only line on standard output.\n",
	.run = run_run,
};
