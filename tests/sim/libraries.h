/* SPDX-License-Identifier: MIT */
/*
 * The libraries of the simulated device as a program loads them. A scene is a device of its own;
 * its actors are processes, since what the environment says is read once per process. An actor
 * cannot use cmocka's assertions, which would go on with the tests in the child: it returns false
 * by REQUIRE.
 */
#ifndef TESTS_SIM_LIBRARIES_H
#define TESTS_SIM_LIBRARIES_H

#include "tests/sim/children.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/abi_green.h"
#include "sim/newer_cuda.h"
#include "tests/unit/scratch.h"

#define REQUIRE(condition)                                                                      \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			return false;                                                           \
		}                                                                               \
	} while (0)

#define DRIVER_EXPORT(symbol, parameters) CUresult(*symbol) parameters;
struct driver_table {
#include "sim/driver_exports.def"
};
#undef DRIVER_EXPORT

static inline bool driver_load(struct driver_table *table)
{
	void *library = dlopen(TEST_LIBRARIES "/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

	REQUIRE(library);
#define DRIVER_EXPORT(symbol, parameters)                                \
	table->symbol = (CUresult(*) parameters)dlsym(library, #symbol); \
	REQUIRE(table->symbol);
#include "sim/driver_exports.def"
#undef DRIVER_EXPORT
	return true;
}

static inline void scene_open(struct scratch *state, const char *profile)
{
	*state = scratch_open();
	setenv("CUCTX_SIM_PROFILE", profile, 1);
	setenv("CUCTX_SIM_STATE", state->path, 1);
	unsetenv("CUCTX_SIM_FAULTS");
	unsetenv("CUCTX_SIM_PROCESS");
	unsetenv("CUCTX_SIM_ATTEMPT");
	unsetenv("CUCTX_SIM_LOG");
	unsetenv("CUDA_MODULE_LOADING");
	unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
	unsetenv("CUDA_DEVICE_MAX_COPY_CONNECTIONS");
	unsetenv("CUDA_DEVICE_DEFAULT_PERSISTING_L2_CACHE_PERCENTAGE_LIMIT");
}

/* Runs one actor on a device of its own. */
static inline void scene_run(const char *profile, bool (*act)(const void *))
{
	struct scratch state;

	scene_open(&state, profile);
	child_run(act, NULL);
	scratch_close(&state);
}

#endif
