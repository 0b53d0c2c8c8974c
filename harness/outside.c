/* SPDX-License-Identifier: MIT */
#include "harness/outside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/driver.h"
#include "harness/library.h"
#include "harness/nvml_table.h"

#define START_PATIENCE_NS UINT64_C(60000000000)
#define READ_PATIENCE_NS  UINT64_C(60000000000)
#define SETTLES_MAX       10

struct answer {
	int error; /* 0, or an errno with `why` */
	struct err why;
	struct outside_reading reading;
};

/* ---- in the child ---- */

static void describe(const struct nvml *nvml, struct outside_device *device)
{
	if (!nvml->device_get_name ||
	    nvml->device_get_name(nvml->device, device->name, sizeof device->name))
		device->name[0] = '\0';
	if (!nvml->device_get_uuid ||
	    nvml->device_get_uuid(nvml->device, device->uuid, sizeof device->uuid))
		device->uuid[0] = '\0';
}

static void read_once(struct nvml *nvml, struct outside_reading *reading)
{
	unsigned int count = nvml_device_count(nvml);

	reading->count = 0;
	for (unsigned int i = 0; i < count && i < OUTSIDE_DEVICES_MAX; i++) {
		struct outside_device *device = &reading->devices[reading->count];
		struct err ignored;

		*device = (struct outside_device){ .index = i };
		if (nvml_select_index(nvml, i, &ignored) < 0 ||
		    !nvml_read_used(nvml, &device->used_bytes))
			continue;
		device->time_ns = clock_ns();
		describe(nvml, device);
		reading->count++;
	}
}

static bool agree(const struct outside_reading *a, const struct outside_reading *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned int i = 0; i < a->count; i++)
		if (a->devices[i].used_bytes != b->devices[i].used_bytes)
			return false;
	return true;
}

static void read_settled(struct nvml *nvml, uint64_t settle_ns, struct outside_reading *reading)
{
	struct outside_reading before;

	read_once(nvml, reading);
	for (int i = 0; i < SETTLES_MAX && !reading->is_settled; i++) {
		before = *reading;
		clock_sleep_ns(settle_ns);
		read_once(nvml, reading);
		reading->is_settled = agree(&before, reading);
	}
}

static int start(struct nvml *nvml, struct answer *answer)
{
	struct driver driver;
	int r = driver_load(&driver, &answer->why);

	if (!r && driver.init(0))
		r = err_set(&answer->why, ENODEV, "the CUDA driver does not start");
	if (!r)
		r = nvml_load(nvml, &answer->why);
	if (!r && !nvml_device_count(nvml))
		r = err_set(&answer->why, ENODEV, "NVML sees no device");
	return r;
}

static void serve(int socket, void *data)
{
	struct answer answer = { 0 };
	struct nvml nvml;
	uint64_t settle_ns;

	(void)data;
	unsetenv("CUDA_INJECTION64_PATH");
	answer.error = -start(&nvml, &answer);
	if (!socket_send(socket, &answer, sizeof answer) || answer.error)
		return;
	nvml_driver_release(&nvml, answer.reading.driver_release,
			    sizeof answer.reading.driver_release);
	answer.reading.is_simulated = library_any_simulated();
	while (socket_receive(socket, &settle_ns, sizeof settle_ns)) {
		answer.reading.is_settled = false;
		read_settled(&nvml, settle_ns, &answer.reading);
		if (!socket_send(socket, &answer, sizeof answer))
			return;
	}
}

/* ---- in the parent ---- */

static int receive(struct child *child, uint64_t patience_ns, struct answer *answer,
		   struct err *reterr)
{
	int got = child_receive(child, answer, sizeof *answer, clock_ns() + patience_ns, NULL);

	if (got == -ETIMEDOUT)
		return err_set(reterr, ENODEV, "the driver does not answer");
	if (got != (int)sizeof *answer)
		return err_set(reterr, ENODEV, "the driver ended the process that asked it");
	return answer->error ? err_set(reterr, answer->error, "%s", answer->why.text) : 0;
}

int outside_open(struct outside *outside, struct err *reterr)
{
	struct answer answer;
	int r = child_start(&outside->child, serve, NULL, reterr);

	if (r < 0)
		return r;
	r = receive(&outside->child, START_PATIENCE_NS, &answer, reterr);
	if (r < 0)
		outside_close(outside);
	return r;
}

int outside_read(struct outside *outside, uint64_t settle_ns, struct outside_reading *ret_reading,
		 struct err *reterr)
{
	struct answer answer;
	int r;

	if (child_send(&outside->child, &settle_ns, sizeof settle_ns) < 0)
		return err_set(reterr, ENODEV, "the process that reads the devices is gone");
	r = receive(&outside->child, READ_PATIENCE_NS, &answer, reterr);
	if (!r)
		*ret_reading = answer.reading;
	return r;
}

void outside_close(struct outside *outside)
{
	struct child_exit end;

	child_end(&outside->child, clock_ns(), &end);
}

/* ---- one context ---- */

static int take_context(struct answer *answer)
{
	struct outside_device *device = answer->reading.devices;
	char pci_bus_id[32] = "";
	struct driver driver;
	struct nvml nvml;
	CUcontext context;
	CUdevice handle;
	uint64_t before;
	int r = driver_load(&driver, &answer->why);

	if (!r)
		r = nvml_load(&nvml, &answer->why);
	if (r < 0)
		return r;
	if (driver.init(0) || driver.device_get(&handle, 0) ||
	    driver.device_get_pci_bus_id(pci_bus_id, sizeof pci_bus_id, handle))
		return err_set(&answer->why, ENODEV, "the CUDA driver has no device");
	r = nvml_select(&nvml, pci_bus_id, &answer->why);
	if (r < 0)
		return r;
	if (!nvml_read_used(&nvml, &before) || driver.device_primary_ctx_retain(&context, handle) ||
	    !nvml_read_used(&nvml, &device->used_bytes))
		return err_set(&answer->why, ENODEV, "no context could be made and measured");
	device->used_bytes -= before;
	return 0;
}

static void measure_context(int socket, void *data)
{
	const char *injection_path = data;
	struct answer answer = { 0 };

	unsetenv("CUCTX_TRACE_FILE");
	setenv("CUCTX_TRACE_IDLE", "1", 1);
	if (injection_path)
		setenv("CUDA_INJECTION64_PATH", injection_path, 1);
	else
		unsetenv("CUDA_INJECTION64_PATH");
	answer.error = -take_context(&answer);
	socket_send(socket, &answer, sizeof answer);
}

int outside_context_bytes(const char *injection_path, int64_t *ret_bytes, struct err *reterr)
{
	struct child_exit end;
	struct answer answer;
	struct child child;
	int r = child_start(&child, measure_context, (void *)(uintptr_t)injection_path, reterr);

	if (r < 0)
		return r;
	r = receive(&child, START_PATIENCE_NS, &answer, reterr);
	child_end(&child, clock_ns() + READ_PATIENCE_NS, &end);
	if (!r)
		*ret_bytes = (int64_t)answer.reading.devices[0].used_bytes;
	return r;
}
