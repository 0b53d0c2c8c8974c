/* SPDX-License-Identifier: MIT */
#include "harness/driver.h"

#include <errno.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "harness/library.h"

static const char *const names[] = { "libcuda.so.1", NULL };

static const struct library library = {
	.what = "the CUDA driver",
	.variable = "CUCTX_LIBCUDA",
	.names = names,
	.help = "install the NVIDIA driver, or add --simulate to try cuctx without a GPU",
};

enum need {
	OPTIONAL,
	NEEDED,
};

static const struct {
	const char *symbol;
	size_t offset;
	enum need need;
} entries[] = {
#define DRIVER_CALL(field, symbol, type, need) { #symbol, offsetof(struct driver, field), need },
#include "harness/driver.def"
#undef DRIVER_CALL
};

int driver_load(struct driver *driver, struct err *reterr)
{
	struct driver loaded = { 0 };
	void *handle;
	int r = library_open(&library, &handle, reterr);

	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_COUNT(entries); i++) {
		void *address = library_symbol(handle, entries[i].symbol);

		if (!address && entries[i].need == NEEDED)
			return err_set(
				reterr, ENODEV,
				"the CUDA driver is older than needed: it has no %s; install "
				"a driver for CUDA 9.2 or later",
				entries[i].symbol);
		memcpy((char *)&loaded + entries[i].offset, &address, sizeof address);
	}
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
