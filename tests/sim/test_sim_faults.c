/* SPDX-License-Identifier: MIT */
/* Faults, and a bad environment, as a program meets them. */
#include "tests/sim/libraries.h"

#include <errno.h>
#include <time.h>

#include "base/array.h"

#define H200 TEST_PROFILES "/h200.csv"

#define TOTAL   UINT64_C(150109880320)
#define CONTEXT UINT64_C(548995072)
#define FIRST   UINT64_C(3407872)
#define MIB     UINT64_C(1048576)
#define LATE_MS 400

static struct driver_table cu;

static uint64_t used(void)
{
	size_t left, total;

	return cu.cuMemGetInfo_v2(&left, &total) ? UINT64_MAX : total - left;
}

static void wait_ms(long ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

/* On a device of its own, as sample 1, with these faults. */
static void play(const char *faults, bool (*act)(const void *))
{
	struct scratch state;

	scene_open(&state, H200);
	setenv("CUCTX_SIM_PROCESS", "1", 1);
	setenv("CUCTX_SIM_FAULTS", faults, 1);
	child_run(act, NULL);
	scratch_close(&state);
}

/* ---- answers ---- */

static bool act_second_create_refused(const void *unused)
{
	CUcontext one, two = NULL;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&one, 0, 0));
	REQUIRE(cu.cuCtxCreate_v2(&two, 0, 0) == CUDA_ERROR_INVALID_VALUE && !two);
	REQUIRE(used() == FIRST + CONTEXT);
	REQUIRE(!cu.cuCtxCreate_v2(&two, 0, 0));
	REQUIRE(used() == FIRST + 2 * CONTEXT);
	return true;
}

static bool act_destroy_not_supported(const void *unused)
{
	CUcontext context;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&context, 0, 0));
	REQUIRE(cu.cuCtxDestroy_v2(context) == CUDA_ERROR_NOT_SUPPORTED);
	REQUIRE(cu.cuCtxDestroy_v2(context) == CUDA_ERROR_NOT_SUPPORTED);
	REQUIRE(used() == FIRST + CONTEXT);
	return true;
}

/* Calls before cuInit are not counted; a refused cuInit is, and changes nothing. */
static bool act_init_out_of_memory(const void *unused)
{
	int version, count;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuDriverGetVersion(&version));
	REQUIRE(cu.cuInit(0) == CUDA_ERROR_OUT_OF_MEMORY);
	REQUIRE(cu.cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
	REQUIRE(cu.cuInit(0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cu.cuInit(0) && !cu.cuDeviceGetCount(&count));
	return true;
}

static bool act_unharmed(const void *unused)
{
	CUcontext context;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&context, 0, 0));
	return true;
}

static void calls_are_refused(void **state)
{
	(void)state;
	play("refuse@1:cuCtxCreate_v2#2", act_second_create_refused);
	play("refuse=801@*:cuCtxDestroy_v2", act_destroy_not_supported);
	play("oom@1:1;refuse@1:3", act_init_out_of_memory);
}

static void others_are_not(void **state)
{
	(void)state;
	play("oom@2:1;oom@observer:1;oom@1.2:1;oom@1:77;hang@2:cuInit", act_unharmed);
}

/* ---- ends ---- */

static bool act_create(const void *unused)
{
	CUcontext context;

	(void)unused;
	return driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&context, 0, 0);
}

static pid_t play_alone(const struct scratch *state, const char *faults)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	setenv("CUCTX_SIM_STATE", state->path, 1);
	setenv("CUCTX_SIM_FAULTS", faults, 1);
	_exit(!act_create(NULL));
}

static void an_abort_is_one(void **state)
{
	struct scratch device;
	int status;
	pid_t pid;

	(void)state;
	scene_open(&device, H200);
	pid = play_alone(&device, "abort@*:2");
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	scratch_close(&device);
}

static void a_hang_lasts(void **state)
{
	struct scratch device;
	int status;
	pid_t pid;

	(void)state;
	scene_open(&device, H200);
	pid = play_alone(&device, "hang@*:cuCtxCreate_v2");
	wait_ms(200);
	assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
	child_reap(pid);
	scratch_close(&device);
}

/* ---- strangers and laggards ---- */

static bool act_stranger(const void *unused)
{
	CUcontext context;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&context, 0, 0));
	REQUIRE(used() == FIRST + CONTEXT);            /* call 3 */
	REQUIRE(used() == FIRST + CONTEXT + 64 * MIB); /* call 4 */
	REQUIRE(used() == FIRST + CONTEXT + 63 * MIB); /* call 5 */
	return true;
}

static bool act_expect_stranger(const void *unused)
{
	CUcontext context;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&context, 0, 0));
	REQUIRE(used() == FIRST + CONTEXT + 63 * MIB);
	return true;
}

static bool act_blink(const void *unused)
{
	CUcontext context;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&context, 0, 0));
	REQUIRE(used() == FIRST + CONTEXT);       /* call 3 */
	REQUIRE(used() == FIRST + CONTEXT + 100); /* 4: it comes … */
	REQUIRE(used() == FIRST + CONTEXT + 100);
	REQUIRE(used() == FIRST + CONTEXT + 100);
	REQUIRE(used() == FIRST + CONTEXT); /* 7: … and is gone */
	return true;
}

