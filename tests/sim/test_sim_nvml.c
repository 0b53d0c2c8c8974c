/* SPDX-License-Identifier: MIT */
#include "tests/sim/libraries.h"

#include <nvml.h>

#define H200 TEST_PROFILES "/h200.csv"
#define ODD  TEST_PROFILES "/odd.csv"

#define TOTAL    UINT64_C(150109880320)
#define RESERVED UINT64_C(644939776)
#define CONTEXT  UINT64_C(548995072)
#define FIRST    UINT64_C(3407872)
#define SHOWN    UINT64_C(543162368) /* of a process with one context */

static struct driver_table cu;

#define NVML_FUNCTION(name) __typeof__(&name) name##_p
static struct {
	NVML_FUNCTION(nvmlInit_v2);
	NVML_FUNCTION(nvmlSystemGetDriverVersion);
	NVML_FUNCTION(nvmlDeviceGetHandleByPciBusId_v2);
	NVML_FUNCTION(nvmlDeviceGetCount_v2);
	NVML_FUNCTION(nvmlDeviceGetHandleByIndex_v2);
	NVML_FUNCTION(nvmlDeviceGetIndex);
	NVML_FUNCTION(nvmlDeviceGetName);
	NVML_FUNCTION(nvmlDeviceGetUUID);
	NVML_FUNCTION(nvmlDeviceGetMemoryInfo);
	NVML_FUNCTION(nvmlDeviceGetMemoryInfo_v2);
	NVML_FUNCTION(nvmlDeviceGetComputeRunningProcesses_v3);
	NVML_FUNCTION(nvmlDeviceGetGraphicsRunningProcesses_v3);
	NVML_FUNCTION(nvmlDeviceGetPersistenceMode);
	NVML_FUNCTION(nvmlDeviceGetComputeMode);
	NVML_FUNCTION(nvmlDeviceGetEccMode);
	NVML_FUNCTION(nvmlDeviceGetMigMode);
} nvml;

