/* SPDX-License-Identifier: MIT */
#include "harness/observer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/observer_body.h"

/* What became of an observer that did not say hello; `r` is what child_receive() returned. */
static int complain(struct child *child, int r, uint64_t timeout_ns, struct err *reterr)
{
	uint64_t patience_ns = r ? 0 : timeout_ns; /* it hung up first: let it end as it will */
	struct child_exit end = { 0 };

	child_end(child, clock_ns() + patience_ns, &end);
	if (r == -EINTR)
		return err_set(reterr, EINTR, "interrupted while the driver started");
	if (r == -ETIMEDOUT)
		return err_set(reterr, ENODEV,
			       "the driver did not answer within %u s; is the GPU hung (dmesg)?",
			       (unsigned int)(timeout_ns / 1000000000u));
	return err_set(reterr, ENODEV, "the driver ended the process (%s) while it started",
		       end.signal ? strsignal(end.signal) : "exit");
}

int observer_start(struct observer *observer, const struct observer_task *task, struct err *reterr)
{
	struct observer started = { .timeout_ns = task->timeout_ns };
	struct observer_task copy = *task;
	struct observer_hello hello;
	struct child_exit end;
	int r = child_start(&started.child, observer_body, &copy, reterr);

	if (r < 0)
		return r;
	r = child_receive(&started.child, &hello, sizeof hello, clock_ns() + task->timeout_ns,
			  task->interrupted);
	if (r != (int)sizeof hello)
		return complain(&started.child, r, task->timeout_ns, reterr);
	if (hello.error) {
		child_end(&started.child, clock_ns() + task->timeout_ns, &end);
		return err_set(reterr, hello.error, "%s", hello.why.text);
	}
	started.facts = hello.facts;
	*observer = started;
	return 0;
}

int observer_read(struct observer *observer, const struct observer_request *request,
		  struct device_reading *ret_reading, const volatile sig_atomic_t *interrupted,
		  struct err *reterr)
{
	struct device_reading reading;
	int r;

	if (child_send(&observer->child, request, sizeof *request) < 0)
		return err_set(reterr, EIO, "the observer process is gone");
	r = child_receive(&observer->child, &reading, sizeof reading,
			  clock_ns() + observer->timeout_ns + request->patience_ns, interrupted);
	if (r == -EINTR)
		return err_set(reterr, EINTR, "interrupted");
	if (r == -ETIMEDOUT)
		return err_set(reterr, EIO, "the observer process did not answer in time");
	if (r != (int)sizeof reading)
		return err_set(reterr, EIO, "the observer process ended");
	if (reading.error)
		return err_set(reterr, EIO, "the observer's cuMemGetInfo: %s", reading.error_name);
	*ret_reading = reading;
	return 0;
}

void observer_stop(struct observer *observer)
{
	struct child_exit end;

	if (observer->child.pid)
		child_end(&observer->child, clock_ns(), &end);
	observer->child = (struct child){ .socket = -1 };
}
