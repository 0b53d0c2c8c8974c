/* SPDX-License-Identifier: MIT */
#include "harness/facts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "harness/clock.h"
#include "harness/library.h"
#include "harness/mps.h"
#include "harness/runtime.h"
#include "harness/simulate.h"

/* cuMemAlloc hands out pieces of larger blocks: small pieces are taken until the meter steps. */
#define GRANULE_PIECE_BYTES 4096
#define GRANULE_PIECES_MAX  4096
#define NOISE_READS         64
#define NOISE_PAUSE_NS      200000u

static int no_device(const struct facts_source *source, const char *call, CUresult error,
		     struct err *reterr)
{
	char name[DRIVER_ERROR_MAX];

	return err_set(reterr, ENODEV, "%s: %s; check that `nvidia-smi` works and the GPU is free",
		       call, driver_error_name(&source->cu, (int)error, name));
}

/* The simulated device refuses to start where its profile or its list of faults is no good. */
static int not_initialised(const struct facts_source *source, CUresult error, struct err *reterr)
{
	char words[2 * sizeof reterr->text]; /* a whole line, its end included */

	if (library_any_simulated() && simulate_complaint(words, sizeof words))
		return err_set(reterr, EINVAL, "simulated device: %s", words);
	return no_device(source, "cuInit", error, reterr);
}

static int open_device(struct facts_source *source, int *ret_device_count, struct err *reterr)
{
	int device_count = 0;
	CUresult error;

	error = source->cu.init(0);
	if (error)
		return not_initialised(source, error, reterr);
	error = source->cu.device_get_count(&device_count);
	if (error)
		return no_device(source, "cuDeviceGetCount", error, reterr);
	if (source->ordinal < 0 || source->ordinal >= device_count)
		return err_set(reterr, ENODEV, "device %d: there are %d, numbered from 0",
			       source->ordinal, device_count);
	error = source->cu.device_get(&source->device, source->ordinal);
	if (error)
		return no_device(source, "cuDeviceGet", error, reterr);
	*ret_device_count = device_count;
	return 0;
}

static void format_uuid(const CUuuid *uuid, char *buffer, size_t buffer_size)
{
	const unsigned char *b = (const unsigned char *)uuid->bytes;

	snprintf(buffer, buffer_size,
		 "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
		 b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
		 b[14], b[15]);
}

static int read_attributes(const struct facts_source *source, struct device_info *device,
			   struct err *reterr)
{
	const struct {
		int *target;
		CUdevice_attribute attribute;
	} wanted[] = {
		{ &device->compute_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR },
		{ &device->compute_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR },
		{ &device->sm_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT },
		{ &device->max_threads_per_sm, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR },
	};

	for (size_t i = 0; i < ARRAY_COUNT(wanted); i++) {
		CUresult error = source->cu.device_get_attribute(
			wanted[i].target, wanted[i].attribute, source->device);

		if (error)
			return no_device(source, "cuDeviceGetAttribute", error, reterr);
	}
	return 0;
}

static int describe_device(const struct facts_source *source, struct device_info *device,
			   struct err *reterr)
{
	size_t total_bytes = 0;
	CUuuid uuid;
	CUresult error =
		source->cu.device_get_name(device->name, sizeof device->name, source->device);

