/* SPDX-License-Identifier: MIT */
/* A library that the driver injects. */
#include "tests/sim/injected.h"

#include <cuda.h>
#include <dlfcn.h>

#define INJECTED_EXPORT __attribute__((visibility("default")))

INJECTED_EXPORT extern struct injected injected;
INJECTED_EXPORT int InitializeInjection(void);

struct injected injected;

int InitializeInjection(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	CUresult (*count)(int *);

	injected.count++;
	*(void **)&count = driver ? dlsym(driver, "cuDeviceGetCount") : NULL;
	if (!count || count(&injected.device_count))
		injected.device_count = -1;
	return 1;
}
