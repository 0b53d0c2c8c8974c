/* SPDX-License-Identifier: MIT */
#include "harness/observer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/observer_body.h"

int observer_start(struct observer *observer, int device, uint64_t timeout_ns, struct err *reterr)
{
	struct observer started = { .timeout_ns = timeout_ns };
	struct observer_hello hello;
	struct child_exit end;
	int r = child_start(&started.child, observer_body, &device, reterr);

	if (r < 0)
		return r;
	r = child_receive(&started.child, &hello, sizeof hello, clock_ns() + timeout_ns, NULL);
	if (r == (int)sizeof hello && !hello.error) {
		started.facts = hello.facts;
		*observer = started;
		return 0;
	}
	child_end(&started.child, clock_ns(), &end);
	if (r == (int)sizeof hello)
		return err_set(reterr, hello.error, "%s", hello.why.text);
	if (r == -ETIMEDOUT)
		return err_set(reterr, ENODEV,
			       "the driver did not answer within %u s; is the GPU hung (dmesg)?",
			       (unsigned int)(timeout_ns / 1000000000u));
	return err_set(reterr, ENODEV, "the driver ended the process (%s) while it started",
		       end.signal ? strsignal(end.signal) : "exit");
}

int observer_read(struct observer *observer, const struct observer_request *request,
		  struct device_reading *ret_reading, const volatile sig_atomic_t *interrupted)
{
	struct device_reading reading;
	int r;

	if (child_send(&observer->child, request, sizeof *request) < 0)
		return -EIO;
	r = child_receive(&observer->child, &reading, sizeof reading,
			  clock_ns() + observer->timeout_ns + request->patience_ns, interrupted);
	if (r == -EINTR)
		return r;
	if (r != (int)sizeof reading || reading.error)
		return -EIO;
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