	if (error)
		return no_device(source, "cuDeviceGetName", error, reterr);
	error = source->cu.device_get_pci_bus_id(device->pci_bus_id, sizeof device->pci_bus_id,
						 source->device);
	if (error)
		return no_device(source, "cuDeviceGetPCIBusId", error, reterr);
	error = source->cu.device_total_mem(&total_bytes, source->device);
	if (error)
		return no_device(source, "cuDeviceTotalMem", error, reterr);
	device->total_bytes = total_bytes;
	device->has_memory_pools =
		source->cu.mem_alloc_async && source->cu.mem_free_async &&
		source->cu.mem_pool_trim_to && source->cu.mem_pool_set_attribute &&
		source->cu.mem_pool_get_attribute && source->cu.device_get_default_mem_pool;
	device->has_graphs = source->cu.graph_create && source->cu.graph_add_kernel_node &&
			     source->cu.graph_instantiate && source->cu.graph_upload &&
			     source->cu.graph_launch && source->cu.graph_exec_destroy &&
			     source->cu.graph_destroy && source->cu.device_graph_mem_trim;
	device->has_libraries = source->cu.library_load_data && source->cu.library_get_kernel &&
				source->cu.kernel_get_function && source->cu.library_unload;
	device->has_green_contexts =
		source->cu.device_get_dev_resource && source->cu.dev_sm_resource_split_by_count &&
		source->cu.dev_resource_generate_desc && source->cu.green_ctx_create &&
		source->cu.green_ctx_destroy && source->cu.ctx_from_green_ctx &&
		source->cu.green_ctx_stream_create;
	device->is_mps_on = mps_is_on();
	if (source->cu.device_get_uuid && !source->cu.device_get_uuid(&uuid, source->device))
		format_uuid(&uuid, device->uuid, sizeof device->uuid);
	return read_attributes(source, device, reterr);
}

static void ask_nvml(struct facts_source *source, struct observer_facts *facts)
{
	static const char *const compute_modes[] = { "default", "exclusive-thread", "prohibited",
						     "exclusive-process" };
	nvmlEnableState_t state, pending;
	nvmlComputeMode_t mode;
	unsigned int mig, mig_pending;
	struct nvml *nvml = &source->nvml;
	struct nvml_reading idle;

	if (nvml_load(nvml, &facts->nvml_problem) < 0 ||
	    nvml_select(nvml, facts->device.pci_bus_id, &facts->nvml_problem) < 0)
		return;
	source->has_nvml = true;
	nvml_driver_release(nvml, facts->driver_release, sizeof facts->driver_release);
	if (nvml->device_get_persistence_mode &&
	    !nvml->device_get_persistence_mode(nvml->device, &state))
		snprintf(facts->persistence_mode, OBSERVER_TEXT_MAX, "%s", state ? "on" : "off");
	if (nvml->device_get_ecc_mode && !nvml->device_get_ecc_mode(nvml->device, &state, &pending))
		snprintf(facts->ecc, OBSERVER_TEXT_MAX, "%s", state ? "on" : "off");
	if (nvml->device_get_mig_mode &&
	    !nvml->device_get_mig_mode(nvml->device, &mig, &mig_pending))
		snprintf(facts->mig, OBSERVER_TEXT_MAX, "%s", mig ? "on" : "off");
	if (nvml->device_get_compute_mode && !nvml->device_get_compute_mode(nvml->device, &mode) &&
	    (size_t)mode < ARRAY_COUNT(compute_modes))
		snprintf(facts->compute_mode, OBSERVER_TEXT_MAX, "%s", compute_modes[mode]);
	idle = nvml_read(nvml, getpid());
	facts->knows_neighbours = idle.has_processes;
	facts->foreign_bytes = idle.other_bytes;
	facts->foreign_count = idle.other_count;
}

static void ask_versions(struct facts_source *source, struct observer_facts *facts)
{
	static const char *const modes[] = { "", "eager", "lazy" };
	CUmoduleLoadingMode mode;
	struct runtime runtime;

	source->cu.driver_get_version(&facts->driver_api_version);
	if (source->cu.module_get_loading_mode && !source->cu.module_get_loading_mode(&mode) &&
	    (size_t)mode < ARRAY_COUNT(modes))
		snprintf(facts->module_loading, OBSERVER_TEXT_MAX, "%s", modes[mode]);
	/* Loading the runtime makes no context; asking its version does not either. */
	if (runtime_load(&runtime, &facts->runtime_problem) < 0)
		return;
	runtime.runtime_get_version(&facts->runtime_api_version);
	facts->device.has_init_device = runtime.init_device;
}

/*
 * With the context in place. In some containers NVML tells the numbers that processes have outside;
 * then nobody can be told from anybody else.
 */
