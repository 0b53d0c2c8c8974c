/* SPDX-License-Identifier: MIT */
#include "harness/driver.h"

#include <errno.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/array.h"
#include "harness/library.h"

static const char *const names[] = { "libcuda.so.1", NULL };

static const struct library library = {
	.what = "the CUDA driver",
	.variable = "CUCTX_LIBCUDA",
	.names = names,
	.help = CUCTX_SIMULATES
			? "install the NVIDIA driver, or add --simulate to try cuctx without a GPU"
			: "install the NVIDIA driver",
};

enum { OPTIONAL = false, NEEDED = true };

static const struct library_entry entries[] = {
#define DRIVER_CALL(field, symbol, type, need) { #symbol, offsetof(struct driver, field), need },
#include "harness/driver.def"
#undef DRIVER_CALL
};

int driver_load(struct driver *driver, struct err *reterr)
{
	struct driver loaded = { 0 };
	const char *missing;
	void *handle;
	int r = library_open(&library, &handle, reterr);

	if (r < 0)
		return r;
	missing = library_fill(handle, entries, ARRAY_COUNT(entries), &loaded);
	if (missing)
		return err_set(reterr, ENODEV,
			       "the CUDA driver is older than needed: it has no %s; install a "
			       "driver for CUDA 9.2 or later",
			       missing);
	*driver = loaded;
	return 0;
}

const char *driver_error_name(const struct driver *driver, int error, char *buffer)
{
	const char *name = NULL;

	if (!driver->get_error_name || driver->get_error_name((CUresult)error, &name) || !name)
		snprintf(buffer, DRIVER_ERROR_MAX, "error %d", error);
	else
		snprintf(buffer, DRIVER_ERROR_MAX, "%s", name);
	return buffer;
}
