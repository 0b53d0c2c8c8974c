/* SPDX-License-Identifier: MIT */
/* libnvidia-ml.so.1: what NVML tells of the simulated device. Faults do not count its calls. */
#include <nvml.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/simulation.h"

#define NVML_EXPORT __attribute__((visibility("default")))

static struct {
	pthread_mutex_t lock;
	pid_t pid; /* who has called nvmlInit; a forked child has to start anew */
	struct simulation simulation;
} library = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Any address does, if it is ours. */
#define DEVICE ((nvmlDevice_t)(void *)&library)

static bool is_ready(void)
{
	return library.pid == getpid();
}

static nvmlReturn_t check(nvmlDevice_t device, const void *result)
{
	if (!is_ready())
		return NVML_ERROR_UNINITIALIZED;
	return device == DEVICE && result ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn_t start(void)
{
	struct err err = { "" };

	if (simulation_open(&library.simulation, &err) < 0) {
		simulation_complain(&err);
		return NVML_ERROR_DRIVER_NOT_LOADED;
	}
	library.pid = getpid();
	return NVML_SUCCESS;
}

NVML_EXPORT nvmlReturn_t nvmlInit_v2(void)
{
	nvmlReturn_t r = NVML_SUCCESS;

	pthread_mutex_lock(&library.lock);
	if (!is_ready())
		r = start();
	pthread_mutex_unlock(&library.lock);
	return r;
}

static nvmlReturn_t put_text(const char *text, char *ret_text, unsigned int length)
{
	if (strlen(text) >= length)
		return NVML_ERROR_INSUFFICIENT_SIZE;
	snprintf(ret_text, length, "%s", text);
	return NVML_SUCCESS;
}

NVML_EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
	nvmlReturn_t r = check(DEVICE, version);

	return r ? r : put_text(library.simulation.profile.driver_release, version, length);
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *deviceCount)
{
	nvmlReturn_t r = check(DEVICE, deviceCount);

	if (!r)
		*deviceCount = 1;
	return r;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device)
{
	nvmlReturn_t r = check(DEVICE, device);

	if (r)
		return r;
	if (index)
		return NVML_ERROR_INVALID_ARGUMENT;
	*device = DEVICE;
	return NVML_SUCCESS;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
	nvmlReturn_t r = check(device, index);

	if (!r)
		*index = 0;
	return r;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
	nvmlReturn_t r = check(device, name);

	return r ? r : put_text(library.simulation.profile.gpu_name, name, length);
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
	nvmlReturn_t r = check(device, uuid);

	return r ? r : put_text(library.simulation.profile.gpu_uuid, uuid, length);
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *pciBusId,
							  nvmlDevice_t *device)
{
	nvmlReturn_t r = check(DEVICE, device);
	struct profile_pci ours, asked;

	if (r)
		return r;
	if (!pciBusId || profile_parse_pci(pciBusId, &asked) < 0)
		return NVML_ERROR_INVALID_ARGUMENT;
	profile_parse_pci(library.simulation.profile.pci_bus_id, &ours);
	if (memcmp(&ours, &asked, sizeof ours) != 0)
		return NVML_ERROR_NOT_FOUND;
	*device = DEVICE;
	return NVML_SUCCESS;
}

static void read_memory(nvmlMemory_v2_t *ret_memory)
{
	const struct profile *profile = &library.simulation.profile;
	uint64_t used = state_used_bytes(library.simulation.state);

	ret_memory->total = profile->nvml_total_bytes;
	ret_memory->reserved = profile->nvml_reserved_bytes;
	ret_memory->used = used;
	ret_memory->free = profile->nvml_total_bytes - profile->nvml_reserved_bytes - used;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
	nvmlReturn_t r = check(device, memory);

	if (r)
		return r;
	if (memory->version != nvmlMemory_v2)
		return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
	read_memory(memory);
	return NVML_SUCCESS;
}

/* The first version knows no reserved memory and counts it as used. */
NVML_EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
	nvmlReturn_t r = check(device, memory);
	nvmlMemory_v2_t young;

	if (r)
		return r;
	read_memory(&young);
	*memory = (nvmlMemory_t){ .total = young.total,
				  .free = young.free,
				  .used = young.used + young.reserved };
	return NVML_SUCCESS;
}

static unsigned long long visible_bytes(const struct state_holder *holder)
{
	if (holder->used_bytes < holder->hidden_bytes)
		return 0;
	return holder->used_bytes - holder->hidden_bytes;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device,
								 unsigned int *infoCount,
								 nvmlProcessInfo_t *infos)
{
	nvmlReturn_t r = check(device, infoCount);
	struct state_holder holders[STATE_PROCESSES_MAX];
	unsigned int room, count;

	if (r)
		return r;
	if (state_is_quiet(library.simulation.state))
		return NVML_ERROR_NOT_SUPPORTED;
	room = *infoCount;
	count = (unsigned int)state_holders(library.simulation.state, holders);
	*infoCount = count;
	if (count > room)
		return NVML_ERROR_INSUFFICIENT_SIZE;
	if (count && !infos)
		return NVML_ERROR_INVALID_ARGUMENT;
	for (unsigned int i = 0; i < count; i++)
		infos[i] = (nvmlProcessInfo_t){ .pid = (unsigned int)holders[i].pid,
						.usedGpuMemory = visible_bytes(&holders[i]),
						.gpuInstanceId = UINT32_MAX,
						.computeInstanceId = UINT32_MAX };
	return NVML_SUCCESS;
}

/* The device draws nothing and has no MPS server. */
static nvmlReturn_t no_processes(nvmlDevice_t device, unsigned int *ret_count)
{
	nvmlReturn_t r = check(device, ret_count);

	if (r)
		return r;
	if (state_is_quiet(library.simulation.state))
		return NVML_ERROR_NOT_SUPPORTED;
	*ret_count = 0;
	return NVML_SUCCESS;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device,
								  unsigned int *infoCount,
								  nvmlProcessInfo_t *infos)
{
	(void)infos;
	return no_processes(device, infoCount);
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device,
								    unsigned int *infoCount,
								    nvmlProcessInfo_t *infos)
{
	(void)infos;
	return no_processes(device, infoCount);
}

static nvmlEnableState_t enabled(uint64_t is_on)
{
	return is_on ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t *mode)
{
	nvmlReturn_t r = check(device, mode);

	if (!r)
		*mode = enabled(library.simulation.profile.persistence_mode);
	return r;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
	nvmlReturn_t r = check(device, mode);

	if (!r)
		*mode = (nvmlComputeMode_t)library.simulation.profile.compute_mode;
	return r;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, nvmlEnableState_t *current,
					      nvmlEnableState_t *pending)
{
	nvmlReturn_t r = check(device, current);

	if (!r)
		r = check(device, pending);
	if (!r)
		*current = *pending = enabled(library.simulation.profile.ecc);
	return r;
}

NVML_EXPORT nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int *currentMode,
					      unsigned int *pendingMode)
{
	nvmlReturn_t r = check(device, currentMode);

	if (!r)
		r = check(device, pendingMode);
	if (!r)
		*currentMode = *pendingMode = (unsigned int)library.simulation.profile.mig;
	return r;
}
