/* SPDX-License-Identifier: MIT */
#include "harness/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/environment.h"
#include "harness/resume.h"

static void init(struct run *run, const struct run_options *options)
{
	*run = (struct run){ .options = *options, .start_ns = clock_ns() };
	run->rundir = (struct rundir){ .out_lock = -1, .lock = -1 };
	run->sampler = (struct sampler){ .modules = &run->modules,
					 .device = options->device,
					 .timeout_ns = options->timeout_ns,
					 .interrupted = options->interrupted };
}

void run_close(struct run *run)
{
	sampler_stop(&run->sampler);
	plan_free(&run->plan);
	modules_close(&run->modules);
	rundir_close(&run->rundir);
	free(run->summary.times);
	free(run->done);
	free(run->attempts);
	run->summary.times = NULL;
	run->done = NULL;
	run->attempts = NULL;
}

static int start_device(struct run *run, struct err *reterr)
{
	const struct device_info *device = &run->sampler.observer.facts.device;
	int r = sampler_start(&run->sampler, reterr);

	if (r < 0)
		return r;
	return modules_open(&run->modules, run->options.module_folder, device->compute_major,
			    device->compute_minor, reterr);
}

static int prepare_plan(struct run *run, struct err *reterr)
{
	run->done = calloc(run->plan.count, sizeof *run->done);
	run->attempts = calloc(run->plan.count, sizeof *run->attempts);
	if (!run->done || !run->attempts)
		return err_set(reterr, ENOMEM, "out of memory");
	return 0;
}

static int write_environment(const struct run *run, const char *started, struct err *reterr)
{
	char *path = rundir_file(&run->rundir, "environment.csv", reterr);
	struct run_environment environment;
	char cap[MEMORY_CAP_TEXT_MAX];
	int r;

	if (!path)
		return -ENOMEM;
	run_environment_init(&environment);
	run_environment_set(&environment, ENVIRONMENT_run, run->rundir.name);
	run_environment_set(&environment, ENVIRONMENT_started_utc, started);
	run_environment_set(&environment, ENVIRONMENT_command, run->options.command);
	run_environment_set(&environment, ENVIRONMENT_max_memory,
			    memory_cap_text(&run->options.memory_cap, cap));
	run_environment_set_number(&environment, ENVIRONMENT_timeout_s,
				   run->options.timeout_ns / 1000000000u);
	run_environment_describe_host(&environment);
	run_environment_describe_device(&environment, run->options.device,
					&run->sampler.observer.facts);
	r = run_environment_write(&environment, path, reterr);
	run_environment_free(&environment);
	free(path);
	return r;
}

static int write_plan(const struct run *run, struct err *reterr)
{
	char *path = rundir_file(&run->rundir, "plan.csv", reterr);
	int r = path ? plan_write(&run->plan, path, reterr) : -ENOMEM;

	free(path);
	return r;
}

int run_open(struct run *run, const struct run_options *options, struct err *reterr)
{
	char started[RUNDIR_TIME_MAX];
	int r;

	init(run, options);
	r = rundir_lock_out(&run->rundir, options->out, reterr);
	if (r < 0)
		return r;
	r = start_device(run, reterr);
	if (r < 0)
		return r;
	r = plan_make(&run->plan, &options->plan, &run->modules, reterr);
	if (r < 0)
		return r;
	r = prepare_plan(run, reterr);
	if (r < 0)
		return r;
	r = rundir_make(&run->rundir, options->out, &run->sampler.observer.facts, started, reterr);
	if (r < 0)
		return r;
	r = write_environment(run, started, reterr);
	if (r < 0)
		return r;
	r = write_plan(run, reterr);
	if (r < 0)
		return r;
	return rundir_copy(&run->rundir, run->modules.table_path, "kernels.csv", reterr);
}

int run_resume(struct run *run, const struct run_options *options, const char *directory,
	       struct err *reterr)
{
	char *plan_path = NULL;
	int r;

	init(run, options);
	r = rundir_open(&run->rundir, directory, reterr);
	if (r < 0)
		return r;
	r = start_device(run, reterr);
	if (r < 0)
		return r;
	r = resume_check(&run->rundir, &run->sampler.observer.facts, &run->modules, reterr);
	if (r < 0)
		return r;
	plan_path = rundir_file(&run->rundir, "plan.csv", reterr);
	r = plan_path ? plan_read(&run->plan, plan_path, &options->plan, &run->modules, reterr)
		      : -ENOMEM;
	free(plan_path);
	if (r < 0)
		return r;
	r = prepare_plan(run, reterr);
	return r < 0 ? r : resume_scan(run, reterr);
}

size_t run_missing_count(const struct run *run)
{
	size_t count = run->plan.count;

	for (int i = 0; i < STATUS_COUNT; i++)
		count -= run->summary.verdicts[i];
	return count;
}

size_t run_pending_count(const struct run *run)
{
	size_t count = 0;

	for (size_t i = 0; i < run->plan.count; i++)
		count += !run->done[i];
	return count;
}
