/* SPDX-License-Identifier: MIT */
/* What a benchmark's run() may ask of its sample. */
#include "harness/sample.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/plan.h"

/* Divides what every SM holds. */
#define THREADS_PER_BLOCK 256

uint64_t sample_number(const struct sample *s, const char *axis)
{
	return bench_number(s->task->bench, &s->task->point, axis);
}

bool sample_word_is(const struct sample *s, const char *axis, const char *word)
{
	return bench_word_is(s->task->bench, &s->task->point, axis, word);
}

const char *sample_word(const struct sample *s, const char *axis)
{
	return bench_word(s->task->bench, &s->task->point, axis);
}

const struct driver *sample_driver(const struct sample *s)
{
	return &s->cu;
}

CUdevice sample_device(const struct sample *s)
{
	return s->device;
}

int sample_ordinal(const struct sample *s)
{
	return s->task->device;
}

const struct runtime *sample_runtime(const struct sample *s)
{
	return &s->runtime;
}

int sample_nvml_memory(struct sample *s)
{
	nvmlMemory_t memory;

	switch (s->nvml.device_get_memory_info(s->nvml.device, &memory)) {
	case NVML_SUCCESS:
		return CUDA_SUCCESS;
	case NVML_ERROR_NOT_SUPPORTED:
		return CUDA_ERROR_NOT_SUPPORTED;
	case NVML_ERROR_NO_PERMISSION:
		return CUDA_ERROR_NOT_PERMITTED;
	default:
		return CUDA_ERROR_UNKNOWN;
	}
}

void sample_read(struct sample *s, const char *reading, uint64_t value)
{
	const struct bench *bench = s->task->bench;

	for (size_t i = 0; i < BENCH_READINGS_MAX && bench->readings[i].name; i++) {
		if (strcmp(bench->readings[i].name, reading))
			continue;
		s->report.has_reading[i] = true;
		s->report.readings[i] = value;
		return;
	}
	sample_fail(s, "the benchmark notes a reading that it has not declared");
}

/* The image is that of the module, NULL where it could not be mapped. */
static const void *image_or_fail(struct sample *s, const struct module *module, const void *image)
{
	char note[STEP_NOTE_MAX];

	if (image)
		return image;
	snprintf(note, sizeof note, "module %s: %s", module ? module->path : "of this size",
		 module ? strerror(errno) : "not built");
	sample_fail(s, note);
}

static const void *map_or_fail(struct sample *s, const struct module *module)
{
	return image_or_fail(s, module, module ? module_map(module) : NULL);
}

const void *sample_module(struct sample *s, const char *module)
{
	return map_or_fail(s, modules_find(s->task->modules, module));
}

const void *sample_module_sized(struct sample *s, const char *family, uint64_t instructions)
{
	return map_or_fail(s, modules_find_sized(s->task->modules, family, instructions));
}

const void *sample_module_numbered(struct sample *s, const char *family, uint64_t number)
{
	char name[MODULE_NAME_MAX];

	snprintf(name, sizeof name, MODULE_NUMBERED, family, (unsigned long long)number);
	return sample_module(s, name);
}

const void *sample_module_form(struct sample *s, const char *family, uint64_t instructions,
			       enum cubin_form form)
{
	const struct module *module = modules_find_sized(s->task->modules, family, instructions);

	return image_or_fail(s, module, module ? module_map_form(module, form) : NULL);
}

uint64_t sample_module_text_bytes(const struct sample *s, const char *module)
{
	const struct module *found = modules_find(s->task->modules, module);

	return found ? found->text_bytes : 0;
}

uint64_t sample_module_sized_text_bytes(const struct sample *s, const char *family,
					uint64_t instructions)
{
	const struct module *found = modules_find_sized(s->task->modules, family, instructions);

	return found ? found->text_bytes : 0;
}

int sample_get_limit(struct sample *s, CUlimit limit, const char *reading, size_t *ret_value)
{
	size_t value;
	int error = sample_api(s)->get_limit(s, limit, &value);

	if (error)
		return error;
	sample_read(s, reading, value);
	if (ret_value)
		*ret_value = value;
	return 0;
}

/* A pointer argument is as large as a number, and null is 0. */
static CUresult start(struct sample *s, CUfunction function, unsigned int block_count,
		      unsigned int threads_per_block, uint64_t argument)
{
	void *arguments[] = { &argument };

	return s->cu.launch_kernel(function, block_count, 1, 1, threads_per_block, 1, 1, 0, NULL,
				   arguments, NULL);
}

static int launch(struct sample *s, CUfunction function, unsigned int block_count,
		  unsigned int threads_per_block)
{
	CUresult error = start(s, function, block_count, threads_per_block, 0);

	return (int)(error ? error : s->cu.ctx_synchronize());
}

CUresult sample_start(struct sample *s, CUfunction function, uint64_t argument)
{
	return start(s, function, 1, 1, argument);
}

int sample_launch(struct sample *s, CUfunction function)
{
	return launch(s, function, 1, 1);
}

int sample_launch_device(struct sample *s, CUfunction function)
{
	int sm_count, threads_per_sm, block;
	CUresult error = s->cu.device_get_attribute(
		&sm_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, s->device);

	if (!error)
		error = s->cu.device_get_attribute(
			&threads_per_sm, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
			s->device);
	if (error)
		return (int)error;
	block = threads_per_sm < THREADS_PER_BLOCK ? threads_per_sm : THREADS_PER_BLOCK;
	return launch(s, function, (unsigned int)(sm_count * (threads_per_sm / block)),
		      (unsigned int)block);
}