static bool act_slow(const void *unused)
{
	CUcontext keeps, goes;

	(void)unused;
	REQUIRE(driver_load(&cu) && !cu.cuInit(0) && !cu.cuCtxCreate_v2(&keeps, 0, 0));
	REQUIRE(!cu.cuCtxCreate_v2(&goes, 0, 0) && !cu.cuCtxDestroy_v2(goes));
	REQUIRE(used() == FIRST + 2 * CONTEXT);
	wait_ms(LATE_MS + 20);
	REQUIRE(used() == FIRST + CONTEXT);
	return true;
}

static void a_stranger_stays_for_the_run(void **state)
{
	struct scratch device;

	(void)state;
	scene_open(&device, H200);
	setenv("CUCTX_SIM_PROCESS", "1", 1);
	setenv("CUCTX_SIM_FAULTS", "stranger=64M@1:4;stranger-free=1M@1:5", 1);
	child_run(act_stranger, NULL);
	setenv("CUCTX_SIM_PROCESS", "2", 1);
	child_run(act_expect_stranger, NULL);
	scratch_close(&device);
}

static void a_blink_is_over_soon(void **state)
{
	(void)state;
	play("stranger-blink=100@1:4", act_blink);
}

static void what_is_released_slowly_is_used(void **state)
{
	(void)state;
	play("slow-release=400@1:1", act_slow);
}

/* ---- a bad environment ---- */

static void init_says(CUresult expected, const char *variable, const char *value)
{
	struct scratch device, log;
	char words[1024] = "";
	int status;
	pid_t pid;

	scene_open(&device, H200);
	log = scratch_open();
	setenv("CUCTX_SIM_LOG", log.path, 1);
	if (value)
		setenv(variable, value, 1);
	else
		unsetenv(variable);
	pid = fork();
	if (!pid)
		_exit(!driver_load(&cu) || cu.cuInit(0) != expected || cu.cuInit(0) != expected);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status)
		fail_msg("%s=%s", variable, value ? value : "(not set)");
	/* Each refusal has left its line. */
	assert_true(pread(log.fd, words, sizeof words - 1, 0) > 0);
	assert_int_equal(words[strlen(words) - 1], '\n');
	assert_ptr_not_equal(strchr(words, '\n'), strrchr(words, '\n'));
	scratch_close(&log);
	scratch_close(&device);
}

static void a_bad_environment_stops_init(void **state)
{
	(void)state;
	init_says(CUDA_ERROR_SYSTEM_NOT_READY, "CUCTX_SIM_PROFILE", NULL);
	init_says(CUDA_ERROR_SYSTEM_NOT_READY, "CUCTX_SIM_PROFILE", "/nowhere.csv");
	init_says(CUDA_ERROR_SYSTEM_NOT_READY, "CUCTX_SIM_PROFILE", "/dev/null");
	init_says(CUDA_ERROR_SYSTEM_NOT_READY, "CUCTX_SIM_STATE", NULL);
	init_says(CUDA_ERROR_SYSTEM_NOT_READY, "CUCTX_SIM_STATE", "/nowhere/state");
	init_says(CUDA_ERROR_SYSTEM_NOT_READY, "CUCTX_SIM_STATE", H200);
	init_says(CUDA_ERROR_INVALID_SOURCE, "CUCTX_SIM_FAULTS", "explode@1:1");
	init_says(CUDA_ERROR_INVALID_SOURCE, "CUCTX_SIM_FAULTS", "oom@1:cuCtxCraete_v2");
	init_says(CUDA_ERROR_INVALID_SOURCE, "CUCTX_SIM_PROCESS", "zero");
	init_says(CUDA_ERROR_INVALID_SOURCE, "CUCTX_SIM_ATTEMPT", "0");
}

/* Every call that the list of exports names can be made to fail. */
static bool act_refused_everywhere(const void *symbol)
{
	const char *name;
	int version;

	REQUIRE(driver_load(&cu));
	REQUIRE(cu.cuInit(0) == (strcmp(symbol, "cuInit") ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN));
	REQUIRE(cu.cuGetErrorName(CUDA_SUCCESS, &name) ==
		(strcmp(symbol, "cuGetErrorName") ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN));
	REQUIRE(cu.cuDriverGetVersion(&version) ==
		(strcmp(symbol, "cuDriverGetVersion") ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN));
	REQUIRE(cu.cuCtxSynchronize() != CUDA_SUCCESS);
	return true;
}

static void every_export_can_be_refused(void **state)
{
#define DRIVER_EXPORT(symbol, parameters) #symbol,
	static const char *const symbols[] = {
#include "sim/driver_exports.def"
	};
#undef DRIVER_EXPORT
	struct scratch device;
	char faults[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(symbols); i++) {
		scene_open(&device, H200);
		snprintf(faults, sizeof faults, "refuse=CUDA_ERROR_UNKNOWN@*:%s", symbols[i]);
		setenv("CUCTX_SIM_FAULTS", faults, 1);
		child_run(act_refused_everywhere, symbols[i]);
		scratch_close(&device);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_refused),
		cmocka_unit_test(others_are_not),
		cmocka_unit_test(an_abort_is_one),
		cmocka_unit_test(a_hang_lasts),
		cmocka_unit_test(a_stranger_stays_for_the_run),
		cmocka_unit_test(a_blink_is_over_soon),
		cmocka_unit_test(what_is_released_slowly_is_used),
		cmocka_unit_test(a_bad_environment_stops_init),
		cmocka_unit_test(every_export_can_be_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
