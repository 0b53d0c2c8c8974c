/* SPDX-License-Identifier: MIT */
#include "harness/sampler.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/clock.h"
#include "harness/disturbance.h"

/*
 * How long memory may take to come back after the process is gone. Where somebody else's has moved,
 * the count cannot become what it was, and the attempt is void anyway; the wait is for the next.
 */
#define EXIT_PATIENCE_NS           3000000000u
#define DISTURBED_EXIT_PATIENCE_NS 300000000u

int sampler_start(struct sampler *sampler, struct err *reterr)
{
	void *shared = mmap(NULL, sizeof *sampler->in_flight, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return err_errno(reterr, errno, "mmap");
	sampler->in_flight = shared;
	return sampler_recover(sampler, reterr);
}

int sampler_recover(struct sampler *sampler, struct err *reterr)
{
	struct observer_task task = { .device = sampler->device,
				      .number = ++sampler->observer_count,
				      .timeout_ns = sampler->timeout_ns,
				      .interrupted = sampler->interrupted };
	int r;

	if (sampler->has_observer)
		observer_stop(&sampler->observer);
	sampler->has_observer = false;
	r = observer_start(&sampler->observer, &task, reterr);
	if (r < 0)
		return r;
	sampler->has_observer = true;
	sampler->observer_cuda_ns += sampler->observer.facts.cuda_ns;
	return 0;
}

void sampler_stop(struct sampler *sampler)
{
	if (sampler->has_observer)
		observer_stop(&sampler->observer);
	sampler->has_observer = false;
	if (sampler->in_flight)
		munmap(sampler->in_flight, sizeof *sampler->in_flight);
	sampler->in_flight = NULL;
}

/* The sample that is being taken, for the helpers below. */
struct attempt {
	struct sampler *sampler;
	struct result *result;
	struct child child;
	/* Of the newest step that was reported: when it began, and when that was known here. */
	uint64_t reported_begin_ns;
	uint64_t reported_ns;
};

static struct result_row *add_report(struct result *result, const struct step_report *report)
{
	struct result_row *row = result_add(result, report->step);

	if (!row)
		return NULL;
	row->status = report->status;
	memcpy(row->error, report->error, sizeof row->error);
	memcpy(row->note, report->note, sizeof row->note);
	memcpy(row->has_reading, report->has_reading, sizeof row->has_reading);
	memcpy(row->readings, report->readings, sizeof row->readings);
	row->has_self = true;
	row->has_self_free = report->has_free;
	row->self_free_bytes = report->free_bytes;
	row->host = report->host;
	row->elapsed_ns = report->elapsed_ns;
	result->cuda_ns += report->cuda_ns;
	return row;
}

/* The device-wide meters into the newest row. */
static int read_device(struct attempt *attempt, const struct observer_request *request)
{
	struct result *result = attempt->result;
	struct result_row *row = &result->rows[result->row_count - 1];
	struct err why;
	int r = observer_read(&attempt->sampler->observer, request, &row->device,
			      attempt->sampler->interrupted, &why);

	row->has_device = !r;
	if (!r)
		result->cuda_ns += row->device.cuda_ns;
	if (r == -EIO) {
		row->status = status_worse(row->status, STATUS_FAILED);
		snprintf(row->error, sizeof row->error, SAMPLER_ERROR_OBSERVER);
		result_row_note(row, why.text);
	}
	return r;
}

/*
 * A row for the step that was in flight when the process broke. Where that one had been reported
 * already, and the next had not begun, there was none: then this was how the process ended.
 */
static void add_broken(struct attempt *attempt, enum status status, const char *error)
{
	const struct in_flight *in_flight = attempt->sampler->in_flight;
	bool is_between = in_flight->begin_ns == attempt->reported_begin_ns;
	struct result_row *row;
	char step[STEP_NAME_MAX] = STEP_EXIT;

	if (!is_between)
		memcpy(step, in_flight->step, sizeof step);
	step[sizeof step - 1] = '\0';
	row = result_add(attempt->result, step);
	if (!row)
		return;
	row->status = status;
	row->elapsed_ns = clock_ns() - (is_between ? attempt->reported_ns : in_flight->begin_ns);
	snprintf(row->error, sizeof row->error, "%s", error);
}

static const struct {
	int signal;
	const char *name;
} signals[] = { { SIGABRT, "SIGABRT" }, { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },
		{ SIGFPE, "SIGFPE" },   { SIGILL, "SIGILL" },   { SIGKILL, "SIGKILL" },
		{ SIGTERM, "SIGTERM" }, { SIGTRAP, "SIGTRAP" } };

static void crash_text(const struct child_exit *end, char *buffer, size_t buffer_size)
{
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		if (signals[i].signal == end->signal) {
			snprintf(buffer, buffer_size, "%s", signals[i].name);
			return;
		}
	}
	if (end->signal)
		snprintf(buffer, buffer_size, "signal %d", end->signal);
	else
		snprintf(buffer, buffer_size, "exit code %d", end->exit_code);
}

/*
 * Reports until the process says that it is done (1), has broken off (0), or does not answer in
 * time (-ETIMEDOUT); other negative values end the attempt.
 */
