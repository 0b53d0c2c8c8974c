/* SPDX-License-Identifier: MIT */
#include "trace/images.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

/* Larger ones are not looked through: a gigabyte a second is no speed for what a program waits for.
 */
#define LOOKED_MAX (64u << 20)

/*
 * Functions that the driver provides, as their names stand in an image's table of names: "CUDA C++
 * Programming Guide", Formatted Output, Dynamic Global Memory Allocation, and
 * cuda_device_runtime_api.h.
 */
static const struct {
	unsigned int use;
	const char *symbol;
} symbols[] = {
	{ 1, "vprintf" },
	{ 2, "malloc" },
	{ 8, "__assertfail" },
	{ 4, "cudaLaunchDevice" },
	{ 4, "cudaLaunchDeviceV2" },
	{ 4, "__cudaCDP2LaunchDevice" },
	{ 4, "__cudaCDP2LaunchDeviceV2" },
};

/* By the number of the bit. */
static const char *const words[] = { "printf", "malloc", "device-launch", "assert" };

static __thread struct {
	uint64_t bytes;
	unsigned int uses;
} loaded __attribute__((tls_model("initial-exec")));

void trace_images_forget(void)
{
	loaded.bytes = 0;
	loaded.uses = 0;
}

/* With a zero byte on either side, as names stand in a table of names. */
static int has_name(const char *cubin, size_t size, const char *name)
{
	char wanted[32] = "";
	size_t length = strlen(name) + 2;

	memcpy(wanted + 1, name, length - 2);
	return memmem(cubin, size, wanted, length) != NULL;
}

void trace_images_add(const void *cubin, size_t size)
{
	loaded.bytes += size;
	if (!cubin || size > LOOKED_MAX)
		return;
	for (size_t i = 0; i < ARRAY_COUNT(symbols); i++)
		if (!(loaded.uses & symbols[i].use) && has_name(cubin, size, symbols[i].symbol))
			loaded.uses |= symbols[i].use;
}

uint64_t trace_images_of(char *buffer, size_t size)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		if (loaded.uses >> i & 1 && used < size)
			used += (size_t)snprintf(buffer + used, size - used, "%s%s",
						 used ? " " : "", words[i]);
	return loaded.bytes;
}