static void find_self(struct facts_source *source, struct observer_facts *facts)
{
	struct nvml_reading own;

	if (!source->has_nvml)
		return;
	own = nvml_read(&source->nvml, getpid());
	source->knows_pids = own.is_listed;
	facts->has_context_bytes = own.has_process;
	facts->context_bytes = own.process_bytes;
}

static CUresult free_now(const struct facts_source *source, uint64_t *ret_free_bytes)
{
	size_t free_bytes = 0, total_bytes;
	CUresult error = source->cu.mem_get_info(&free_bytes, &total_bytes);

	if (!error)
		*ret_free_bytes = free_bytes;
	return error;
}

/*
 * Takes small pieces until the free count steps, and gives all of them back. Where not even a piece
 * is to be had, there is no step, 0.
 */
static CUresult find_step(const struct facts_source *source, uint64_t *ret_step_bytes)
{
	static CUdeviceptr pieces[GRANULE_PIECES_MAX];
	uint64_t before = 0, after;
	size_t piece_count = 0;
	CUresult error = free_now(source, &before);

	after = before;
	while (!error && piece_count < GRANULE_PIECES_MAX && after == before &&
	       !source->cu.mem_alloc(&pieces[piece_count], GRANULE_PIECE_BYTES)) {
		piece_count++;
		error = free_now(source, &after);
	}
	while (piece_count) {
		CUresult freed = source->cu.mem_free(pieces[--piece_count]);

		error = error ? error : freed;
	}
	if (!error)
		*ret_step_bytes = before > after ? before - after : 0;
	return error;
}

/* The smaller of two steps: who else allocates meanwhile makes one larger, hardly both. */
static CUresult find_granule(const struct facts_source *source, uint64_t *ret_granule_bytes)
{
	uint64_t first = 0, second = 0;
	CUresult error = find_step(source, &first);

	if (!error)
		error = find_step(source, &second);
	if (!error)
		*ret_granule_bytes = first < second ? first : second;
	return error;
}

static CUresult find_noise(const struct facts_source *source, struct observer_facts *facts)
{
	uint64_t lowest = UINT64_MAX, highest = 0;
	CUresult error = CUDA_SUCCESS;

	for (int i = 0; i < NOISE_READS && !error; i++) {
		uint64_t now = 0;

		error = free_now(source, &now);
		if (!error) {
			lowest = now < lowest ? now : lowest;
			highest = now > highest ? now : highest;
			clock_sleep_ns(NOISE_PAUSE_NS);
		}
	}
	facts->free_bytes = lowest;
	facts->noise_bytes = highest - lowest;
	facts->device.free_bytes = lowest;
	return error;
}

/* A baseline that could not be read is none: without it no row would mean anything. */
static int read_baseline(const struct facts_source *source, struct observer_facts *facts,
			 struct err *reterr)
{
	uint64_t start_ns = clock_ns();
	CUresult error = find_granule(source, &facts->granule_bytes);

	facts->cuda_ns += clock_ns() - start_ns;
	if (!error)
		error = find_noise(source, facts);
	return error ? no_device(source, "the idle baseline", error, reterr) : 0;
}

int facts_gather(struct facts_source *source, struct observer_facts *ret_facts, struct err *reterr)
{
	struct observer_facts facts = { 0 };
	uint64_t start_ns = clock_ns();
	CUresult error;
	int r = driver_load(&source->cu, reterr);

	if (r < 0)
		return r;
	r = open_device(source, &facts.device_count, reterr);
	if (r < 0)
		return r;
	r = describe_device(source, &facts.device, reterr);
	if (r < 0)
		return r;
	ask_nvml(source, &facts);
	error = source->cu.ctx_create(&source->context, 0, source->device);
	if (error)
		return no_device(source, "cuCtxCreate", error, reterr);
	ask_versions(source, &facts);
	facts.is_simulated = library_any_simulated();
	find_self(source, &facts);
	facts.cuda_ns = clock_ns() - start_ns;
	r = read_baseline(source, &facts, reterr);
	if (r < 0)
		return r;
	*ret_facts = facts;
	return 0;
}
