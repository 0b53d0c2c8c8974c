/* SPDX-License-Identifier: MIT */
#include "trace/meter.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "harness/clock.h"
#include "harness/host_meter.h"
#include "harness/nvml_table.h"

/* As many as CUDA lets a process see is not said; a machine of today has up to 16. */
#define DEVICES_MAX 64

#define CLOSE_PATIENCE_US 100000

/* NVML takes 7 us on an H200. */
#define READ_QUICK_NS UINT64_C(100000)
#define READS_MAX     3

enum state { UNTRIED, USABLE, UNUSABLE };

static struct {
	const struct driver *driver;
	struct nvml nvml;
	pthread_mutex_t lock; /* while a device is looked up for the first time */
	struct device {
		_Atomic int state;
		struct nvml nvml;
		int index;
	} devices[DEVICES_MAX];
	_Atomic bool is_closed;
	_Atomic int reader_count;
} meter = { .lock = PTHREAD_MUTEX_INITIALIZER };

int trace_meter_open(const struct driver *driver, struct err *reterr)
{
	meter.driver = driver;
	return nvml_load(&meter.nvml, reterr);
}

static bool look_up(struct device *device, int ordinal)
{
	char pci_bus_id[32];
	struct err ignored;
	unsigned int index;
	CUdevice handle;

	device->nvml = meter.nvml;
	if (meter.driver->device_get(&handle, ordinal) ||
	    meter.driver->device_get_pci_bus_id(pci_bus_id, sizeof pci_bus_id, handle) ||
	    nvml_select(&device->nvml, pci_bus_id, &ignored) < 0)
		return false;
	device->index = nvml_index(&device->nvml, &index) ? (int)index : TRACE_NO_DEVICE;
	return true;
}

static struct device *device_of(int ordinal)
{
	struct device *device;

	if (ordinal < 0 || ordinal >= DEVICES_MAX)
		return NULL;
	device = &meter.devices[ordinal];
	if (atomic_load(&device->state) == UNTRIED) {
		pthread_mutex_lock(&meter.lock);
		if (atomic_load(&device->state) == UNTRIED)
			atomic_store(&device->state, look_up(device, ordinal) ? USABLE : UNUSABLE);
		pthread_mutex_unlock(&meter.lock);
	}
	return atomic_load(&device->state) == USABLE ? device : NULL;
}

/*
 * The time is that of the reading, to which it is put in order with those of others. Where the
 * thread did not run meanwhile, nobody knows when that was, and it is read anew.
 */
static void read_used(const struct device *device, struct trace_reading *reading)
{
	uint64_t begin_ns;

	for (int i = 0; i < READS_MAX; i++) {
		begin_ns = clock_ns();
		reading->is_taken = nvml_read_used(&device->nvml, &reading->used_bytes);
		reading->time_ns = clock_ns();
		if (reading->time_ns - begin_ns < READ_QUICK_NS)
			return;
	}
}

struct trace_reading trace_meter_read(int ordinal)
{
	struct trace_reading reading = { .is_taken = false };
	const struct device *device;

	atomic_fetch_add(&meter.reader_count, 1);
	if (!atomic_load(&meter.is_closed)) {
		device = device_of(ordinal);
		reading.host_bytes = host_meter_rss_bytes();
		if (device)
			read_used(device, &reading);
	}
	atomic_fetch_sub(&meter.reader_count, 1);
	if (!reading.is_taken)
		reading.time_ns = clock_ns();
	return reading;
}

int trace_meter_index(int ordinal)
{
	bool is_known = ordinal >= 0 && ordinal < DEVICES_MAX &&
			atomic_load(&meter.devices[ordinal].state) == USABLE;

	return is_known ? meter.devices[ordinal].index : TRACE_NO_DEVICE;
}

void trace_meter_close(void)
{
	atomic_store(&meter.is_closed, true);
	for (int waited_us = 0; atomic_load(&meter.reader_count) && waited_us < CLOSE_PATIENCE_US;
	     waited_us += 100)
		usleep(100);
}
