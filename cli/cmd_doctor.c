/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "cli/cli.h"
#include "harness/environment.h"
#include "harness/modules.h"

#define START_TIMEOUT_NS 60000000000u

static const struct cli_option options[] = {
	{ "device", "N", "ordinal of the device (default 0)" },
	{ "simulate", "[=PROFILE]", "look at the simulated device (default profile h200)" },
	{ 0 },
};

/* "what    finding", and below it what to do about it. */
static void say(const char *what, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const char *what, const char *format, ...)
{
	va_list args;

	printf("%-12s ", what);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

static void advise(const char *what)
{
	printf("%-12s -> %s\n", "", what);
}

static void tell_device(const struct observer_facts *facts)
{
	char size[SIZE_TEXT_MAX];

	if (facts->is_simulated)
		say("SIMULATED", "nothing below is about a GPU");
	say("driver", "%s, CUDA %d.%d", facts->driver_release[0] ? facts->driver_release : "?",
	    facts->driver_api_version / 1000, facts->driver_api_version % 1000 / 10);
	say("GPU", "%s, compute capability %d.%d, %d SMs x %d threads, %s", facts->device.name,
	    facts->device.compute_major, facts->device.compute_minor, facts->device.sm_count,
	    facts->device.max_threads_per_sm,
	    size_format((int64_t)facts->device.total_bytes, size, sizeof size));
	if (facts->runtime_api_version) {
		say("runtime", "CUDA %d.%d", facts->runtime_api_version / 1000,
		    facts->runtime_api_version % 1000 / 10);
	} else {
		say("runtime", "none: %s", facts->runtime_problem.text);
		advise("points with api=runtime will be unsupported");
	}
}

/* Of the device with these facts; without them, those that are there, whatever they are for. */
static void tell_modules(const struct observer_facts *facts)
{
	char *folder = cli_modules_path();
	struct err err = { "out of memory" };
	struct modules modules;
	int r = -ENOMEM;

	if (folder && facts)
		r = modules_open(&modules, folder, facts->device.compute_major,
				 facts->device.compute_minor, &err);
	else if (folder)
		r = modules_open_any(&modules, folder, &err);
	if (r < 0) {
		say("modules", "none that can be used: %s", err.text);
	} else {
		say("modules", "%zu, all as %s describes them", modules.count,
		    facts ? "kernels.csv" : modules.table_path);
		modules_close(&modules);
	}
	free(folder);
}

static void tell_meters(const struct observer_facts *facts)
{
	char granule[SIZE_TEXT_MAX], noise[SIZE_TEXT_MAX], size[SIZE_TEXT_MAX];

	say("meter", "cuMemGetInfo moves in steps of %s; while idle, by %s",
	    size_format((int64_t)facts->granule_bytes, granule, sizeof granule),
	    size_format((int64_t)facts->noise_bytes, noise, sizeof noise));
	if (!facts->granule_bytes)
		advise("no step was found: the count does not react to an allocation");
	if (facts->noise_bytes)
		advise("somebody allocates right now; expect disturbed samples");
	if (facts->nvml_problem.text[0]) {
		say("NVML", "none: %s", facts->nvml_problem.text);
		advise("its columns will be empty, and strangers are noticed less well");
		return;
	}
	if (facts->has_context_bytes)
		say("NVML", "sees this process: a context of %s",
		    size_format((int64_t)facts->context_bytes, size, sizeof size));
	else
		say("NVML", "does not list this process by its own number (a container?)");
}

static void tell_neighbours(const struct observer_facts *facts)
{
	char size[SIZE_TEXT_MAX];

	if (facts->knows_neighbours && !facts->foreign_count) {
		say("neighbours", "none");
		return;
	}
	if (facts->knows_neighbours)
		say("neighbours", "%" PRIu64 " processes with %s", facts->foreign_count,
		    size_format((int64_t)facts->foreign_bytes, size, sizeof size));
	else
		say("neighbours", "unknown: NVML does not list the device's processes");
	advise("samples that would take more than a quarter of the free memory are skipped");
}

static void tell_settings(const struct observer_facts *facts)
{
	struct run_environment host;

	run_environment_init(&host);
	run_environment_describe_host(&host);
	say("MIG", "%s", facts->mig[0] ? facts->mig : "unknown");
	say("MPS", "%s", host.values[ENVIRONMENT_mps]);
	if (host.values[ENVIRONMENT_mps] && !strcmp(host.values[ENVIRONMENT_mps], "on"))
		advise("contexts share a server here; set CUDA_MPS_PIPE_DIRECTORY elsewhere to "
		       "measure without");
	say("container", "%s", host.values[ENVIRONMENT_container]);
	run_environment_free(&host);
}

static bool is_on_path(const char *program)
{
	const char *path = getenv("PATH");
	char file[4096];
	size_t length;

	for (; path && *path; path += length + (path[length] == ':')) {
		length = strcspn(path, ":");
		snprintf(file, sizeof file, "%.*s/%s", (int)length, path, program);
		if (length && !access(file, X_OK))
			return true;
	}
	return false;
}

static void tell_gnuplot(void)
{
	say("gnuplot", "%s", is_on_path("gnuplot") ? "found" : "none");
	if (!is_on_path("gnuplot"))
		advise("charts: copy the run directory to where it is, and run: cuctx plot DIR");
}

/* What can be said without a device. */
static enum exit_code examine_rest(int error, const struct err *err)
{
	enum exit_code code = cli_fail(error, err);

	if (code == EXIT_DEVICE) {
		say("GPU", "none that can be used");
		tell_modules(NULL);
		tell_gnuplot();
	}
	return code;
}

static enum exit_code examine(int device)
{
	const struct observer_task task = { .device = device,
					    .number = 1,
					    .timeout_ns = START_TIMEOUT_NS };
	struct observer observer;
	struct err err;
	int r = observer_start(&observer, &task, &err);

	if (r < 0)
		return examine_rest(r, &err);
	tell_device(&observer.facts);
	tell_modules(&observer.facts);
	tell_meters(&observer.facts);
	tell_neighbours(&observer.facts);
	tell_settings(&observer.facts);
	observer_stop(&observer);
	tell_gnuplot();
	return EXIT_FINE;
}

static enum exit_code doctor_run(int argc, char **argv)
{
	struct cli_walk walk = {
		.command = "doctor", .options = options, .argc = argc, .argv = argv
	};
	struct cli_match match;
	struct err err;
	long device = 0;
	bool simulates = false;
	const char *profile = NULL;
	int r;

	while ((r = cli_walk_next(&walk, &match)) > 0) {
		if (!match.option)
			return cli_usage("doctor", "'%s' is not expected", match.value);
		if (!strcmp(match.option->name, "simulate")) {
			simulates = true;
			profile = match.value;
			continue;
		}
		if (!cli_whole(match.value, 0, INT_MAX, &device))
			return cli_usage("doctor", "--device: '%s' is no ordinal", match.value);
	}
	if (r < 0)
		return EXIT_USAGE;
	r = simulates ? cli_simulate(profile, &err) : 0;
	return r < 0 ? cli_fail(r, &err) : examine((int)device);
}

const struct cli_command cmd_doctor = {
	.name = "doctor",
	.summary = "what can be measured here, and what to do where something cannot",
	.usage = "[OPTIONS]",
	.options = options,
	.run = doctor_run,
};
