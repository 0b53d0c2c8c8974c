/* SPDX-License-Identifier: MIT */
/* Start, version and names of answers. */
#include "sim/driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "sim/process.h"
#include "sim/result.h"

#define DRIVER_EXPORT(symbol, parameters) #symbol,
static const char *const symbols[] = {
#include "sim/driver_exports.def"
};
#undef DRIVER_EXPORT

/* Device addresses are never read; they only have to look apart from the host's. */
#define FIRST_ADDRESS 0x7f4200000000ULL

static bool is_symbol(const char *symbol)
{
	for (size_t i = 0; i < ARRAY_COUNT(symbols); i++)
		if (!strcmp(symbols[i], symbol))
			return true;
	return false;
}

static int read_faults(struct err *reterr)
{
	const char *faults = getenv(SIMULATION_FAULTS);
	int r = fault_identity_parse(&driver.identity, getenv(SIMULATION_PROCESS),
				     getenv(SIMULATION_ATTEMPT), reterr);

	return r < 0 ? r
		     : fault_list_parse(&driver.faults, faults ? faults : "", is_symbol, reterr);
}

static int join(struct err *reterr)
{
	struct process_id self;
	int r = process_self(&self);

	if (r < 0)
		return err_errno(reterr, -r, "/proc/self/stat");
	r = state_join(driver.simulation.state, &self, &driver.slot);
	if (r < 0)
		return err_set(reterr, -r, "more than %d processes on the simulated device",
			       STATE_PROCESSES_MAX);
	return 0;
}

CUresult driver_configure(void)
{
	struct err err = { "" };

	/* First, since a list of faults that is misread must not look like a device that works. */
	if (read_faults(&err) < 0) {
		simulation_complain(&err);
		return CUDA_ERROR_INVALID_SOURCE;
	}
	if (simulation_open(&driver.simulation, &err) < 0) {
		fault_list_free(&driver.faults);
		simulation_complain(&err);
		return CUDA_ERROR_SYSTEM_NOT_READY;
	}
	if (join(&err) < 0) {
		simulation_close(&driver.simulation);
		fault_list_free(&driver.faults);
		simulation_complain(&err);
		return CUDA_ERROR_SYSTEM_NOT_READY;
	}
	driver_read_settings();
	driver.next_address = FIRST_ADDRESS;
	driver.pid = getpid();
	driver.is_configured = true;
	return CUDA_SUCCESS;
}

CUresult cuInit(unsigned int flags)
{
	CUresult r = call_prepare(true);
	bool injects;

	if (!r)
		r = call_begin(__func__, CALL_NEEDS_NOTHING);
	if (r)
		return r;
	if (flags)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	driver.is_initialised = true;
	injects = !driver.is_injected;
	driver.is_injected = true;
	call_end(CUDA_SUCCESS);
	if (injects)
		driver_inject();
	return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
	CUresult r = call_prepare(false);

	if (!r)
		r = call_begin(__func__, CALL_NEEDS_NOTHING);
	if (r)
		return r;
	if (!version)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	*version = (int)driver.simulation.profile.driver_api_version;
	return call_end(CUDA_SUCCESS);
}

/* Works without a profile as well: it is how a program tells that there is none. */
CUresult cuGetErrorName(CUresult error, const char **name)
{
	CUresult r = call_begin(__func__, CALL_NEEDS_NOTHING);

	if (r)
		return r;
	if (!name)
		return call_end(CUDA_ERROR_INVALID_VALUE);
	*name = result_name((int)error);
	return call_end(*name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
