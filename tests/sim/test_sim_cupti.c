/* SPDX-License-Identifier: MIT */
#include "tests/sim/libraries.h"

#include <cupti.h>
#include <pthread.h>
#include <stdatomic.h>

#define ODD TEST_PROFILES "/odd.csv"

static struct driver_table cu;

static struct {
	__typeof__(&cuptiSubscribe) subscribe;
	__typeof__(&cuptiUnsubscribe) unsubscribe;
	__typeof__(&cuptiEnableCallback) enable;
	__typeof__(&cuptiGetCallbackName) name;
} cupti;

static bool cupti_load(void)
{
	void *library = dlopen(TEST_LIBRARIES "/libcupti.so.13", RTLD_NOW | RTLD_LOCAL);

	REQUIRE(library);
	*(void **)&cupti.subscribe = dlsym(library, "cuptiSubscribe");
	*(void **)&cupti.unsubscribe = dlsym(library, "cuptiUnsubscribe");
	*(void **)&cupti.enable = dlsym(library, "cuptiEnableCallback");
	*(void **)&cupti.name = dlsym(library, "cuptiGetCallbackName");
	REQUIRE(cupti.subscribe && cupti.unsubscribe && cupti.enable && cupti.name);
	return true;
}

static CUpti_CallbackId number_of(const char *wanted)
{
	const char *name;

	for (CUpti_CallbackId number = 1; !cupti.name(CUPTI_CB_DOMAIN_DRIVER_API, number, &name);
	     number++)
		if (!strcmp(name, wanted))
			return number;
	return 0;
}

/* What has been told, by all threads. */
static struct {
	_Atomic int enters, exits, images, unpaired;
	CUresult result;
	size_t asked_bytes;
	uint64_t before, after; /* in use, as a callback sees it */
} told;

static void CUPTIAPI see(void *data, CUpti_CallbackDomain domain, CUpti_CallbackId number,
			 const void *info)
{
	const struct {
		CUdeviceptr *pointer;
		size_t bytes;
	} * allocation;
	const CUpti_CallbackData *call = info;
	size_t free_bytes, total_bytes;

	(void)data;
	(void)number;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
		told.images += ((const CUpti_ModuleResourceData *)((const CUpti_ResourceData *)info)
					->resourceDescriptor)
				       ->cubinSize > 0;
		return;
	}
	/* Calls that are made here are not told, or this would never end. */
	cu.cuMemGetInfo_v2(&free_bytes, &total_bytes);
	if (call->callbackSite == CUPTI_API_ENTER) {
		told.enters++;
		*call->correlationData = call->correlationId;
		allocation = call->functionParams;
		told.asked_bytes = allocation->bytes;
		told.before = total_bytes - free_bytes;
	} else {
		told.exits++;
		told.unpaired += *call->correlationData != call->correlationId;
		told.result = *(CUresult *)call->functionReturnValue;
		told.after = total_bytes - free_bytes;
	}
}

static bool start(CUpti_SubscriberHandle *ret_subscriber)
{
	CUcontext context;

	REQUIRE(driver_load(&cu) && cupti_load());
	REQUIRE(!cupti.subscribe(ret_subscriber, see, NULL));
	REQUIRE(!cu.cuInit(0) && !cu.cuDevicePrimaryCtxRetain(&context, 0));
	REQUIRE(!cu.cuCtxSetCurrent(context));
	return true;
}

static bool act_pairs(const void *unused)
{
	CUpti_SubscriberHandle subscriber;
	CUdeviceptr pointer;

	(void)unused;
	REQUIRE(start(&subscriber) && !told.enters);
	REQUIRE(!cupti.enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
			      number_of("cuMemAlloc_v2")));
	REQUIRE(!cu.cuMemAlloc_v2(&pointer, 5 << 20));
	REQUIRE(told.enters == 1 && told.exits == 1 && !told.unpaired);
	REQUIRE(told.asked_bytes == 5 << 20 && told.result == CUDA_SUCCESS);
	REQUIRE(told.after > told.before && told.after - told.before >= 5 << 20);
	REQUIRE(cu.cuMemAlloc_v2(&pointer, 0) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(told.enters == 2 && told.result == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!cupti.enable(0, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
			      number_of("cuMemAlloc_v2")));
	REQUIRE(!cu.cuMemAlloc_v2(&pointer, 5 << 20));
	REQUIRE(told.enters == 2 && told.exits == 2);
	return true;
}

static bool act_subscribers(const void *unused)
{
	CUpti_SubscriberHandle subscriber, other;

	(void)unused;
	REQUIRE(start(&subscriber));
	REQUIRE(cupti.subscribe(&other, see, NULL) ==
		CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
	REQUIRE(cupti.enable(1, NULL, CUPTI_CB_DOMAIN_DRIVER_API, 1) ==
		CUPTI_ERROR_INVALID_PARAMETER);
	REQUIRE(cupti.enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, 100000) ==
		CUPTI_ERROR_INVALID_PARAMETER);
	REQUIRE(!cupti.unsubscribe(subscriber));
	REQUIRE(cupti.unsubscribe(subscriber) == CUPTI_ERROR_INVALID_PARAMETER);
	REQUIRE(!cupti.subscribe(&other, see, NULL));
	setenv("CUCTX_SIM_CUPTI_BUSY", "1", 1);
	REQUIRE(!cupti.unsubscribe(other));
	REQUIRE(cupti.subscribe(&other, see, NULL) ==
		CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
	return true;
}

static void *allocate(void *context)
{
	CUdeviceptr pointer;

	cu.cuCtxSetCurrent(context);
	for (int i = 0; i < 50; i++)
		if (!cu.cuMemAlloc_v2(&pointer, 1 << 20))
			cu.cuMemFree_v2(pointer);
	return NULL;
}

static bool act_threads(const void *unused)
{
	CUpti_SubscriberHandle subscriber;
	pthread_t threads[4];
	CUcontext context;

	(void)unused;
	REQUIRE(start(&subscriber));
	REQUIRE(!cu.cuCtxGetCurrent(&context));
	REQUIRE(!cupti.enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
			      number_of("cuMemAlloc_v2")));
	for (size_t i = 0; i < 4; i++)
		REQUIRE(!pthread_create(&threads[i], NULL, allocate, context));
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	REQUIRE(told.enters == 200 && told.exits == 200 && !told.unpaired);
	return true;
}

static bool act_injection(const void *library)
{
	(void)library;
	setenv("CUDA_INJECTION64_PATH", "/nothing/there.so", 1);
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	REQUIRE(!cu.cuInit(0));
	return true;
}

static bool act_no_entry(const void *unused)
{
	(void)unused;
	setenv("CUDA_INJECTION64_PATH", TEST_LIBRARIES "/libnvidia-ml.so.1", 1);
	REQUIRE(driver_load(&cu) && !cu.cuInit(0));
	return true;
}

static void calls_are_told_before_and_after(void **state)
{
	(void)state;
	scene_run(ODD, act_pairs);
}

static void one_subscriber_at_a_time(void **state)
{
	(void)state;
	scene_run(ODD, act_subscribers);
}

static void threads_keep_their_calls_apart(void **state)
{
	(void)state;
	scene_run(ODD, act_threads);
}

static void libraries_that_cannot_be_injected_change_nothing(void **state)
{
	(void)state;
	scene_run(ODD, act_injection);
	scene_run(ODD, act_no_entry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_told_before_and_after),
		cmocka_unit_test(one_subscriber_at_a_time),
		cmocka_unit_test(threads_keep_their_calls_apart),
		cmocka_unit_test(libraries_that_cannot_be_injected_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
