/* SPDX-License-Identifier: MIT */
/*
 * How the simulated CUPTI sees what is called: the simulated driver has one of these, which is told
 * of each call before and after it, and of each image that has been loaded. Who is told may call
 * the driver, which holds no lock meanwhile; nobody is told anything of these calls.
 */
#ifndef SIM_PROBE_H
#define SIM_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every exported call, in the order of sim/driver_exports.def; CUPTI numbers them as it likes. */
enum driver_number {
	DRIVER_NUMBER_NONE,
#define DRIVER_EXPORT(symbol, parameters) DRIVER_NUMBER_##symbol,
#include "sim/driver_exports.def"
#undef DRIVER_EXPORT
	DRIVER_NUMBER_COUNT
};

struct probe_call {
	enum driver_number number;
	bool is_over;
	const void *parameters; /* one behind the other, as in a struct */
	const void *result;     /* CUresult; once it is over */
	const char *kernel;     /* name of what is launched, else NULL */
	void *context;          /* current */
	uint32_t serial;        /* the same before and after */
	uint64_t *data;         /* room of whoever is told */
};

struct probe {
	void (*tell_call)(const struct probe_call *call);
	void (*tell_image)(const void *image, size_t size);
};

/*
 * Exported by libcuda.so.1 under this name: who has subscribed, NULL when nobody does any more. The
 * probe stays.
 */
#define PROBE_SYMBOL "cuctx_simulated_probe"
typedef void probe_set(const struct probe *probe);

#endif
