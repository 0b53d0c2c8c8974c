/* SPDX-License-Identifier: MIT */
#include "tests/sim/libraries.h"

#include <cupti.h>
#include <pthread.h>
#include <stdatomic.h>

#include "tests/sim/injected.h"
#include "tests/unit/fake_cubin.h"

#define ODD TEST_PROFILES "/odd.csv"

#define GRANULE UINT64_C(65536)

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
	size_t image_bytes;
	char image_magic[4];
	const char *kernel;
} told;

static uint64_t used(void)
{
	size_t free_bytes, total_bytes;

	return cu.cuMemGetInfo_v2(&free_bytes, &total_bytes) ? UINT64_MAX
							     : total_bytes - free_bytes;
}

/* It may ask the driver, as in any other callback. */
static void see_image(const CUpti_ModuleResourceData *module)
{
	told.images++;
	told.image_bytes = module->cubinSize;
	memcpy(told.image_magic, module->pCubin, sizeof told.image_magic);
	told.after = used();
}

static void CUPTIAPI see(void *data, CUpti_CallbackDomain domain, CUpti_CallbackId number,
			 const void *info)
{
	const struct {
		CUdeviceptr *pointer;
		size_t bytes;
	} * allocation;
	const CUpti_CallbackData *call = info;

	(void)data;
	(void)number;
	if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
		see_image(((const CUpti_ResourceData *)info)->resourceDescriptor);
		return;
	}
	/* Calls that are made here are not told, or this would never end. */
	if (call->callbackSite == CUPTI_API_ENTER) {
		told.enters++;
		*call->correlationData = call->correlationId;
		allocation = call->functionParams;
		told.asked_bytes = allocation->bytes;
		told.before = used();
		told.kernel = call->symbolName;
	} else {
		told.exits++;
		told.unpaired += *call->correlationData != call->correlationId;
		told.result = *(CUresult *)call->functionReturnValue;
		told.after = used();
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

/* A new one asks for what it wants itself, and hears nothing of what is asked for by the old one.
 */
static bool act_anew(const void *unused)
{
	CUpti_SubscriberHandle old, new;
	CUdeviceptr pointer;
	int enters;

	(void)unused;
	REQUIRE(start(&old));
	REQUIRE(!cupti.enable(1, old, CUPTI_CB_DOMAIN_DRIVER_API, number_of("cuMemAlloc_v2")));
	REQUIRE(!cu.cuMemAlloc_v2(&pointer, 1 << 20));
	enters = told.enters;
	REQUIRE(enters == 1 && !cupti.unsubscribe(old));
	REQUIRE(!cupti.subscribe(&new, see, NULL));
	REQUIRE(!cu.cuMemAlloc_v2(&pointer, 1 << 20) && told.enters == enters);
	REQUIRE(cupti.enable(1, old, CUPTI_CB_DOMAIN_DRIVER_API, number_of("cuMemAlloc_v2")) ==
		CUPTI_ERROR_INVALID_PARAMETER);
	return true;
}

static _Atomic bool is_enough;

static void *allocate_on(void *context)
{
	while (!is_enough)
		allocate(context);
	return NULL;
}

/* Threads go on calling while subscribers come and go. */
static bool act_coming_and_going(const void *unused)
{
	CUpti_SubscriberHandle subscriber;
	pthread_t threads[4];
	CUcontext context;

	(void)unused;
	REQUIRE(start(&subscriber));
	REQUIRE(!cu.cuCtxGetCurrent(&context));
	for (size_t i = 0; i < 4; i++)
		REQUIRE(!pthread_create(&threads[i], NULL, allocate_on, context));
	for (int i = 0; i < 3000; i++) {
		REQUIRE(!cupti.enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
				      number_of("cuMemAlloc_v2")));
		REQUIRE(!cupti.unsubscribe(subscriber));
		REQUIRE(!cupti.subscribe(&subscriber, see, NULL));
	}
	is_enough = true;
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return true;
}

/* Of two kernels that the device's slack has room for one of. */
static CUresult load_two(CUmodule *ret_module)
{
	static struct fake_cubin fake;
	uint16_t section;

	fake_start(&fake, 90, 8);
	section = fake_section(&fake, ".text.one", SHT_PROGBITS, NULL, 4900);
	fake_symbol(&fake, "one", section, FAKE_STO_ENTRY);
	section = fake_section(&fake, ".text.two", SHT_PROGBITS, NULL, 4900);
	fake_symbol(&fake, "two", section, FAKE_STO_ENTRY);
	told.asked_bytes = fake_finish(&fake);
	return cu.cuModuleLoadData(ret_module, fake.bytes);
}

