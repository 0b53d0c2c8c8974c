/* SPDX-License-Identifier: MIT */
#include "harness/nvml_table.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/array.h"
#include "harness/library.h"

#define PROCESSES_MAX 256

static const char *const names[] = { "libnvidia-ml.so.1", NULL };

static const struct library library = {
	.what = "NVML",
	.variable = "CUCTX_LIBNVML",
	.names = names,
	.help = "the device-wide NVML meters are left empty",
};

enum { OPTIONAL = false, NEEDED = true };

static const struct library_entry entries[] = {
#define NVML_CALL(field, symbol, need) { #symbol, offsetof(struct nvml, field), need },
#include "harness/nvml.def"
#undef NVML_CALL
};

int nvml_load(struct nvml *nvml, struct err *reterr)
{
	struct nvml loaded = { 0 };
	const char *missing;
	nvmlReturn_t error;
	void *handle;
	int r = library_open(&library, &handle, reterr);

	if (r < 0)
		return r;
	missing = library_fill(handle, entries, ARRAY_COUNT(entries), &loaded);
	if (missing)
		return err_set(reterr, ENODEV, "NVML has no %s", missing);
	error = loaded.init();
	if (error)
		return err_set(reterr, ENODEV, "NVML does not start (nvmlReturn_t %d)", (int)error);
	*nvml = loaded;
	return 0;
}

void nvml_driver_release(const struct nvml *nvml, char *buffer, unsigned int buffer_size)
{
	if (nvml->system_get_driver_version(buffer, buffer_size))
		buffer[0] = '\0';
}

int nvml_select(struct nvml *nvml, const char *pci_bus_id, struct err *reterr)
{
	nvmlReturn_t error = nvml->device_get_handle_by_pci_bus_id(pci_bus_id, &nvml->device);

	if (error)
		return err_set(reterr, ENODEV, "NVML does not know device %s (nvmlReturn_t %d)",
			       pci_bus_id, (int)error);
	return 0;
}

unsigned int nvml_device_count(const struct nvml *nvml)
{
	unsigned int count;

	return nvml->device_get_count && !nvml->device_get_count(&count) ? count : 0;
}

int nvml_select_index(struct nvml *nvml, unsigned int index, struct err *reterr)
{
	nvmlReturn_t error = NVML_ERROR_FUNCTION_NOT_FOUND;

	if (nvml->device_get_handle_by_index)
		error = nvml->device_get_handle_by_index(index, &nvml->device);
	if (error)
		return err_set(reterr, ENODEV, "NVML does not open device %u (nvmlReturn_t %d)",
			       index, (int)error);
	return 0;
}

bool nvml_index(const struct nvml *nvml, unsigned int *ret_index)
{
	return nvml->device_get_index && !nvml->device_get_index(nvml->device, ret_index);
}

static void read_memory(const struct nvml *nvml, struct nvml_reading *reading)
{
	nvmlMemory_v2_t apart = { .version = nvmlMemory_v2 };
	nvmlMemory_t folded;

	if (nvml->device_get_memory_info_v2 &&
	    !nvml->device_get_memory_info_v2(nvml->device, &apart)) {
		reading->has_used = reading->has_reserved = true;
		reading->used_bytes = apart.used;
		reading->reserved_bytes = apart.reserved;
	} else if (!nvml->device_get_memory_info(nvml->device, &folded)) {
		reading->has_used = true;
		reading->used_bytes = folded.used;
	}
}

bool nvml_read_used(const struct nvml *nvml, uint64_t *ret_used_bytes)
{
	struct nvml_reading reading = { 0 };

	read_memory(nvml, &reading);
	if (reading.has_used)
		*ret_used_bytes = reading.used_bytes;
	return reading.has_used;
}

typedef nvmlReturn_t list_call(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *list);

/* Everybody on the device, each once: who computes and draws is in two of NVML's lists. */
struct process_list {
	nvmlProcessInfo_t processes[PROCESSES_MAX];
	unsigned int count;
	bool is_known;
};

static bool has_process(const struct process_list *list, unsigned int pid)
{
	for (unsigned int i = 0; i < list->count; i++)
		if (list->processes[i].pid == pid)
			return true;
	return false;
}

static void add_list(const struct nvml *nvml, list_call *call, struct process_list *all)
{
	nvmlProcessInfo_t list[PROCESSES_MAX];
	unsigned int count = PROCESSES_MAX;

	if (!call || call(nvml->device, &count, list))
		return;
	all->is_known = true;
	for (unsigned int i = 0; i < count && all->count < PROCESSES_MAX; i++)
		if (!has_process(all, list[i].pid))
			all->processes[all->count++] = list[i];
}

static void count_process(const nvmlProcessInfo_t *info, pid_t process,
			  struct nvml_reading *reading)
{
	bool is_known = info->usedGpuMemory != (unsigned long long)NVML_VALUE_NOT_AVAILABLE;

	if (info->pid == (unsigned int)process) {
		reading->is_listed = true;
		reading->has_process = is_known;
		reading->process_bytes = is_known ? info->usedGpuMemory : 0;
	} else if (info->pid != (unsigned int)getpid()) {
		reading->other_count++;
		reading->other_bytes += is_known ? info->usedGpuMemory : 0;
	}
}

struct nvml_reading nvml_read(const struct nvml *nvml, pid_t process)
{
	struct nvml_reading reading = { 0 };
	struct process_list all = { 0 };

	read_memory(nvml, &reading);
	add_list(nvml, nvml->device_get_compute_processes, &all);
	add_list(nvml, nvml->device_get_mps_processes, &all);
	add_list(nvml, nvml->device_get_graphics_processes, &all);
	reading.has_processes = all.is_known;
	for (unsigned int i = 0; i < all.count; i++)
		count_process(&all.processes[i], process, &reading);
	return reading;
}