#define NVML_LOAD(name)                                                   \
	do {                                                              \
		nvml.name##_p = (__typeof__(&name))dlsym(library, #name); \
		REQUIRE(nvml.name##_p);                                   \
	} while (0)

static bool nvml_load(void)
{
	void *library = dlopen(TEST_LIBRARIES "/libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);

	REQUIRE(library);
	NVML_LOAD(nvmlInit_v2);
	NVML_LOAD(nvmlSystemGetDriverVersion);
	NVML_LOAD(nvmlDeviceGetHandleByPciBusId_v2);
	NVML_LOAD(nvmlDeviceGetCount_v2);
	NVML_LOAD(nvmlDeviceGetHandleByIndex_v2);
	NVML_LOAD(nvmlDeviceGetIndex);
	NVML_LOAD(nvmlDeviceGetName);
	NVML_LOAD(nvmlDeviceGetUUID);
	NVML_LOAD(nvmlDeviceGetMemoryInfo);
	NVML_LOAD(nvmlDeviceGetMemoryInfo_v2);
	NVML_LOAD(nvmlDeviceGetComputeRunningProcesses_v3);
	NVML_LOAD(nvmlDeviceGetGraphicsRunningProcesses_v3);
	NVML_LOAD(nvmlDeviceGetPersistenceMode);
	NVML_LOAD(nvmlDeviceGetComputeMode);
	NVML_LOAD(nvmlDeviceGetEccMode);
	NVML_LOAD(nvmlDeviceGetMigMode);
	return true;
}

static bool nvml_start(nvmlDevice_t *ret_device, const char *bus)
{
	REQUIRE(nvml_load());
	REQUIRE(nvml.nvmlInit_v2_p() == NVML_SUCCESS);
	REQUIRE(nvml.nvmlDeviceGetHandleByPciBusId_v2_p(bus, ret_device) == NVML_SUCCESS);
	return true;
}

static bool act_facts(const void *unused)
{
	nvmlEnableState_t persistence, ecc, ecc_pending;
	unsigned int mig, mig_pending;
	nvmlComputeMode_t mode;
	nvmlDevice_t device;
	char release[32];

	(void)unused;
	REQUIRE(nvml_start(&device, "000000AB:C7:1F.0"));
	REQUIRE(!nvml.nvmlSystemGetDriverVersion_p(release, sizeof release));
	REQUIRE(!strcmp(release, "777.17.3"));
	REQUIRE(nvml.nvmlSystemGetDriverVersion_p(release, 8) == NVML_ERROR_INSUFFICIENT_SIZE);
	REQUIRE(nvml.nvmlDeviceGetHandleByPciBusId_v2_p("0000:01:00.0", &device) ==
		NVML_ERROR_NOT_FOUND);
	REQUIRE(nvml.nvmlDeviceGetHandleByPciBusId_v2_p("here", &device) ==
		NVML_ERROR_INVALID_ARGUMENT);
	REQUIRE(!nvml.nvmlDeviceGetPersistenceMode_p(device, &persistence) && !persistence);
	REQUIRE(!nvml.nvmlDeviceGetComputeMode_p(device, &mode) && mode == 0);
	REQUIRE(!nvml.nvmlDeviceGetEccMode_p(device, &ecc, &ecc_pending) && !ecc && !ecc_pending);
	REQUIRE(!nvml.nvmlDeviceGetMigMode_p(device, &mig, &mig_pending) && !mig && !mig_pending);
	return true;
}

static bool act_list(const void *unused)
{
	nvmlDevice_t device, first;
	unsigned int count = 0, index = 9;
	char name[96], uuid[48];

	(void)unused;
	REQUIRE(nvml_start(&device, "000000AB:C7:1F.0"));
	REQUIRE(!nvml.nvmlDeviceGetCount_v2_p(&count) && count == 1);
	REQUIRE(!nvml.nvmlDeviceGetHandleByIndex_v2_p(0, &first) && first == device);
	REQUIRE(nvml.nvmlDeviceGetHandleByIndex_v2_p(1, &first) == NVML_ERROR_INVALID_ARGUMENT);
	REQUIRE(!nvml.nvmlDeviceGetIndex_p(device, &index) && index == 0);
	REQUIRE(!nvml.nvmlDeviceGetName_p(device, name, sizeof name));
	REQUIRE(!strcmp(name, "Odd Device, 17 SMs"));
	REQUIRE(nvml.nvmlDeviceGetName_p(device, name, 18) == NVML_ERROR_INSUFFICIENT_SIZE);
	REQUIRE(!nvml.nvmlDeviceGetUUID_p(device, uuid, sizeof uuid));
	REQUIRE(!strcmp(uuid, "GPU-0dd00000-0000-4000-8000-000000000017"));
	return true;
}

static bool act_life(const void *unused)
{
	nvmlDevice_t device;
	nvmlMemory_t memory;

	(void)unused;
	REQUIRE(nvml_load());
	REQUIRE(nvml.nvmlDeviceGetHandleByPciBusId_v2_p("0000:1b:00.0", &device) ==
		NVML_ERROR_UNINITIALIZED);
	REQUIRE(nvml_start(&device, "0000:1b:00.0") && !nvml.nvmlInit_v2_p());
	REQUIRE(!nvml.nvmlDeviceGetMemoryInfo_p(device, &memory));
	REQUIRE(nvml.nvmlDeviceGetMemoryInfo_p(NULL, &memory) == NVML_ERROR_INVALID_ARGUMENT);
	return true;
}

static bool act_no_profile(const void *unused)
{
	(void)unused;
	unsetenv("CUCTX_SIM_PROFILE");
	REQUIRE(nvml_load() && nvml.nvmlInit_v2_p() == NVML_ERROR_DRIVER_NOT_LOADED);
	return true;
}

/* What another process should see. */
struct view {
	uint64_t used;
	unsigned int process_count;
	unsigned int pid; /* one of them … */
	uint64_t shown;   /* … and its bytes */
};

static bool check_memory(nvmlDevice_t device, uint64_t used)
{
	nvmlMemory_v2_t young = { .version = nvmlMemory_v2 }, bad = { .version = 77 };
	nvmlMemory_t old;

	REQUIRE(nvml.nvmlDeviceGetMemoryInfo_v2_p(device, &bad) ==
		NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
	REQUIRE(!nvml.nvmlDeviceGetMemoryInfo_v2_p(device, &young));
	REQUIRE(young.total == TOTAL + RESERVED && young.reserved == RESERVED);
	REQUIRE(young.used == used && young.free == TOTAL - used);
	REQUIRE(!nvml.nvmlDeviceGetMemoryInfo_p(device, &old));
	REQUIRE(old.total == young.total && old.free == young.free);
	REQUIRE(old.used == used + RESERVED);
	return true;
}

static bool act_expect(const void *argument)
{
	const struct view *view = argument;
	unsigned int count = 0, room = 8;
	nvmlProcessInfo_t processes[8];
	nvmlDevice_t device;
	bool found = !view->pid;

	REQUIRE(nvml_start(&device, "00000000:1B:00.0") && check_memory(device, view->used));
	REQUIRE(nvml.nvmlDeviceGetComputeRunningProcesses_v3_p(device, &count, NULL) ==
		(view->process_count ? NVML_ERROR_INSUFFICIENT_SIZE : NVML_SUCCESS));
	REQUIRE(count == view->process_count);
	REQUIRE(!nvml.nvmlDeviceGetComputeRunningProcesses_v3_p(device, &room, processes));
	REQUIRE(room == view->process_count);
	for (unsigned int i = 0; i < room; i++)
		if (processes[i].pid == view->pid)
			found = processes[i].usedGpuMemory == view->shown;
	REQUIRE(found);
	room = 8;
	REQUIRE(!nvml.nvmlDeviceGetGraphicsRunningProcesses_v3_p(device, &room, processes));
	REQUIRE(room == 0);
	return true;
}

static bool act_expect_quiet(const void *unused)
{
	nvmlDevice_t device;
	unsigned int count = 0;

	(void)unused;
	REQUIRE(nvml_start(&device, "0000:1b:00.0"));
	REQUIRE(nvml.nvmlDeviceGetComputeRunningProcesses_v3_p(device, &count, NULL) ==
		NVML_ERROR_NOT_SUPPORTED);
	return true;
}

static bool act_hold(const void *unused)
{
	CUcontext context;

	(void)unused;
	return driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&context, 0, 0);
}

static bool act_hold_two(const void *unused)
{
	CUcontext context;

	return act_hold(unused) && !cu.cuCtxCreate_v2(&context, 0, 0);
}

static void facts_are_those_of_the_profile(void **state)
{
	(void)state;
	scene_run(ODD, act_facts);
	scene_run(ODD, act_list);
}

static void init_and_shutdown_are_counted(void **state)
{
	(void)state;
	scene_run(H200, act_life);
}

static void without_a_profile_there_is_no_driver(void **state)
{
	(void)state;
	scene_run(H200, act_no_profile);
}

static void memory_and_processes_are_seen(void **state)
{
	struct view view = { 0 };
	struct scratch device;
	pid_t one, two;

	(void)state;
	scene_open(&device, H200);
	child_run(act_expect, &view);
	one = child_start(act_hold, NULL);
	view = (struct view){ FIRST + CONTEXT, 1, (unsigned int)one, SHOWN };
	child_run(act_expect, &view);
	two = child_start(act_hold, NULL);
	view = (struct view){ FIRST + 2 * CONTEXT, 2, (unsigned int)two, SHOWN };
	child_run(act_expect, &view);
	child_kill(one);
	view.used = FIRST + CONTEXT;
	view.process_count = 1;
	child_run(act_expect, &view);
	child_reap(one);
	child_end(two);
	child_run(act_expect, &(struct view){ 0 });
	scratch_close(&device);
}

/* What NVML does not show is a part of every context, not of the process. */
static void each_context_hides_its_part(void **state)
{
	struct scratch device;
	pid_t pid;

	(void)state;
	scene_open(&device, H200);
	pid = child_start(act_hold_two, NULL);
	child_run(act_expect,
		  &(struct view){ FIRST + 2 * CONTEXT, 1, (unsigned int)pid, 2 * SHOWN });
	child_end(pid);
	scratch_close(&device);
}

static void strangers_are_processes(void **state)
{
	struct scratch device;
	pid_t pid;

	(void)state;
	scene_open(&device, H200);
	setenv("CUCTX_SIM_FAULTS", "stranger=12345@*:2", 1);
	pid = child_start(act_hold, NULL);
	child_run(act_expect,
		  &(struct view){ FIRST + CONTEXT + 12345, 2, (unsigned int)pid, SHOWN });
	child_end(pid);
	child_run(act_expect, &(struct view){ 12345, 1, 0, 0 });
	scratch_close(&device);
}

static void nvml_can_be_made_quiet(void **state)
{
	struct scratch device;

	(void)state;
	scene_open(&device, H200);
	setenv("CUCTX_SIM_FAULTS", "quiet-nvml@*:1", 1);
	child_run(act_hold, NULL);
	child_run(act_expect_quiet, NULL);
	scratch_close(&device);
}

static void nvml_can_tell_numbers_of_elsewhere(void **state)
{
	struct scratch device;
	pid_t pid;

	(void)state;
	scene_open(&device, H200);
	setenv("CUCTX_SIM_FAULTS", "foreign-pids@*:1", 1);
	pid = child_start(act_hold, NULL);
	child_run(act_expect,
		  &(struct view){ FIRST + CONTEXT, 1, (unsigned int)pid + 8388608, SHOWN });
	child_end(pid);
	scratch_close(&device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_are_those_of_the_profile),
		cmocka_unit_test(init_and_shutdown_are_counted),
		cmocka_unit_test(without_a_profile_there_is_no_driver),
		cmocka_unit_test(memory_and_processes_are_seen),
		cmocka_unit_test(each_context_hides_its_part),
		cmocka_unit_test(strangers_are_processes),
		cmocka_unit_test(nvml_can_be_made_quiet),
		cmocka_unit_test(nvml_can_tell_numbers_of_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
