/* SPDX-License-Identifier: MIT */
/*
 * libcupti.so.13: callbacks around the calls of the simulated driver, and for the images that it
 * reads. One subscriber at a time, as CUPTI has it (cupti_callbacks.h). Calls are numbered as
 * sim/driver_exports.def lists them: who wants CUPTI's own numbers asks for names.
 */
#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/probe.h"

#define CUPTI_EXPORT __attribute__((visibility("default")))

/* Set where another tool is to be there already. */
#define SIMULATION_CUPTI_BUSY "CUCTX_SIM_CUPTI_BUSY"

static const char *const symbols[] = {
	NULL,
#define DRIVER_EXPORT(symbol, parameters) #symbol,
#include "sim/driver_exports.def"
#undef DRIVER_EXPORT
};

/*
 * One subscriber after the other, with all that it has asked for. A call that is being told of may
 * still hold an ended one, so they stay.
 */
struct CUpti_Subscriber_st {
	struct CUpti_Subscriber_st *previous;
	CUpti_CallbackFunc callback;
	void *data;
	_Atomic bool is_call_enabled[DRIVER_NUMBER_COUNT];
	_Atomic bool is_image_enabled;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUpti_Subscriber_st *last;              /* with the lock */
static _Atomic(struct CUpti_Subscriber_st *) current; /* NULL: nobody has subscribed */

static void tell_call(const struct probe_call *call)
{
	const struct CUpti_Subscriber_st *subscriber = atomic_load(&current);
	CUpti_CallbackData data = { .functionName = symbols[call->number] };

	if (!subscriber || !atomic_load(&subscriber->is_call_enabled[call->number]))
		return;
	data.callbackSite = call->is_over ? CUPTI_API_EXIT : CUPTI_API_ENTER;
	data.functionParams = call->parameters;
	data.functionReturnValue = (void *)call->result;
	data.symbolName = call->kernel;
	data.context = call->context;
	data.contextUid = (uint32_t)((uintptr_t)call->context >> 4);
	data.correlationData = call->data;
	data.correlationId = call->serial;
	subscriber->callback(subscriber->data, CUPTI_CB_DOMAIN_DRIVER_API, call->number, &data);
}

static void tell_image(const void *image, size_t size)
{
	const struct CUpti_Subscriber_st *subscriber = atomic_load(&current);
	CUpti_ModuleResourceData module = { .cubinSize = size, .pCubin = image };
	CUpti_ResourceData data = { .resourceDescriptor = &module };

	if (subscriber && atomic_load(&subscriber->is_image_enabled))
		subscriber->callback(subscriber->data, CUPTI_CB_DOMAIN_RESOURCE,
				     CUPTI_CBID_RESOURCE_MODULE_LOADED, &data);
}

static const struct probe probe = { .tell_call = tell_call, .tell_image = tell_image };

/* The driver that the program has loaded; without one, there are no calls to tell of. */
static void set_probe(const struct probe *new_probe)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	probe_set *set;

	*(void **)&set = driver ? dlsym(driver, PROBE_SYMBOL) : NULL;
	if (set)
		set(new_probe);
}

static CUptiResult subscribe(CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback,
			     void *data)
{
	struct CUpti_Subscriber_st *new;

	if (!subscriber || !callback)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (atomic_load(&current) || getenv(SIMULATION_CUPTI_BUSY))
		return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
	new = calloc(1, sizeof *new);
	if (!new)
		return CUPTI_ERROR_OUT_OF_MEMORY;
	new->previous = last;
	new->callback = callback;
	new->data = data;
	last = new;
	atomic_store(&current, new);
	set_probe(&probe);
	*subscriber = new;
	return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *subscriber,
					CUpti_CallbackFunc callback, void *data)
{
	CUptiResult r;

	pthread_mutex_lock(&lock);
	r = subscribe(subscriber, callback, data);
	pthread_mutex_unlock(&lock);
	return r;
}

static bool is_subscribed(CUpti_SubscriberHandle subscriber)
{
	return subscriber && subscriber == atomic_load(&current);
}

CUPTI_EXPORT CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle subscriber)
{
	bool was_subscribed;

	pthread_mutex_lock(&lock);
	was_subscribed = is_subscribed(subscriber);
	if (was_subscribed) {
		set_probe(NULL);
		atomic_store(&current, NULL);
	}
	pthread_mutex_unlock(&lock);
	return was_subscribed ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUPTI_EXPORT CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle subscriber,
					     CUpti_CallbackDomain domain, CUpti_CallbackId number)
{
	if (!is_subscribed(subscriber))
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE && number == CUPTI_CBID_RESOURCE_MODULE_LOADED)
		atomic_store(&subscriber->is_image_enabled, enable != 0);
	else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && number > DRIVER_NUMBER_NONE &&
		 number < DRIVER_NUMBER_COUNT)
		atomic_store(&subscriber->is_call_enabled[number], enable != 0);
	else
		return CUPTI_ERROR_INVALID_PARAMETER;
	return CUPTI_SUCCESS;
}

CUPTI_EXPORT CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t number,
					      const char **name)
{
	if (domain != CUPTI_CB_DOMAIN_DRIVER_API || !name || number >= ARRAY_COUNT(symbols) ||
	    !symbols[number])
		return CUPTI_ERROR_INVALID_PARAMETER;
	*name = symbols[number];
	return CUPTI_SUCCESS;
}

/* Of those that come from here. */
CUPTI_EXPORT CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
	static const struct {
		CUptiResult result;
		const char *name;
	} names[] = {
		{ CUPTI_SUCCESS, "CUPTI_SUCCESS" },
		{ CUPTI_ERROR_INVALID_PARAMETER, "CUPTI_ERROR_INVALID_PARAMETER" },
		{ CUPTI_ERROR_OUT_OF_MEMORY, "CUPTI_ERROR_OUT_OF_MEMORY" },
		{ CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED,
		  "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" },
	};

	for (size_t i = 0; text && i < ARRAY_COUNT(names); i++) {
		if (names[i].result == result) {
			*text = names[i].name;
			return CUPTI_SUCCESS;
		}
	}
	return CUPTI_ERROR_INVALID_PARAMETER;
}
