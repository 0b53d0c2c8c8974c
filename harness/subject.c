/* SPDX-License-Identifier: MIT */
#include "harness/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/host_meter.h"
#include "harness/process.h"
#include "harness/sample.h"

static void set_number(const char *variable, unsigned long number)
{
	char text[24];

	snprintf(text, sizeof text, "%lu", number);
	setenv(variable, text, 1);
}

/* What whoever started the run has set must not count beside what a word sets. */
static void unset_all(const struct bench_setting *settings)
{
	for (; settings && settings->variable; settings++)
		unsetenv(settings->variable);
}

/* Those rows of the table that are for this word, or for none. */
static void set_all(const struct bench_setting *settings, const char *word)
{
	for (; settings && settings->variable; settings++)
		if (!settings->word || (word && !strcmp(settings->word, word)))
			setenv(settings->variable, settings->value, 1);
}

static void set_environment(const struct subject_task *task)
{
	/* Who this is, for the simulated device's list of faults; no other library knows them. */
	set_number("CUCTX_SIM_PROCESS", task->order);
	set_number("CUCTX_SIM_ATTEMPT", task->attempt);
	set_all(task->bench->settings, NULL);
	for (size_t i = 0; i < BENCH_AXES_MAX && task->bench->axes[i].name; i++) {
		unset_all(task->bench->axes[i].settings);
		set_all(task->bench->axes[i].settings, task->point.values[i].word);
	}
}

void sample_step_begin(struct sample *s, const char *step)
{
	struct in_flight *in_flight = s->task->in_flight;

	snprintf(in_flight->step, sizeof in_flight->step, "%s", step);
	snprintf(s->report.step, sizeof s->report.step, "%s", step);
	s->begin_ns = clock_ns();
	in_flight->begin_ns = s->begin_ns;
}

/*
 * The free count as this process is told it, through the API that is being measured. Before the
 * runtime has a context its call would make one, so the driver's is asked then, which only says
 * that there is none.
 */
static int read_free(struct sample *s, size_t *ret_free_bytes)
{
	size_t total_bytes;

	if (s->has_runtime_context)
		return (int)s->runtime.mem_get_info(ret_free_bytes, &total_bytes);
	return (int)s->cu.mem_get_info(ret_free_bytes, &total_bytes);
}

static void read_own_meters(struct sample *s)
{
	uint64_t start_ns = clock_ns();
	size_t free_bytes;

	if (s->has_driver && !read_free(s, &free_bytes)) {
		s->report.has_free = true;
		s->report.free_bytes = free_bytes;
	}
	s->report.cuda_ns = s->report.elapsed_ns + (clock_ns() - start_ns);
	s->report.host = host_meter_read();
}

/* Sends the report and waits until the parent has read its meters, too. */
static void report(struct sample *s)
{
	char go;

	s->report.sent_ns = clock_ns();
	if (!socket_send(s->socket, &s->report, sizeof s->report) ||
	    (!s->report.is_last && !socket_receive(s->socket, &go, sizeof go)))
		_exit(1);
	s->report = (struct step_report){ 0 };
}

static bool end_step(struct sample *s, int error, enum status status)
{
	s->report.elapsed_ns = clock_ns() - s->begin_ns;
	s->report.status = status;
	if (error)
		driver_error_name(&s->cu, error, s->report.error);
	read_own_meters(s);
	report(s);
	return !error;
}

bool sample_step_end(struct sample *s, int error)
{
	return end_step(s, error,
			!error                    ? STATUS_OK
			: error_is_refusal(error) ? STATUS_REFUSED
						  : STATUS_FAILED);
}

bool sample_fault_end(struct sample *s, int error)
{
	return end_step(s, error, error ? STATUS_REFUSED : STATUS_OK);
}

/* From here on, the time goes to the system taking the process apart. */
static void say_last(struct sample *s)
{
	sample_step_begin(s, STEP_EXIT);
	s->report.is_last = true;
	report(s);
}

void sample_fail(struct sample *s, const char *note)
{
	/* Between two steps it counts for the one before. */
	if (!s->report.step[0])
		snprintf(s->report.step, sizeof s->report.step, "%s", s->task->in_flight->step);
	s->report.elapsed_ns = clock_ns() - s->begin_ns;
	s->report.status = STATUS_FAILED;
	snprintf(s->report.error, sizeof s->report.error, "cuctx");
	snprintf(s->report.note, sizeof s->report.note, "%s", note);
	read_own_meters(s);
	report(s);
	say_last(s);
	_exit(0);
}

/* NVML is told which device by the driver. */
static CUresult load_nvml(struct sample *s)
{
	char pci_bus_id[sizeof(struct device_info){ 0 }.pci_bus_id];
	struct err why;
	CUresult error = s->cu.device_get_pci_bus_id(pci_bus_id, sizeof pci_bus_id, s->device);

	if (!error &&
	    (nvml_load(&s->nvml, &why) < 0 || nvml_select(&s->nvml, pci_bus_id, &why) < 0))
		sample_fail(s, why.text);
	return error;
}

static int load_and_init(struct sample *s)
{
	struct err why;
	CUresult error;

	if (driver_load(&s->cu, &why) < 0 ||
	    ((s->libraries & BENCH_RUNTIME) && runtime_load(&s->runtime, &why) < 0))
		sample_fail(s, why.text);
	error = s->cu.init(0);
	if (!error)
		error = s->cu.device_get(&s->device, s->task->device);
	if (!error && (s->libraries & BENCH_NVML))
		error = load_nvml(s);
	s->has_driver = !error;
	return (int)error;
}

void subject_body(int socket, void *data)
{
	struct sample s = { .task = data, .socket = socket };

	set_environment(s.task);
	s.libraries = point_libraries(s.task->bench, &s.task->point);
	sample_step_begin(&s, STEP_START);
	sample_step_end(&s, 0);
	if (CU_STEP(&s, "init", load_and_init(&s)))
		s.task->bench->run(&s);
	say_last(&s);
}
