/* SPDX-License-Identifier: MIT */
#include "harness/observer_body.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/clock.h"
#include "harness/driver.h"
#include "harness/facts.h"

/* Two equal reads are a settled reading. The wait between them grows, so that a quiet device costs
 * microseconds and a busy one is not hammered. */
#define SETTLE_FIRST_NS 20000u
#define SETTLE_MAX_NS   20000000u
#define SETTLE_BOUND_NS 500000000u
#define EXPECT_POLL_NS  500000u

static int read_free(struct facts_source *source, struct device_reading *reading)
{
	uint64_t start_ns = clock_ns();
	size_t free_bytes = 0, total_bytes = 0;

	reading->error = (int)source->cu.mem_get_info(&free_bytes, &total_bytes);
	reading->cuda_ns += clock_ns() - start_ns;
	reading->free_bytes = free_bytes;
	if (reading->error)
		driver_error_name(&source->cu, reading->error, reading->error_name);
	return reading->error;
}

/* Reads until two in a row agree. */
static int read_settled(struct facts_source *source, struct device_reading *reading)
{
	uint64_t start_ns = clock_ns(), wait_ns = SETTLE_FIRST_NS, last_bytes;

	if (read_free(source, reading))
		return reading->error;
	do {
		last_bytes = reading->free_bytes;
		if (read_free(source, reading))
			return reading->error;
		reading->settle_ns = clock_ns() - start_ns;
		reading->settled = reading->free_bytes == last_bytes;
		if (!reading->settled)
			clock_sleep_ns(wait_ns);
		wait_ns = wait_ns * 2 < SETTLE_MAX_NS ? wait_ns * 2 : SETTLE_MAX_NS;
	} while (!reading->settled && reading->settle_ns < SETTLE_BOUND_NS);
	return 0;
}

static struct nvml_reading read_nvml(const struct facts_source *source, pid_t subject)
{
	struct nvml_reading reading = nvml_read(&source->nvml, subject);

	/* Or the subject would count as a stranger who comes and goes. */
	if (!source->knows_pids)
		reading.has_processes = reading.has_process = false;
	return reading;
}

static struct device_reading take(struct facts_source *source,
				  const struct observer_request *request)
{
	struct device_reading reading = { 0 };
	uint64_t start_ns = clock_ns();
	int error = read_settled(source, &reading);

	while (!error && request->patience_ns &&
	       reading.free_bytes != request->expected_free_bytes &&
	       clock_ns() - start_ns < request->patience_ns) {
		clock_sleep_ns(EXPECT_POLL_NS);
		error = read_settled(source, &reading);
		reading.settle_ns = clock_ns() - start_ns;
	}
	if (!error && source->has_nvml) {
		start_ns = clock_ns();
		reading.nvml = read_nvml(source, request->subject);
		reading.cuda_ns += clock_ns() - start_ns;
	}
	return reading;
}

void observer_body(int socket, void *data)
{
	struct observer_hello hello = { 0 };
	const struct observer_task *task = data;
	struct facts_source source = { .ordinal = task->device };
	struct observer_request request;
	char number[16];

	/* Who this is, for the simulated device's list of faults; no other library knows them. */
	snprintf(number, sizeof number, "%u", task->number);
	setenv("CUCTX_SIM_PROCESS", "observer", 1);
	setenv("CUCTX_SIM_ATTEMPT", number, 1);
	hello.error = -facts_gather(&source, &hello.facts, &hello.why);
	if (!socket_send(socket, &hello, sizeof hello) || hello.error)
		return;
	while (socket_receive(socket, &request, sizeof request)) {
		struct device_reading reading = take(&source, &request);

		if (!socket_send(socket, &reading, sizeof reading))
			return;
	}
}
