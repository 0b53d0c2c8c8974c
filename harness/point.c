/* SPDX-License-Identifier: MIT */
/* Points of a benchmark: the values of its axes, by name and as text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/modules.h"
#include "harness/plan.h"

size_t bench_axis_count(const struct bench *bench)
{
	size_t count = 0;

	while (count < BENCH_AXES_MAX && bench->axes[count].name)
		count++;
	return count;
}

/*
 * The descriptors name their own axes, so a miss is a mistake in a benchmark file; it reads as an
 * axis of no value.
 */
static size_t axis_index(const struct bench *bench, const char *axis)
{
	for (size_t i = 0; i < bench_axis_count(bench); i++)
		if (!strcmp(bench->axes[i].name, axis))
			return i;
	return BENCH_AXES_MAX;
}

uint64_t bench_number(const struct bench *bench, const struct bench_point *point, const char *axis)
{
	size_t index = axis_index(bench, axis);

	return index < BENCH_AXES_MAX ? point->values[index].number : 0;
}

const char *bench_word(const struct bench *bench, const struct bench_point *point, const char *axis)
{
	size_t index = axis_index(bench, axis);
	const char *word = index < BENCH_AXES_MAX ? point->values[index].word : NULL;

	return word ? word : "";
}

bool bench_word_is(const struct bench *bench, const struct bench_point *point, const char *axis,
		   const char *word)
{
	return !strcmp(bench_word(bench, point, axis), word);
}

const char *bench_value_text(const struct bench *bench, const struct bench_point *point,
			     size_t axis, char buffer[24])
{
	if (bench->axes[axis].kind == AXIS_WORD)
		return point->values[axis].word;
	snprintf(buffer, 24, "%" PRIu64, point->values[axis].number);
	return buffer;
}

const char *plan_sample_text(const struct plan_sample *sample, char *buffer, size_t buffer_size)
{
	char number[24];
	size_t used;

	snprintf(buffer, buffer_size, "%s", sample->bench->name);
	for (size_t i = 0; i < bench_axis_count(sample->bench); i++) {
		used = strlen(buffer);
		snprintf(buffer + used, buffer_size - used, " %s=%s", sample->bench->axes[i].name,
			 bench_value_text(sample->bench, &sample->point, i, number));
	}
	return buffer;
}

bool device_has_module(const struct device_info *device, const char *module)
{
	return modules_find(device->modules, module) != NULL;
}

bool device_has_module_numbered(const struct device_info *device, const char *family,
				uint64_t number)
{
	char name[MODULE_NAME_MAX];

	snprintf(name, sizeof name, MODULE_NUMBERED, family, (unsigned long long)number);
	return device_has_module(device, name);
}