static bool start_images(CUpti_SubscriberHandle *ret_subscriber)
{
	setenv("CUDA_MODULE_LOADING", "EAGER", 1);
	alarm(20); /* of a driver that holds its lock meanwhile, nothing would be heard any more */
	REQUIRE(start(ret_subscriber));
	return !cupti.enable(1, *ret_subscriber, CUPTI_CB_DOMAIN_RESOURCE,
			     CUPTI_CBID_RESOURCE_MODULE_LOADED);
}

static bool act_images(const void *unused)
{
	CUpti_SubscriberHandle subscriber;
	CUmodule module;
	uint64_t before;

	(void)unused;
	REQUIRE(start_images(&subscriber));
	before = used();
	REQUIRE(!load_two(&module) && told.images == 1);
	REQUIRE(told.image_bytes == told.asked_bytes && !memcmp(told.image_magic, "\177ELF", 4));
	REQUIRE(told.after == before + GRANULE && told.after == used());
	return true;
}

static bool act_refused_image(const void *unused)
{
	CUpti_SubscriberHandle subscriber;
	CUdeviceptr pointer;
	CUmodule module;

	(void)unused;
	REQUIRE(start_images(&subscriber));
	for (size_t bytes = SIZE_MAX / 2; bytes >= 4096; bytes /= 2)
		while (!cu.cuMemAlloc_v2(&pointer, bytes))
			;
	REQUIRE(load_two(&module) == CUDA_ERROR_OUT_OF_MEMORY && !told.images);
	return true;
}

/* What was taken between the two callbacks of a launch; UINT64_MAX where it was not told as one. */
static uint64_t launch(CUmodule module, const char *name)
{
	CUfunction function;
	int enters = told.enters;

	if (cu.cuModuleGetFunction(&function, module, name) ||
	    cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) ||
	    told.enters != enters + 1 || told.exits != enters + 1 || strcmp(told.kernel, name) != 0)
		return UINT64_MAX;
	return told.after - told.before;
}

static bool act_launch(const void *unused)
{
	CUpti_SubscriberHandle subscriber;
	CUmodule module;

	(void)unused;
	setenv("CUDA_MODULE_LOADING", "LAZY", 1);
	REQUIRE(start(&subscriber) && !load_two(&module));
	REQUIRE(!cupti.enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
			      number_of("cuLaunchKernel")));
	REQUIRE(launch(module, "one") == 0 && launch(module, "two") == GRANULE);
	REQUIRE(launch(module, "one") == 0 && launch(module, "two") == 0);
	return true;
}

/* Once, whoever calls cuInit() how often, and with a driver that answers by then. */
static bool act_injected(const void *unused)
{
	const struct injected *injected;
	void *library;

	(void)unused;
	setenv("CUDA_INJECTION64_PATH", TEST_INJECTED, 1);
	REQUIRE(driver_load(&cu));
	REQUIRE(!dlopen(TEST_INJECTED, RTLD_NOW | RTLD_NOLOAD));
	REQUIRE(cu.cuInit(1) == CUDA_ERROR_INVALID_VALUE);
	REQUIRE(!dlopen(TEST_INJECTED, RTLD_NOW | RTLD_NOLOAD));
	REQUIRE(!cu.cuInit(0) && !cu.cuInit(0));
	library = dlopen(TEST_INJECTED, RTLD_NOW | RTLD_NOLOAD);
	REQUIRE(library);
	injected = dlsym(library, INJECTED_SYMBOL);
	REQUIRE(injected && injected->count == 1 && injected->device_count == 1);
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

static void a_new_subscriber_starts_afresh(void **state)
{
	(void)state;
	scene_run(ODD, act_anew);
	scene_run(ODD, act_coming_and_going);
}

static void images_are_told_once_they_are_loaded(void **state)
{
	(void)state;
	scene_run(ODD, act_images);
	scene_run(ODD, act_refused_image);
}

static void first_launches_take_what_they_take_in_between(void **state)
{
	(void)state;
	scene_run(ODD, act_launch);
}

static void an_injected_library_is_started_once(void **state)
{
	(void)state;
	scene_run(ODD, act_injected);
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
		cmocka_unit_test(a_new_subscriber_starts_afresh),
		cmocka_unit_test(images_are_told_once_they_are_loaded),
		cmocka_unit_test(first_launches_take_what_they_take_in_between),
		cmocka_unit_test(an_injected_library_is_started_once),
		cmocka_unit_test(libraries_that_cannot_be_injected_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