static int follow(struct attempt *attempt, uint64_t *ret_done_ns)
{
	struct sampler *sampler = attempt->sampler;
	struct observer_request request = { .subject = attempt->child.pid };
	struct step_report report;
	char go = 0;

	for (;;) {
		int r = child_receive(&attempt->child, &report, sizeof report,
				      clock_ns() + sampler->timeout_ns, sampler->interrupted);

		if (r != (int)sizeof report)
			return r < 0 ? r : 0;
		*ret_done_ns = report.sent_ns;
		if (report.is_last)
			return 1;
		if (!add_report(attempt->result, &report))
			return -ENOMEM;
		/* It waits to be let on, so this is the step that it has reported. */
		attempt->reported_begin_ns = sampler->in_flight->begin_ns;
		attempt->reported_ns = clock_ns();
		r = read_device(attempt, &request);
		if (r < 0)
			return r;
		if (child_send(&attempt->child, &go, sizeof go) < 0)
			return 0;
	}
}

/* The last row. A process that broke on its way out has one already. */
static struct result_row *exit_row(struct result *result, uint64_t elapsed_ns)
{
	struct result_row *row = result->row_count ? &result->rows[result->row_count - 1] : NULL;

	if (row && !strcmp(row->step, STEP_EXIT))
		return row;
	row = result_add(result, STEP_EXIT);
	if (row)
		row->elapsed_ns = elapsed_ns;
	return row;
}

/* What is left when the process is gone. */
static int add_exit(struct attempt *attempt, uint64_t elapsed_ns)
{
	struct result *result = attempt->result;
	struct observer_request request = { .patience_ns = disturbance_is_known(result)
								   ? DISTURBED_EXIT_PATIENCE_NS
								   : EXIT_PATIENCE_NS };

	if (!result->row_count || !result->rows[0].has_device)
		request.patience_ns = 0;
	else
		request.expected_free_bytes = result->rows[0].device.free_bytes;
	return exit_row(result, elapsed_ns) ? read_device(attempt, &request) : -ENOMEM;
}

/* The last row of a sample whose observer was lost: nobody saw how it ended. */
static int add_observer_lost(struct attempt *attempt)
{
	struct result_row *row = result_add(attempt->result, STEP_EXIT);

	if (!row)
		return -ENOMEM;
	row->status = STATUS_FAILED;
	snprintf(row->error, sizeof row->error, SAMPLER_ERROR_OBSERVER);
	result_row_note(row, "the observer was lost before the process ended");
	return 0;
}

/* Ends the process and turns the way it ended into rows. `how` is what follow() returned. */
static int conclude(struct attempt *attempt, int how, uint64_t done_ns)
{
	struct sampler *sampler = attempt->sampler;
	uint64_t patience_ns = how >= 0 ? sampler->timeout_ns : 0;
	struct child_exit end = { 0 };
	char text[DRIVER_ERROR_MAX];
	int r = child_end(&attempt->child, clock_ns() + patience_ns, &end);

	if (how == -EIO && add_observer_lost(attempt) < 0)
		return -ENOMEM;
	if (how < 0 && how != -ETIMEDOUT)
		return how;
	if (how == -ETIMEDOUT || r < 0 || (how == 1 && end.was_late)) {
		snprintf(text, sizeof text, "no answer in %" PRIu64 " s",
			 sampler->timeout_ns / 1000000000u);
		add_broken(attempt, STATUS_TIMEOUT, text);
	} else if (how == 0 || end.signal) {
		crash_text(&end, text, sizeof text);
		add_broken(attempt, STATUS_CRASHED, text);
	}
	if (r < 0)
		result_row_note(&attempt->result->rows[attempt->result->row_count - 1],
				"the process is stuck in the kernel and could not be killed");
	attempt->result->exit_ns = how == 1 && !r ? end.reaped_ns - done_ns : 0;
	return add_exit(attempt, attempt->result->exit_ns);
}

int sampler_take(struct sampler *sampler, const struct plan_sample *sample, unsigned long order,
		 struct result *result)
{
	struct attempt attempt = { .sampler = sampler, .result = result };
	struct subject_task task = { .bench = sample->bench,
				     .point = sample->point,
				     .device = sampler->device,
				     .modules = sampler->modules,
				     .order = order,
				     .attempt = result->attempt,
				     .in_flight = sampler->in_flight };
	uint64_t done_ns = 0;
	struct err why;
	int r;

	/* Until the process says so itself. */
	*sampler->in_flight = (struct in_flight){ .step = STEP_START, .begin_ns = clock_ns() };
	r = child_start(&attempt.child, subject_body, &task, &why);
	if (r < 0) {
		struct result_row *row = result_add(result, STEP_START);

		if (row) {
			row->status = STATUS_FAILED;
			result_row_note(row, why.text);
		}
		r = add_exit(&attempt, 0);
	} else {
		r = follow(&attempt, &done_ns);
		r = conclude(&attempt, r, done_ns);
	}
	result_judge(result);
	disturbance_check(result, sampler->observer.facts.granule_bytes);
	return r;
}
