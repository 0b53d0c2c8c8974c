/* SPDX-License-Identifier: MIT */
/*
 * libcuctx_trace.so: the driver loads it where CUDA_INJECTION64_PATH names it, at the program's
 * first cuInit(), and calls InitializeInjection(). Nothing is printed here, and whatever fails, the
 * program goes on; what is amiss is a row of the trace.
 *
 * CUCTX_TRACE_FILE names the file that rows are appended to. CUCTX_TRACE_IDLE asks for all
 * callbacks and no rows, which is how the tracer's own device memory is measured.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/driver.h"
#include "harness/library.h"
#include "trace/call.h"
#include "trace/cupti_table.h"
#include "trace/meter.h"
#include "trace/record.h"
#include "trace/tracer.h"

#define COMMAND_MAX 256

int InitializeInjection(void);

static struct driver driver;
static struct cupti cupti;

static void tell(const char *event, const char *object_name, const char *note)
{
	trace_record_write(&(struct trace_row){ .time_ns = clock_ns(),
						.device = TRACE_NO_DEVICE,
						.event = event,
						.object_name = object_name,
						.note = note });
}

/* Words of the command, with a space where they end. */
static void read_command(char buffer[COMMAND_MAX])
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, buffer, COMMAND_MAX - 1);

	if (fd >= 0)
		close(fd);
	got = got > 0 && !buffer[got - 1] ? got - 1 : got;
	for (ssize_t i = 0; i < got; i++)
		if (!buffer[i])
			buffer[i] = ' ';
	buffer[got > 0 ? got : 0] = '\0';
}

static void tell_process(void)
{
	char path[4096], command[COMMAND_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

	path[length > 0 ? length : 0] = '\0';
	read_command(command);
	tell("process", path, command);
}

struct enabling {
	CUpti_SubscriberHandle subscriber;
	CUptiResult result;
};

static void enable_call(void *data, CUpti_CallbackId number)
{
	struct enabling *enabling = data;
	CUptiResult result =
		cupti.enable_callback(1, enabling->subscriber, CUPTI_CB_DOMAIN_DRIVER_API, number);

	if (result)
		enabling->result = result;
}

static int subscribe(struct err *reterr)
{
	struct enabling enabling = { .result = CUPTI_SUCCESS };
	int r = cupti_check(&cupti, cupti.subscribe(&enabling.subscriber, trace_callback, NULL),
			    "cuptiSubscribe", reterr);

	if (r < 0)
		return r;
	trace_calls_each(enable_call, &enabling);
	if (!enabling.result)
		enabling.result =
			cupti.enable_callback(1, enabling.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
					      CUPTI_CBID_RESOURCE_MODULE_LOADED);
	return cupti_check(&cupti, enabling.result, "cuptiEnableCallback", reterr);
}

static int start(struct err *reterr)
{
	int r = driver_load(&driver, reterr);

	if (!r)
		r = trace_meter_open(&driver, reterr);
	if (!r)
		r = cupti_load(&cupti, reterr);
	if (r < 0)
		return r;
	if (library_any_simulated())
		tell("fact", "simulated", "yes");
	trace_calls_find(&cupti);
	trace_begin(&driver);
	r = subscribe(reterr);
	if (!r && atexit(trace_end))
		tell("fact", "trace_problem", "how processes end cannot be seen");
	return r;
}

__attribute__((visibility("default"))) int InitializeInjection(void)
{
	const char *path = getenv("CUCTX_TRACE_FILE");
	struct err err = { "" };

	if (path ? trace_record_open(path, &err) < 0 : !getenv("CUCTX_TRACE_IDLE"))
		return 1;
	tell_process();
	if (start(&err) < 0)
		tell("fact", "trace_problem", err.text);
	return 1;
}
