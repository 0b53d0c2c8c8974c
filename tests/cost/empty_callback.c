/* SPDX-License-Identifier: MIT */
/*
 * An injection library whose CUPTI callback does nothing: what a launch costs with it is what
 * looking on costs at least, by this way. It is told of launches, as the tracer is.
 */
#include <cuda.h>
#include <cupti.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than there are calls. */
#define NUMBERS_MAX 4096

struct cupti {
	CUptiResult (*subscribe)(CUpti_SubscriberHandle *, CUpti_CallbackFunc, void *);
	CUptiResult (*enable)(uint32_t, CUpti_SubscriberHandle, CUpti_CallbackDomain,
			      CUpti_CallbackId);
	CUptiResult (*get_name)(CUpti_CallbackDomain, uint32_t, const char **);
};

int InitializeInjection(void);

static void CUPTIAPI ignore(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId number,
			    const void *data)
{
	(void)user;
	(void)domain;
	(void)number;
	(void)data;
}

/* As the tracer looks for it: what is chosen, what the program has loaded, what is installed. */
static void *open_cupti(void)
{
	static const char *const names[] = { "libcupti.so.13", "libcupti.so.12",
					     "/usr/local/cuda/lib64/libcupti.so",
					     "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so",
					     "libcupti.so" };
	const char *chosen = getenv("CUCTX_LIBCUPTI");
	void *library = NULL;

	if (chosen)
		return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	return library;
}

static bool is_launch(const char *name)
{
	static const char *const launches[] = { "cuLaunchKernel", "cuLaunchKernel_ptsz",
						"cuLaunchKernelEx", "cuLaunchKernelEx_ptsz" };

	for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
		if (!strcmp(name, launches[i]))
			return true;
	return false;
}

static CUptiResult look_on(const struct cupti *cupti)
{
	CUpti_SubscriberHandle subscriber;
	CUptiResult result = cupti->subscribe(&subscriber, ignore, NULL);

	for (uint32_t number = 1; !result && number < NUMBERS_MAX; number++) {
		const char *name = NULL;

		if (!cupti->get_name(CUPTI_CB_DOMAIN_DRIVER_API, number, &name) && name &&
		    is_launch(name))
			result = cupti->enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, number);
	}
	return result;
}

static bool fill(struct cupti *cupti, void *library)
{
	if (!library)
		return false;
	*(void **)&cupti->subscribe = dlsym(library, "cuptiSubscribe");
	*(void **)&cupti->enable = dlsym(library, "cuptiEnableCallback");
	*(void **)&cupti->get_name = dlsym(library, "cuptiGetCallbackName");
	return cupti->subscribe && cupti->enable && cupti->get_name;
}

/* Whoever measures has to know that it was there. */
static bool leave_mark(void)
{
	const char *path = getenv("EMPTY_CALLBACK_FILE");
	FILE *file = path ? fopen(path, "w") : NULL;

	return !path || (file && !fclose(file));
}

/* A figure that is taken without a callback must not pass for one with it. */
__attribute__((visibility("default"))) int InitializeInjection(void)
{
	struct cupti cupti;

	if (!fill(&cupti, open_cupti()) || look_on(&cupti) || !leave_mark()) {
		fputs("empty_callback: CUPTI does not work here\n", stderr);
		exit(EXIT_FAILURE);
	}
	return 1;
}
