/* SPDX-License-Identifier: MIT */
#include "sim/driver.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the names of the functions behind the exported ones begin with: see sim/wrap.cmake. */
#define INNER "inner_"

#define NS_PER_SECOND UINT64_C(1000000000)
#define NS_PER_MS     UINT64_C(1000000)

/* A stranger that blinks is gone before its process's third call after the one it came with. */
#define BLINK_CALLS 3

struct driver driver;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void sleep_ns(uint64_t ns)
{
	struct timespec left = { .tv_sec = (time_t)(ns / NS_PER_SECOND),
				 .tv_nsec = (long)(ns % NS_PER_SECOND) };

	if (ns)
		nanosleep(&left, NULL);
}

static void hang(void)
{
	/* Other threads of the program go on, as they would. */
	pthread_mutex_unlock(&lock);
	for (;;)
		pause();
}

static void end_blinks(void)
{
	for (size_t i = 0; i < DRIVER_BLINKS_MAX; i++) {
		struct driver_blink *blink = &driver.blinks[i];

		if (!blink->is_on || driver.call_count < blink->until_call)
			continue;
		state_blink_end(driver.simulation.state, blink->slot);
		blink->is_on = false;
	}
}

static int begin_blink(uint64_t bytes)
{
	for (size_t i = 0; i < DRIVER_BLINKS_MAX; i++) {
		struct driver_blink *blink = &driver.blinks[i];

		if (blink->is_on)
			continue;
		blink->until_call = driver.call_count + BLINK_CALLS;
		blink->is_on = !state_blink_begin(driver.simulation.state, bytes, driver.slot,
						  &blink->slot);
		return blink->is_on ? 0 : -1;
	}
	return -1;
}

/* CUDA_ERROR_UNKNOWN where a stranger finds no place: a fault that does nothing would mislead. */
static CUresult strike(const struct fault *fault)
{
	struct state *state = driver.simulation.state;

	switch (fault->kind) {
	case FAULT_REFUSE:
		return (CUresult)fault->value;
	case FAULT_OOM:
		return CUDA_ERROR_OUT_OF_MEMORY;
	case FAULT_HANG:
		hang();
		break;
	case FAULT_ABORT:
		abort();
	case FAULT_STRANGER:
		return state_stranger_take(state, fault->value) < 0 ? CUDA_ERROR_UNKNOWN
								    : CUDA_SUCCESS;
	case FAULT_STRANGER_FREE:
		state_stranger_give(state, fault->value);
		break;
	case FAULT_STRANGER_BLINK:
		return begin_blink(fault->value) < 0 ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
	case FAULT_SLOW_RELEASE:
		state_delay_release(state, driver.slot, fault->value * NS_PER_MS);
		break;
	case FAULT_QUIET_NVML:
		state_set_quiet(state);
		break;
	case FAULT_FOREIGN_PIDS:
		state_set_foreign_pids(state);
		break;
	}
	return CUDA_SUCCESS;
}

/* All faults of this call strike; the first answer among them is the call's. */
static CUresult meet_faults(const char *symbol)
{
	CUresult result = CUDA_SUCCESS;

	for (size_t i = 0; i < driver.faults.count; i++) {
		struct fault *fault = &driver.faults.faults[i];
		CUresult struck = CUDA_SUCCESS;

		if (fault_meets(fault, &driver.identity, symbol, driver.call_count))
			struck = strike(fault);
		if (!result)
			result = struck;
	}
	return result;
}

static CUresult check_needs(enum call_needs needs)
{
	const struct CUctx_st *context;

	if (needs == CALL_NEEDS_NOTHING)
		return CUDA_SUCCESS;
	if (!driver.is_initialised)
		return CUDA_ERROR_NOT_INITIALIZED;
	if (needs == CALL_NEEDS_INIT)
		return CUDA_SUCCESS;
	context = context_current();
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	return context->is_alive ? context->fault : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

static CUresult admit(const char *symbol, enum call_needs needs)
{
	CUresult r;

	if (driver.is_configured && driver.pid != getpid())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!driver.is_counting)
		return check_needs(needs);
	driver.call_count++;
	end_blinks();
	r = meet_faults(symbol);
	sleep_ns(driver.simulation.profile.call_delay_ns);
	return r ? r : check_needs(needs);
}

CUresult call_prepare(bool starts_count)
{
	CUresult r;

	pthread_mutex_lock(&lock);
	r = driver.is_configured ? CUDA_SUCCESS : driver_configure();
	if (!r && starts_count)
		driver.is_counting = true;
	return call_end(r);
}

CUresult call_begin(const char *function, enum call_needs needs)
{
	CUresult r;

	pthread_mutex_lock(&lock);
	r = admit(function + strlen(INNER), needs);
	return r ? call_end(r) : CUDA_SUCCESS;
}

CUresult call_end(CUresult result)
{
	pthread_mutex_unlock(&lock);
	return result;
}

CUcontext driver_current_context(void)
{
	CUcontext context;

	pthread_mutex_lock(&lock);
	context = context_current();
	pthread_mutex_unlock(&lock);
	return context;
}

const char *driver_kernel_name(CUfunction function)
{
	struct CUctx_st *context;
	struct CUmod_st *module;
	const char *name;

	pthread_mutex_lock(&lock);
	name = function_find(function, &context, &module) ? function->kernel->name : NULL;
	pthread_mutex_unlock(&lock);
	return name;
}
