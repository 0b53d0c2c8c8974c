/* SPDX-License-Identifier: MIT */
#include "harness/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool any_simulated;

int library_open(const struct library *library, void **ret_handle, struct err *reterr)
{
	const char *chosen = getenv(library->variable);
	const char *failure = NULL;
	void *handle = NULL;

	if (chosen && *chosen) {
		handle = dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
		if (!handle)
			return err_set(reterr, ENODEV, "%s: %s (%s is set)", library->what,
				       dlerror(), library->variable);
	}
	for (size_t i = 0; !handle && library->names[i]; i++) {
		handle = dlopen(library->names[i], RTLD_NOW | RTLD_LOCAL);
		if (!handle && !failure)
			failure = library->names[i];
	}
	if (!handle)
		return err_set(reterr, ENODEV, "%s: cannot load %s; %s", library->what, failure,
			       library->help);
	if (dlsym(handle, LIBRARY_SIMULATED_SYMBOL))
		any_simulated = true;
	*ret_handle = handle;
	return 0;
}

const char *library_fill(void *handle, const struct library_entry *entries, size_t count,
			 void *table)
{
	for (size_t i = 0; i < count; i++) {
		void *address = dlsym(handle, entries[i].symbol);

		if (!address && entries[i].is_needed)
			return entries[i].symbol;
		memcpy((char *)table + entries[i].offset, &address, sizeof address);
	}
	return NULL;
}

const char *library_of(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) ? info.dli_fname : NULL;
}

bool library_any_simulated(void)
{
	return any_simulated;
}
