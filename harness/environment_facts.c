/* SPDX-License-Identifier: MIT */
/* Fills an environment from this machine and from what the observer found out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

#include "base/array.h"
#include "cuctx_config.h"
#include "harness/environment.h"
#include "harness/mps.h"

/* What container runtimes leave behind in their root file system or environment. */
static const char *container_kind(void)
{
	static const struct {
		const char *path;
		const char *kind;
	} traces[] = { { "/.dockerenv", "docker" },
		       { "/run/.containerenv", "podman" },
		       { "/var/run/secrets/kubernetes.io", "kubernetes" },
		       { "/.singularity.d", "apptainer" } };
	const char *told = getenv("container");

	for (size_t i = 0; i < ARRAY_COUNT(traces); i++)
		if (!access(traces[i].path, F_OK))
			return traces[i].kind;
	return told && *told ? told : "no";
}

void run_environment_describe_host(struct run_environment *environment)
{
	struct utsname system;

	run_environment_set_number(environment, ENVIRONMENT_schema_version, 1);
	run_environment_set(environment, ENVIRONMENT_cuctx_version, CUCTX_VERSION);
	run_environment_set(environment, ENVIRONMENT_git_commit, CUCTX_GIT_COMMIT);
	run_environment_set(environment, ENVIRONMENT_toolkit_version, CUCTX_TOOLKIT_VERSION);
	run_environment_set(environment, ENVIRONMENT_container, container_kind());
	run_environment_set(environment, ENVIRONMENT_mps, mps_is_on() ? "on" : "off");
	if (!uname(&system)) {
		run_environment_set(environment, ENVIRONMENT_host, system.nodename);
		run_environment_set(environment, ENVIRONMENT_kernel, system.release);
	}
}

static void describe_baseline(struct run_environment *environment,
			      const struct observer_facts *facts)
{
	if (facts->granule_bytes)
		run_environment_set_number(environment, ENVIRONMENT_granule_bytes,
					   facts->granule_bytes);
	run_environment_set_number(environment, ENVIRONMENT_noise_bytes, facts->noise_bytes);
	run_environment_set_number(environment, ENVIRONMENT_baseline_free_bytes, facts->free_bytes);
	run_environment_set(environment, ENVIRONMENT_nvml_problem, facts->nvml_problem.text);
	run_environment_set(environment, ENVIRONMENT_runtime_problem, facts->runtime_problem.text);
	if (facts->nvml_problem.text[0])
		return;
	if (facts->has_context_bytes)
		run_environment_set_number(environment, ENVIRONMENT_observer_context_bytes,
					   facts->context_bytes);
	if (!facts->knows_neighbours)
		return;
	run_environment_set_number(environment, ENVIRONMENT_foreign_process_count,
				   facts->foreign_count);
	run_environment_set_number(environment, ENVIRONMENT_foreign_bytes, facts->foreign_bytes);
}

static void describe_versions(struct run_environment *environment,
			      const struct observer_facts *facts)
{
	run_environment_set(environment, ENVIRONMENT_driver_release, facts->driver_release);
	if (facts->driver_api_version)
		run_environment_set_number(environment, ENVIRONMENT_driver_api_version,
					   (uint64_t)facts->driver_api_version);
	if (facts->runtime_api_version)
		run_environment_set_number(environment, ENVIRONMENT_runtime_api_version,
					   (uint64_t)facts->runtime_api_version);
	run_environment_set(environment, ENVIRONMENT_module_loading, facts->module_loading);
}

static bool file_crc32(const char *path, uint32_t *ret_crc32)
{
	FILE *file = fopen(path, "re");
	unsigned char buffer[4096];
	uLong crc = crc32_z(0, NULL, 0);
	bool is_whole;
	size_t got;

	if (!file)
		return false;
	while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
		crc = crc32_z(crc, buffer, got);
	is_whole = !ferror(file);
	fclose(file);
	if (is_whole)
		*ret_crc32 = (uint32_t)crc;
	return is_whole;
}

void run_environment_describe_profile(struct run_environment *environment)
{
	const char *path = getenv("CUCTX_SIM_PROFILE");
	char *whole;
	uint32_t crc;

	if (!path)
		return;
	/* A run may be gone on with from elsewhere. */
	whole = realpath(path, NULL);
	run_environment_set(environment, ENVIRONMENT_simulated_profile, whole ? whole : path);
	free(whole);
	if (file_crc32(path, &crc))
		run_environment_set_number(environment, ENVIRONMENT_simulated_profile_crc32, crc);
}

void run_environment_describe_device(struct run_environment *environment, int device,
				     const struct observer_facts *facts)
{
	const struct device_info *info = &facts->device;
	char capability[24];

	snprintf(capability, sizeof capability, "%d.%d", info->compute_major, info->compute_minor);
	run_environment_set_number(environment, ENVIRONMENT_device, (uint64_t)device);
	run_environment_set(environment, ENVIRONMENT_gpu_name, info->name);
	run_environment_set(environment, ENVIRONMENT_gpu_uuid, info->uuid);
	run_environment_set(environment, ENVIRONMENT_pci_bus_id, info->pci_bus_id);
	run_environment_set(environment, ENVIRONMENT_compute_capability, capability);
	run_environment_set_number(environment, ENVIRONMENT_sm_count, (uint64_t)info->sm_count);
	run_environment_set_number(environment, ENVIRONMENT_max_threads_per_sm,
				   (uint64_t)info->max_threads_per_sm);
	run_environment_set_number(environment, ENVIRONMENT_total_memory_bytes, info->total_bytes);
	run_environment_set(environment, ENVIRONMENT_ecc, facts->ecc);
	run_environment_set(environment, ENVIRONMENT_mig, facts->mig);
	run_environment_set(environment, ENVIRONMENT_persistence_mode, facts->persistence_mode);
	run_environment_set(environment, ENVIRONMENT_compute_mode, facts->compute_mode);
	run_environment_set(environment, ENVIRONMENT_simulated, facts->is_simulated ? "yes" : "no");
	if (facts->is_simulated)
		run_environment_describe_profile(environment);
	describe_versions(environment, facts);
	describe_baseline(environment, facts);
}
