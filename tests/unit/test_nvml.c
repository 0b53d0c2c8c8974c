/* SPDX-License-Identifier: MIT */
#include "tests/unit/check.h"

#include <unistd.h>

#include "harness/nvml_table.h"

/* One of NVML's lists of processes: so many of them, numbered on from `first`. */
#define LIST(name, first, how_many, each_bytes)                                          \
	static nvmlReturn_t name(nvmlDevice_t device, unsigned int *count,               \
				 nvmlProcessInfo_t *infos)                               \
	{                                                                                \
		(void)device;                                                            \
		*count = (how_many);                                                     \
		for (unsigned int i = 0; i < (how_many); i++)                            \
			infos[i] = (nvmlProcessInfo_t){ .pid = (first) + i,              \
							.usedGpuMemory = (each_bytes) }; \
		return NVML_SUCCESS;                                                     \
	}

#define PID_FIRST 0x7f000000u /* above any that Linux gives */

LIST(three_compute, PID_FIRST, 3u, 1000u)
LIST(two_draw, PID_FIRST + 2u, 2u, 1000u)
LIST(one_shares, PID_FIRST + 4u, 1u, 70u)
LIST(one_unknown, PID_FIRST, 1u, (unsigned long long)NVML_VALUE_NOT_AVAILABLE)

static nvmlReturn_t no_memory_info(nvmlDevice_t device, nvmlMemory_t *memory)
{
	(void)device;
	(void)memory;
	return NVML_ERROR_NOT_SUPPORTED;
}

static nvmlReturn_t refuses(nvmlDevice_t device, unsigned int *count, nvmlProcessInfo_t *infos)
{
	(void)device;
	(void)infos;
	*count = 0;
	return NVML_ERROR_NOT_SUPPORTED;
}

static struct nvml with_lists(__typeof__(refuses) *compute, __typeof__(refuses) *shares,
			      __typeof__(refuses) *draw)
{
	return (struct nvml){ .device_get_memory_info = no_memory_info,
			      .device_get_compute_processes = compute,
			      .device_get_mps_processes = shares,
			      .device_get_graphics_processes = draw };
}

static void who_is_in_two_lists_counts_once(void **state)
{
	struct nvml nvml = with_lists(three_compute, one_shares, two_draw);
	struct nvml_reading reading = nvml_read(&nvml, (pid_t)PID_FIRST);

	(void)state;
	assert_true(reading.has_processes && reading.is_listed && reading.has_process);
	assert_int_equal(reading.process_bytes, 1000);
	assert_int_equal(reading.other_count, 4);
	assert_int_equal(reading.other_bytes, 3070);
}

static void bytes_that_nvml_does_not_tell_are_not_taken(void **state)
{
	struct nvml nvml = with_lists(one_unknown, NULL, NULL);
	struct nvml_reading own = nvml_read(&nvml, (pid_t)PID_FIRST);
	struct nvml_reading other = nvml_read(&nvml, (pid_t)PID_FIRST + 1);

	(void)state;
	assert_true(own.is_listed && !own.has_process);
	assert_int_equal(other.other_count, 1);
	assert_int_equal(other.other_bytes, 0);
}

static void without_a_list_nobody_is_known(void **state)
{
	struct nvml nvml = with_lists(refuses, NULL, refuses);

	(void)state;
	assert_false(nvml_read(&nvml, 1).has_processes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_in_two_lists_counts_once),
		cmocka_unit_test(bytes_that_nvml_does_not_tell_are_not_taken),
		cmocka_unit_test(without_a_list_nobody_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
